// Assembly of the initial state: values of joints (relative), then of bodies (absolute, they win), then loops.
// Private to assembly*.cpp.
#pragma once

#include <map>
#include <tuple>

#include "freeplay/mechanism/building/mechanism_builder.h"
#include "freeplay/mechanism/dynamics/projection.h"

namespace freeplay::mechanism {

// One value that a body asks for:  channel(q) = value, or for an attitude the rotation vector to the wanted one = 0.
struct Wish {
  int body = 0;
  enum class Kind : std::uint8_t { kPosition, kAngle, kAttitude, kVelocity, kOmega } kind{};
  int component = 0;
  double value = 0;
  Mat3 attitude = Mat3::Identity();
  std::string path;
};

class Assembler {
 public:
  Assembler(const MechanismSpec& spec, const std::shared_ptr<const Mechanism>& mechanism)
      : spec_(spec),
        mechanism_(*mechanism),
        dynamics_(make_mechanism_dynamics(mechanism)),
        workspace_(*mechanism),
        rows_(mechanism->row_count()),
        velocities_(mechanism->velocity_count()),
        held_q_(static_cast<std::size_t>(velocities_), false),
        held_u_(static_cast<std::size_t>(velocities_), false) {
    state_.q = VecX::Zero(mechanism->coordinate_count());
    state_.u = VecX::Zero(velocities_);
    for (std::size_t c = 0; c < mechanism_.channel_table.size(); ++c) {
      const Mechanism::Channel& channel = mechanism_.channel_table[c];
      channel_of_[{channel.kind, channel.index, channel.component}] = static_cast<int>(c);
    }
  }

  State assemble(std::vector<std::string>& notes) {
    collect_wishes();
    set_joint_values(notes);
    meet_position_wishes_of_each_body();
    close_positions(notes);
    meet_velocity_wishes_of_each_body();
    close_velocities(notes);
    return state_;
  }

  static constexpr double kClosed = 1e-10;  // residual (m or a number) below which a loop counts as closed
  static constexpr double kSmallMove =
      1e-2;  // given values may be moved by this much (rad, m, or relative) with a note

 private:
  void collect_wishes();
  void set_joint_values(std::vector<std::string>& notes);
  void meet_position_wishes_of_each_body();
  void close_positions(std::vector<std::string>& notes);
  void meet_velocity_wishes_of_each_body();
  // Those of the body of a node that can move by itself.
  static std::vector<const Wish*> wishes_of(const std::vector<Wish>& wishes, const Mechanism::Node& node);
  void close_velocities(std::vector<std::string>& notes);

  // Newton's method on loops and wishes over the coordinates that are not held. The final residual.
  double solve_positions(const std::vector<bool>& held, bool with_wishes, VecX& q);
  VecX position_residual(const VecX& q, bool with_wishes);
  // A constraint joint that is closed with its frames turned by half a turn, at the position set last; -1 if none.
  int turned_joint();
  // How far the values that were given are missed: joints' coordinates and bodies' absolute values.
  double largest_move(const VecX& given, const VecX& moved);
  MatX position_jacobian(bool with_wishes);  // at the position set last
  double read(Mechanism::Channel::Kind kind, int body, int component);
  // Derivatives of wishes of one body, at the position set last: by the velocities of its own joint, and by all.
  MatX own_rates(const Mechanism::Node& node, const std::vector<const Wish*>& wishes);
  VecX wish_rates(const Wish& wish);
  double rate_of(const Wish& wish);   // at the velocity set last
  double value_of(const Wish& wish);  // residual of a position, at the position set last
  int max_row(const VecX& residual) const;
  std::string worst_row(const VecX& residual) const;
  std::string path_of_row(int row) const;
  std::string coordinate_name(int velocity) const;

  const MechanismSpec& spec_;
  const Mechanism& mechanism_;
  std::unique_ptr<BodyDynamics> dynamics_;
  BilateralWorkspace workspace_;
  int rows_, velocities_;
  State state_;
  std::vector<bool> held_q_, held_u_;  // per velocity
  std::vector<Wish> position_wishes_, velocity_wishes_;
  std::map<std::tuple<Mechanism::Channel::Kind, int, int>, int> channel_of_;
};

}  // namespace freeplay::mechanism
