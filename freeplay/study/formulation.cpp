#include "freeplay/study/formulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/core/error.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/io/fields/field_table.h"

namespace freeplay::study {

namespace {

constexpr const char* kForm =
    "write --with \"integrator=moreau-midpoint,solver=lemke\", or with a label before a colon";
constexpr std::size_t kLongestFolder = 60;

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1));
}

// At the commas that stand outside of brackets and quotes.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (c == ']' || c == '}' || c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrator_registry()) names.push_back(entry.name);
  return names;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_registry()) names.push_back(entry.name);
  return names;
}

class Parser {
 public:
  explicit Parser(const ModelFile& base) : base_(base) {
    for (const ModelParameter& parameter : base.parameters) parameters_.push_back(parameter.name);
  }

  Formulation parse(const std::string& text) {
    Formulation formulation;
    std::string_view rest = text;
    const std::size_t colon = rest.find(':');
    if (colon != std::string_view::npos && colon < rest.find('=')) {
      formulation.label = trimmed(rest.substr(0, colon));
      rest.remove_prefix(colon + 1);
      if (formulation.label.empty()) throw FormulationError(fmt::format("--with '{}' has an empty label", text), kForm);
    }
    std::string values;
    for (const std::string& part : split(rest)) {
      if (part.empty()) throw FormulationError(fmt::format("--with '{}' has an empty entry", text), kForm);
      values += (values.empty() ? "" : ", ") + add(part, text, formulation);
    }
    if (formulation.label.empty()) formulation.label = values;
    return formulation;
  }

  // Every key that does not exist, of all texts.
  void finish() {
    if (!mistakes_.empty()) throw ModelError(mistakes_);
  }

 private:
  // Returns what the label says about it.
  std::string add(const std::string& part, const std::string& text, Formulation& formulation) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return add_word(part, text, formulation);
    const std::string key = trimmed(std::string_view(part).substr(0, equals));
    const std::string value = trimmed(std::string_view(part).substr(equals + 1));
    if (key.empty() || value.empty())
      throw FormulationError(fmt::format("'{}' in --with is not of the form KEY=VALUE", part), kForm);
    const std::string path = path_of(key, text);
    check_names(path, value, text);
    formulation.overrides.push_back(path + "=" + value);
    return path == "simulate.integrator" || path == "simulate.solver" ? value : key + "=" + value;
  }

  std::string add_word(const std::string& word, const std::string& text, Formulation& formulation) {
    if (find_integrator(word) != nullptr) {
      formulation.overrides.push_back("simulate.integrator=" + word);
    } else if (find_solver(word) != nullptr) {
      formulation.overrides.push_back("simulate.solver=" + word);
    } else {
      std::vector<std::string> known = integrator_names();
      for (std::string& name : solver_names()) known.push_back(std::move(name));
      report(text, fmt::format("'{}' is neither an integrator nor a solver, and has no value", word),
             did_you_mean(word, known));
    }
    return word;
  }

  std::string path_of(const std::string& key, const std::string& text) {
    if (key.find('.') != std::string::npos) return key;
    const BlockTable& simulate = block_table("simulate");
    if (simulate.find(key) != nullptr) return "simulate." + key;
    // A system given as code knows its parameters, whether its file lists them or not.
    if (base_.system || std::find(parameters_.begin(), parameters_.end(), key) != parameters_.end()) return key;
    std::vector<std::string> known = simulate.keys();
    known.insert(known.end(), parameters_.begin(), parameters_.end());
    report(text, fmt::format("there is no key '{}' in 'simulate', and no parameter of that name", key),
           did_you_mean(key, known));
    return key;
  }

  // The reader takes every name of the format; a name that this version does not have must not look like a model that
  // it cannot run.
  void check_names(const std::string& path, const std::string& value, const std::string& text) {
    const bool is_parameter = std::find(parameters_.begin(), parameters_.end(), value) != parameters_.end();
    if (is_parameter) return;
    if (path == "simulate.integrator" && find_integrator(value) == nullptr)
      report(text, fmt::format("there is no integrator '{}'", value), did_you_mean(value, integrator_names()));
    if (path == "simulate.solver" && find_solver(value) == nullptr)
      report(text, fmt::format("there is no solver '{}'", value), did_you_mean(value, solver_names()));
  }

  void report(const std::string& text, std::string message, std::string hint) {
    mistakes_.push_back({{"--with", 1, 1}, "", std::move(message), std::move(hint), text});
  }

  const ModelFile& base_;
  std::vector<std::string> parameters_;
  std::vector<Diagnostic> mistakes_;
};

}  // namespace

std::string folder_name(const std::string& label, std::vector<std::string>& taken) {
  std::string name;
  for (const char c : label) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                          c == '_' || c == '=' || c == '.' || c == '+';
    if (is_plain)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
    if (name.size() >= kLongestFolder) break;
  }
  while (!name.empty() && (name.front() == '.' || name.front() == '-')) name.erase(0, 1);
  if (name.empty()) name = "run";
  std::string unique = name;
  for (int i = 2; std::find(taken.begin(), taken.end(), unique) != taken.end(); ++i)
    unique = fmt::format("{}_{}", name, i);
  taken.push_back(unique);
  return unique;
}

std::vector<Formulation> parse_formulations(std::span<const std::string> texts, const ModelFile& base) {
  Parser parser(base);
  std::vector<Formulation> formulations;
  std::vector<std::string> labels, folders;
  for (const std::string& text : texts) {
    Formulation formulation = parser.parse(text);
    std::string unique = formulation.label;
    for (int i = 2; std::find(labels.begin(), labels.end(), unique) != labels.end(); ++i)
      unique = fmt::format("{} ({})", formulation.label, i);
    labels.push_back(unique);
    formulation.label = unique;
    formulation.folder = folder_name(unique, folders);
    formulations.push_back(std::move(formulation));
  }
  parser.finish();
  return formulations;
}

}  // namespace freeplay::study
