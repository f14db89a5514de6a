// One run of a study once more, this time with everything that its model file records: to be looked at.
#pragma once

#include <filesystem>
#include <optional>

#include "freeplay/study/sweep/runs/sweep_runner.h"

namespace freeplay::study {

// Any of its runs, on any thread. `model`: as in plan_of_study().
class StudyMembers {
 public:
  // Throws IoError if `model` is another one than the study was made from. The table must outlive it.
  StudyMembers(const SweepTable& table, const std::optional<std::filesystem::path>& model);
  // Throws IoError if the study has no such run, ModelError for values with which no model can be built.
  RecordedMember member(std::int64_t run) const;

 private:
  const SweepTable& table_;
  SweepRunner runner_;
};

// As the study has run it: the same values, steps and start. A run that followed its neighbour begins where that one
// ended. `model`: as in plan_of_study(). Throws IoError if the study has no such run or `model` is another one than it
// was made from, ModelError for values with which no model can be built.
RecordedMember study_member(const SweepTable& table, std::int64_t run,
                            const std::optional<std::filesystem::path>& model);

}  // namespace freeplay::study
