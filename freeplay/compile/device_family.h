// Models that differ in numbers only, compiled for a device: one thread per member, measures reduced there.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "freeplay/compile/family_code.h"
#include "freeplay/compile/object/device_object.h"
#include "freeplay/compile/object/object_cache.h"

namespace freeplay::compile {

class DeviceFamily {
 public:
  // Members with their measures. `toolchain`: gpu_toolchain(), or processor_toolchain() for the same text without a
  // GPU, one lane after the other, which is for tests. Throws CompileError.
  DeviceFamily(std::span<const FamilySample> samples, const Toolchain& toolchain);

  std::optional<LaneData> lane(const FamilySample& member) const { return code_.lane(member); }
  // Any number of lanes of the same rules; the same bits however they are divided among calls. Takes fewer at a time if
  // the device has no memory for all, and lanes with very many crossings of a section once more. Throws DeviceFailure.
  struct Counts {
    long long contact_steps = 0, hard_steps = 0;
  };
  Counts run(std::span<LaneData> lanes, const std::function<bool()>& should_stop = {}) const;

  const std::string& device_name() const { return object_.device_name(); }
  const CachedObject& cached() const { return cached_; }

 private:
  using ShouldStop = std::function<bool()>;
  // `room`: for so many crossings of each lane. Lanes that need more are left as they were, and have kLaneHasNoRoom.
  void run_in_portions(std::span<LaneData> lanes, long long room, const ShouldStop& should_stop, Counts& counts) const;
  void run_at_once(std::span<LaneData> lanes, long long room, const ShouldStop& should_stop, Counts& counts) const;

  FamilyCode code_;
  CachedObject cached_;
  DeviceObject object_;
};

}  // namespace freeplay::compile
