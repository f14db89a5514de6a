// Rows of the field table that follow from the option table (simulation/option_table.h): simulate.
#include <fmt/format.h>

#include <deque>

#include "freeplay/io/fields/field_rows.h"
#include "freeplay/simulation/option_table.h"

namespace freeplay::io {

namespace {

// "Used by `a`, `b`."; empty if every integrator uses it.
std::string users_of(const Option& option) {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrator_registry()) {
    if (option.users.include(entry)) names.push_back(fmt::format("`{}`", entry.name));
  }
  if (!option.users.solver.empty()) return fmt::format(" Used by the solver `{}`.", option.users.solver);
  if (names.size() == integrator_registry().size()) return "";
  return fmt::format(" Used by {}.", fmt::join(names, ", "));
}

}  // namespace

BlockTable simulate_block_table() {
  static std::deque<std::string> texts;  // rows hold views
  const auto kept = [](std::string text) -> std::string_view { return texts.emplace_back(std::move(text)); };
  BlockTable table{"simulate", "simulate", "How the model is run.", {}};
  for (const Option& option : option_table()) {
    const std::string_view doc = kept(std::string(option.meaning) + users_of(option));
    Field field = option.words().empty() ? field_rows::quantity(option.key, option.dimension, doc)
                                         : field_rows::word(
                                               option.key, [&option] { return option.words(); }, doc);
    field.range = option.range;
    field.is_required = option.is_required;
    field.default_value = kept(option.default_text());
    field.default_note = option.otherwise;
    table.fields.push_back(std::move(field));
  }
  return table;
}

}  // namespace freeplay::io
