#include "freeplay/contact/laws/restitution_damping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace freeplay::contact {

namespace {

constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

// x - ln(1 + x), also where the two nearly cancel.
double log_excess(double x) {
  if (std::abs(x) > 0.1) return x - std::log1p(x);
  // x^2/2 - x^3/3 + x^4/4 - ...
  double sum = 0, power = x;
  for (int k = 2; k <= 18; ++k) {
    power *= -x;
    sum -= power / k;
  }
  return sum;
}

// z - (1 - e^-z), also where the two nearly cancel. It is log_excess(-y) at y = 1 - e^-z.
double exp_excess(double z) {
  if (z > 0.1) return z + std::expm1(-z);
  // z^2/2 - z^3/6 + z^4/24 - ...
  double sum = 0, term = z;
  for (int k = 2; k <= 12; ++k) {
    term *= -z / k;
    sum -= term;
  }
  return sum;
}

double no_loss(double) {
  return 0;
}
double hunt_crossley(double c) {
  return 1.5 * (1 - c);
}
double herbert_mcwhannell(double c) {
  return 6 * (1 - c) / ((2 * c - 1) * (2 * c - 1) + 3);
}
double lee_wang(double c) {
  return 0.75 * (1 - c);
}
double lankarani_nikravesh(double c) {
  return 0.75 * (1 - c * c);
}
double gonthier(double c) {
  return (1 - c * c) / c;
}
double zhiying_qishao(double c) {
  return 0.75 * (1 - c * c) * std::exp(2 * (1 - c));
}
double flores(double c) {
  return 8 * (1 - c) / (5 * c);
}
double hu_guo(double c) {
  return 3 * (1 - c) / (2 * c);
}

}  // namespace

// With the excess functions the relation reads  log_excess(a) = log_excess(-a e) = exp_excess(z),  a e = 1 - e^-z. In z
// it is well conditioned for every a, while a e comes as close to 1 as rounding allows. exp_excess is convex and the
// start lies to the right of the root: Newton's method never passes it.
double delivered_restitution(double damping_factor) {
  const double a = damping_factor;
  if (!(a > 0)) return 1;
  const double excess = log_excess(a);
  double z = excess + std::sqrt(2 * excess);
  for (int i = 0; i < 60; ++i) {
    const double step = (exp_excess(z) - excess) / -std::expm1(-z);
    z -= step;
    if (std::abs(step) <= kRounding * z) break;
  }
  return -std::expm1(-z) / a;
}

// The same relation for a = (1 - e^-z)/c. Newton's method inside of a bracket that every step narrows: at its left end
// the left side is larger, at its right end exp_excess, whose value there is at least log_excess(1/c).
double exact_damping_factor(double restitution) {
  const double c = restitution;
  if (!(c < 1)) return 0;
  double left = 0, right = log_excess(1 / c) + 1;
  // The series of the relation in a: a = 3/2 (1 - c^2)/(1 + c^3) + O(a^2).
  double z = -std::log1p(-std::min(1.5 * (1 - c * c) / (1 + c * c * c) * c, 0.99));
  for (int i = 0; i < 200; ++i) {
    const double a = -std::expm1(-z) / c;
    const double difference = log_excess(a) - exp_excess(z);
    (difference > 0 ? left : right) = z;
    const double slope = a / (1 + a) * std::exp(-z) / c + std::expm1(-z);
    double next = z - difference / slope;
    if (!(next > left && next < right)) next = 0.5 * (left + right);
    const double change = std::abs(next - z);
    z = next;
    if (change <= kRounding * z) break;
  }
  return -std::expm1(-z) / c;
}

double kelvin_voigt_ratio(double restitution) {
  if (!(restitution > 0)) return 1;
  const double ln_c = std::log(restitution);
  return -ln_c / std::hypot(std::numbers::pi, ln_c);
}

// The motion from delta = 0 is delta = v0/omega e^(-beta t) sin(omega t), beta = zeta, omega^2 = 1 - zeta^2 in units of
// sqrt(K/m). K delta + D delta' vanishes first at tan(omega t) = 2 beta omega/(beta^2 - omega^2), an angle in (0, pi),
// and there delta' = -v0 e^(-beta t). Beyond zeta = 1 the angle is imaginary (Schwager, Poeschel 2007).
double kelvin_voigt_restitution(double damping_ratio) {
  const double beta = damping_ratio, square = 1 - beta * beta, omega = std::sqrt(std::abs(square));
  if (omega < 1e-8) return std::exp(-2.0);
  if (square > 0) return std::exp(-beta / omega * std::atan2(2 * beta * omega, beta * beta - omega * omega));
  // (beta + Omega)/(beta - Omega) = (beta + Omega)^2, since their product is 1.
  return std::exp(-2 * beta / omega * std::log(beta + omega));
}

const std::vector<ForceLawEntry>& force_law_registry() {
  using enum ForceLawEntry::Elastic;
  // The cylinder laws are elastic; they take Lankarani and Nikravesh's factor, as is usual with them.
  static const std::vector<ForceLawEntry> entries = {
      {"kelvin-voigt", kLinear, nullptr, false},
      {"hertz", kPower, &no_loss, false},
      {"hunt-crossley", kPower, &hunt_crossley, false},
      {"herbert-mcwhannell", kPower, &herbert_mcwhannell, false},
      {"lee-wang", kPower, &lee_wang, false},
      {"lankarani-nikravesh", kPower, &lankarani_nikravesh, false},
      {"gonthier", kPower, &gonthier, true},
      {"zhiying-qishao", kPower, &zhiying_qishao, false},
      {"flores", kPower, &flores, true},
      {"hu-guo", kPower, &hu_guo, true},
      {"exact-restitution", kPower, &exact_damping_factor, true},
      {"johnson", kCylinder, &lankarani_nikravesh, false},
      {"radzimovsky", kCylinder, &lankarani_nikravesh, false},
      {"dubowsky-freudenstein", kCylinder, &lankarani_nikravesh, false},
  };
  return entries;
}

const ForceLawEntry* find_force_law(std::string_view name) {
  for (const ForceLawEntry& entry : force_law_registry()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::vector<std::string> force_law_names() {
  std::vector<std::string> names;
  for (const ForceLawEntry& entry : force_law_registry()) names.emplace_back(entry.name);
  return names;
}

}  // namespace freeplay::contact
