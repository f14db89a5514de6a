// Pairs of shapes per second: how fast the contacts of two bodies are found from nothing, ours to rounding. Boxes and
// ellipsoids beside FCL, Bullet and ODE, in the same poses and the same run, with how far each of them is from ours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "bench/effort.h"
#include "bench/measure.h"
#include "bench/peers/bullet_shapes_peer.h"
#include "bench/peers/fcl_shapes_peer.h"
#include "bench/peers/ode_shapes_peer.h"
#include "freeplay/geometry/meshes/mesh_builder.h"
#include "freeplay/geometry/pairs/planar_gap.h"
#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::bench {
namespace {

using namespace freeplay::geometry;

constexpr std::size_t kPoses = 512;
constexpr double kNear_m = 1e-3;  // gaps and depths of the poses, of solids of some 0.1 m

// ---- planar pairs: rates alone, since no peer has them ----

struct PlanarPair {
  std::string name;
  ShapeGeometry a, b;
  double distance_m;  // of the bodies' origins
};

SplineShape wavy(int points, double radius_m, double wave_m) {
  SplineShape spline;
  spline.closed = true;
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * M_PI * i / points, r = radius_m + wave_m * std::cos(3 * angle);
    spline.points_m.push_back({r * std::cos(angle), r * std::sin(angle), 0});
  }
  return spline;
}

PolygonShape regular_polygon(int corners, double radius_m) {
  PolygonShape polygon;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * M_PI * i / corners;
    polygon.vertices_m.push_back({radius_m * std::cos(angle), radius_m * std::sin(angle), 0});
  }
  return polygon;
}

std::vector<PlanarPair> planar_pairs() {
  const EllipseShape ellipse{.at_m = Vec3::Zero(), .semi_axis_x_m = 0.1, .semi_axis_y_m = 0.05};
  return {{"circle and line", CircleShape{Vec3::Zero(), 0.1}, LineShape{}, 0.1},
          {"circle and circle", CircleShape{Vec3::Zero(), 0.1}, CircleShape{Vec3::Zero(), 0.05}, 0.15},
          {"hexagon and hexagon", regular_polygon(6, 0.1), regular_polygon(6, 0.1), 0.19},
          {"ellipse and line", ellipse, LineShape{}, 0.08},
          {"ellipse and ellipse", ellipse, ellipse, 0.16},
          {"circle and spline of 24 points", CircleShape{Vec3::Zero(), 0.02}, wavy(24, 0.1, 0.01), 0.12},
          {"spline and spline of 24 points", wavy(24, 0.1, 0.01), wavy(24, 0.1, 0.01), 0.2}};
}

double planar_rate(const PlanarPair& pair, const MeasureOptions& measure) {
  const auto gap = make_planar_gap(pair.a, pair.b, 0);
  std::vector<PlanarContactPoint> points(static_cast<std::size_t>(gap->point_count()));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-M_PI, M_PI);
  std::vector<PlanarPlacement> a, b;
  const bool is_line = std::holds_alternative<LineShape>(pair.b);
  for (std::size_t k = 0; k < kPoses; ++k) {
    const double turn_a = angle(random), turn_b = is_line ? 0 : angle(random),
                 towards = is_line ? M_PI / 2 : angle(random);
    a.push_back(
        {std::cos(turn_a), std::sin(turn_a), pair.distance_m * std::cos(towards), pair.distance_m * std::sin(towards)});
    b.push_back({std::cos(turn_b), std::sin(turn_b), 0, 0});
  }
  double sum = 0;
  const double rate = calls_per_second(
      [&](std::int64_t k) {
        const std::size_t i = static_cast<std::size_t>(k) % kPoses;
        gap->evaluate(a[i], b[i], points);
        sum += points[0].gap;
      },
      measure);
  if (std::isnan(sum)) fmt::print(stderr, "a gap of '{}' is not a number\n", pair.name);
  return rate;
}

// ---- pairs in space: rates alone ----

