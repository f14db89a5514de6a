#include "freeplay/mechanism/description/beam_splines.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace freeplay::mechanism {

namespace {

constexpr int kDegree = 3;
constexpr int kPointsPerInterval = 4;  // exact for the products of two cubics and a linear function

std::size_t interval_of(const std::vector<double>& knots, double s) {
  const auto above = std::upper_bound(knots.begin() + 1, knots.end() - 1, s);
  return static_cast<std::size_t>(above - knots.begin()) - 1;
}

// Integrands of K and M in one direction: stiffness times the product of two derivatives of this order, mass times the
// product of two values, and for bending the rotary inertia times the product of two slopes.
struct Weights {
  double stiffness = 0, mass = 0, rotary = 0;
};
Weights weights_at(const std::vector<BeamKnot>& knots, double s, BeamDirection direction) {
  const BeamKnot at = beam_at(knots, s);
  switch (direction) {
    case BeamDirection::kY:
      return {at.bending_stiffness_Nm2, at.mass_per_length_kg_m, at.rotary_inertia_per_length_kg_m};
    case BeamDirection::kZ:
      return {at.bending_stiffness_xz_Nm2, at.mass_per_length_kg_m, at.rotary_inertia_per_length_xz_kg_m};
    case BeamDirection::kX:
      return {at.axial_stiffness_N, at.mass_per_length_kg_m, 0};
    case BeamDirection::kTwist:
      return {at.torsional_stiffness_Nm2, at.polar_inertia_per_length_kg_m, 0};
  }
  return {};
}

// The B-splines of degree 3 on the knots, the first and the last knot four times: at an end only the first one is not
// zero, and only the first two have a slope. De Boor, A Practical Guide to Splines, chapter X.
class SplineBasis {
 public:
  explicit SplineBasis(std::vector<double> knots) : knots_(std::move(knots)) {
    padded_.assign(kDegree, knots_.front());
    padded_.insert(padded_.end(), knots_.begin(), knots_.end());
    padded_.insert(padded_.end(), kDegree, knots_.back());
    for (int i = 0; i < count(); ++i) splines_.push_back(spline(i));
  }

  int count() const { return static_cast<int>(knots_.size()) + kDegree - 1; }
  const BeamSpline& operator[](int i) const { return splines_[static_cast<std::size_t>(i)]; }

  // The coefficients with which the splines add up to s.
  VecX coefficients_of_s() const {
    VecX result(count());
    for (int i = 0; i < count(); ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      result[i] = (padded_[k + 1] + padded_[k + 2] + padded_[k + 3]) / 3;
    }
    return result;
  }

  BeamSpline sum(const VecX& coefficients) const {
    BeamSpline result = splines_.front();
    for (auto& piece : result.pieces) piece.fill(0);
    for (int i = 0; i < count(); ++i) {
      for (std::size_t k = 0; k < result.pieces.size(); ++k) {
        for (std::size_t power = 0; power < 4; ++power) {
          result.pieces[k][power] += coefficients[i] * (*this)[i].pieces[k][power];
        }
      }
    }
    return result;
  }

 private:
  // Cox and de Boor:  N_i,d = (s - t_i)/(t_i+d - t_i) N_i,d-1 + (t_i+d+1 - s)/(t_i+d+1 - t_i+1) N_i+1,d-1,  as
  // polynomials in s - (beginning of the interval).
  BeamSpline spline(int index) const {
    BeamSpline result{knots_, std::vector<std::array<double, 4>>(knots_.size() - 1)};
    for (std::size_t k = 0; k + 1 < knots_.size(); ++k) {
      std::array<std::array<double, 4>, kDegree + 1> N{};  // of index, index + 1, ... in this interval
      for (std::size_t j = 0; j <= kDegree; ++j) {
        N[j][0] = static_cast<std::size_t>(index) + j == k + kDegree ? 1 : 0;
      }
      for (std::size_t degree = 1; degree <= kDegree; ++degree) {
        for (std::size_t j = 0; j + degree <= kDegree; ++j) {
          N[j] = raised(N[j], N[j + 1], static_cast<std::size_t>(index) + j, degree, knots_[k]);
        }
      }
      result.pieces[k] = N[0];
    }
    return result;
  }

  std::array<double, 4> raised(const std::array<double, 4>& left, const std::array<double, 4>& right, std::size_t i,
                               std::size_t degree, double from) const {
    std::array<double, 4> result{};
    const auto add = [&](const std::array<double, 4>& lower, double constant, double slope) {
      for (std::size_t power = 0; power < 4; ++power) {
        result[power] += constant * lower[power];
        if (power > 0) result[power] += slope * lower[power - 1];
      }
    };
    const double rise = padded_[i + degree] - padded_[i], fall = padded_[i + degree + 1] - padded_[i + 1];
    if (rise > 0) add(left, (from - padded_[i]) / rise, 1 / rise);
    if (fall > 0) add(right, (padded_[i + degree + 1] - from) / fall, -1 / fall);
    return result;
  }

