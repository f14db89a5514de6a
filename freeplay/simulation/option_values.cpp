// What the rows of the option table can be asked.
#include <fmt/format.h>

#include <algorithm>

#include "freeplay/core/error.h"
#include "freeplay/simulation/option_table.h"

namespace freeplay::simulation {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not find it

template <class Item>
bool fits(const std::vector<Item>& list, const Item& item) {
  return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
}

const std::string& word_of(const WordMember& member, const SimulationOptions& options) {
  const int value = member.get(options);
  const auto found =
      std::find_if(member.words.begin(), member.words.end(), [&](const auto& word) { return word.second == value; });
  FREEPLAY_ASSERT(found != member.words.end());  // an enumerator without a word
  return found->first;
}

OptionValue shared_value(const ShorthandMember& member, const SimulationOptions& options) {
  const double first = options.*member.members.front();
  for (const auto& number : member.members) {
    if (options.*number != first) return {};
  }
  return first;
}

// "1e-9", not "1e-09".
std::string short_text(double number) {
  std::string text = fmt::format("{}", number);
  if (const std::size_t at = text.find("e-0"); at != std::string::npos) text.erase(at + 2, 1);
  return text;
}

bool belongs_to(const Option& option, const Option& shorthand) {
  const auto* member = std::get_if<double SimulationOptions::*>(&option.member);
  if (member == nullptr) return false;
  const auto& members = std::get<ShorthandMember>(shorthand.member).members;
  return std::find(members.begin(), members.end(), *member) != members.end();
}

}  // namespace

bool OptionUsers::include(const IntegratorEntry& integrator) const {
  return fits(treatments, integrator.traits.contact_treatment) && fits(step_rules, integrator.traits.step_rule) &&
         fits(integrators, std::string_view(integrator.name));
}

std::vector<std::string> Option::words() const {
  if (const auto* names = std::get_if<NameMember>(&member)) return names->names();
  std::vector<std::string> list;
  if (const auto* choice = std::get_if<WordMember>(&member)) {
    for (const auto& [word, value] : choice->words) list.push_back(word);
  }
  return list;
}

OptionValue Option::value(const SimulationOptions& options) const {
  return std::visit(
      Overloaded{[&](double SimulationOptions::*number) -> OptionValue { return options.*number; },
                 [&](std::optional<double> SimulationOptions::*number) -> OptionValue {
                   return options.*number ? OptionValue(*(options.*number)) : OptionValue();
                 },
                 [&](const WordMember& choice) -> OptionValue { return word_of(choice, options); },
                 [&](const NameMember& name) -> OptionValue { return options.*name.member; },
                 [&](const ShorthandMember& shorthand) -> OptionValue { return shared_value(shorthand, options); }},
      member);
}

void Option::set(SimulationOptions& options, const OptionValue& value) const {
  std::visit(
      Overloaded{[&](double SimulationOptions::*number) { options.*number = std::get<double>(value); },
                 [&](std::optional<double> SimulationOptions::*number) { options.*number = std::get<double>(value); },
                 [&](const WordMember& choice) {
                   const auto& word = std::get<std::string>(value);
                   const auto found = std::find_if(choice.words.begin(), choice.words.end(),
                                                   [&](const auto& known) { return known.first == word; });
                   FREEPLAY_ASSERT(found != choice.words.end());
                   choice.set(options, found->second);
                 },
                 [&](const NameMember& name) { options.*name.member = std::get<std::string>(value); },
                 [&](const ShorthandMember& shorthand) {
                   for (const auto& number : shorthand.members) options.*number = std::get<double>(value);
                 }},
      member);
}

std::string Option::default_text() const {
  if (is_required || !otherwise.empty()) return {};
  const OptionValue given = value({});
  if (const auto* word = std::get_if<std::string>(&given)) return *word;
  const auto* number = std::get_if<double>(&given);
  if (number == nullptr) return {};
  return dimension.is_dimensionless() ? short_text(*number) : short_text(*number) + " " + dimension.si_unit();
}

bool Option::is_default(const SimulationOptions& options) const {
  return value(options) == value({});
}

bool Option::is_used(const SimulationOptions& options) const {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  return entry == nullptr || (users.include(*entry) && (users.solver.empty() || users.solver == options.solver));
}

const Option& find_option(std::string_view key) {
  const std::vector<Option>& table = option_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Option& option) { return option.key == key; });
  FREEPLAY_ASSERT(found != table.end());
  return *found;
}

std::vector<std::string> differing_options(const SimulationOptions& a, const SimulationOptions& b) {
  std::vector<std::string> keys;
  for (const Option& option : option_table()) {
    if (option.is_shorthand() || !(option.is_used(a) || option.is_used(b))) continue;
    if (option.value(a) != option.value(b)) keys.emplace_back(option.key);
  }
  return keys;
}

std::vector<std::string> warnings_on_unused_options(const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  if (entry == nullptr) return {};
  std::vector<std::string> of_integrator, of_solver;
  const Option* shorthand = nullptr;  // reported, so that its members need not be
  for (const Option& option : option_table()) {
    if (option.is_used(options) || option.is_default(options)) continue;
    if (shorthand != nullptr && belongs_to(option, *shorthand)) continue;
    if (option.is_shorthand()) {
      if (option.value(options) == OptionValue()) continue;  // its members differ and speak for themselves
      shorthand = &option;
    }
    const bool is_for_other_solver = option.users.include(*entry);
    (is_for_other_solver ? of_solver : of_integrator).emplace_back(option.key);
  }
  const auto sentence = [](const std::string& who, const std::vector<std::string>& keys) {
    return fmt::format("{} does not use 'simulate.{}'", who, fmt::join(keys, "', 'simulate."));
  };
  std::vector<std::string> warnings;
  if (!of_integrator.empty()) warnings.push_back(sentence("'" + options.integrator + "'", of_integrator));
  if (!of_solver.empty()) warnings.push_back(sentence("the solver '" + options.solver + "'", of_solver));
  return warnings;
}

}  // namespace freeplay::simulation
