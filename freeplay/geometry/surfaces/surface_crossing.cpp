#include "freeplay/geometry/surfaces/surface_crossing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "freeplay/geometry/meshes/mesh_tree.h"

namespace freeplay::geometry {

namespace {

constexpr int kMostLooks = 4'000'000;  // at pairs of triangles of cells that are no neighbours
constexpr int kMostAttempts = 500;     // at confirming one
constexpr int kIterations = 30;
constexpr double kOnSurface = 1e-10;  // of the size
constexpr int kMostTurns = 12;
// Of a cell: where the first one of a closed range begins. What is symmetric would cross in the joints of cells.
constexpr double kShift = 0.38;

// A parameter's range, which may be closed.
struct Range {
  double from, to, period;
  double wrapped(double value) const {
    return period > 0 ? value - period * std::floor((value - from) / period) : value;
  }
  // The joint of cells number i of so many.
  double at(double i, int cells) const { return wrapped(from + (to - from) * (period > 0 ? i + kShift : i) / cells); }
  bool contains(double value) const {
    const double slack = 1e-9 * (to - from);
    return period > 0 || (value >= from - slack && value <= to + slack);
  }
  double between(double a, double b) const { return std::abs(period > 0 ? std::remainder(a - b, period) : a - b); }
};

struct Face {
  const SurfacePatch* patch;
  Range u, v;
};

struct Triangle {
  int face, i, k;  // its cell
  std::array<Vec3, 3> x;
};

// Six times the volume of the tetrahedron.
double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

bool pierces(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
  if ((volume(t[0], t[1], t[2], p) > 0) == (volume(t[0], t[1], t[2], q) > 0)) return false;
  const double a = volume(p, q, t[0], t[1]), b = volume(p, q, t[1], t[2]), c = volume(p, q, t[2], t[0]);
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

bool cut_each_other(const Triangle& a, const Triangle& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (pierces(a.x[k], a.x[(k + 1) % 3], b.x) || pierces(b.x[k], b.x[(k + 1) % 3], a.x)) return true;
  }
  return false;
}

class Layout {
 public:
  Layout(std::span<const std::shared_ptr<const SurfacePatch>> faces, int cells_u, int cells_v, double thickness_m,
         double size_m)
      : cells_u_(cells_u), cells_v_(cells_v), size_m_(size_m) {
    for (const auto& patch : faces)
      faces_.push_back(
          {patch.get(), {patch->u_from, patch->u_to, patch->period_u}, {patch->v_from, patch->v_to, patch->period_v}});
    std::vector<Vec3> x, across;
    for (int i = 0; i <= cells_u_; ++i) {
      for (int k = 0; k <= cells_v_; ++k) {
        const SurfacePlace place = faces_[0].patch->place(u_at(faces_[0], i), v_at(faces_[0], k));
        x.push_back(place.x);
        across.emplace_back(place.x - thickness_m * place.n);
      }
    }
    lay_out(0, x);
    if (faces_.size() > 1) lay_out(1, across);
  }

  std::optional<SurfaceCrossing> search() const {
    std::vector<MeshBox> boxes(triangles_.size());
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      for (const Vec3& x : triangles_[i].x) boxes[i].add(x);
    }
    MeshTree tree;
    std::vector<std::int32_t> order;
    tree.build(boxes, order);
    int looks = 0, attempts = 0;
    std::optional<SurfaceCrossing> found;
    for (std::size_t i = 0; i < triangles_.size() && !found && looks < kMostLooks; ++i) {
      tree.for_near(boxes[i], [&](std::int32_t at) {
        const std::size_t k = static_cast<std::size_t>(order[static_cast<std::size_t>(at)]);
        if (k <= i || found || looks >= kMostLooks) return;
        const Triangle &a = triangles_[i], &b = triangles_[k];
        if (are_neighbours(a, b)) return;
        ++looks;
        if (attempts >= kMostAttempts || !cut_each_other(a, b)) return;
        ++attempts;
        found = confirm(a, b);
      });
    }
    return found;
  }

 private:
  double u_at(const Face& face, double i) const { return face.u.at(i, cells_u_); }
  double v_at(const Face& face, double k) const { return face.v.at(k, cells_v_); }

  void lay_out(int which, const std::vector<Vec3>& x) {
    const auto row = static_cast<std::size_t>(cells_v_) + 1;
    for (int i = 0; i < cells_u_; ++i) {
      for (int k = 0; k < cells_v_; ++k) {
        const std::size_t at = static_cast<std::size_t>(i) * row + static_cast<std::size_t>(k);
        triangles_.push_back({which, i, k, {x[at], x[at + row], x[at + row + 1]}});
        triangles_.push_back({which, i, k, {x[at], x[at + row + 1], x[at + 1]}});
      }
    }
  }

  // Also across both sides of a sheet, where the same cells lie behind each other.
  bool are_neighbours(const Triangle& a, const Triangle& b) const {
    const Face& face = faces_[static_cast<std::size_t>(a.face)];
    const auto apart = [](int one, int two, int count, bool closed) {
      const int d = std::abs(one - two);
      return closed ? std::min(d, count - d) : d;
    };
    return apart(a.i, b.i, cells_u_, face.u.period > 0) <= 1 && apart(a.k, b.k, cells_v_, face.v.period > 0) <= 1;
  }

