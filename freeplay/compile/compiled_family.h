// Models that differ in numbers only, compiled to one shared object. Every lane of it is one member.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/compile/family_code.h"
#include "freeplay/compile/object/compiled_object.h"
#include "freeplay/compile/object/object_cache.h"

namespace freeplay::compile {

// Called for every row of every lane that is still certified: lane, time, channels.
using LaneRowSink = std::function<void(std::size_t lane, double time_s, std::span<const double> channels)>;

class CompiledFamily {
 public:
  using Sample = FamilySample;
  // As FamilyCode. Throws CompileError also if the compiler fails.
  CompiledFamily(std::span<const Sample> samples, const std::vector<std::string>& channels);

  // The data of a member; nullopt if it differs in more than the samples have shown.
  std::optional<LaneData> lane(const Sample& member) const { return code_.lane(member); }
  std::optional<LaneData> lane(const ModelSpec& spec, const Model& model) const { return lane({spec, model}); }
  // No more than width() lanes of the same rules. Rows may be asked for or not. The state of a lane that ends before
  // the others has no meaning afterwards; its measures have.
  void run(std::span<LaneData> lanes, const LaneRowSink& rows, const std::function<bool()>& should_stop = {}) const;

  int width() const { return object_.sizes().width; }
  const CachedObject& cached() const { return cached_; }
  const FamilyCode& code() const { return code_; }
  const Program& program() const { return code_.program(); }
  const std::string& source() const { return source_; }
  // The same without rows: steps in contact, and those of them that the general solver had to do.
  struct Counts {
    long long contact_steps = 0, hard_steps = 0;
  };
  Counts run_counting(std::span<LaneData> lanes) const;

 private:
  Counts run_lanes(std::span<LaneData> lanes, const LaneRowSink& rows, const std::function<bool()>& should_stop) const;

  FamilyCode code_;
  std::string source_;
  CachedObject cached_;
  CompiledObject object_;
};

}  // namespace freeplay::compile