  std::vector<double> knots_, padded_;
  std::vector<BeamSpline> splines_;
};

struct RitzMatrices {
  MatX stiffness, mass;
};
RitzMatrices ritz_matrices(const SplineBasis& basis, const std::vector<BeamKnot>& knots, BeamDirection direction) {
  const bool bends = direction == BeamDirection::kY || direction == BeamDirection::kZ;
  const int n = basis.count();
  RitzMatrices result{MatX::Zero(n, n), MatX::Zero(n, n)};
  for (const QuadraturePoint& point : gauss_points_between(basis[0].knots_m, kPointsPerInterval)) {
    const Weights weights = weights_at(knots, point.s, direction);
    VecX value(n), slope(n), strain(n);
    for (int i = 0; i < n; ++i) {
      value[i] = basis[i].value(point.s);
      slope[i] = basis[i].slope(point.s);
      strain[i] = bends ? basis[i].curvature(point.s) : slope[i];
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        result.stiffness(i, j) += point.weight * weights.stiffness * strain[i] * strain[j];
        result.mass(i, j) += point.weight * (weights.mass * value[i] * value[j] + weights.rotary * slope[i] * slope[j]);
      }
    }
  }
  return result;
}

// Columns: the combinations of splines that hold what the shapes hold. At an end, W = 0 leaves out the first spline,
// W' = 0 the second. Without support the combinations have no momentum with the rigid motions, the columns of `rigid`.
MatX held_combinations(int count, int at_start, int at_end, const MatX& rigid, const MatX& mass) {
  if (rigid.cols() == 0) {
    return MatX::Identity(count, count).middleCols(at_start, count - at_start - at_end);
  }
  const Eigen::HouseholderQR<MatX> momentum(mass * rigid);
  const MatX Q = momentum.householderQ();
  return Q.rightCols(count - rigid.cols());
}

// K c = w^2 M c. By the eigenvalues 1/w^2 of M against K, whose largest, of the lowest modes, have all their digits.
std::vector<BeamSpline> lowest_modes(const SplineBasis& basis, const RitzMatrices& ritz, const MatX& held, int count) {
  const MatX K = held.transpose() * ritz.stiffness * held, M = held.transpose() * ritz.mass * held;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> solver(M, K);
  std::vector<BeamSpline> modes;
  for (int k = 0; k < count; ++k) {
    modes.push_back(basis.sum(held * solver.eigenvectors().col(K.cols() - 1 - k)));
  }
  return modes;
}

void scale(BeamSpline& shape, double factor) {
  for (auto& piece : shape.pieces) {
    for (double& coefficient : piece) coefficient *= factor;
  }
}

double largest_value(const BeamSpline& shape) {
  constexpr int kPlaces = 2000;
  double largest = 0;
  for (int i = 0; i <= kPlaces; ++i) {
    largest = std::max(largest, std::abs(shape.value(shape.knots_m.back() * i / kPlaces)));
  }
  return largest;
}

double mean_square(const BeamSpline& shape) {
  double sum = 0;
  for (const QuadraturePoint& point : gauss_points_between(shape.knots_m, kPointsPerInterval)) {
    sum += point.weight * shape.value(point.s) * shape.value(point.s);
  }
  return sum / shape.knots_m.back();
}

std::vector<double> places_of(const std::vector<BeamKnot>& knots) {
  std::vector<double> places;
  for (const BeamKnot& knot : knots) places.push_back(knot.s_m);
  return places;
}

}  // namespace

double BeamSpline::value(double s) const {
  const std::size_t k = interval_of(knots_m, s);
  const double x = s - knots_m[k];
  return pieces[k][0] + x * (pieces[k][1] + x * (pieces[k][2] + x * pieces[k][3]));
}

double BeamSpline::slope(double s) const {
  const std::size_t k = interval_of(knots_m, s);
  const double x = s - knots_m[k];
  return pieces[k][1] + x * (2 * pieces[k][2] + x * 3 * pieces[k][3]);
}

double BeamSpline::curvature(double s) const {
  const std::size_t k = interval_of(knots_m, s);
  return 2 * pieces[k][2] + 6 * (s - knots_m[k]) * pieces[k][3];
}

std::vector<BeamKnot> ElasticSpec::profile() const {
  if (!knots.empty()) return knots;
  const BeamKnot start{0,
                       mass_per_length_kg_m,
                       polar_inertia_per_length_kg_m,
                       rotary_inertia_per_length_kg_m,
                       rotary_inertia_per_length_xz_kg_m,
                       bending_stiffness_Nm2,
                       bending_stiffness_xz_Nm2,
                       axial_stiffness_N,
                       torsional_stiffness_Nm2};
  BeamKnot end = start;
  end.s_m = length_m;
  return {start, end};
}

