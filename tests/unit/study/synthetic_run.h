// Runs that nobody ran: impacts as a test wants them.
#pragma once

#include "freeplay/study/trace.h"

namespace freeplay::test {

struct GivenImpact {
  double time_s, speed_m_s, impulse;
  int contact = 0;
  double restitution = 0.5;
};

inline StudyRun run_with(const std::vector<GivenImpact>& impacts, double step_s = 1e-4, double end_s = 10) {
  StudyRun run;
  run.label = "synthetic";
  run.end = StudyRun::End::kCompleted;
  run.contacts = {"floor", "wall"};
  run.force_channels = {"floor.normal_force", "wall.normal_force"};
  run.gap_channels = {"floor.gap", "wall.gap"};
  run.options.integrator = "moreau-midpoint";
  run.options.solver = "lemke";
  run.options.step_s = step_s;
  run.options.duration_s = end_s;
  run.summary.time_s = end_s;
  run.summary.steps = static_cast<std::int64_t>(end_s / step_s);
  run.trace.time = {0, end_s};
  for (const GivenImpact& given : impacts) {
    ImpactRecord record;
    record.time_s = given.time_s;
    record.contact = given.contact;
    record.normal_velocity_before = -given.speed_m_s;
    record.normal_velocity_after = given.restitution * given.speed_m_s;
    record.normal_impulse = given.impulse;
    run.impacts.push_back(record);
  }
  return run;
}

// A ball with restitution e: the first impact at 1 s with 8 m/s, the next one after 1 s, then intervals times e.
inline std::vector<GivenImpact> bounces(double e, int count, double delay_s = 0) {
  std::vector<GivenImpact> list;
  double t = 1 + delay_s, interval = 1, speed = 8;
  for (int i = 0; i < count; ++i) {
    list.push_back({t, speed, (1 + e) * speed, 0, e});
    t += interval;
    interval *= e;
    speed *= e;
  }
  return list;
}

}  // namespace freeplay::test
