// The options of `simulate:`, one row each. From these rows follow the reader, the reference page and the JSON Schema
// (io/fields), what a result file says about its run (io/result), in what `compare` calls two runs different (study),
// and which options an integrator refuses or is said not to use. A new option is a member of SimulationOptions, or of
// RuleOptions where an integrator takes it as it stands, and a row.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "freeplay/integrators/integrator.h"
#include "freeplay/math/quantities/dimension.h"
#include "freeplay/math/quantities/range.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::simulation {

// What an option is set to: nothing, a number in SI units, or a word.
using OptionValue = std::variant<std::monostate, double, std::string>;

// An enum and its words, in the order of the reference page.
struct WordMember {
  std::vector<std::pair<std::string, int>> words;
  int (*get)(const SimulationOptions&);
  void (*set)(SimulationOptions&, int);
};
// A name in a registry. The format also has names that a later version will know.
struct NameMember {
  std::string SimulationOptions::*member;
  std::vector<std::string> (*names)();
};
// One key that sets several numbers. They have rows of their own further down, which win.
struct ShorthandMember {
  std::vector<double SimulationOptions::*> members;
};
using OptionMember = std::variant<double SimulationOptions::*, std::optional<double> SimulationOptions::*, WordMember,
                                  NameMember, ShorthandMember>;

// Who looks at an option: integrators that fit each list that is not empty, with the solver if one is named.
struct OptionUsers {
  std::vector<ContactTreatment> treatments{};
  std::vector<StepRule> step_rules{};
  std::vector<std::string_view> integrators{};
  std::string_view solver{};

  bool include(const IntegratorEntry& integrator) const;  // with the right solver
};

struct Option {
  std::string_view key{};
  OptionMember member{};
  Dimension dimension{};  // of a number
  Range range{};          // of a number
  bool is_required = false;
  std::string_view otherwise{};  // what happens where it is not given, if its member does not say that
  OptionUsers users{};
  std::string_view meaning{};

  bool is_shorthand() const { return std::holds_alternative<ShorthandMember>(member); }
  std::vector<std::string> words() const;  // that it may be set to; empty: a number
  // Of a shorthand: the number that its members have in common, if they do.
  OptionValue value(const SimulationOptions& options) const;
  // Requires a number or one of its words, as the option is.
  void set(SimulationOptions& options, const OptionValue& value) const;
  // As a file would say it: "auto", "1e-9 m/s"; empty if there is none.
  std::string default_text() const;
  bool is_default(const SimulationOptions& options) const;
  // By the integrator and the solver of `options`. True if there is no such integrator.
  bool is_used(const SimulationOptions& options) const;
};

const std::vector<Option>& option_table();
// Requires that there is one.
const Option& find_option(std::string_view key);

// Keys of the options that two runs differ in, as far as either of the two uses them.
std::vector<std::string> differing_options(const SimulationOptions& a, const SimulationOptions& b);

// One sentence for an integrator, one for a solver, on options that were changed although it does not use them.
std::vector<std::string> warnings_on_unused_options(const SimulationOptions& options);

}  // namespace freeplay::simulation
