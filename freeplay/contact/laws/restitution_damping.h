// The damping factor a of a force law  F = f(delta)(1 + a delta'/v0)  and the restitution that it delivers.
//
// Whatever f, mass and speed v0 are, the impact integrates in closed form: with m v dv = -F d delta,
//
//   m v dv/(1 + a v/v0) = -f d delta     and both ends at delta = 0 give     a(1 + e) = ln((1 + a)/(1 - a e)).
//
// So the delivered restitution e depends on a alone. The published factors approximate the a that delivers a nominal
// restitution c; most are good near c = 1 only (docs/theory/compliant.md has the table).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::contact {

// The e that follows from a >= 0; 1 at a = 0. To rounding.
double delivered_restitution(double damping_factor);
// Its inverse: the a that delivers e, 0 < e <= 1.
double exact_damping_factor(double restitution);

// Kelvin and Voigt: F = K delta + D delta' with D = 2 zeta sqrt(K m).
// The zeta that delivers c if the contact may pull until delta = 0; 1 at c = 0.
double kelvin_voigt_ratio(double restitution);
// What it delivers without tension: the contact ends where the force vanishes, which is before delta = 0.
double kelvin_voigt_restitution(double damping_ratio);

// A force law by its name in model files.
struct ForceLawEntry {
  enum class Elastic { kPower, kLinear, kCylinder };
  std::string_view name;
  Elastic elastic = Elastic::kPower;
  double (*damping_factor)(double restitution) = nullptr;  // a(c); null for kelvin-voigt
  bool needs_restitution = false;                          // a(0) is infinite
};
const std::vector<ForceLawEntry>& force_law_registry();
const ForceLawEntry* find_force_law(std::string_view name);
std::vector<std::string> force_law_names();

}  // namespace freeplay::contact