  // Newton's method for x(p) = x(q), three equations in four unknowns: the shortest step in cells.
  std::optional<SurfaceCrossing> confirm(const Triangle& a, const Triangle& b) const {
    const Face &fa = faces_[static_cast<std::size_t>(a.face)], &fb = faces_[static_cast<std::size_t>(b.face)];
    Vec2 p(u_at(fa, a.i + 0.5), v_at(fa, a.k + 0.5)), q(u_at(fb, b.i + 0.5), v_at(fb, b.k + 0.5));
    const double du = (fa.u.to - fa.u.from) / cells_u_, dv = (fa.v.to - fa.v.from) / cells_v_;
    for (int step = 0; step < kIterations; ++step) {
      const SurfacePlace at_a = fa.patch->place(p[0], p[1]), at_b = fb.patch->place(q[0], q[1]);
      const Vec3 apart = at_a.x - at_b.x;
      if (!apart.allFinite()) return std::nullopt;
      if (apart.norm() <= kOnSurface * size_m_) return accepted(a, b, p, q, at_a.x);
      Eigen::Matrix<double, 3, 4> slope;
      slope << du * at_a.x_u, dv * at_a.x_v, -du * at_b.x_u, -dv * at_b.x_v;
      const Eigen::Vector4d way = slope.completeOrthogonalDecomposition().solve(apart);
      const double shorten = 1 / std::max(1.0, way.lpNorm<Eigen::Infinity>());  // no farther than a cell
      p -= shorten * Vec2(du * way[0], dv * way[1]);
      q -= shorten * Vec2(du * way[2], dv * way[3]);
    }
    return std::nullopt;
  }

  // One place of a face is near itself, and the end of a range no place beyond it.
  std::optional<SurfaceCrossing> accepted(const Triangle& a, const Triangle& b, const Vec2& p, const Vec2& q,
                                          const Vec3& x) const {
    const Face &fa = faces_[static_cast<std::size_t>(a.face)], &fb = faces_[static_cast<std::size_t>(b.face)];
    if (!fa.u.contains(p[0]) || !fa.v.contains(p[1]) || !fb.u.contains(q[0]) || !fb.v.contains(q[1]))
      return std::nullopt;
    const double cells_apart = std::max(fa.u.between(p[0], q[0]) * cells_u_ / (fa.u.to - fa.u.from),
                                        fa.v.between(p[1], q[1]) * cells_v_ / (fa.v.to - fa.v.from));
    if (cells_apart < 1) return std::nullopt;
    return SurfaceCrossing{x, {fa.u.wrapped(p[0]), fa.v.wrapped(p[1])}, {fb.u.wrapped(q[0]), fb.v.wrapped(q[1])}};
  }

  int cells_u_, cells_v_;
  double size_m_;
  std::vector<Face> faces_;
  std::vector<Triangle> triangles_;
};

// Cells for the search for crossings: one between each two knots of a spline, and so many at least and at most.
int cells_of(int panels) {
  return std::clamp(panels, 48, 192);
}

}  // namespace

std::optional<SurfaceCrossing> find_crossing(std::span<const std::shared_ptr<const SurfacePatch>> faces, int cells_u,
                                             int cells_v, double thickness_m, double size_m) {
  return Layout(faces, cells_u, cells_v, thickness_m, size_m).search();
}

int times_covered(const SurfacePatch& face, bool in_u, double size_m) {
  constexpr int kPlaces = 17;
  const double along = in_u ? face.u_to - face.u_from : face.v_to - face.v_from;
  const auto repeats = [&](int times) {
    for (int i = 0; i < kPlaces; ++i) {
      for (int k = 0; k < kPlaces; ++k) {
        const double u = face.u_from + (face.u_to - face.u_from) * (i + 0.5) / kPlaces;
        const double v = face.v_from + (face.v_to - face.v_from) * (k + 0.5) / kPlaces;
        const Vec3 x = face.place(u, v).x,
                   next = face.place(u + (in_u ? along / times : 0), v + (in_u ? 0 : along / times)).x;
        if ((x - next).norm() > 1e-9 * size_m) return false;
      }
    }
    return true;
  };
  for (int times = kMostTurns; times > 1; --times) {
    if (repeats(times)) return times;
  }
  return 1;
}

ShapeProblem crossing_problem(const SurfaceChart& chart,
                              const std::vector<std::shared_ptr<const SurfacePatch>>& patches, double size_m,
                              double thickness_m, const std::string& key) {
  const bool closed = chart.closed_u && chart.closed_v;
  const std::string what = closed ? "the surface" : fmt::format("the sheet, {:.6g} mm thick,", 1e3 * thickness_m);
  const std::string cure = closed ? "keep the surface clear of itself" : "keep it clear of itself, or make it thinner";
  for (const bool in_u : {true, false}) {
    if (!(in_u ? chart.closed_u : chart.closed_v)) continue;
    const int times = times_covered(*patches[0], in_u, size_m);
    if (times > 1)
      return {key, fmt::format("{} is run through {} times as {} goes round", what, times, in_u ? "u" : "v"),
              fmt::format("let the range of {} be one whole period", in_u ? "u" : "v")};
  }
  const std::optional<SurfaceCrossing> found =
      find_crossing(std::span(patches).first(closed ? 1 : 2), cells_of(chart.panels_u), cells_of(chart.panels_v),
                    thickness_m, size_m);
  if (!found) return {};
  const SurfaceCrossing& at = *found;
  return {
      key,
      fmt::format("{} crosses itself at ({:.6g}, {:.6g}, {:.6g}) mm, where (u, v) = ({:.4g}, {:.4g}) meets "
                  "({:.4g}, {:.4g})",
                  what, 1e3 * at.x[0], 1e3 * at.x[1], 1e3 * at.x[2], at.one[0], at.one[1], at.other[0], at.other[1]),
      cure};
}

}  // namespace freeplay::geometry
