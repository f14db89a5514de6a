#include "freeplay/study/fit/fit_minima.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace freeplay::study {

namespace {

constexpr double kSamePlace = 0.01;  // of a parameter's scale
constexpr double kSameError = 0.01;  // of the larger one
constexpr double kSameSum = 1e-6;
constexpr int kDescentsThatAgree = 3;

// Others ran out of iterations on their way.
bool has_come_to_its_end(const LeastSquares& fit) {
  return fit.end == LeastSquares::End::kConverged || fit.end == LeastSquares::End::kRugged;
}

bool is_better(const LeastSquares& one, const LeastSquares& other) {
  const bool is_same = std::abs(one.sum - other.sum) <= kSameSum * other.sum;
  if (is_same && has_come_to_its_end(one) != has_come_to_its_end(other)) return has_come_to_its_end(one);
  return one.sum < other.sum;
}

}  // namespace

void FitMinima::add(LeastSquares fit, const LeastSquaresOptions& options) {
  scale_ = options.scale;
  ends_.push_back(std::move(fit));
  const LeastSquares& last = ends_.back();
  if (ends_.size() > 1 && !is_better(last, ends_[best_])) return;
  best_ = ends_.size() - 1;
  is_determined_.assign(static_cast<std::size_t>(last.point.size()), true);
  if (last.jacobian.rows() == last.residuals.size()) is_determined_ = covariance_of(last, options).is_determined;
}

double FitMinima::error_of(const LeastSquares& fit) const {
  return std::sqrt(fit.sum / static_cast<double>(residual_count_));
}

bool FitMinima::are_one(const LeastSquares& a, const LeastSquares& b) const {
  const double error_a = error_of(a), error_b = error_of(b);
  if (std::abs(error_a - error_b) > kSameError * std::max(error_a, error_b) + kExactFit) return false;
  for (Eigen::Index k = 0; k < a.point.size(); ++k) {
    const bool counts = is_determined_[static_cast<std::size_t>(k)];
    if (counts && std::abs(a.point[k] - b.point[k]) > kSamePlace * scale_[k]) return false;
  }
  return true;
}

std::vector<FitMinimum> FitMinima::list() const {
  std::vector<const LeastSquares*> sorted;
  for (const LeastSquares& end : ends_) sorted.push_back(&end);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const LeastSquares* a, const LeastSquares* b) { return a->sum < b->sum; });
  std::vector<const LeastSquares*> lowest;  // of each minimum
  std::vector<FitMinimum> found;
  for (const LeastSquares* end : sorted) {
    const auto same =
        std::find_if(lowest.begin(), lowest.end(), [&](const LeastSquares* other) { return are_one(*other, *end); });
    if (same != lowest.end()) {
      found[static_cast<std::size_t>(same - lowest.begin())].descents += has_come_to_its_end(*end) ? 1 : 0;
      continue;
    }
    lowest.push_back(end);
    found.push_back({end->point, error_of(*end), has_come_to_its_end(*end) ? 1 : 0});
  }
  return found;
}

bool FitMinima::are_settled() const {
  if (ends_.empty()) return false;
  return error_of(best()) <= kExactFit || list().front().descents >= kDescentsThatAgree;
}

}  // namespace freeplay::study
