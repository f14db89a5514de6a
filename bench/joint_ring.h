// A closed chain of ordinary joints that turns and bends: one tree with a loop, or all joints as constraints.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::bench {

class JointRing {
 public:
  enum class Kind { kTree, kConstraint };

  JointRing(int links, Kind kind, const std::string& integrator, double step_s) : step_s_(step_s) {
    mechanism_ = Mechanism::build(description(links, kind));
    contacts_ = MechanismContacts::build(mechanism_, description(links, kind), {});
    IntegratorOptions options;
    options.first_step_s = step_s;
    options.velocity_forces = VelocityForces::kMidpoint;
    integrator_ = find_integrator(integrator)->make(*mechanism_, *contacts_, options);
    state_ = mechanism_->initial_state();
    if (integrator_->start(state_).status != StepStatus::kOk) throw std::runtime_error("the ring does not start");
  }

  void step() {
    const StepReport report = integrator_->step(state_, static_cast<double>(++taken_) * step_s_);
    if (report.status != StepStatus::kOk) throw std::runtime_error(fmt::format("the ring fails at step {}", taken_));
  }

  double energy_J() const {
    const auto dynamics = mechanism_->make_dynamics();
    dynamics->set_position(state_.t, state_.q);
    dynamics->set_velocity(state_.u);
    const Energies energies = dynamics->energies();
    return energies.kinetic + energies.potential;
  }

 private:
  static MechanismSpec description(int links, Kind kind) {
    constexpr double kPitch_m = 0.01, kMass_kg = 0.012, kRimSpeed_m_s = 5, kBend = 1;
    const double angle = 2 * std::numbers::pi / links, radius_m = kPitch_m / 2 / std::tan(angle / 2),
                 omega = kRimSpeed_m_s / radius_m;
    MechanismSpec spec;
    for (int i = 0; i < links; ++i) {
      BodySpec link;
      link.name = fmt::format("link_{}", i);
      link.mass_kg = kMass_kg;
      link.inertia_kg_m2 = kMass_kg * kPitch_m * kPitch_m / 12 * Mat3::Identity();
      if (i == 0 || kind == Kind::kConstraint) {
        const double x = radius_m * std::sin(i * angle), y = -radius_m * std::cos(i * angle);
        link.initial.position_m = {x, y, std::nullopt};
        link.initial.angle = i * angle;
        link.initial.velocity_m_s = {-omega * y, omega * x, std::nullopt};
        link.initial.angular_velocity[2] = omega;
      }
      spec.bodies.push_back(link);
    }
    for (int i = 1; i <= links; ++i) {
      JointSpec pin;
      pin.name = fmt::format("pin_{}", i);
      pin.type = "revolute";
      pin.parent = fmt::format("link_{}", i - 1);
      pin.child = fmt::format("link_{}", i % links);
      pin.at_parent_m = {kPitch_m / 2, 0, 0};
      pin.at_child_m = {-kPitch_m / 2, 0, 0};
      pin.as_constraint = kind == Kind::kConstraint;
      if (kind == Kind::kTree && i < links) {
        pin.initial_q = {angle};
        pin.initial_u = {kBend * std::cos(3 * angle * i)};
      }
      spec.joints.push_back(pin);
    }
    return spec;
  }

  double step_s_;
  std::shared_ptr<const Mechanism> mechanism_;
  std::shared_ptr<const MechanismContacts> contacts_;
  std::unique_ptr<Integrator> integrator_;
  State state_;
  std::int64_t taken_ = 0;
};

}  // namespace freeplay::bench