TriangleSoup ball_of_triangles(double radius_m, int bands) {
  TriangleSoup soup;
  soup.relative_precision = 1e-12;
  const int sides = 2 * bands;
  for (int i = 0; i <= bands; ++i) {
    const double polar = M_PI * i / bands;
    const int count = i == 0 || i == bands ? 1 : sides;
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * M_PI * k / sides;
      soup.points_m.emplace_back(radius_m * std::sin(polar) * std::cos(angle),
                                 radius_m * std::sin(polar) * std::sin(angle), -radius_m * std::cos(polar));
    }
  }
  const auto at = [&](int ring, int k) {
    return ring == 0 ? 0 : ring == bands ? 1 + (bands - 1) * sides : 1 + (ring - 1) * sides + k % sides;
  };
  for (int i = 0; i < bands; ++i) {
    for (int k = 0; k < sides; ++k) {
      if (i > 0) soup.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k + 1)});
      if (i + 1 < bands) soup.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i + 1, k)});
    }
  }
  return soup;
}

SplinePatchShape wavy_patch() {
  SplinePatchShape patch;
  for (int i = 0; i < 8; ++i) {
    patch.points_m.emplace_back();
    for (int k = 0; k < 8; ++k)
      patch.points_m.back().emplace_back(0.03 * (i - 3.5), 0.03 * (k - 3.5), 0.01 * std::sin(1.3 * i) * std::cos(k));
  }
  patch.thickness_m = 0.01;
  return patch;
}

struct SpatialPair {
  std::string name;
  ShapeGeometry a, b;
  double near_m = 0;  // of the origins: no nearer are poses looked for
};

std::vector<SpatialPair> spatial_pairs(Effort effort) {
  const int bands = effort == Effort::kQuick ? 12 : 71;  // 71: 19 880 triangles
  const MeshShape ball{std::make_shared<const TriangleMesh>(build_mesh(ball_of_triangles(0.1, bands)).mesh), ""};
  const SphereShape sphere{Vec3::Zero(), 0.05};
  const CylinderShape cylinder{Vec3::Zero(), Vec3::UnitZ(), 0.04, 0.1};
  const CapsuleShape capsule{Vec3::Zero(), Vec3::UnitZ(), 0.03, 0.1};
  const TorusShape torus{Vec3::Zero(), Vec3::UnitZ(), 0.08, 0.03};
  const ConeShape cone{Vec3::Zero(), Vec3::UnitZ(), 0.05, 0.1};
  const EllipsoidShape ellipsoid{Vec3::Zero(), Vec3(0.05, 0.08, 0.03)};
  BoxShape box;
  box.size_m = Vec3(0.1, 0.16, 0.06);
  return {{"sphere and box", sphere, box},
          {"capsule and capsule", capsule, capsule},
          {"cylinder and box", cylinder, box},
          {"cylinder and cylinder", cylinder, cylinder},
          {"torus and sphere", torus, sphere},
          {"torus and torus", torus, torus},
          {"cone and ellipsoid", cone, ellipsoid},
          {"spline patch and ellipsoid", wavy_patch(), ellipsoid},
          {"sphere and mesh of a ball", sphere, ball, 0.14},
          {"ellipsoid and mesh of a ball", ellipsoid, ball, 0.12},
          {"torus and mesh of a ball", torus, ball, 0.12},
          {"mesh of a ball and mesh of a ball", ball, ball, 0.199}};
}

SolidPose random_pose(std::mt19937& random, const Vec3& at) {
  std::normal_distribution<double> normal;
  Eigen::Quaterniond turn(normal(random), normal(random), normal(random), normal(random));
  turn.normalize();
  SolidPose pose;
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose.R.data()) = turn.toRotationMatrix();
  pose.x = {at.x(), at.y(), at.z()};
  return pose;
}

Frame frame_of(const SolidPose& pose) {
  Frame frame;
  frame.R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose.R.data());
  frame.p = Vec3(pose.x[0], pose.x[1], pose.x[2]);
  return frame;
}

