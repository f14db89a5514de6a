#include "freeplay/complementarity/iterative/newton/newton_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::complementarity {
namespace {

using Map = NewtonIteration::Map;

// Of a disc; of_normal: where the derivative of a bound with respect to the normal row belongs, by rows.
void differentiate_disc(const GroupedSet& set, double N, double dN, int rows, const double* z, const double* y,
                        double* F, double* of_normal, ProxDerivative& D) {
  const int r = set.row;
  const CutDisc disc = set.disc_at(N);
  const Vec2 at(y[r], y[r + 1]), across = disc.across();
  const NearestInDisc nearest = nearest_in_disc(disc, at);
  for (int k = 0; k < 2; ++k) F[r + k] = z[r + k] - nearest.x[k];
  const auto write = [&](double factor, const Mat2& A) {
    for (int k = 0; k < 2; ++k) {
      for (int j = 0; j < 2; ++j) D.A[(r + k) + (r + j) * rows] = factor * A(k, j);
    }
    if (factor > 0) D.is_open = false;
  };
  const double d_radius = set.is_bound ? set.mu * dN : 0;
  switch (nearest.part) {
    case DiscPart::kInside:
      write(1, Mat2::Identity());
      break;
    case DiscPart::kArc: {
      const double length = length_of(at);
      const Vec2 t = at / length;
      write(disc.radius / length, Mat2::Identity() - t * t.transpose());
      for (int k = 0; k < 2; ++k) {
        F[r + k] = z[r + k] - disc.radius * t[k];
        of_normal[r + k] += d_radius * t[k];
      }
      break;
    }
    case DiscPart::kChord:
      write(1, across * across.transpose());
      break;
    case DiscPart::kCorner: {
      // Corners move along the chord: d half/d radius = radius/half. Where the two meet they have no derivative.
      const double half = disc.half_chord(), side = at.dot(across) > 0 ? 1 : -1;
      const double slope = half > 0 ? side * disc.radius / half : 0;
      for (int k = 0; k < 2; ++k) of_normal[r + k] += d_radius * slope * across[k];
      break;
    }
  }
}

// F and its derivative for one set. y = z - v; N is where the bounds are taken, dN its derivative (0 or 1) in y_N
// (Alart-Curnier) or in z_N (natural map).
void differentiate(const GroupedSet& set, Map map, double N, double dN, int rows, const double* z, const double* y,
                   double* F, ProxDerivative& D) {
  // Where the derivative of a bound with respect to the normal row belongs.
  const auto of_normal = [&](int row) -> double& { return map == Map::kAlartCurnier ? D.A[row] : D.B[row]; };
  const int r = set.row;
  switch (set.set) {
    case ImpulseSet::kFree:
      F[r] = z[r] - y[r];
      D.A[r + r * rows] = 1;
      D.is_open = false;
      break;
    case ImpulseSet::kNonNegative:
      F[r] = z[r] - std::max(0.0, y[r]);
      if (y[r] > 0) {
        D.A[r + r * rows] = 1;
        D.is_open = false;
      }
      break;
    case ImpulseSet::kInterval: {
      const double lo = set.lo0 + set.lo1 * N, hi = set.hi0 + set.hi1 * N;
      if (y[r] > hi) {
        F[r] = z[r] - hi;
        if (set.is_bound) of_normal(r) += set.hi1 * dN;
      } else if (y[r] < lo) {
        F[r] = z[r] - lo;
        if (set.is_bound) of_normal(r) += set.lo1 * dN;
      } else {
        F[r] = z[r] - y[r];
        D.A[r + r * rows] = 1;
        D.is_open = false;
      }
      break;
    }
    case ImpulseSet::kDisc:
      differentiate_disc(set, N, dN, rows, z, y, F, &of_normal(0), D);
      break;
  }
}

}  // namespace

void NewtonIteration::reserve(int rows) {
  system_.reserve(rows);
  derivative_.reserve(static_cast<std::size_t>(rows));
  for (VecX* vector : {&v_, &F_, &step_, &trial_, &best_}) {
    if (vector->size() < rows) vector->resize(rows);
  }
}

ProxError prox_equation(const GroupedProblem& problem, NewtonIteration::Map map, double gamma, const ConstVecRef& z,
                        const ConstVecRef& v, VecRef F_of_z, std::vector<ProxDerivative>& derivative) {
  ProxError error;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const GroupedContact& contact = problem.contacts[i];
    const int s = contact.size;
    ProxDerivative& D = derivative[i];
    std::fill_n(D.A, s * s, 0.0);
    std::fill_n(D.B, s, 0.0);
    D.is_open = true;
    double y[GroupedProblem::kMaxContactRows];
    for (int k = 0; k < s; ++k) y[k] = z[contact.row + k] - gamma * v[contact.row + k];
    const double normal = map == NewtonIteration::Map::kAlartCurnier ? y[0] : z[contact.row];
    const double N = std::max(0.0, normal), dN = normal > 0 ? 1 : 0;
    double* F = F_of_z.data() + contact.row;
    for (const GroupedSet& set : problem.sets_of(contact)) {
      differentiate(set, map, set.is_bound ? N : 0, dN, s, z.data() + contact.row, y, F, D);
    }
    double part = 0;
    for (int k = 0; k < s; ++k) part += F[k] * F[k];
    error.square += part;
    error.largest = std::max(error.largest, std::sqrt(part) / contact.scale);
  }
  if (!std::isfinite(error.square)) error.largest = std::numeric_limits<double>::infinity();
  return error;
}

double NewtonIteration::evaluate(const GroupedProblem& problem, const Options& options, const ConstVecRef& z) {
  const int n = problem.size();
  auto v = v_.head(n);
  problem.velocity(z, v);
  if (options.alpha > 0) v += options.alpha * (z - options.centre->head(n));
  const ProxError error = prox_equation(problem, options.map, 1, z, v, F_.head(n), derivative_);
  largest_ = error.largest;
  return std::sqrt(error.square);
}

NewtonIteration::Result NewtonIteration::run(const GroupedProblem& problem, const Options& options, VecRef z) {
  constexpr double kSufficient = 1e-4;  // of the decrease that a full linear model promises
  constexpr int kHalvings = 8;
  constexpr double kStall = 1.0 / 32;  // step length that leads nowhere
  constexpr int kMaxStalls = 3;
  const int n = problem.size();
  reserve(n);
  derivative_.resize(problem.contacts.size());
  auto step = step_.head(n), trial = trial_.head(n), best = best_.head(n);

  double merit = evaluate(problem, options, z);
  double best_merit = merit, reached = largest_;
  best = z;
  Result result;
  int stalls = 0;
  while (reached > options.tolerance && result.iterations < options.max_iterations) {
    ++result.iterations;
    if (!system_.solve(problem, derivative_, options.alpha, F_.head(n), step)) break;
    double length = 1, trial_merit = merit;
    for (int k = 0; k < kHalvings; ++k, length *= 0.5) {
      trial = z + length * step;
      trial_merit = evaluate(problem, options, trial);
      if (trial_merit <= (1 - kSufficient * length) * merit) break;
    }
    // Where no length helps the last one is taken: often the next piece of F leads on. If it does not, give up.
    stalls = length < kStall ? stalls + 1 : 0;
    if (stalls > kMaxStalls) break;
    z = trial;
    merit = trial_merit;
    reached = largest_;
    if (merit < best_merit) {
      best_merit = merit;
      best = z;
    }
  }
  result.has_converged = reached <= options.tolerance;
  if (!result.has_converged) z = best;
  return result;
}

}  // namespace freeplay::complementarity
