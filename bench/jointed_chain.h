// A closed chain of ordinary joints on two pulleys, all pins in contact with friction: one tree with a loop, or all
// joints as constraints.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/joint_ring.h"
#include "freeplay/model/coded_scene.h"

namespace freeplay::bench {

class JointedChain {
 public:
  using Kind = JointRing::Kind;

  // At rest, with some air between pins and rims: gravity lays it on the pulleys, while a torque turns the driver.
  JointedChain(int links, double distance_m, Kind kind, double step_s)
      : links_(links), distance_m_(distance_m), step_s_(step_s) {
    close();
    const Scene scene = description(kind);
    mechanism_ = Mechanism::build(scene.mechanism);
    contacts_ = MechanismContacts::build(mechanism_, scene.mechanism, scene.contacts);
    IntegratorOptions options;
    options.first_step_s = step_s;
    options.velocity_forces = VelocityForces::kMidpoint;
    integrator_ = find_integrator("moreau-midpoint")->make(*mechanism_, *contacts_, options);
    state_ = mechanism_->initial_state();
    if (integrator_->start(state_).status != StepStatus::kOk) throw std::runtime_error("the chain does not start");
  }

  void step() {
    const StepReport report = integrator_->step(state_, static_cast<double>(++taken_) * step_s_);
    if (report.status != StepStatus::kOk) throw std::runtime_error(fmt::format("the chain fails at step {}", taken_));
    contacts_at_end = report.active_points;
  }

  int contacts_at_end = 0;

 private:
  static constexpr double kRadius_m = 0.05, kAir_m = 10e-6, kWayRadius_m = kRadius_m + kAir_m, kLinkMass_kg = 0.012;
  static constexpr int kBisections = 80;

  double way_m() const { return 2 * distance_m_ + 2 * std::numbers::pi * kWayRadius_m; }

  // Counter-clockwise from below the driver.
  Vec2 place(double s) const {
    const double half_turn = std::numbers::pi * kWayRadius_m, right = std::numbers::pi / 2;
    const auto on_pulley = [](double centre, double angle) {
      return Vec2(centre + kWayRadius_m * std::cos(angle), kWayRadius_m * std::sin(angle));
    };
    if (s < distance_m_) return {s, -kWayRadius_m};
    if (s < distance_m_ + half_turn) return on_pulley(distance_m_, (s - distance_m_) / kWayRadius_m - right);
    if (s < 2 * distance_m_ + half_turn) return {2 * distance_m_ + half_turn - s, kWayRadius_m};
    return on_pulley(0, (s - 2 * distance_m_ - half_turn) / kWayRadius_m + right);
  }

  // The pitch with which the links close.
  void close() {
    double shorter = 0.99 * way_m() / links_, longer = 1.01 * way_m() / links_;
    for (int k = 0; k < kBisections; ++k) {
      pitch_m_ = (shorter + longer) / 2;
      (lay() >= way_m() ? longer : shorter) = pitch_m_;
    }
    lay();
  }

  double lay() {
    pins_.clear();
    double s = 0;
    for (int i = 0; i < links_; ++i) {
      pins_.push_back(place(s));
      double near = s, far = s + 1.1 * pitch_m_;
      for (int k = 0; k < kBisections; ++k) {
        const double middle = (near + far) / 2;
        ((place(middle) - pins_.back()).norm() < pitch_m_ ? near : far) = middle;
      }
      s = far;
    }
    return s;
  }

  const Vec2& pin(int i) const { return pins_[static_cast<std::size_t>(i % links_)]; }
  double angle(int link) const {
    const Vec2 along = pin(link % links_ + 1) - pin(link);
    return std::atan2(along.y(), along.x());
  }
  std::string name(int link) const { return fmt::format("link_{}", link % links_); }

  Scene description(Kind kind) const {
    Scene scene;
    scene.mechanism.gravity_m_s2 = Vec3(0, -9.81, 0);
    add_pulley("driver", 0, scene);
    add_pulley("driven", distance_m_, scene);
    AppliedLoadSpec motor;
    motor.name = "motor";
    motor.kind = AppliedLoadSpec::Kind::kTorque;
    motor.body = "driver";
    motor.value[2] = Expression::parse("1 N m", {});
    scene.mechanism.loads.push_back(motor);
    ContactGroupSpec group;
    group.name = "rollers";
    group.members = {{"driver", "rim"}, {"driven", "rim"}};
    group.law.impact = "newton";
    group.law.friction = 0.4;
    for (int i = 0; i < links_; ++i) {
      add_link(i, kind, scene);
      group.against.push_back({name(i), "roller"});
    }
    for (int i = 0; i < links_; ++i) add_pin(i, kind, scene);
    scene.contacts.groups.push_back(group);
    return scene;
  }

  static void add_pulley(const std::string& name, double x, Scene& scene) {
    BodySpec body;
    body.name = name;
    body.mass_kg = 1;
    body.inertia_kg_m2 = 2e-3 * Mat3::Identity();
    scene.mechanism.bodies.push_back(body);
    JointSpec bearing;
    bearing.name = name + "_bearing";
    bearing.type = "revolute";
    bearing.parent = "ground";
    bearing.child = name;
    bearing.at_parent_m = {x, 0, 0};
    scene.mechanism.joints.push_back(bearing);
    scene.contacts.shapes.push_back({name, "rim", "circle", CircleShape{Vec3::Zero(), kRadius_m}});
  }

  void add_link(int i, Kind kind, Scene& scene) const {
    BodySpec link;
    link.name = name(i);
    link.mass_kg = kLinkMass_kg;
    link.inertia_kg_m2 = kLinkMass_kg * pitch_m_ * pitch_m_ / 12 * Mat3::Identity();
    if (i == 0 || kind == Kind::kConstraint) {
      const Vec2 centre = (pin(i) + pin(i + 1)) / 2;
      link.initial.position_m = {centre.x(), centre.y(), std::nullopt};
      link.initial.angle = angle(i);
    }
    scene.mechanism.bodies.push_back(link);
    scene.contacts.shapes.push_back({link.name, "roller", "point", PointShape{{-pitch_m_ / 2, 0, 0}}});
  }

  // Between link i and the next one.
  void add_pin(int i, Kind kind, Scene& scene) const {
    JointSpec joint;
    joint.name = fmt::format("pin_{}", i);
    joint.type = "revolute";
    joint.parent = name(i);
    joint.child = name(i + 1);
    joint.at_parent_m = {pitch_m_ / 2, 0, 0};
    joint.at_child_m = {-pitch_m_ / 2, 0, 0};
    joint.as_constraint = kind == Kind::kConstraint;
    if (kind == Kind::kTree && i + 1 < links_) {
      joint.initial_q = {std::remainder(angle(i + 1) - angle(i), 2 * std::numbers::pi)};
      joint.initial_u = {0};
    }
    scene.mechanism.joints.push_back(joint);
  }

  int links_;
  double distance_m_, step_s_, pitch_m_ = 0;
  std::vector<Vec2> pins_;
  std::shared_ptr<const Mechanism> mechanism_;
  std::shared_ptr<const MechanismContacts> contacts_;
  std::unique_ptr<Integrator> integrator_;
  State state_;
  std::int64_t taken_ = 0;
};

}  // namespace freeplay::bench
