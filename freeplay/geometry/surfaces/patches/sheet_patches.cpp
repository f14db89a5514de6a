#include "freeplay/geometry/surfaces/patches/sheet_patches.h"

#include <cmath>
#include <numbers>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;

// The surface, or one of the faces parallel to it.
class ChartPatch final : public SurfacePatch {
 public:
  ChartPatch(std::shared_ptr<const SurfaceChart> chart, double side, double offset)
      : chart_(std::move(chart)), side_(side), offset_(offset) {
    u_from = chart_->u_from, u_to = chart_->u_to;
    v_from = chart_->v_from, v_to = chart_->v_to;
    if (chart_->closed_u) period_u = u_to - u_from;
    if (chart_->closed_v) period_v = v_to - v_from;
  }
  SurfacePlace place(double u, double v) const override { return place_of_jet(chart_->at(u, v), side_, offset_); }
  void add_feet(std::vector<SurfaceFoot>& feet) const override {
    if (chart_->closed_u || chart_->closed_v || !is_flat()) return;
    for (const double u : {u_from, u_to}) {
      for (const double v : {v_from, v_to}) {
        const SurfacePlace corner = place(u, v);
        feet.push_back(SurfaceFoot::fixed(corner.x, corner.n, feature));
      }
    }
  }

 private:
  bool is_flat() const {
    constexpr int kSamples = 9;
    const Vec3 n = place(u_from, v_from).n;
    for (int k = 0; k < kSamples * kSamples; ++k) {
      const double u = u_from + (u_to - u_from) * (k % kSamples) / (kSamples - 1);
      const int across = k / kSamples;
      const double v = v_from + (v_to - v_from) * across / (kSamples - 1);
      if ((place(u, v).n - n).norm() > 1e-9) return false;
    }
    return true;
  }

  std::shared_ptr<const SurfaceChart> chart_;
  double side_, offset_;
};

// Half a tube around a border: u along the border, v the angle from the normal of the sheet over the outward direction
// m in the sheet to the other normal. With t the unit tangent, m = side t x n.
class BorderPatch final : public SurfacePatch {
 public:
  // along_u: the border has v = value; otherwise u = value.
  BorderPatch(std::shared_ptr<const SurfaceChart> chart, bool along_u, bool at_end, double radius)
      : chart_(std::move(chart)), along_u_(along_u), radius_(radius) {
    const SurfaceChart& c = *chart_;
    u_from = along_u ? c.u_from : c.v_from;
    u_to = along_u ? c.u_to : c.v_to;
    value_ = along_u ? (at_end ? c.v_to : c.v_from) : (at_end ? c.u_to : c.u_from);
    side_ = along_u == at_end ? -1 : 1;  // x_u x n points against x_v, x_v x n along x_u
    v_to = kPi;
    if (along_u ? c.closed_u : c.closed_v) period_u = u_to - u_from;
  }
  SurfacePlace place(double u, double v) const override {
    const SurfaceJet jet = along_u_ ? chart_->at(u, value_) : chart_->at(value_, u);
    const SurfacePlace sheet = place_of_jet(jet, 1, 0);
    const Vec3 &d = along_u_ ? jet.x_u : jet.x_v, &dd = along_u_ ? jet.x_uu : jet.x_vv;
    const Vec3& n_rate = along_u_ ? sheet.n_u : sheet.n_v;
    const double length = d.norm();
    const Vec3 t = d / length, t_rate = (dd - t * t.dot(dd)) / length;
    const Vec3 m = side_ * t.cross(sheet.n), m_rate = side_ * (t_rate.cross(sheet.n) + t.cross(n_rate));
    const double c = std::cos(v), s = std::sin(v);
    const Vec3 normal = c * sheet.n + s * m, normal_u = c * n_rate + s * m_rate, normal_v = c * m - s * sheet.n;
    return {jet.x + radius_ * normal, normal, d + radius_ * normal_u, radius_ * normal_v, normal_u, normal_v};
  }

 private:
  std::shared_ptr<const SurfaceChart> chart_;
  bool along_u_;
  double value_ = 0, side_ = 1, radius_;
};

