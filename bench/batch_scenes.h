// The families of runs of bench/batch.cpp and bench/batch_export.cpp.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "freeplay/compile/compiled_family.h"
#include "freeplay/io/model/model_build.h"

namespace freeplay::bench {

// A model and what differs among its lanes.
struct Scene {
  std::string name, file;
  std::vector<std::string> options;
  std::string parameter;  // "c={} mm"
  double least, largest;
  int steps;
};

struct Member {
  ModelFile file;
  Model model;
};

inline const std::vector<Scene>& scenes() {
  static const std::vector<Scene> list = {
      {"slider_crank",
       FREEPLAY_EXAMPLES_DIR "/slider_crank.yaml",
       {"simulate.solver=auto", "simulate.velocity_forces=midpoint", "simulate.duration=0.1 s", "slider_omega=1 rad/s"},
       "c={} mm",
       0.1,
       2,
       10000},
      {"cam_follower",
       FREEPLAY_EXAMPLES_DIR "/cam_follower.yaml",
       {"simulate.step=30 us", "simulate.duration=0.3 s"},
       "cam_speed={} rad/s",
       15,
       25,
       10000},
      {"four_bar_plays", FREEPLAY_BENCH_DIR "/four_bar_plays.yaml", {}, "clearance={} mm", 0.1, 0.3, 10000},
  };
  return list;
}

// `share` from 0 to 1: which value the parameter has.
inline Member member_of(const Scene& scene, double share) {
  std::vector<std::string> options = scene.options;
  const double value = scene.least + share * (scene.largest - scene.least);
  options.push_back(fmt::format(fmt::runtime(scene.parameter), value));
  Member member;
  member.file = load_model(scene.file, options);
  member.file.record.every = std::numeric_limits<int>::max();
  member.model = build_model(member.file);
  return member;
}

inline CompiledFamily family_of(const std::vector<Member>& members) {
  std::vector<CompiledFamily::Sample> samples;
  for (const Member& member : members) samples.push_back({member.file, member.model});
  return {samples, {}};
}

}  // namespace freeplay::bench
