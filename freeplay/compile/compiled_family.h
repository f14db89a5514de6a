// Models that differ in numbers only, compiled to one shared object. Every lane of it is one member.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/compile/object/compiled_object.h"
#include "freeplay/compile/object/object_cache.h"
#include "freeplay/compile/program/program.h"

namespace freeplay::compile {

// One member as numbers: what a lane starts with.
struct LaneData {
  std::vector<double> member, laws, state;
  int status = 0;  // LaneStatus of compiled_step.inc; 0: certified
  // Members with other steps and rules run in other packs.
  struct Rules {
    double step_s = 0, end_s = 0, tolerance_m_s = 0, touching = 0, threshold_m_s = 0;
    int keeps_contacts = 0, midpoint_forces = 0, every = 1;
    bool operator==(const Rules&) const = default;
  } rules;
};

// Called for every row of every lane that is still certified: lane, time, channels.
using LaneRowSink = std::function<void(std::size_t lane, double time_s, std::span<const double> channels)>;

class CompiledFamily {
 public:
  // `samples`: members that show which numbers differ, the first one as the reference. Throws CompileError if they have
  // no compiled form, or the compiler fails.
  struct Sample {
    const ModelSpec& spec;
    const Model& model;
  };
  CompiledFamily(std::span<const Sample> samples, std::vector<std::string> channels);

  // The data of a member; nullopt if it differs in more than the samples have shown.
  std::optional<LaneData> lane(const ModelSpec& spec, const Model& model) const;
  // No more than width() lanes of the same rules. Rows may be asked for or not.
  void run(std::span<LaneData> lanes, const LaneRowSink& rows, const std::function<bool()>& should_stop = {}) const;

  int width() const { return object_.sizes().width; }
  const CachedObject& cached() const { return cached_; }
  const Program& program() const { return program_; }
  const std::string& source() const { return source_; }

 private:
  std::vector<std::string> channels_;
  Program program_;
  std::string source_;
  CachedObject cached_;
  CompiledObject object_;
};

// What a lane was left to the engine for, in words.
std::string lane_status_text(int status);

}  // namespace freeplay::compile
