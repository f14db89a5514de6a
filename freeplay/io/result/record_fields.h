// The fields of the tables `summary` and `impacts` of a result file: names, units and where their values are. One list
// for the file, and for whoever shows them.
#pragma once

#include <cstddef>
#include <span>
#include <variant>

#include "freeplay/simulation/recorder.h"

namespace freeplay::io {

struct SummaryField {
  const char* name;
  const char* unit;
  std::variant<double RunSummary::*, std::int64_t RunSummary::*> member;
};
inline constexpr std::size_t kSummaryFieldCount = 18;
std::span<const SummaryField, kSummaryFieldCount> summary_fields();  // the numbers; a status and a message beside them

struct ImpactField {
  const char* name;
  const char* unit;
  std::size_t offset;     // in ImpactRecord
  bool is_index = false;  // std::int32_t instead of double
};
std::span<const ImpactField> impact_fields();

}  // namespace freeplay::io