// At random, and moved along the line of the origins until the least gap is 1 mm: what meshes and surfaces see has an
// end.
double spatial_rate(const SpatialPair& pair, const MeasureOptions& measure) {
  const auto gap = make_spatial_gap(pair.a, pair.b);
  std::vector<SpatialContactPoint> points(static_cast<std::size_t>(gap->point_count()));
  const auto least = [&](const Frame& a, const Frame& b) {
    gap->evaluate(a, b, points);
    double found = std::numeric_limits<double>::infinity();
    for (const SpatialContactPoint& point : points) found = std::min(found, point.gap);
    return found;
  };
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<Frame> a, b;
  for (int tries = 0; tries < 64 && a.size() < 32; ++tries) {
    Frame at_a = frame_of(random_pose(random, Vec3::Zero()));
    const Frame at_b = frame_of(random_pose(random, Vec3::Zero()));
    const Vec3 towards = Vec3(normal(random), normal(random), normal(random)).normalized();
    double near = pair.near_m, far = 0.3;
    for (int i = 0; i < 30; ++i) {
      const double middle = (near + far) / 2;
      at_a.p = middle * towards;
      (least(at_a, at_b) > kNear_m ? far : near) = middle;
    }
    at_a.p = far * towards;
    if (std::abs(least(at_a, at_b) - kNear_m) > 1e-5) continue;
    a.push_back(at_a);
    b.push_back(at_b);
  }
  if (a.empty()) return 0;
  return calls_per_second(
      [&](std::int64_t k) {
        const std::size_t i = static_cast<std::size_t>(k) % a.size();
        gap->evaluate(a[i], b[i], points);
      },
      measure);
}

// ---- solids ----

class Ours final : public ShapePeer {
 public:
  explicit Ours(const SolidPair& pair)
      : gap_(make_spatial_gap(shape_of(pair.kind, pair.half_a), shape_of(pair.kind, pair.half_b))) {
    points_.resize(static_cast<std::size_t>(gap_->point_count()));
  }
  double gap(const PoseOfTwo& pose) override {
    gap_->evaluate(frame_of(pose.a), frame_of(pose.b), points_);
    double least = std::numeric_limits<double>::infinity();
    for (const SpatialContactPoint& point : points_) least = std::min(least, point.gap);
    return least;
  }

 private:
  static ShapeGeometry shape_of(Solid kind, const std::array<double, 3>& half) {
    const Vec3 size(half[0], half[1], half[2]);
    if (kind == Solid::kBox) {
      BoxShape box;
      box.size_m = 2 * size;
      return box;
    }
    EllipsoidShape ellipsoid;
    ellipsoid.semi_axes_m = size;
    return ellipsoid;
  }

  std::unique_ptr<const SpatialGap> gap_;
  std::vector<SpatialContactPoint> points_;
};

// Poses in which the solids are apart by kNear_m, or overlap by about that: they are moved along the line of their
// centres until our gap says so.
std::vector<PoseOfTwo> poses_with(double gap_m, Ours& ours) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  std::vector<PoseOfTwo> poses;
  while (poses.size() < kPoses) {
    PoseOfTwo pose{random_pose(random, Vec3::Zero()), random_pose(random, Vec3::Zero())};
    const Vec3 towards = Vec3(normal(random), normal(random), normal(random)).normalized();
    double near = 0.02, far = 1;
    const auto place = [&](double distance) {
      const Vec3 x = distance * towards;
      pose.a.x = {x.x(), x.y(), x.z()};
      return ours.gap(pose);
    };
    for (int i = 0; i < 60; ++i) {
      const double middle = (near + far) / 2;
      (place(middle) > gap_m ? far : near) = middle;
    }
    if (std::abs(place(far) - gap_m) < 1e-9) poses.push_back(pose);
  }
  return poses;
}

struct Outcome {
  double rate = 0, error_m = 0;
  int silent = 0;  // poses without an answer
};

