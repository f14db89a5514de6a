// The seam between models and integrators. A System is frozen; a Dynamics is one evaluator of it with its workspace.
//
// Mechanism (bodies and joints) is one System; a textbook model in minimal coordinates, written as code, is another
// (systems/double_pendulum.cpp). Integrators, the recorder and the command see only this header.
//
//   M(q) du/dt = h(t, q, u) + W lambda,     dq/dt = T(q) u
//   bilateral rows:  g(t, q) = 0,   gamma = W^T u + w_tilde = 0,   dgamma/dt = W^T du/dt + zeta = 0
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/math/quantities/dimension.h"
#include "freeplay/math/types.h"
#include "freeplay/mechanism/state.h"
#include "freeplay/mechanism/trees/mass_matrix.h"

namespace freeplay::mechanism {

// Bilateral rows at one state. One column of W per row.
struct BilateralRows {
  VecX g;        // position residual: m, or a number for rotations
  MatX W;        // velocities x rows
  VecX w_tilde;  // explicit time derivative of g
  VecX zeta;     // dgamma/dt at du/dt = 0

  void resize(int velocities, int rows);
};

// The velocities of one tree, a part of a row of W.
struct RowPart {
  int first = 0, size = 0;
};

struct Energies {
  double kinetic = 0, potential = 0;
};

// Power that crosses the border of the system, W.
struct Powers {
  double input = 0;    // drivers and applied loads
  double damping = 0;  // lost in dampers, >= 0
};

struct ChannelDescription {
  std::string name;
  Dimension dimension;
  bool is_angle = false;             // an angle or its rate: dimensionless to an expression, in rad to a reader
  bool needs_accelerations = false;  // reactions; such a channel cannot stand in an expression
  bool is_pose = false;              // part of the position, orientation or deformation of a body: what a picture needs
  bool is_on_request = false;        // follows from others: recorded only where it is named

  std::string unit() const;  // SI: "m/s", "rad/s", "1"
};

class Dynamics {
 public:
  virtual ~Dynamics() = default;

  // Stages, in this order; each one uses the results of the ones before. None allocates.
  virtual void set_position(double t, const ConstVecRef& q) = 0;
  virtual void set_velocity(const ConstVecRef& u) = 0;

  // At the position set.
  virtual void mass_matrix(MassMatrix& M) = 0;
  virtual void row_positions(VecRef g) = 0;            // g; size row_count()
  virtual void row_jacobian(BilateralRows& rows) = 0;  // W and w_tilde
  // One row alone, kept to the velocities of the two trees (or the one) that it acts on: `values` gets the parts of its
  // column of W one below the other, and w_tilde is returned. It costs what these trees have velocities, whatever the
  // number of rows and of other trees.
  virtual double row_parts(int row, std::array<RowPart, 2>& parts, double* values) = 0;
  virtual double potential_energy() = 0;

  // At the position and velocity set.
  virtual void forces(VecRef h) = 0;
  virtual void row_bias(VecRef zeta) = 0;
  virtual Energies energies() = 0;
  // Whether powers() can be anything but zero.
  virtual bool has_sources() const = 0;
  // `lambda`: efforts of the bilateral rows (empty if there are none).
  virtual Powers powers(const ConstVecRef& lambda) = 0;
  // du/dt = M^-1 h for a system without bilateral rows; false if M is not positive. Requires forces() not to have
  // been called: it takes what it needs. A mechanism does this in time proportional to the number of bodies.
  [[nodiscard]] virtual bool free_accelerations(VecRef du) = 0;
  // The same once more, at another velocity of the same position: cheaper, since M is known.
  virtual void free_accelerations_again(VecRef du) = 0;

  // dq/dt = T(q) u at the position and velocity set, and the step q <- q (+) delta along a small displacement in
  // velocity coordinates (dq = T(q) delta, quaternions stay unit).
  virtual void velocity_to_rate(const ConstVecRef& q, const ConstVecRef& u, VecRef q_rate) const = 0;
  virtual void displace(VecRef q, const ConstVecRef& delta) const = 0;
  // The same along a straight line, q + T(q) delta, with quaternions drawn back to unit length: |e|^2 - 1 stays of the
  // order |delta|^2 instead of zero (Chaturvedi, Sandu, Sandu 2024, eqs 21 and 22).
  virtual void displace_straight(VecRef q, const ConstVecRef& delta) const { displace(q, delta); }
  // Removes rounding from redundant coordinates (unit quaternions). True if q changed.
  virtual bool normalise(VecRef q) const = 0;

  // Reactions of all joints for given accelerations and row efforts; feeds the channels.
  virtual void set_accelerations(const ConstVecRef& du, const ConstVecRef& lambda) = 0;
  // What channels remember from one reading to the next (the sign of a quaternion), as numbers: for a run that goes on
  // elsewhere.
  virtual std::vector<double> channel_memory() const { return {}; }
  virtual void set_channel_memory(std::span<const double> /*numbers*/) {}  // as many as channel_memory() gives
  // At an instant of System::next_sample(), and at the start: what controllers sample there enters the state.
  virtual void take_samples(State& /*state*/) {}
  // Values of channels (indices into System::channels()) at the stages set so far.
  virtual void read_channels(std::span<const int> channels, std::span<double> values) = 0;
};

// Where a prescribed motion is not smooth.
struct MotionJump {
  std::string driver;
  double t = 0;
  bool is_of_value = false;  // the motion itself jumps; otherwise its rate
  double size = 0;           // rad or m, per second if it is the rate
};

class System {
 public:
  virtual ~System() = default;
  virtual int coordinate_count() const = 0;  // size of q
  virtual int velocity_count() const = 0;    // size of u
  virtual int row_count() const = 0;         // bilateral rows, redundant ones included
  virtual std::string row_name(int row) const = 0;
  virtual const MassStructure& mass_structure() const = 0;
  virtual const std::vector<ChannelDescription>& channels() const = 0;
  virtual State initial_state() const = 0;
  virtual std::unique_ptr<Dynamics> make_dynamics() const = 0;

  // The first instant after t at which sampled controllers take values, or such values begin to act: steps end there,
  // and Dynamics::take_samples() follows. Infinity if there is none.
  virtual double next_sample(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  // The first instant after t at which a function of time may jump or have a kink, as far as that can be seen.
  virtual double next_break(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  // The shortest period of functions of time, as far as that can be seen: a step that is as long would not notice it.
  virtual double shortest_period() const { return std::numeric_limits<double>::infinity(); }
  // The first one after t.
  virtual std::optional<MotionJump> next_motion_jump(double /*t*/) const { return std::nullopt; }
};

// Index of a channel or -1.
int find_channel(const System& system, std::string_view name);

}  // namespace freeplay::mechanism
