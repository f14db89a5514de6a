// The option table: one row for each option of `simulate`, from which everything else about it follows.
#include "freeplay/simulation/option_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"
#include "unit/simulation/another_option_value.h"

namespace freeplay::test::option_table_test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// A body that falls.
std::shared_ptr<const System> falling_body() {
  MechanismSpec spec;
  BodySpec body;
  body.name = "body";
  body.mass_kg = 1;
  body.inertia_kg_m2(2, 2) = 1;
  spec.bodies = {body};
  spec.gravity_m_s2 = {0, -10, 0};
  return Mechanism::build(spec);
}

SimulationOptions options_for(const IntegratorEntry& integrator) {
  SimulationOptions options;
  options.integrator = integrator.name;
  options.duration_s = 1;
  if (integrator.traits.step_rule == StepRule::kFixed) options.step_s = 0.1;
  if (integrator.traits.step_rule == StepRule::kWithinBounds) options.max_step_s = 0.1;
  return options;
}

SimulationOptions options_for(const std::string& integrator) {
  return options_for(*find_integrator(integrator));
}

// The mistake in `options`, with its path; "none" if they are accepted.
std::string mistake_in(const SimulationOptions& options) {
  try {
    Simulation simulation(*falling_body(), options);
  } catch (const ModelError& error) {
    return error.diagnostics().front().path + ": " + error.diagnostics().front().message + "; " +
           error.diagnostics().front().hint;
  }
  return "none";
}

std::vector<std::string> changed_rows(const SimulationOptions& options) {
  std::vector<std::string> keys;
  for (const Option& option : option_table()) {
    if (!option.is_shorthand() && !option.is_default(options)) keys.emplace_back(option.key);
  }
  return keys;
}

// Warnings look at the traits and name the options: the two must agree.
TEST(OptionTable, IntegratorsUseTheOptionsThatTheirTraitsSpeakOf) {
  for (const IntegratorEntry& integrator : integrator_registry()) {
    const SimulationOptions options = options_for(integrator);
    const IntegratorTraits& traits = integrator.traits;
    const PenetrationRule rule = traits.penetration_rule;
    EXPECT_EQ(rule == PenetrationRule::kAnticipation, find_option("activation").is_used(options)) << integrator.name;
    EXPECT_EQ(rule == PenetrationRule::kEndOfStep, find_option("constraint").is_used(options)) << integrator.name;
    EXPECT_EQ(rule == PenetrationRule::kForceLaw, traits.has_force_laws()) << integrator.name;
    EXPECT_EQ(traits.is_stable_with_stiff_forces, find_option("theta").is_used(options)) << integrator.name;
    EXPECT_EQ(traits.step_rule == StepRule::kErrorControlled, find_option("relative_tolerance").is_used(options))
        << integrator.name;
  }
}

TEST(OptionTable, EveryRowSetsItsOwnOptionAndNoOther) {
  std::set<std::string_view> keys;
  for (const Option& option : option_table()) {
    EXPECT_TRUE(keys.insert(option.key).second) << option.key << " stands twice";
    EXPECT_FALSE(option.meaning.empty()) << option.key;
    SimulationOptions options;
    const OptionValue value = another_value(option);
    option.set(options, value);
    EXPECT_EQ(option.value(options), value) << option.key;
    if (option.is_shorthand()) {
      EXPECT_THAT(changed_rows(options), ElementsAre("relative_tolerance", "absolute_tolerance")) << option.key;
    } else {
      EXPECT_THAT(changed_rows(options), ElementsAre(option.key));
    }
  }
}

TEST(OptionTable, EveryWordIsReadBackAsItself) {
  for (const Option& option : option_table()) {
    for (const std::string& word : option.words()) {
      SimulationOptions options;
      option.set(options, word);
      EXPECT_EQ(option.value(options), OptionValue(word)) << option.key;
    }
  }
}

TEST(OptionTable, EveryRowHasAUserAndNamesOnlyThoseThatThereAre) {
  for (const Option& option : option_table()) {
    int users = 0;
    for (const IntegratorEntry& entry : integrator_registry()) users += option.users.include(entry) ? 1 : 0;
    EXPECT_GT(users, 0) << option.key;
    for (const std::string_view name : option.users.integrators)
      EXPECT_NE(find_integrator(std::string(name)), nullptr) << option.key << ": " << name;
    if (!option.users.solver.empty()) {
      EXPECT_NE(find_solver(std::string(option.users.solver)), nullptr) << option.users.solver;
    }
  }
}

