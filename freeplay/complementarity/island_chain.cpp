#include "freeplay/complementarity/island_chain.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace freeplay {
namespace {

constexpr const char* kStages[] = {"semismooth-newton", "proximal-point", "nsgs", "prox-gauss-seidel",
                                   "proximal-point"};
constexpr int kStarts = 30, kProximalStarts = 5;
constexpr int kLargestRestarted = 300;  // rows: beyond that a start at random is worth nothing

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
  proximal_point_.reserve(rows);
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
  const auto attempt = [&](IslandMethod& method, int stage) {
    iterations += method.run(island, tolerance, candidate);
    island.velocity(candidate, v);
    const double residual = island.residual(candidate, v);
    if (residual < best) {
      best = residual;
      z = candidate;
      hardest_ = std::max(hardest_, stage);
    }
  };
  IslandMethod* const methods[] = {&newton_, &proximal_point_, &nsgs_, &prox_gauss_seidel_};
  int stage = 0;
  for (IslandMethod* method : methods) {
    if (best <= tolerance) return iterations;
    candidate = guess_.head(n);
    attempt(*method, stage++);
  }
  double size = 0;
  for (const double value : island.h) size = std::max(size, std::abs(value));
  Sequence sequence;
  for (int k = 0; k < kStarts && n <= kLargestRestarted && best > tolerance; ++k) {
    const double scale = size * std::pow(10.0, 1 + 2 * sequence.next());
    for (int i = 0; i < n; ++i) candidate[i] = scale * sequence.next();
    for (const GroupedContact& contact : island.contacts) candidate[contact.row] = std::abs(candidate[contact.row]);
    attempt(newton_, stage);
    if (best > tolerance && k < kProximalStarts) attempt(proximal_point_, stage);  // from where Newton's method stalled
  }
  return iterations;
}

}  // namespace freeplay
