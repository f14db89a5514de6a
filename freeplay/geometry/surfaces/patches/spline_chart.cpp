// The bicubic interpolating spline: a tensor product of cubic splines with knots at the whole numbers.
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "freeplay/geometry/surfaces/patches/sheet_patches.h"

namespace freeplay::geometry {

namespace {

// Second derivatives m of the cubic spline through values f at whole numbers, by rows of both:
//   m_(i-1) + 4 m_i + m_(i+1) = 6 (f_(i-1) - 2 f_i + f_(i+1)),
// around the ends where it is closed; with m = 0 at ends that are open (natural).
MatX second_derivatives(const MatX& f, bool closed) {
  const Eigen::Index n = f.rows();
  MatX A = MatX::Zero(n, n), right = MatX::Zero(n, f.cols());
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!closed && (i == 0 || i == n - 1)) {
      A(i, i) = 1;
      continue;
    }
    const Eigen::Index before = (i + n - 1) % n, after = (i + 1) % n;
    A(i, i) += 4;
    A(i, before) += 1;
    A(i, after) += 1;
    right.row(i) = 6 * (f.row(before) - 2 * f.row(i) + f.row(after));
  }
  return A.partialPivLu().solve(right);
}

// Weights of the values and second derivatives at both ends of an interval, and their derivatives in t.
struct Weights {
  std::array<std::array<double, 4>, 3> w;  // [order][value 0, value 1, second 0, second 1]

  explicit Weights(double t) {
    const double s = 1 - t;
    w[0] = {s, t, (s * s * s - s) / 6, (t * t * t - t) / 6};
    w[1] = {-1, 1, -(3 * s * s - 1) / 6, (3 * t * t - 1) / 6};
    w[2] = {0, 0, s, t};
  }
};

class SplineChart final : public SurfaceChart {
 public:
  explicit SplineChart(const SplinePatchShape& shape)
      : rows_(static_cast<int>(shape.points_m.size())), columns_(static_cast<int>(shape.points_m.front().size())) {
    closed_u = shape.closed_u, closed_v = shape.closed_v;
    u_to = closed_u ? rows_ : rows_ - 1;
    v_to = closed_v ? columns_ : columns_ - 1;
    panels_u = static_cast<int>(u_to);
    panels_v = static_cast<int>(v_to);
    // [u] x [v, xyz]; derivatives in v by transposing to [v] x [u, xyz].
    const MatX f = gather([&](int i, int k) { return shape.points_m[size_t(i)][size_t(k)]; });
    const MatX f_uu = second_derivatives(f, closed_u);
    const MatX f_vv = transposed(second_derivatives(transposed(f, rows_, columns_), closed_v), columns_, rows_);
    const MatX f_uuvv = second_derivatives(f_vv, closed_u);
    for (int i = 0; i < rows_; ++i) {
      for (int k = 0; k < columns_; ++k)
        nodes_.push_back({entry(f, i, k), entry(f_vv, i, k), entry(f_uu, i, k), entry(f_uuvv, i, k)});
    }
  }

  SurfaceJet at(double u, double v) const override {
    const int i = interval(u, rows_, closed_u), k = interval(v, columns_, closed_v);
    const Weights wu(u - i), wv(v - k);
    std::array<const Node*, 4> corners;
    for (int c = 0; c < 4; ++c) corners[size_t(c)] = &node(i + c / 2, k + c % 2);
    const auto sum = [&](int order_u, int order_v) {
      const auto &a = wu.w[size_t(order_u)], &b = wv.w[size_t(order_v)];
      Vec3 x = Vec3::Zero();
      for (size_t c = 0; c < 4; ++c) {
        const Node& at_corner = *corners[c];
        const double a0 = a[c / 2], a2 = a[2 + c / 2], b0 = b[c % 2], b2 = b[2 + c % 2];
        x += (a0 * b0) * at_corner.x + (a0 * b2) * at_corner.x_vv + (a2 * b0) * at_corner.x_uu +
             (a2 * b2) * at_corner.x_uuvv;
      }
      return x;
    };
    return {sum(0, 0), sum(1, 0), sum(0, 1), sum(2, 0), sum(1, 1), sum(0, 2)};
  }

 private:
  struct Node {
    Vec3 x, x_vv, x_uu, x_uuvv;
  };
  template <class Get>
  MatX gather(Get get) const {
    MatX f(rows_, 3 * columns_);
    for (int i = 0; i < rows_; ++i) {
      for (int k = 0; k < columns_; ++k) f.block<1, 3>(i, 3 * k) = get(i, k).transpose();
    }
    return f;
  }
  static MatX transposed(const MatX& f, int rows, int columns) {
    MatX g(columns, 3 * rows);
    for (int i = 0; i < rows; ++i) {
      for (int k = 0; k < columns; ++k) g.block<1, 3>(k, 3 * i) = f.block<1, 3>(i, 3 * k);
    }
    return g;
  }
  static Vec3 entry(const MatX& f, int i, int k) { return f.block<1, 3>(i, 3 * k).transpose(); }
  // Beyond open ends the last piece goes on.
  static int interval(double s, int count, bool closed) {
    const int i = static_cast<int>(std::floor(s));
    return closed ? i : std::clamp(i, 0, count - 2);
  }
  const Node& node(int i, int k) const {
    const int row = ((i % rows_) + rows_) % rows_, column = ((k % columns_) + columns_) % columns_;
    return nodes_[size_t(row) * size_t(columns_) + size_t(column)];
  }

  int rows_, columns_;
  std::vector<Node> nodes_;
};

}  // namespace

std::shared_ptr<const SurfaceChart> spline_chart(const SplinePatchShape& shape) {
  return std::make_shared<SplineChart>(shape);
}

}  // namespace freeplay::geometry
