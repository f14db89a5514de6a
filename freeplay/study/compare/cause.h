// Why two formulations part at an impact: decided by runs, not by guess. Every possible cause is put to its test, in
// the order of the list; the first one that holds is the cause, and all tests are reported with their numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/study/compare/impact_matching.h"
#include "freeplay/study/compare/perturbation_growth.h"

namespace freeplay::study {

enum class Cause {
  kChaos,      // a tiny perturbation has grown to the size of the motion by then
  kLaw,        // the contacts answer the same approach differently, whatever the step
  kZeno,       // impacts that accumulate: no step resolves the last of them
  kSolver,     // same rule, same step, and the contact problem has two answers
  kStep,       // the disagreement moves or shrinks with the step
  kUndecided,  // none of these
};
const char* to_string(Cause cause);  // "chaos", "law", "zeno", "solver", "step", "undecided"

struct CauseTest {
  Cause cause{};
  bool holds = false;
  std::string evidence;  // a sentence with the numbers
};

struct CauseFinding {
  Cause cause = Cause::kUndecided;
  std::string sentence;  // the evidence of the cause
  std::vector<CauseTest> tests;
};

// `refined_*`: the same two with half of the step (or a tighter tolerance), up to beyond the parting; null if they did
// not run. `twin`: of the reference; null if it did not run.
struct CauseInput {
  const StudyRun* reference = nullptr;
  const StudyRun* other = nullptr;
  const MatchResult* match = nullptr;  // with a parting
  const StudyRun* refined_reference = nullptr;
  const StudyRun* refined_other = nullptr;
  const PerturbationGrowth* twin = nullptr;
  double from_s = 0;  // where the matching began
  MatchOptions options;
};
CauseFinding find_cause(const CauseInput& input);

// Whether the contacts of the two follow different laws: forces here and impacts there, or other parameters.
bool laws_may_differ(const StudyRun& a, const StudyRun& b);
// Keys of `simulate` that the two differ in and that at least one of them uses, then parameters and paths.
std::vector<std::string> differing_settings(const StudyRun& a, const StudyRun& b);
bool only_solver_differs(const StudyRun& a, const StudyRun& b);

// How long a contact with a force law lasts that began at `onset_s`: until its force has gone. 0 for an impact law.
double contact_duration(const StudyRun& run, int contact, double onset_s);

}  // namespace freeplay::study
