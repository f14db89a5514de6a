#include "freeplay/complementarity/iterative/island_chain.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace freeplay::complementarity {
namespace {

constexpr const char* kStages[] = {"semismooth-newton", "proximal-point", "least-squares", "nsgs",
                                   "prox-gauss-seidel", "proximal-point"};
constexpr int kOtherStarts = 5;  // stage
constexpr int kStarts = 30, kProximalStarts = 5;
constexpr int kLargestRestarted = 300;  // rows: beyond that a start at random is worth nothing
// Islands of more rows begin with sweeps, unless there is a guess.
constexpr int kLarge = 96, kSweeps = 100;
constexpr double kPolish = 1e-2;           // of the tolerance
constexpr double kShareForRounding = 0.5;  // of the relative tolerance: the rest is for the scales of this form
constexpr int kLastIterations = 3;
constexpr int kProximalRestarts = 3;

// Whether most rows are equations, as in chains of joints that are constraints: one step of Newton's method solves
// these, while sweeps would carry an impulse by one joint each.
bool is_mostly_equations(const GroupedProblem& island) {
  int equations = 0;
  for (const GroupedContact& contact : island.contacts) {
    if (island.sets_of(contact)[0].set == ImpulseSet::kFree) equations += contact.size;
  }
  return 2 * equations >= island.size();
}

// Numbers in [-1, 1), the same in every run and on every machine.
class Sequence {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(static_cast<std::int64_t>(state_) >> 11) * 0x1p-52;
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15u;
};

}  // namespace

void IslandChain::reserve(int rows) {
  newton_.reserve(rows);
  long_newton_.reserve(rows);
  polishing_newton_.reserve(rows);
  proximal_point_.reserve(rows);
  patient_proximal_point_.reserve(rows);
  nsgs_.reserve(rows);
  prox_gauss_seidel_.reserve(rows);
  for (VecX* vector : {&guess_, &candidate_, &v_}) {
    if (vector->size() < rows) vector->resize(rows);
  }
}

std::string_view IslandChain::delivered_by(std::string_view own_name) const {
  return hardest_ < 0 ? own_name : kStages[hardest_];
}

int IslandChain::run(const GroupedProblem& island, double tolerance, VecRef z) {
  const int n = island.size();
  reserve(n);
  guess_.head(n) = z;
  auto candidate = candidate_.head(n), v = v_.head(n);
  island.velocity(z, v);
  double best = island.residual(z, v);
  int iterations = 0;
  double goal = tolerance;
  const auto take = [&](int stage) {
    island.velocity(candidate, v);
    const double residual = island.residual(candidate, v);
    if (residual < best) {
      best = residual;
      z = candidate;
      hardest_ = std::max(hardest_, stage);
    }
  };
  const auto attempt = [&](IslandMethod& method, const auto& start, int stage) {
    if (best <= goal) return;
    candidate = start;
    iterations += method.run(island, tolerance, candidate);
    take(stage);
  };
  // From where a slow method stopped just below the tolerance, one step of Newton's method adds half of all digits.
  const auto polish = [&](int max_iterations, int stage) {
    const NewtonIteration::Options options{.max_iterations = max_iterations, .tolerance = kPolish * tolerance};
    iterations += polishing_newton_.run(island, options, candidate).iterations;
    take(stage);
  };
  const auto guess = guess_.head(n);
  const bool is_large = n > kLarge;
  if (!is_large || !guess.isZero(0) || is_mostly_equations(island)) attempt(newton_, guess, 0);
  if (best <= tolerance) return iterations;
  if (is_large) {
    candidate = guess;
    for (int k = 0; k < kSweeps; ++k) nsgs_.sweep_over(island, candidate);
    polish(kFirstIterations, 0);
    if (best <= tolerance) return iterations;
  }
  attempt(proximal_point_, guess, 1);
  for (int k = 0; is_large && k < kProximalRestarts; ++k) attempt(proximal_point_, z, 1);
  attempt(long_newton_, z, 1);
  attempt(long_newton_, guess, 0);
  goal = std::max(goal, kShareForRounding * relative_tolerance_ * island.magnitude(z));
  if (best > goal && n <= kLargestRestarted && self_stress_.find(island, tolerance)) return iterations;
  if (!is_large) attempt(least_squares_, z, 2);
  if (!is_large) attempt(patient_proximal_point_, z, 1);
  attempt(nsgs_, guess, 3);
  attempt(prox_gauss_seidel_, guess, 4);

  double size = 0;
  for (const double value : island.h) size = std::max(size, std::abs(value));
  Sequence sequence;
  for (int k = 0; k < kStarts && n <= kLargestRestarted && best > goal; ++k) {
    const double scale = size * std::pow(10.0, 1 + 2 * sequence.next());
    for (int i = 0; i < n; ++i) candidate[i] = scale * sequence.next();
    for (const GroupedContact& contact : island.contacts) candidate[contact.row] = std::abs(candidate[contact.row]);
    attempt(newton_, candidate, kOtherStarts);
    if (k < kProximalStarts) attempt(proximal_point_, candidate, kOtherStarts);  // from where Newton's method stalled
  }
  candidate = z;
  if (best <= tolerance) polish(kLastIterations, 0);
  return iterations;
}

}  // namespace freeplay::complementarity
