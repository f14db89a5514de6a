#include "freeplay/contact/laws/elastic_law.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace freeplay::contact {

namespace {

// ---- the logarithmic form, with x = f/f_0, y = delta/delta_0 and w = 1 - ln x:  x = e^(1-w),  y = w e^(1-w) ----

// w at the end of the law's range: dx/dy = 1/(w - 1) = 4.
constexpr double kLastW = 1.25;
constexpr double kLastX = 0.77880078307140487;  // e^(1 - w)
constexpr double kLastY = kLastW * kLastX;
constexpr double kLastSlope = 1 / (kLastW - 1);

// The integral of x dy from 0: x^2 (w/2 - 1/4).
double stored(double x, double w) {
  return x * x * (w / 2 - 0.25);
}

// Solves w - ln w = 1 - ln y for w > 1 (-w is the lower branch of Lambert's W at -y/e). The start has the right terms
// at y = 1, 1 + s + s^2/3, and for y -> 0, where w ~ -ln y; with 0.175 between them it errs by 0.13 % at most for every
// y that a double can hold. Two steps of Newton's method square that to 2e-8 and to rounding.
double solve_w(double y) {
  const double u = -std::log(y), s = std::sqrt(2 * u);
  double w = 1 + s + u * (2.0 / 3 + 0.175 * s) / (1 + 0.175 * s);
  for (int i = 0; i < 2; ++i) w *= (u + std::log(w)) / (w - 1);
  return w;
}

// Solves x^2 (w/2 - 1/4) = energy: from the right of the root the steps of Newton's method on the logarithm never pass
// it, and w <= 1/2 + 2/3 ln(1/energy) follows from ln z <= z - 1.
double solve_w_of_energy(double energy) {
  const double q = -std::log(energy);
  double w = 0.5 + 2 * q / 3;
  for (int i = 0; i < 50; ++i) {
    const double step = (2 * (1 - w) + std::log(w / 2 - 0.25) + q) / (1 / (w - 0.5) - 2);
    w -= step;
    if (std::abs(step) < 1e-8 * w) break;
  }
  return w;
}

// ---- a function ----

// The integral of f from 0 to delta. With delta = d x^2 the integrand 2 d x f is smooth also where f begins like
// delta^(n/2); five points of Gauss on each of four pieces then leave rounding of anything that is smooth itself.
double integral_of(const ElasticForceFunction& f, double depth_m) {
  constexpr std::array<double, 5> kPlace{0.04691007703066802, 0.23076534494715845, 0.5, 0.76923465505284155,
                                         0.95308992296933198};
  constexpr std::array<double, 5> kWeight{0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                          0.23931433524968324, 0.11846344252809454};
  constexpr int kPieces = 4;
  double sum = 0;
  for (int piece = 0; piece < kPieces; ++piece) {
    for (std::size_t k = 0; k < kPlace.size(); ++k) {
      const double x = (piece + kPlace[k]) / kPieces;
      sum += kWeight[k] / kPieces * 2 * depth_m * x * f(depth_m * x * x);
    }
  }
  return sum;
}

// The integral rises with the depth: doubled until it is too large, then halved down. Infinity where it never gets
// there.
double depth_of_integral(const ElasticForceFunction& f, double energy_J) {
  double low = 0, high = 1e-9;
  while (integral_of(f, high) < energy_J) {
    low = high;
    high *= 2;
    if (!(high < 1e9)) return std::numeric_limits<double>::infinity();
  }
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (integral_of(f, middle) < energy_J ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

ElasticLaw ElasticLaw::power(double stiffness_N_mn, double exponent) {
  ElasticLaw law;
  law.kind_ = exponent == 1 ? Kind::kLinear : exponent == 1.5 ? Kind::kHertz : Kind::kPower;
  law.stiffness_ = stiffness_N_mn;
  law.exponent_ = exponent;
  return law;
}

ElasticLaw ElasticLaw::logarithmic(double limit_force_N, double limit_depth_m) {
  ElasticLaw law;
  law.kind_ = Kind::kLogarithmic;
  law.limit_force_ = limit_force_N;
  law.limit_depth_ = limit_depth_m;
  return law;
}

ElasticLaw ElasticLaw::function(ElasticForceFunction force) {
  ElasticLaw law;
  law.kind_ = Kind::kFunction;
  law.function_ = std::make_shared<const ElasticForceFunction>(std::move(force));
  return law;
}

double ElasticLaw::force(double delta_m) const {
  if (!(delta_m > 0)) return 0;
  switch (kind_) {
    case Kind::kLinear:
      return stiffness_ * delta_m;
    case Kind::kHertz:
      return stiffness_ * delta_m * std::sqrt(delta_m);
    case Kind::kPower:
      return stiffness_ * std::pow(delta_m, exponent_);
    case Kind::kFunction:
      return (*function_)(delta_m);
    case Kind::kLogarithmic:
      break;
  }
  const double y = delta_m / limit_depth_;
  if (y > kLastY) return limit_force_ * (kLastX + kLastSlope * (y - kLastY));
  return limit_force_ * y / solve_w(y);
}

double ElasticLaw::energy(double delta_m) const {
  if (!(delta_m > 0)) return 0;
  switch (kind_) {
    case Kind::kLinear:
      return 0.5 * stiffness_ * delta_m * delta_m;
    case Kind::kHertz:
      return 0.4 * stiffness_ * delta_m * delta_m * std::sqrt(delta_m);
    case Kind::kPower:
      return stiffness_ * std::pow(delta_m, exponent_ + 1) / (exponent_ + 1);
    case Kind::kFunction:
      return integral_of(*function_, delta_m);
    case Kind::kLogarithmic:
      break;
  }
  const double unit = limit_force_ * limit_depth_, y = delta_m / limit_depth_;
  if (y > kLastY) {
    const double beyond = y - kLastY;
    return unit * (stored(kLastX, kLastW) + beyond * (kLastX + 0.5 * kLastSlope * beyond));
  }
  const double w = solve_w(y);
  return unit * stored(y / w, w);
}

double ElasticLaw::stiffness(double delta_m) const {
  if (!(delta_m > 0)) return kind_ == Kind::kLinear ? stiffness_ : 0;
  if (is_power()) return exponent_ * force(delta_m) / delta_m;
  if (kind_ == Kind::kFunction) {
    constexpr double kShare = 1e-5;  // errors of the difference and of rounding are about the same
    return (force(delta_m * (1 + kShare)) - force(delta_m * (1 - kShare))) / (2 * kShare * delta_m);
  }
  const double y = delta_m / limit_depth_;
  return limit_force_ / limit_depth_ * (y > kLastY ? kLastSlope : 1 / (solve_w(y) - 1));
}

double ElasticLaw::depth_of(double energy_J) const {
  if (!(energy_J > 0)) return 0;
  if (is_power()) return std::pow((exponent_ + 1) * energy_J / stiffness_, 1 / (exponent_ + 1));
  if (kind_ == Kind::kFunction) return depth_of_integral(*function_, energy_J);
  const double energy = energy_J / (limit_force_ * limit_depth_), beyond = energy - stored(kLastX, kLastW);
  if (beyond > 0) {
    const double further = 2 * beyond / (kLastX + std::sqrt(kLastX * kLastX + 2 * kLastSlope * beyond));
    return limit_depth_ * (kLastY + further);
  }
  const double w = solve_w_of_energy(energy);
  return limit_depth_ * w * std::exp(1 - w);
}

// From m v'^2/2 = E(depth) - E(delta):  T = 2 depth/v * integral of (1 - E(x depth)/E(depth))^(-1/2) over x = 0..1.
double ElasticLaw::impact_time(double depth_m, double speed_m_s) const {
  double integral = 0;
  if (is_power()) {
    // A quotient of gamma functions; for Hertz T = 2.94328 depth/v.
    const double p = 1 / (exponent_ + 1);
    integral = std::sqrt(std::numbers::pi) * std::tgamma(1 + p) / std::tgamma(0.5 + p);
  } else {
    // x = sin(phi) makes the integrand bounded; the midpoint rule never evaluates its ends.
    // A function costs more than it is worth here: the time only bounds steps.
    const int intervals = kind_ == Kind::kFunction ? 50 : 2000;
    const double h = std::numbers::pi / 2 / intervals, total = energy(depth_m);
    for (int i = 0; i < intervals; ++i) {
      const double phi = (i + 0.5) * h;
      integral += h * std::cos(phi) / std::sqrt(1 - energy(depth_m * std::sin(phi)) / total);
    }
  }
  return 2 * depth_m / speed_m_s * integral;
}

double ElasticLaw::largest_depth() const {
  return kind_ == Kind::kLogarithmic ? kLastY * limit_depth_ : std::numeric_limits<double>::infinity();
}

}  // namespace freeplay::contact