double ElasticSpec::mass_kg() const {
  double sum = 0;
  if (nodes) {
    for (const ElasticNode& node : nodes->nodes) sum += node.mass_kg;
    return sum;
  }
  if (knots.empty()) return mass_per_length_kg_m * length_m;
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    const double mean = 0.5 * (knots[k].mass_per_length_kg_m + knots[k + 1].mass_per_length_kg_m);
    sum += mean * (knots[k + 1].s_m - knots[k].s_m);
  }
  return sum;
}

BeamKnot beam_at(const std::vector<BeamKnot>& knots, double s) {
  const std::size_t k = interval_of(places_of(knots), s);
  const BeamKnot &a = knots[k], &b = knots[k + 1];
  const double share = std::clamp((s - a.s_m) / (b.s_m - a.s_m), 0.0, 1.0);
  const auto between = [&](double BeamKnot::*member) { return a.*member + share * (b.*member - a.*member); };
  BeamKnot at;
  at.s_m = s;
  for (double BeamKnot::*member :
       {&BeamKnot::mass_per_length_kg_m, &BeamKnot::polar_inertia_per_length_kg_m,
        &BeamKnot::rotary_inertia_per_length_kg_m, &BeamKnot::rotary_inertia_per_length_xz_kg_m,
        &BeamKnot::bending_stiffness_Nm2, &BeamKnot::bending_stiffness_xz_Nm2, &BeamKnot::axial_stiffness_N,
        &BeamKnot::torsional_stiffness_Nm2}) {
    at.*member = between(member);
  }
  return at;
}

int spline_count(BendingShapes kind, std::size_t knots) {
  const int all = static_cast<int>(knots) + kDegree - 1;
  return kind == BendingShapes::kClampedClamped ? all - 4 : all - 2;
}

int spline_count(AxialShapes, std::size_t knots) {
  return static_cast<int>(knots) + kDegree - 2;
}

std::vector<BeamSpline> bending_splines(BendingShapes kind, int count, const std::vector<BeamKnot>& knots,
                                        BeamDirection plane) {
  if (kind == BendingShapes::kNone) return {};
  const SplineBasis basis(places_of(knots));
  const RitzMatrices ritz = ritz_matrices(basis, knots, plane);
  const int n = basis.count();
  MatX rigid(n, 0);
  int at_start = 0, at_end = 0;
  if (kind == BendingShapes::kCantilever) at_start = 2;
  if (kind == BendingShapes::kSimplySupported) at_start = at_end = 1;
  if (kind == BendingShapes::kClampedClamped) at_start = at_end = 2;
  if (kind == BendingShapes::kFreeFree) {
    rigid.resize(n, 2);
    rigid << VecX::Ones(n), basis.coefficients_of_s();
  }
  std::vector<BeamSpline> modes =
      lowest_modes(basis, ritz, held_combinations(n, at_start, at_end, rigid, ritz.mass), count);
  const double length = knots.back().s_m;
  for (BeamSpline& mode : modes) {
    if (kind == BendingShapes::kCantilever) scale(mode, 1 / mode.value(length));
    if (kind == BendingShapes::kFreeFree) scale(mode, 1 / mode.value(0));
    if (kind == BendingShapes::kSimplySupported) scale(mode, std::copysign(1 / largest_value(mode), mode.slope(0)));
    if (kind == BendingShapes::kClampedClamped) {
      scale(mode, std::copysign(0.5 / std::sqrt(mean_square(mode)), mode.curvature(0)));
    }
  }
  return modes;
}

std::vector<BeamSpline> axial_splines(AxialShapes kind, int count, const std::vector<BeamKnot>& knots,
                                      BeamDirection direction) {
  if (kind == AxialShapes::kNone) return {};
  const SplineBasis basis(places_of(knots));
  const RitzMatrices ritz = ritz_matrices(basis, knots, direction);
  const int n = basis.count();
  MatX rigid(n, 0);
  if (kind == AxialShapes::kFreeFree) rigid = VecX::Ones(n);
  const MatX held = held_combinations(n, kind == AxialShapes::kFixedFree ? 1 : 0, 0, rigid, ritz.mass);
  std::vector<BeamSpline> modes = lowest_modes(basis, ritz, held, count);
  for (BeamSpline& mode : modes) {
    const double end = kind == AxialShapes::kFreeFree ? mode.value(0) : mode.value(knots.back().s_m);
    scale(mode, kind == AxialShapes::kFreeFree ? 1 / end : std::copysign(1 / end, mode.slope(0)));
  }
  return modes;
}

std::vector<QuadraturePoint> gauss_points_between(const std::vector<double>& knots_m, int per_interval) {
  const std::vector<QuadraturePoint> rule = gauss_points(per_interval, 1);
  std::vector<QuadraturePoint> points;
  for (std::size_t k = 0; k + 1 < knots_m.size(); ++k) {
    const double width = knots_m[k + 1] - knots_m[k];
    for (const QuadraturePoint& point : rule) points.push_back({knots_m[k] + width * point.s, width * point.weight});
  }
  return points;
}

}  // namespace freeplay::mechanism
