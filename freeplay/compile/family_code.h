// Models that differ in numbers only, as the text of one program, and each of them as the numbers of a lane.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/compile/program/program.h"
#include "freeplay/simulation/measure/measure_parser.h"

namespace freeplay::compile {

// One member as numbers: what a lane starts with, and what it has come to.
struct LaneData {
  std::vector<double> member, laws, state;
  std::vector<double> measured;   // of functions that lanes compute themselves
  std::vector<double> section;    // where a lane of a device stands between two crossings (SectionState)
  std::vector<double> crossings;  // of its section so far: time and points of each
  double step_s = 0, end_s = 0;
  int every = 1;   // steps per row
  int status = 0;  // LaneStatus of compiled_lanes.inc; 0: certified
  // Members with other rules run in other packs.
  struct Rules {
    double tolerance_m_s = 0, touching = 0, threshold_m_s = 0;
    long long skip = 0, turns = -1;  // of LaneSection
    bool operator==(const Rules&) const = default;
  } rules;
};

// A function of a run as lanes compute it.
struct LaneMeasure {
  int kind = 0;  // as compiled_measure.inc numbers them
  bool crosses = false, is_of_impacts = false, needs_impacts = false;
  std::uint64_t points = 0;  // a bit for each point whose impacts it takes
  bool operator==(const LaneMeasure&) const = default;
};

// A Poincaré section that lanes of a device note themselves. Its program has one function for the section, of which the
// expression that crosses zero or the period is taken, and one per point.
struct LaneSection {
  enum Kind : std::uint8_t { kNone, kEvery, kRising, kFalling, kCrossing };  // as compiled_section.inc numbers them
  Kind kind = kNone;
  const MeasureProgram* program = nullptr;
  long long skip = 0, turns = -1;  // crossings that are left out; those after which a run ends, below 0: none

  std::size_t point_count() const { return kind == kNone ? 0 : program->reductions.size() - 1; }
};

// A member of a family. With measures, lanes compute the functions of the run themselves; without, they give rows.
struct FamilySample {
  const ModelSpec& spec;
  const Model& model;
  const MeasureProgram* measures = nullptr;
  LaneSection section = {};
};

struct RecordedSamples;  // of one structure

class FamilyCode {
 public:
  // `samples`: members that show which numbers differ. Those that differ in more than most of them are left out. Throws
  // CompileError if none has a compiled form.
  FamilyCode(std::span<const FamilySample> samples, const std::vector<std::string>& channels);

  // The data of a member; nullopt if it differs in more than the samples have shown.
  std::optional<LaneData> lane(const FamilySample& member) const;

  const Program& program() const { return program_; }
  std::size_t channel_count() const { return channel_count_; }
  std::string processor_source() const;
  std::string device_source() const;
  std::size_t section_points() const { return section_points_; }
  LaneSection::Kind section_kind() const { return section_kind_; }
  bool has_section() const { return section_kind_ != LaneSection::kNone; }

 private:
  // What is a constant of the code: rules that all members share.
  struct Constants {
    bool keeps_contacts = false, midpoint_forces = false, anticipates = false;
    bool operator==(const Constants&) const = default;
  };
  FamilyCode(RecordedSamples samples, std::vector<std::string> channels);
  static Constants constants_of(const ModelSpec& spec);
  std::string source(const char* more, const char* entry_points) const;

  std::vector<std::string> channels_;
  Constants constants_;
  bool has_shared_laws_ = false;
  std::size_t points_ = 0, channel_count_ = 0;
  std::vector<LaneMeasure> measures_;
  bool notes_impacts_ = false;
  LaneSection::Kind section_kind_ = LaneSection::kNone;
  std::size_t section_points_ = 0;
  Program program_;
  ModelRecording reference_;
  int memory_numbers_ = 0;  // per point, in the state of a lane
};

// Of LaneStatus (compiled_lanes.inc).
inline constexpr int kLaneIsNotFinite = 5;
inline constexpr int kLaneHasNoRoom = 6;   // for the crossings of its section
inline constexpr int kLaneWasStopped = 7;  // by request, before its end
inline constexpr int kLaneWasCentred = 9;  // concentric parts may have touched, in a direction that is not known
inline constexpr int kLaneHasPassed = 8;   // parts may have flown through each other within a step

// Marks lanes of which a number is none: from then on they are left to the engine.
void mark_lanes_without_numbers(std::span<LaneData> lanes);
// Of the lane that has the most.
long long step_count(std::span<const LaneData> lanes);
// That of a lane after so many of them: one that has not come to its end was stopped.
int status_after(const LaneData& lane, int status, long long steps);
// What a lane was left to the engine for, in words.
std::string lane_status_text(int status);

}  // namespace freeplay::compile
