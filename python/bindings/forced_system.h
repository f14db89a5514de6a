// A mechanism on which loads act that are functions of somebody else: of Python. For trying things: every evaluation of
// the forces asks the function.
//
// The alternative, a load of the mechanism itself, would let every layer down to the expressions know of functions that
// may fail. Here one class around a Dynamics adds what BodyDynamics::add_load takes.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::app::python {

// The value at t and at the channels that it reads; a force in N or a torque in N m, world axes. Must not throw.
using LoadFunction = std::function<Vec3(double t, std::span<const double> channels)>;

struct FunctionLoad {
  BodyIndex body{};
  Vec3 at_m = Vec3::Zero();  // body axes
  bool is_torque = false;
  std::vector<int> channels;  // of the system
  LoadFunction value;
};

class ForcedSystem final : public System {
 public:
  // Requires bodies that are rigid.
  ForcedSystem(std::shared_ptr<const Mechanism> mechanism, std::vector<FunctionLoad> loads)
      : mechanism_(std::move(mechanism)), loads_(std::move(loads)) {}

  int coordinate_count() const override { return mechanism_->coordinate_count(); }
  int velocity_count() const override { return mechanism_->velocity_count(); }
  int row_count() const override { return mechanism_->row_count(); }
  std::string row_name(int row) const override { return mechanism_->row_name(row); }
  const MassStructure& mass_structure() const override { return mechanism_->mass_structure(); }
  const std::vector<ChannelDescription>& channels() const override { return mechanism_->channels(); }
  State initial_state() const override { return mechanism_->initial_state(); }
  std::unique_ptr<Dynamics> make_dynamics() const override;
  double next_sample(double t) const override { return mechanism_->next_sample(t); }
  double next_break(double t) const override { return mechanism_->next_break(t); }
  double shortest_period() const override { return mechanism_->shortest_period(); }
  std::optional<MotionJump> next_motion_jump(double t) const override { return mechanism_->next_motion_jump(t); }

 private:
  std::shared_ptr<const Mechanism> mechanism_;
  std::vector<FunctionLoad> loads_;
};

}  // namespace freeplay::app::python
