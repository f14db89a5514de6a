// Sentences that all reports of a comparison share.
#pragma once

#include <string>

#include "freeplay/study/compare/comparison.h"

namespace freeplay::study {

const char* status_text(const StudyRun& run);  // "completed", "cannot run", "failed", "interrupted", "not started"
std::string cause_words(Cause cause);          // "step size", "accumulation of impacts (Zeno)"

// "diverges from 'lemke' at impact 3 of 'guide_1' at t = 0.0076 s (approach speed 0.082 against 0.081 m/s): step size"
std::string parting_sentence(const Comparison& comparison, const PairReport& pair, const PartingReport& report);
std::string agreement_sentence(const Comparison& comparison, const PairReport& pair);
std::string twin_sentence(const PerturbationGrowth& twin);
// One line about the outcome.
std::string headline(const Comparison& comparison);

}  // namespace freeplay::study
