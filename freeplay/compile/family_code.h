// Models that differ in numbers only, as the text of one program, and each of them as the numbers of a lane.
#pragma once

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
  std::vector<double> measured;  // of functions that lanes compute themselves
  double step_s = 0, end_s = 0;
  int status = 0;  // LaneStatus of compiled_lanes.inc; 0: certified
  // Members with other rules run in other packs.
  struct Rules {
    double tolerance_m_s = 0, touching = 0, threshold_m_s = 0;
    int every = 1;
    bool operator==(const Rules&) const = default;
  } rules;
};

// A member of a family. With measures, lanes compute the functions of the run themselves; without, they give rows.
struct FamilySample {
  const ModelSpec& spec;
  const Model& model;
  const MeasureProgram* measures = nullptr;
};

class FamilyCode {
 public:
  // `samples`: members that show which numbers differ, the first one as the reference. Throws CompileError if they have
  // no compiled form.
  FamilyCode(std::span<const FamilySample> samples, const std::vector<std::string>& channels);

  // The data of a member; nullopt if it differs in more than the samples have shown.
  std::optional<LaneData> lane(const FamilySample& member) const;

  const Program& program() const { return program_; }
  std::size_t channel_count() const { return channel_count_; }
  std::string processor_source() const;
  std::string device_source() const;

 private:
  // What is a constant of the code: rules that all members share.
  struct Constants {
    bool keeps_contacts = false, midpoint_forces = false;
    bool operator==(const Constants&) const = default;
  };
  FamilyCode(std::vector<ModelRecording> recordings, std::span<const FamilySample> samples,
             std::vector<std::string> channels);
  static Constants constants_of(const ModelSpec& spec);
  std::string source(const char* more, const char* entry_points) const;

  std::vector<std::string> channels_;
  Constants constants_;
  bool has_shared_laws_ = false;
  std::size_t points_ = 0, channel_count_ = 0;
  std::vector<ReductionKind> measures_;
  Program program_;
};

// Of the lane that has the most.
long long step_count(std::span<const LaneData> lanes);
// What a lane was left to the engine for, in words.
std::string lane_status_text(int status);

}  // namespace freeplay::compile