TEST(OptionTable, EveryNumberOutsideItsRangeIsRefused) {
  for (const Option& option : option_table()) {
    if (!option.words().empty()) continue;
    for (const IntegratorEntry& entry : integrator_registry()) {
      if (!option.users.include(entry)) continue;
      SimulationOptions options = options_for(entry);
      ASSERT_EQ(mistake_in(options), "none") << entry.name;
      option.set(options, -1.0);
      // A shorthand has no value of its own; the rows of its members refuse it.
      const std::string path = option.is_shorthand() ? "simulate." : "simulate." + std::string(option.key) + ":";
      EXPECT_THAT(mistake_in(options), HasSubstr(path)) << entry.name;
    }
  }
}

TEST(OptionTable, AnOptionThatAnIntegratorDoesNotUseIsNoMistake) {
  for (const Option& option : option_table()) {
    for (const IntegratorEntry& entry : integrator_registry()) {
      SimulationOptions options = options_for(entry);
      if (option.key == "step" || option.key == "integrator" || option.users.include(entry)) continue;
      option.set(options, another_value(option));
      EXPECT_EQ(mistake_in(options), "none") << option.key << " and " << entry.name;
    }
  }
}

TEST(OptionTable, EveryOptionThatAnIntegratorDoesNotUseIsNamed) {
  for (const IntegratorEntry& entry : integrator_registry()) {
    EXPECT_THAT(warnings_on_unused_options(options_for(entry)), IsEmpty()) << entry.name;
    for (const Option& option : option_table()) {
      if (option.key == "integrator" || option.users.include(entry)) continue;
      SimulationOptions options = options_for(entry);
      option.set(options, another_value(option));
      EXPECT_THAT(warnings_on_unused_options(options),
                  ElementsAre("'" + entry.name + "' does not use 'simulate." + std::string(option.key) + "'"));
    }
  }
}

TEST(OptionTable, AnOptionOfAnotherSolverIsSaidOfTheSolver) {
  SimulationOptions options = options_for("moreau-midpoint");
  options.r_factor = RFactor::kRowSum;
  options.solver = "lemke";
  EXPECT_THAT(warnings_on_unused_options(options), ElementsAre("the solver 'lemke' does not use 'simulate.r_factor'"));
  options.solver = "prox-jacobi";
  EXPECT_THAT(warnings_on_unused_options(options), IsEmpty());
}

TEST(OptionTable, ARunWarnsOfWhatItDoesNotUse) {
  SimulationOptions options = options_for("moreau-midpoint");
  options.relative_tolerance = 1e-6;
  std::vector<std::string> warnings;
  RunContext context;
  context.log = [&](LogLevel level, std::string_view text) {
    if (level == LogLevel::kWarning) warnings.emplace_back(text);
  };
  const auto system = falling_body();
  MemorySink sink;
  Simulation(*system, options).run(sink, context);
  EXPECT_THAT(warnings, ElementsAre("'moreau-midpoint' does not use 'simulate.relative_tolerance'"));
}

TEST(DifferingOptions, AreAllThatEitherRunUses) {
  for (const IntegratorEntry& entry : integrator_registry()) {
    for (const Option& option : option_table()) {
      if (option.is_shorthand() || option.key == "integrator") continue;
      SimulationOptions a = options_for(entry);
      a.solver = "prox-jacobi";
      SimulationOptions b = a;
      option.set(b, another_value(option));
      if (option.users.include(entry)) {
        EXPECT_THAT(differing_options(a, b), ElementsAre(option.key)) << entry.name;
      } else {
        EXPECT_THAT(differing_options(a, b), IsEmpty()) << entry.name;
      }
    }
  }
  SimulationOptions a = options_for("moreau-jean"), b = options_for("moreau-midpoint");
  a.theta = 1;
  EXPECT_THAT(differing_options(a, b), UnorderedElementsAre("integrator", "theta"));
}

}  // namespace

}  // namespace freeplay::test::option_table_test