Outcome try_out(ShapePeer& peer, const std::vector<PoseOfTwo>& poses, double gap_m, const MeasureOptions& measure) {
  Outcome outcome;
  for (const PoseOfTwo& pose : poses) {
    const double gap = peer.gap(pose);
    if (std::isfinite(gap))
      outcome.error_m = std::max(outcome.error_m, std::abs(gap - gap_m));
    else
      ++outcome.silent;
  }
  outcome.rate =
      calls_per_second([&](std::int64_t k) { peer.gap(poses[static_cast<std::size_t>(k) % poses.size()]); }, measure);
  return outcome;
}

// The least ratio to a peer that has the pair.
double compare_solids(const std::string& name, SolidPair pair, double gap_m, const MeasureOptions& measure) {
  pair.overlaps = gap_m < 0;
  Ours ours(pair);
  const std::vector<PoseOfTwo> poses = poses_with(gap_m, ours);
  const Outcome own = try_out(ours, poses, gap_m, measure);
  fmt::print("{:<34}{:<8}{:>12.0f}{:>12.1e}\n", name, "ours", own.rate, own.error_m);
  double least = std::numeric_limits<double>::infinity();
  const struct {
    const char* name;
    std::unique_ptr<ShapePeer> peer;
  } peers[] = {{"FCL", make_fcl_shapes(pair)}, {"Bullet", make_bullet_shapes(pair)}, {"ODE", make_ode_shapes(pair)}};
  for (const auto& [peer_name, peer] : peers) {
    if (peer == nullptr) continue;
    const Outcome outcome = try_out(*peer, poses, gap_m, measure);
    if (outcome.silent == static_cast<int>(poses.size())) continue;  // it does not have this
    fmt::print("{:<34}{:<8}{:>12.0f}{:>12.1e}{:>8.2f}", "", peer_name, outcome.rate, outcome.error_m,
               own.rate / outcome.rate);
    if (outcome.silent > 0) fmt::print("   no answer in {} of {}", outcome.silent, poses.size());
    fmt::print("\n");
    least = std::min(least, own.rate / outcome.rate);
  }
  return least;
}

int compare(Effort effort) {
  const MeasureOptions measure =
      effort == Effort::kQuick ? MeasureOptions{.batch_seconds = 0.005, .batches = 1} : MeasureOptions{};
  fmt::print("Contacts of two planar shapes near each other, pairs per second (single thread)\n\n");
  for (const PlanarPair& pair : planar_pairs()) fmt::print("{:<34}{:>20.0f}\n", pair.name, planar_rate(pair, measure));
  fmt::print("\nContacts of two bodies in space {} mm apart, pairs per second\n\n", 1e3 * kNear_m);
  for (const SpatialPair& pair : spatial_pairs(effort))
    fmt::print("{:<34}{:>20.0f}\n", pair.name, spatial_rate(pair, measure));
  fmt::print(
      "\nSolids that are apart, or overlap, by {} mm: pairs per second, largest difference of the gap in m, ours by "
      "theirs\n\n",
      1e3 * kNear_m);
  const SolidPair boxes{Solid::kBox, {0.05, 0.08, 0.03}, {0.04, 0.05, 0.06}};
  const SolidPair ellipsoids{Solid::kEllipsoid, {0.05, 0.08, 0.03}, {0.04, 0.05, 0.06}};
  double least = compare_solids("boxes, apart", boxes, kNear_m, measure);
  least = std::min(least, compare_solids("boxes, overlapping", boxes, -kNear_m, measure));
  least = std::min(least, compare_solids("ellipsoids, apart", ellipsoids, kNear_m, measure));
  least = std::min(least, compare_solids("ellipsoids, overlapping", ellipsoids, -kNear_m, measure));
  fmt::print(
      "\nOf boxes we give all near corners and edges, the others the nearest pair or a manifold; where boxes overlap, "
      "ours\n"
      "is the gap of the deepest of these points, theirs the shortest way out.\n");
  fmt::print("shapes ratio {:.2f}\n", least);
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, &freeplay::bench::compare);
}
