// The double pendulum in minimal coordinates: two absolute angles from the x axis, gravity along -y.
#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/systems/minimal_dynamics.h"
#include "freeplay/mechanism/systems/systems.h"

namespace freeplay::mechanism {

namespace {

struct DoublePendulumParameters {
  double m1, m2, l1, l2, J1, J2, g;       // links with the centre of mass in the middle
  double angle1, angle2, omega1, omega2;  // initial
};

// Order of the channels; upper and lower link alike.
enum Channel { kAlongX, kAlongY, kVx, kVy, kAngle, kOmega, kChannelsPerLink };

class DoublePendulumDynamics final : public MinimalDynamics {
 public:
  explicit DoublePendulumDynamics(const DoublePendulumParameters& p) : MinimalDynamics(2), p_(p) {}

  void set_position(double, const ConstVecRef& q) override {
    q1_ = q[0], q2_ = q[1];
    c1_ = std::cos(q1_), s1_ = std::sin(q1_), c2_ = std::cos(q2_), s2_ = std::sin(q2_);
  }
  void set_velocity(const ConstVecRef& u) override { u1_ = u[0], u2_ = u[1]; }

  // Kinetic energy: upper centre at l1/2, lower centre at l1 and l2/2; the coupling is m2 l1 l2/2 cos(q1 - q2).
  void mass_matrix(MassMatrix& M) override {
    M.at(0, 0) = p_.J1 + p_.m1 * p_.l1 * p_.l1 / 4 + p_.m2 * p_.l1 * p_.l1;
    M.at(1, 0) = coupling() * (c1_ * c2_ + s1_ * s2_);
    M.at(1, 1) = p_.J2 + p_.m2 * p_.l2 * p_.l2 / 4;
  }
  void forces(VecRef h) override {
    const double sin12 = s1_ * c2_ - c1_ * s2_;
    h[0] = -coupling() * sin12 * u2_ * u2_ - (p_.m1 / 2 + p_.m2) * p_.g * p_.l1 * c1_;
    h[1] = coupling() * sin12 * u1_ * u1_ - p_.m2 / 2 * p_.g * p_.l2 * c2_;
  }
  double potential_energy() override {
    return p_.g * (p_.m1 * p_.l1 / 2 * s1_ + p_.m2 * (p_.l1 * s1_ + p_.l2 / 2 * s2_));
  }
  Energies energies() override {
    const double cos12 = c1_ * c2_ + s1_ * s2_;
    const double M00 = p_.J1 + p_.m1 * p_.l1 * p_.l1 / 4 + p_.m2 * p_.l1 * p_.l1;
    const double M11 = p_.J2 + p_.m2 * p_.l2 * p_.l2 / 4;
    return {0.5 * (M00 * u1_ * u1_ + M11 * u2_ * u2_) + coupling() * cos12 * u1_ * u2_, potential_energy()};
  }
  void read_channels(std::span<const int> channels, std::span<double> values) override {
    for (std::size_t i = 0; i < channels.size(); ++i) values[i] = read(channels[i]);
  }

 private:
  double coupling() const { return p_.m2 * p_.l1 * p_.l2 / 2; }

  double read(int channel) const {
    const bool lower = channel >= kChannelsPerLink;
    const double a = lower ? p_.l1 : 0;  // reach of the upper link in this position
    const double b = lower ? p_.l2 / 2 : p_.l1 / 2;
    const double c = lower ? c2_ : c1_, s = lower ? s2_ : s1_, u = lower ? u2_ : u1_;
    switch (channel % kChannelsPerLink) {
      case kAlongX:
        return a * c1_ + b * c;
      case kAlongY:
        return a * s1_ + b * s;
      case kVx:
        return -a * s1_ * u1_ - b * s * u;
      case kVy:
        return a * c1_ * u1_ + b * c * u;
      case kAngle:
        return lower ? q2_ : q1_;
      default:
        return u;
    }
  }

  DoublePendulumParameters p_;
  double q1_ = 0, q2_ = 0, u1_ = 0, u2_ = 0;
  double c1_ = 1, s1_ = 0, c2_ = 1, s2_ = 0;
};

class DoublePendulum final : public System {
 public:
  explicit DoublePendulum(const DoublePendulumParameters& p) : p_(p), structure_(MassStructure::dense(2)) {
    for (const char* link : {"upper", "lower"}) {
      const std::string name = link;
      channels_.push_back({name + ".x", dimensions::kLength});
      channels_.push_back({name + ".y", dimensions::kLength});
      channels_.push_back({name + ".vx", dimensions::kVelocity});
      channels_.push_back({name + ".vy", dimensions::kVelocity});
      channels_.push_back({name + ".angle", dimensions::kAngle, true});
      channels_.push_back({name + ".omega", dimensions::kAngularVelocity, true});
    }
  }
  int coordinate_count() const override { return 2; }
  int velocity_count() const override { return 2; }
  int row_count() const override { return 0; }
  std::string row_name(int) const override { return {}; }
  const MassStructure& mass_structure() const override { return structure_; }
  const std::vector<ChannelDescription>& channels() const override { return channels_; }
  State initial_state() const override {
    State state;
    state.q = Vec2(p_.angle1, p_.angle2);
    state.u = Vec2(p_.omega1, p_.omega2);
    return state;
  }
  std::unique_ptr<Dynamics> make_dynamics() const override { return std::make_unique<DoublePendulumDynamics>(p_); }

 private:
  DoublePendulumParameters p_;
  MassStructure structure_;
  std::vector<ChannelDescription> channels_;
};

std::shared_ptr<const System> make(std::span<const double> v) {
  const DoublePendulumParameters p{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10]};
  const char* positive[] = {"m1", "m2", "l1", "l2"};
  for (std::size_t i = 0; i < 4; ++i) {
    if (!(v[i] > 0))
      throw ModelError(std::string("parameters.") + positive[i], "must be greater than 0", "give a positive value");
  }
  for (const double J : {p.J1, p.J2}) {
    if (J < 0) throw ModelError("parameters.J1", "an inertia is negative", "give 0 or more");
  }
  return std::make_shared<DoublePendulum>(p);
}

}  // namespace

SystemEntry double_pendulum_entry() {
  return {"double_pendulum",
          "two links in the plane, angles from the x axis, gravity along -y",
          {{"m1", dimensions::kMass, 1, "mass of the upper link"},
           {"m2", dimensions::kMass, 1, "mass of the lower link"},
           {"l1", dimensions::kLength, 1, "length of the upper link, its centre of mass in the middle"},
           {"l2", dimensions::kLength, 1, "length of the lower link"},
           {"J1", dimensions::kInertia, 1.0 / 12, "inertia of the upper link about its centre"},
           {"J2", dimensions::kInertia, 1.0 / 12, "inertia of the lower link about its centre"},
           {"g", dimensions::kAcceleration, 9.81, "gravity"},
           {"angle1", dimensions::kAngle, 0, "initial angle of the upper link"},
           {"angle2", dimensions::kAngle, 0, "initial angle of the lower link"},
           {"omega1", dimensions::kAngularVelocity, 0, "initial angular velocity of the upper link"},
           {"omega2", dimensions::kAngularVelocity, 0, "initial angular velocity of the lower link"}},
          &make};
}

}  // namespace freeplay::mechanism
