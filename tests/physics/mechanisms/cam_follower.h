// The cam-follower of Flores, Leine, Glocker (2012) and its reference numbers.
//
//   m y'' = -m g - K_s y + lambda_N,     g_N = y - R_b - p(phi),     phi = omega t mod beta
//   p = s (phi/beta - sin(2 pi phi/beta)/(2 pi)): a cycloid, then a drop
#pragma once

#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::cam {

constexpr double kMass = 1, kSpeed = 20.94, kBase = 3e-3, kStroke = 17e-3, kStiffness = 2.4e5, kGravity = 9.81;
constexpr double kLobe = 2 * std::numbers::pi / 6;
constexpr double kLobeTime = kLobe / kSpeed;

struct Lift {
  double value, slope, bend;  // p, dp/dphi, d2p/dphi2
};
inline Lift lift(double phi) {
  const double x = 2 * std::numbers::pi * phi / kLobe;
  return {kStroke * (phi / kLobe - std::sin(x) / (2 * std::numbers::pi)), kStroke / kLobe * (1 - std::cos(x)),
          kStroke / kLobe * 2 * std::numbers::pi / kLobe * std::sin(x)};
}

// Impacts of the first lobe from an event-driven solution: time and approach speed.
struct Impact {
  double time_s, speed_m_s;
};
constexpr Impact kImpacts[] = {{2.837690e-3, 8.233864},  {7.415635e-3, 3.374377},  {10.032573e-3, 1.404739},
                               {11.136293e-3, 0.574832}, {11.572278e-3, 0.232172}, {11.744853e-3, 0.093234},
                               {11.813539e-3, 0.037352}};
constexpr double kZenoTime_s = 11.85921e-3;
// The same after the start of every later lobe: the motion is periodic.
constexpr Impact kLaterImpacts[] = {{2.893231e-3, 9.724894}, {7.715457e-3, 3.985266}, {10.620902e-3, 1.667946}};
constexpr double kLaterZenoTime_s = 12.68735e-3;
constexpr double kForceAt25ms_N = 2769.066;

inline std::vector<Impact> impacts_faster_than(double speed_m_s, const ModelRun& run) {
  std::vector<Impact> impacts;
  for (const ImpactRecord& impact : run.record.impacts) {
    if (-impact.normal_velocity_before > speed_m_s) impacts.push_back({impact.time_s, -impact.normal_velocity_before});
  }
  return impacts;
}

// Mean of the normal force between two times.
inline double mean_force(const ModelRun& run, double from_s, double to_s) {
  double impulse = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (run.time()[i] > from_s + 1e-9 && run.time()[i] < to_s + 1e-9) impulse += run["contact.normal_impulse"][i];
  }
  return impulse / (to_s - from_s);
}

// End of the last step without an impulse before the middle of the first rise: the follower stays on the cam from then.
inline double start_of_sustained_contact(const ModelRun& run) {
  double start = 0;
  for (std::size_t i = 0; i < run.rows() && run.time()[i] < 20e-3; ++i) {
    if (run["contact.normal_impulse"][i] == 0) start = run.time()[i];
  }
  return start;
}
// It starts early, when a rebound cannot leave the penetration of its impact any more: in a bouncing ball by up to
// 3 dt/(e^2 (1 - e)), here with e = 0.4.
constexpr double kEarlySteps = 31;

}  // namespace freeplay::test::cam
