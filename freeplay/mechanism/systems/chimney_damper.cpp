#include "freeplay/mechanism/systems/chimney_damper.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/systems/linear_system.h"
#include "freeplay/mechanism/systems/systems.h"

namespace freeplay::mechanism {

namespace {

using Coordinates = ChimneyDamperCoordinates;

constexpr double kMostPlates = 100;  // far more than make a difference, and matrices stay small

std::vector<SystemParameter> chimney_damper_list() {
  return {{"plates", dimensions::kNone, 4, "how many plates; 0: none"},
          {"graduation", dimensions::kLength, 0.2,
           "clearance of the rod in the bottom plate, the largest; a single plate has half of it"},
          {"friction", dimensions::kNone, 0.3, "of the plates on each other and on the platform"},
          {"smallest_clearance", dimensions::kLength, 0.02, "of the rod in the top plate, to either side"},
          {"restitution", dimensions::kNone, 0, "of the rod in the holes"},
          {"plate_mass", dimensions::kMass, 100, "of all plates together, which are equally heavy"},
          {"pendulum_mass", dimensions::kMass, 500, "at the end of the rod"},
          {"pendulum_length", dimensions::kLength, 0.474308256, "of the pendulum: it swings at sqrt(g/length)"},
          {"pendulum_damping", dimensions::kDamping, 0, "of a viscous damper between the pendulum and the chimney"},
          {"locked", dimensions::kNone, 0, "1: the pendulum is fixed to the chimney; 0: it swings"},
          {"chimney_mass", dimensions::kMass, 10000, "modal mass of the chimney, for the displacement of its top"},
          {"frequency", dimensions::kAngularVelocity, 0.76, "natural frequency of the chimney alone, in Hz"},
          {"damping_ratio", dimensions::kNone, 0.002, "of the chimney alone"},
          {"g", dimensions::kAcceleration, 9.81, "gravity"},
          {"displacement", dimensions::kLength, 0.1, "of the top of the chimney at the start, where it is let go"}};
}

[[noreturn]] void refuse(const char* name, const std::string& message, const std::string& hint) {
  throw ModelError(std::string("parameters.") + name, message, hint);
}

void check_numbers(const ChimneyDamperParameters& p) {
  if (!(p.plates >= 0 && p.plates <= kMostPlates) || p.plates != std::floor(p.plates))
    refuse("plates", fmt::format("must be a whole number from 0 to {}, but is {}", kMostPlates, p.plates),
           fmt::format("give 1 to {}, or 0 for a pendulum without plates", kMostPlates));
  if (p.locked != 0 && p.locked != 1)
    refuse("locked", fmt::format("is {}", p.locked), "give 1 for a pendulum that is fixed to the chimney, or else 0");
  if (!(p.restitution >= 0 && p.restitution <= 1))
    refuse("restitution", fmt::format("is {}", p.restitution), "give a number from 0 to 1");
  if (p.plate_count() > 1 && p.graduation < p.smallest_clearance)
    refuse("graduation",
           fmt::format("is {} m, but the top plate has a clearance of {} m", p.graduation, p.smallest_clearance),
           "give at least 'smallest_clearance': the holes grow from the top plate to the bottom plate");
}

void check_signs(std::span<const double> values) {
  const std::vector<SystemParameter> all = chimney_damper_list();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& name = all[i].name;
    const bool may_be_zero = name == "friction" || name == "pendulum_damping" || name == "damping_ratio";
    const bool has_range = name == "plates" || name == "restitution" || name == "locked" || name == "displacement";
    if (has_range || values[i] > 0 || (may_be_zero && values[i] == 0)) continue;
    refuse(name.c_str(), may_be_zero ? "must not be negative" : "must be greater than 0",
           may_be_zero ? "give 0 or more" : "give a positive value");
  }
}

// T = 1/2 Mc x'^2 + 1/2 mp (x' + s')^2 + sum 1/2 m_i (x' + p_i')^2. A locked rod has s = 0: its mass is the chimney's,
// and s is a coordinate that nothing acts on.
MatX masses(const ChimneyDamperParameters& p) {
  const int n = p.plate_count(), x = Coordinates::kChimney, s = Coordinates::kPendulum;
  MatX M = MatX::Zero(Coordinates::count(n), Coordinates::count(n));
  M(x, x) = p.chimney_mass + p.pendulum_mass + (n > 0 ? p.plate_mass : 0);
  M(s, s) = p.pendulum_mass;
  M(x, s) = M(s, x) = p.is_locked() ? 0 : p.pendulum_mass;
  for (int i = 0; i < n; ++i) {
    const int k = Coordinates::plate(i);
    M(x, k) = M(k, x) = M(k, k) = p.mass_of_a_plate();
  }
  return M;
}

std::shared_ptr<const System> make_chimney_damper(std::span<const double> values) {
  check_signs(values);
  const ChimneyDamperParameters p = chimney_damper_parameters(values);
  check_numbers(p);
  LinearSystemSpec spec;
  spec.coordinates = {{"chimney.x", "chimney.vx", false}, {"pendulum.s", "pendulum.vs", false}};
  for (int i = 1; i <= p.plate_count(); ++i)
    spec.coordinates.push_back({fmt::format("plate_{}.p", i), fmt::format("plate_{}.vp", i), false});
  const int size = Coordinates::count(p.plate_count()), x = Coordinates::kChimney, s = Coordinates::kPendulum;
  const double omega = 2 * std::numbers::pi * p.frequency;
  spec.M = masses(p);
  spec.K = spec.D = MatX::Zero(size, size);
  spec.K(x, x) = p.chimney_mass * omega * omega;
  spec.D(x, x) = 2 * p.damping_ratio * p.chimney_mass * omega;
  spec.K(s, s) = p.is_locked() ? 0 : p.pendulum_mass * p.g / p.pendulum_length;
  spec.D(s, s) = p.is_locked() ? 0 : p.pendulum_damping;
  spec.h = spec.initial_q = spec.initial_u = VecX::Zero(size);
  spec.initial_q[x] = p.displacement;
  return std::make_shared<LinearSystem>(std::move(spec));
}

}  // namespace

double ChimneyDamperParameters::clearance(int plate) const {
  if (plate_count() == 1) return graduation / 2;
  return smallest_clearance + (graduation - smallest_clearance) * plate / (plate_count() - 1);
}

ChimneyDamperParameters chimney_damper_parameters(std::span<const double> v) {
  return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14]};
}

SystemEntry chimney_damper_entry() {
  return {"chimney_damper",
          "a chimney with a pendulum whose rod moves a stack of plates by the holes in them; small motions",
          chimney_damper_list(), &make_chimney_damper};
}

}  // namespace freeplay::mechanism
