// What a family of runs gives: one row per run with its parameters, its measures, its points in a section and how it
// ended.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::io {

struct SweepColumn {
  std::string name;
  std::string unit;                // SI; "1" for a number
  std::vector<std::string> words;  // of a parameter that is a word: the column holds places in this list, from 0
};

enum class SweepStatus : std::uint8_t { kCompleted, kFailed, kRefused };
std::string_view sweep_status_name(SweepStatus status);  // "completed", "failed", "refused"

struct SweepRow {
  std::int64_t index = 0;  // of the point in the study, from 0
  // SI: parameters, measures, then the state at the end if the study keeps it; not a number if the run has none.
  std::vector<double> values;
  std::vector<double> crossings;  // of the section, one after the other; each has a number per column of it
  SweepStatus status = SweepStatus::kCompleted;
  std::int32_t warnings = 0;  // how many the run gave; compiled code gives none
  std::string left_because;   // of a study by compiled code: why the engine has done this run; empty: it has not
  std::string message;        // why it has no measures, or none of those of --orbit

  bool is_left_to_engine() const { return !left_because.empty(); }
};

struct SweepHeader {
  std::vector<SweepColumn> parameters, measures;
  std::vector<SweepColumn> section;               // what is known of each crossing, its time first; empty: no section
  std::vector<SweepColumn> final_state;           // coordinates, then velocities; empty: not kept
  std::int64_t runs = 0;                          // of the whole study; fewer than 2^31
  std::map<std::string, std::string> attributes;  // texts: the model, what was asked for, the version

  // Compiled code has done its runs but those that it left to the engine.
  bool is_compiled() const { return attributes.contains("backend"); }
};

struct SweepTable {
  SweepHeader header;
  std::vector<SweepRow> rows;  // by index; those that are there

  std::size_t crossing_count(const SweepRow& row) const {
    return header.section.empty() ? 0 : row.crossings.size() / header.section.size();
  }
  bool is_complete() const { return static_cast<std::int64_t>(rows.size()) == header.runs; }
};

}  // namespace freeplay::io
