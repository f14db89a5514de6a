#include "bench/peers/simbody_crank_peer.h"

// As in simbody_peer.cpp: Debian builds Simbody without NDEBUG, and a source that defines it crashes.
#ifdef NDEBUG
#error "simbody_crank_peer.cpp must be compiled as Simbody itself was: without NDEBUG"
#endif
#include <Simbody.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "bench/measure.h"

namespace freeplay::bench {

namespace {

using SimTK::SpatialVec;
using SimTK::State;
using SimTK::Vec3;
using SimTK::Vector_;

// Table 1 of Flores, Leine, Glocker (2010); clearance per side, crank and rod stretched out along x at the start.
constexpr double kCrankLength_m = 0.153, kRodLength_m = 0.306;
constexpr double kHalfLength_m = 0.05, kHalfWidth_m = 0.025, kClearance_m = 0.001;
constexpr double kMasses_kg[] = {0.038, 0.038, 0.076}, kInertias_kg_m2[] = {7.4e-5, 5.9e-4, 2.7e-6};
constexpr double kRodSpeed_rad_s = -75;
constexpr double kGravity_m_s2 = 9.81;
constexpr double kRestitution = 0.4, kFriction = 0.01, kSlipSpeed_m_s = 1e-3;
constexpr double kStiffness_N_m32 = 1e9;
constexpr double kDampingFactor = 0.75 * (1 - kRestitution * kRestitution);  // a of Lankarani and Nikravesh
constexpr double kSlowestOnset_m_s = 1e-4;
// Hunt and Crossley's c such that both laws agree for a contact that begins at this speed.
constexpr double kTypicalOnset_m_s = 1;
constexpr double kDissipation_s_m = kDampingFactor / kTypicalOnset_m_s / 1.5;

// The force on all bodies: weight, and contact of the slider's four corners with the two walls. One element does both,
// without any search for contacts.
class Loads final : public SimTK::Force::Custom::Implementation {
 public:
  Loads(SimbodyContact contact, const std::vector<SimTK::MobilizedBody>& bodies) : contact_(contact), bodies_(bodies) {
    onset_.fill({kSlowestOnset_m_s, false});
  }

  void calcForce(const State& state, Vector_<SpatialVec>& body_forces, Vector_<Vec3>&, SimTK::Vector&) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      body_forces[bodies_[i].getMobilizedBodyIndex()][1][1] -= kMasses_kg[i] * kGravity_m_s2;
    }
    SpatialVec& on_slider = body_forces[bodies_.back().getMobilizedBodyIndex()];
    const Slider slider = slider_at(state);
    for (std::size_t i = 0; i < kCorners; ++i) {
      const Corner corner = corner_at(slider, i);
      if (!(corner.depth_m > 0)) continue;
      const double elastic_N = kStiffness_N_m32 * corner.depth_m * std::sqrt(corner.depth_m);
      const double normal_N = std::max(0.0, elastic_N * (1 + damping(corner.rate_m_s, i)));
      const double ramp = std::min(std::abs(corner.sliding_m_s) / kSlipSpeed_m_s, 1.0);
      const double x_N = std::copysign(kFriction * ramp * normal_N, -corner.sliding_m_s);
      const double y_N = -corner.side * normal_N;
      on_slider[0][2] += corner.arm_x_m * y_N - corner.arm_y_m * x_N;
      on_slider[1][0] += x_N;
      on_slider[1][1] += y_N;
    }
  }
  SimTK::Real calcPotentialEnergy(const State&) const override { return 0; }
  bool dependsOnlyOnPositions() const override { return false; }

  // At the end of a step: which corners touch, and how fast they did when they began to. A corner that does not touch
  // keeps the speed of approach at the end of the last step, which is short before a contact.
  void remember(const State& state) {
    const Slider slider = slider_at(state);
    for (std::size_t i = 0; i < kCorners; ++i) {
      const Corner corner = corner_at(slider, i);
      Onset& onset = onset_[i];
      if (!(corner.depth_m > 0)) {
        onset = {std::max(corner.rate_m_s, kSlowestOnset_m_s), false};
      } else if (!onset.is_touching) {
        onset = {std::max(corner.rate_m_s, onset.speed_m_s), true};
      }
    }
  }