// The part of a sphere at a corner of a sheet: normals that point outwards of both borders, n . d >= 0 for the tangents
// d that leave the sheet there. (u, v): direction and angle from the middle one.
class CornerPatch final : public SurfacePatch {
 public:
  CornerPatch(const Vec3& centre, double radius, const Vec3& d1, const Vec3& d2)
      : centre_(centre),
        d1_(d1),
        d2_(d2),
        middle_((d1 + d2).normalized()),
        e1_(tangent_to(middle_)),
        e2_(middle_.cross(e1_)),
        radius_(radius) {
    u_to = v_to = kPi / 2;
    u_from = v_from = -kPi / 2;
  }
  bool contains(double u, double v, double tolerance) const override {
    const Vec3 n = place(u, v).n;
    return n.dot(d1_) >= -tolerance && n.dot(d2_) >= -tolerance && n.dot(middle_) >= -tolerance;
  }
  SurfacePlace place(double u, double v) const override {
    const double q = std::hypot(u, v);
    const bool in_middle = q < 1e-9;
    const double c = in_middle ? 1 : u / q, s = in_middle ? 0 : v / q, by_q = in_middle ? 1 : std::sin(q) / q;
    const Vec3 e = c * e1_ + s * e2_, around = c * e2_ - s * e1_;
    const Vec3 n = std::cos(q) * middle_ + std::sin(q) * e, n_q = std::cos(q) * e - std::sin(q) * middle_;
    const Vec3 n_u = c * n_q - (s * by_q) * around, n_v = s * n_q + (c * by_q) * around;
    return {centre_ + radius_ * n, n, radius_ * n_u, radius_ * n_v, n_u, n_v};
  }

 private:
  Vec3 centre_, d1_, d2_, middle_, e1_, e2_;
  double radius_;
};

class ExpressionChart final : public SurfaceChart {
 public:
  explicit ExpressionChart(const ParametricSurfaceShape& shape) : x_{shape.x_m, shape.y_m, shape.z_m} {
    u_from = shape.u_from, u_to = shape.u_to, v_from = shape.v_from, v_to = shape.v_to;
    closed_u = shape.closed_u, closed_v = shape.closed_v;
  }
  // The mixed derivative by the second derivative along (1, 1).
  SurfaceJet at(double u, double v) const override {
    const double place[2] = {u, v}, along_u[2] = {1, 0}, along_v[2] = {0, 1}, along_both[2] = {1, 1};
    SurfaceJet jet;
    for (int i = 0; i < 3; ++i) {
      const TimeJet by_u = x_[i].evaluate_jet(place, along_u), by_v = x_[i].evaluate_jet(place, along_v);
      const TimeJet by_both = x_[i].evaluate_jet(place, along_both);
      jet.x[i] = by_u.value;
      jet.x_u[i] = by_u.rate;
      jet.x_v[i] = by_v.rate;
      jet.x_uu[i] = by_u.acceleration;
      jet.x_vv[i] = by_v.acceleration;
      jet.x_uv[i] = (by_both.acceleration - by_u.acceleration - by_v.acceleration) / 2;
    }
    return jet;
  }

 private:
  Expression x_[3];
};

}  // namespace

std::shared_ptr<const SurfaceChart> expression_chart(const ParametricSurfaceShape& shape) {
  return std::make_shared<ExpressionChart>(shape);
}

std::vector<std::shared_ptr<const SurfacePatch>> patches_of(const std::shared_ptr<const SurfaceChart>& chart,
                                                            double half_thickness_m) {
  const double h = half_thickness_m;
  if (chart->closed_u && chart->closed_v) return {std::make_shared<ChartPatch>(chart, 1, 0)};
  std::vector<std::shared_ptr<const SurfacePatch>> patches = {std::make_shared<ChartPatch>(chart, 1, h),
                                                              std::make_shared<ChartPatch>(chart, -1, h)};
  for (const bool at_end : {false, true}) {
    if (!chart->closed_v) patches.push_back(std::make_shared<BorderPatch>(chart, true, at_end, h));
    if (!chart->closed_u) patches.push_back(std::make_shared<BorderPatch>(chart, false, at_end, h));
  }
  if (chart->closed_u || chart->closed_v) return patches;
  for (const bool end_u : {false, true}) {
    for (const bool end_v : {false, true}) {
      const SurfaceJet jet = chart->at(end_u ? chart->u_to : chart->u_from, end_v ? chart->v_to : chart->v_from);
      const Vec3 d1 = (end_u ? 1 : -1) * jet.x_u.normalized(), d2 = (end_v ? 1 : -1) * jet.x_v.normalized();
      patches.push_back(std::make_shared<CornerPatch>(jet.x, h, d1, d2));
    }
  }
  return patches;
}

}  // namespace freeplay::geometry