 private:
  static constexpr std::size_t kCorners = 4;
  struct Slider {
    double y_m, cos, sin, vx_m_s, vy_m_s, omega_rad_s;
  };
  struct Corner {
    double side;  // +1: the upper wall
    double arm_x_m, arm_y_m;
    double depth_m, rate_m_s, sliding_m_s;
  };
  struct Onset {
    double speed_m_s;
    bool is_touching;
  };

  Slider slider_at(const State& state) const {
    const SimTK::Transform& at = bodies_.back().getBodyTransform(state);
    const SpatialVec& velocity = bodies_.back().getBodyVelocity(state);
    return {at.p()[1], at.R()[0][0], at.R()[1][0], velocity[1][0], velocity[1][1], velocity[0][2]};
  }
  static Corner corner_at(const Slider& slider, std::size_t i) {
    const double side = i < 2 ? 1 : -1, x = i % 2 == 0 ? -kHalfLength_m : kHalfLength_m, y = side * kHalfWidth_m;
    const double arm_x = slider.cos * x - slider.sin * y, arm_y = slider.sin * x + slider.cos * y;
    return {side,
            arm_x,
            arm_y,
            side * (slider.y_m + arm_y) - (kHalfWidth_m + kClearance_m),
            side * (slider.vy_m_s + slider.omega_rad_s * arm_x),
            slider.vx_m_s - slider.omega_rad_s * arm_y};
  }
  double damping(double rate_m_s, std::size_t i) const {
    if (contact_ == SimbodyContact::kHuntCrossley) return 1.5 * kDissipation_s_m * rate_m_s;
    const Onset& onset = onset_[i];
    const double speed_m_s = onset.is_touching ? onset.speed_m_s : std::max(onset.speed_m_s, rate_m_s);
    return kDampingFactor * rate_m_s / speed_m_s;
  }

  SimbodyContact contact_;
  std::vector<SimTK::MobilizedBody> bodies_;  // crank, rod, slider
  std::array<Onset, kCorners> onset_;
};

}  // namespace

SimbodyRun run_simbody_slider_crank(SimbodyContact contact, double accuracy, double crank_speed_rad_s,
                                    double duration_s) {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  matter.setShowDefaultGeometry(false);
  const auto body = [](std::size_t i) {
    return SimTK::Body::Rigid(SimTK::MassProperties(kMasses_kg[i], Vec3(0), SimTK::Inertia(kInertias_kg_m2[i])));
  };
  const Vec3 half_crank(kCrankLength_m / 2, 0, 0), half_rod(kRodLength_m / 2, 0, 0);
  std::vector<SimTK::MobilizedBody> bodies;
  bodies.push_back(SimTK::MobilizedBody::Pin(matter.updGround(), Vec3(0), body(0), Vec3(-half_crank)));
  bodies.push_back(SimTK::MobilizedBody::Pin(bodies[0], half_crank, body(1), Vec3(-half_rod)));
  bodies.push_back(SimTK::MobilizedBody::Pin(bodies[1], half_rod, body(2), Vec3(0)));
  Loads* loads = new Loads(contact, bodies);  // the element owns it
  SimTK::Force::Custom(forces, loads);

  State state = system.realizeTopology();
  system.realizeModel(state);
  state.updU()[0] = crank_speed_rad_s;  // speeds of pins are relative ones
  state.updU()[1] = kRodSpeed_rad_s - crank_speed_rad_s;
  state.updU()[2] = -kRodSpeed_rad_s;

  SimTK::RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  integrator.setFinalTime(duration_s);
  integrator.setAllowInterpolation(false);
  const bool has_memory = contact == SimbodyContact::kLankaraniNikravesh;
  integrator.setReturnEveryInternalStep(has_memory);
  const double start_s = cpu_seconds();
  integrator.initialize(state);
  while (integrator.getTime() < duration_s) {
    integrator.stepTo(duration_s);
    if (has_memory) loads->remember(integrator.getState());
  }
  const double cpu_s = cpu_seconds() - start_s;
  return {cpu_s, integrator.getState().getU()[0], integrator.getNumStepsTaken(), integrator.getNumRealizations()};
}

}  // namespace freeplay::bench
