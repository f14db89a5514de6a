// Contacts of meshes: against closed forms, against all triangles one by one, flat faces, seams, grooves and holes.
#include <gtest/gtest.h>

#include <map>

#include "allocation/allocation_counter.h"
#include "mesh_cases.h"
#include "support/samples.h"
#include "unit/geometry/spatial/spatial_gap_cases.h"

namespace freeplay::test {
namespace {

double segment_distance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c, w = a - c;
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), det = uu * vv - uv * uv;
  double least = kInfinity;
  const auto look = [&](double s) {
    s = std::clamp(s, 0.0, 1.0);
    const double t = std::clamp((w + s * u).dot(v) / vv, 0.0, 1.0);
    least = std::min(least, (w + s * u - t * v).norm());
  };
  const auto look_from_other = [&](double t) { look(std::clamp((t * v - w).dot(u) / uu, 0.0, 1.0)); };
  if (det > 1e-14 * uu * vv) look((uv * w.dot(v) - vv * w.dot(u)) / det);
  look(0), look(1), look_from_other(0), look_from_other(1);
  return least;
}

std::vector<std::array<Vec3, 3>> placed_triangles(const TriangleMesh& mesh, const Frame& at) {
  std::vector<std::array<Vec3, 3>> all;
  for (const MeshTriangle& t : mesh.triangles())
    all.push_back({at.point(mesh.vertex(t.vertices[0])), at.point(mesh.vertex(t.vertices[1])),
                   at.point(mesh.vertex(t.vertices[2]))});
  return all;
}

// The distance of two surfaces that do not cut each other.
double distance_by_all_triangles(const TriangleMesh& a, const Frame& at_a, const TriangleMesh& b, const Frame& at_b) {
  double least = kInfinity;
  const auto all_b = placed_triangles(b, at_b);
  for (const auto& s : placed_triangles(a, at_a)) {
    for (const auto& t : all_b) {
      for (std::size_t k = 0; k < 3; ++k) {
        least = std::min({least, point_triangle_distance(s[k], t), point_triangle_distance(t[k], s)});
        for (std::size_t l = 0; l < 3; ++l)
          least = std::min(least, segment_distance(s[k], s[(k + 1) % 3], t[l], t[(l + 1) % 3]));
      }
    }
  }
  return least;
}

// Whether an edge of one goes through a triangle of the other.
bool surfaces_cut(const TriangleMesh& a, const Frame& at_a, const TriangleMesh& b, const Frame& at_b) {
  const auto goes_through = [](const std::vector<std::array<Vec3, 3>>& from, const TriangleMesh& mesh,
                               const Frame& at) {
    for (const auto& t : from) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 x = at.R.transpose() * (t[k] - at.p), y = at.R.transpose() * (t[(k + 1) % 3] - at.p);
        if (mesh.ray_length(x, (y - x).normalized()) <= (y - x).norm()) return true;
      }
    }
    return false;
  };
  return goes_through(placed_triangles(a, at_a), b, at_b) || goes_through(placed_triangles(b, at_b), a, at_a);
}

// Of surfaces that do not cut each other: whether A lies in the matter of B.
bool is_within(const TriangleMesh& a, const Frame& at_a, const TriangleMesh& b, const Frame& at_b) {
  return b.contains(at_b.R.transpose() * (at_a.point(a.vertex(0)) - at_b.p));
}

TEST(MeshContact, OfBoxesBallsAndCapsulesApartHasTheDistanceOfTheClosedForms) {
  RandomSolids random(3);
  int near = 0;
  for (int i = 0; i < 2000; ++i) {
    const BoxShape box{random.vector(0.1),
                       {random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)},
                       Eigen::Quaterniond(random.rotation())};
    const BoxShape other{random.vector(0.1),
                         {random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)},
                         Eigen::Quaterniond(random.rotation())};
    const SphereShape ball{random.vector(0.1), random.uniform(0.05, 0.4)};
    const CapsuleShape capsule{random.vector(0.1), random.direction(), random.uniform(0.05, 0.2),
                               random.uniform(0.1, 0.6)};
    const PlaneShape plane{random.vector(0.1), random.direction()};
    const Frame a = random.motion(1).at(0), b = random.motion(1).at(0);
    const TriangleMesh mesh = mesh_of(box);
    const auto compare = [&](const char* name, const ShapeGeometry& partner, const std::vector<MeshContact>& contacts) {
      const double exact = nearest_of(evaluate(partner, a, box, b)).gap;
      if (exact > 1e-6 && exact < 0.5) {
        EXPECT_NEAR(least_gap(contacts), exact, 1e-13) << name << i;
        ++near;
      }
    };
    compare("ball", ball, contacts_of(solid::of(ball), mesh, a, b, 0.6));
    compare("capsule", capsule, contacts_of(solid::of(capsule), mesh, a, b, 0.6));
    compare("box", other, contacts_of(mesh_of(other), mesh, a, b, 0.6));
    const double height = nearest_of(evaluate(box, b, plane, a)).gap;
    if (height < 0.5) {
      EXPECT_NEAR(least_gap(contacts_of(mesh, solid::of(plane), b, a, 0.6)), height, 1e-13) << i;
    }
  }
  EXPECT_GT(near, 1500);
}

TEST(MeshContact, OfHollowMeshesApartHasTheDistanceOfAllTriangles) {
  const TriangleMesh ring = built(ring_soup(0.3, 0.5, 0.2, 12)), angle = built(angle_soup()),
                     peg = built(peg_soup(0.2, 0.6, 7)), torus = built(torus_soup(0.4, 0.12, 8, 10));
  RandomSolids random(5);
  int tried = 0;
  for (int i = 0; i < 64; ++i) {
    const TriangleMesh* meshes[] = {&ring, &angle, &peg, &torus};
    const TriangleMesh &a = *meshes[i % 4], &b = *meshes[(i / 4) % 4];
    const double far = &a == &angle || &b == &angle ? 2.5 : 0.6;
    const Frame at_a{random.rotation(), random.vector(far)}, at_b{random.rotation(), random.vector(0.1)};
    if (surfaces_cut(a, at_a, b, at_b) || is_within(a, at_a, b, at_b) || is_within(b, at_b, a, at_a)) continue;
    const double exact = distance_by_all_triangles(a, at_a, b, at_b);
    ++tried;
    EXPECT_NEAR(least_gap(contacts_of(a, b, at_a, at_b, exact + 0.05, 1024)), exact, 1e-12) << i;
    const std::vector<MeshContact> none = contacts_of(a, b, at_a, at_b, exact - 1e-9, 1024);
    EXPECT_TRUE(none.empty()) << i << " gap " << least_gap(none) << " but " << exact;
  }
  EXPECT_GT(tried, 15);
}

TEST(MeshContact, SeenFromTheOtherBodyIsTheSame) {
  const TriangleMesh ring = built(ring_soup(0.3, 0.5, 0.2, 12)), peg = built(peg_soup(0.28, 0.6, 9));
  RandomSolids random(6);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    const Frame at_a = frame(random.vector(0.02), random.direction(), random.uniform(0, 0.05)),
                at_b = frame(Vec3::Zero());
    const auto one = contacts_of(peg, ring, at_a, at_b, 0.03), other = contacts_of(ring, peg, at_b, at_a, 0.03);
    ASSERT_EQ(one.size(), other.size()) << i;
    std::map<MeshKey, MeshContact> by_key;
    for (const MeshContact& c : other) by_key[{c.key.kind_b, c.key.kind_a, c.key.b, c.key.a}] = c;
    for (const MeshContact& c : one) {
      ASSERT_TRUE(by_key.contains(c.key));
      const MeshContact& swapped = by_key[c.key];
      EXPECT_NEAR(c.gap, swapped.gap, 1e-12);
      EXPECT_LE((c.normal + swapped.normal).norm(), 1e-12);
      EXPECT_LE((c.point_a - swapped.point_b).norm() + (c.point_b - swapped.point_a).norm(), 1e-12);
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
}

// g' = n . (v_A - v_B) of the material points, for every contact that exists at both ends of the difference.
template <class A, class B>
int compare_rates(const A& a, const B& b, RandomSolids& random, int poses, double away, double reach) {
  constexpr double kStep = 1e-6;
  int compared = 0;
  for (int i = 0; i < poses; ++i) {
    SpatialMotion motion_a = random.motion(1), motion_b = random.motion(1);
    motion_a.start.p = random.vector(away);
    motion_b.start.p = random.vector(away);
    const auto before = contacts_of(a, b, motion_a.at(-kStep), motion_b.at(-kStep), reach, 2048);
    std::map<MeshKey, double> gaps;
    for (const MeshContact& c : before) gaps[c.key] = c.gap;
    std::map<MeshKey, MeshContact> now;
    for (const MeshContact& c : contacts_of(a, b, motion_a.at(0), motion_b.at(0), reach, 2048)) now[c.key] = c;
    for (const MeshContact& c : contacts_of(a, b, motion_a.at(kStep), motion_b.at(kStep), reach, 2048)) {
      if (!gaps.contains(c.key) || !now.contains(c.key)) continue;
      const MeshContact& m = now[c.key];
      const double rate = m.normal.dot(motion_a.velocity(m.point_a) - motion_b.velocity(m.point_b));
      EXPECT_NEAR((c.gap - gaps[c.key]) / (2 * kStep), rate, 1e-6);
      EXPECT_NEAR(m.normal.dot(m.point_a - m.point_b), m.gap, 1e-12);
      EXPECT_NEAR(m.normal.norm(), 1, 1e-12);
      ++compared;
    }
  }
  return compared;
}

TEST(MeshContact, GapsChangeAtTheRateOfTheirMaterialPoints) {
  const TriangleMesh ring = built(ring_soup(0.3, 0.5, 0.2, 12)), peg = built(peg_soup(0.25, 0.6, 7)),
                     angle = built(angle_soup());
  RandomSolids random(8);
  EXPECT_GT(compare_rates(peg, ring, random, 600, 0.3, 0.1), 300);
  EXPECT_GT(compare_rates(angle, angle, random, 600, 2.5, 0.5), 100);
  EXPECT_GT(compare_rates(solid::Ball{{0.1, 0, 0}, 0.2}, ring, random, 500, 0.4, 0.2), 300);
  EXPECT_GT(compare_rates(solid::of(CapsuleShape{{0.1, 0, 0}, Vec3::UnitX(), 0.1, 0.4}), ring, random, 500, 0.4, 0.2),
            300);
  EXPECT_GT(compare_rates(peg, solid::of(PlaneShape{}), random, 300, 0.3, 0.3), 300);
}

// The least gap is the distance, so it cannot change by more than the motion of the points that are near.
TEST(MeshContact, LeastGapsDoNotJumpAlongRandomPathsIntoAndOutOfContact) {
  const TriangleMesh ring = built(ring_soup(0.3, 0.5, 0.2, 12)), peg = built(peg_soup(0.25, 0.6, 7)),
                     angle = built(angle_soup());
  const std::pair<const TriangleMesh*, const TriangleMesh*> pairs[] = {
      {&peg, &ring}, {&peg, &angle}, {&ring, &angle}, {&angle, &angle}};
  RandomSolids random(9);
  int touched = 0;
  for (const auto& [a, b] : pairs) {
    for (int path = 0; path < samples(8); ++path) {
      const Vec3 direction = random.direction(), axis = random.direction();
      const Mat3 start = random.rotation();
      const Vec3 offset = random.vector(0.4);
      constexpr double kStep = 1e-3, kTurn = 1e-3;
      const double largest = kStep + kTurn * (a->size_m() + 1);
      double before = kInfinity;
      for (int i = 0; i < 9000; ++i) {
        const Frame at{Eigen::AngleAxisd(kTurn * i, axis).toRotationMatrix() * start,
                       offset + (9 - kStep * i) * direction};
        const double now = least_gap(contacts_of(*a, *b, at, Frame{}, 0.1, 2048));
        if (now < kInfinity && before < kInfinity) {
          ASSERT_LE(std::abs(now - before), 1.1 * largest) << path << " " << i;
        }
        if (before == kInfinity && now < kInfinity) {
          ASSERT_GE(now, 0.1 - 1.1 * largest) << path << " " << i;
        }
        before = now;
        if (now < -largest / 2) break;  // in
      }
      touched += before < 0 ? 1 : 0;
    }
  }
  EXPECT_GE(touched, 2 * samples(8));
}

TEST(MeshContact, ABoxOnAPlateTouchesInTheCornersOfTheRegionThatTheyShareAndNowhereElse) {
  const TriangleMesh box = built(refined(box_soup({0.4, 0.4, 0.2}), 3)),
                     plate = built(refined(box_soup({2, 2, 0.2}), 4));
  for (const double gap : {1e-3, 1e-6, 0.0, -1e-6, -1e-3}) {
    for (double x = -1.15; x <= 1.15; x += 0.0771) {
      const Frame at = frame({x, 0.03, 0.2 + gap}, Vec3::UnitZ(), 0.3);
      const auto contacts = contacts_of(box, plate, at, Frame{}, 0.01);
      const bool overhangs = std::abs(x) > 0.7;
      if (overhangs) {
        EXPECT_GE(contacts.size(), 3u);
      } else {
        EXPECT_EQ(contacts.size(), 4u) << x;
      }
      for (const MeshContact& c : contacts) {
        EXPECT_LE((c.normal - Vec3::UnitZ()).norm(), 1e-12) << "at " << x << ", gap " << gap;
        EXPECT_NEAR(c.gap, gap, 1e-12);
        EXPECT_LE(std::abs(c.point_b.x()), 1 + 1e-9);
      }
    }
  }
}

TEST(MeshContact, EqualBoxesOnEachOtherHaveNoSidewaysContact) {
  const TriangleMesh box = mesh_of(BoxShape{Vec3::Zero(), {1, 1, 1}, Eigen::Quaterniond::Identity()});
  for (const double height : {1.0, 1 + 1e-9, 1 - 1e-9}) {
    for (const double shift : {0.0, 1e-9, 0.25}) {
      const auto contacts = contacts_of(box, box, frame({shift, -shift, height}), Frame{}, 1e-3);
      EXPECT_GE(contacts.size(), 4u);
      for (const MeshContact& c : contacts) EXPECT_NEAR(c.normal.z(), 1, 1e-9) << height << " " << shift;
    }
  }
}

TEST(MeshContact, ABallInAnInnerCornerTouchesBothWallsAlsoWhenItHasEnteredThem) {
  const TriangleMesh angle = built(angle_soup());
  for (const double depth : {-1e-3, 0.0, 1e-6, 1e-3}) {
    for (const double radius : {0.5, 0.0}) {  // 0: a point
      const Vec3 centre(radius - depth, 0.1, radius - 2 * depth);
      const auto contacts = contacts_of(solid::Ball{centre, radius}, angle, Frame{}, Frame{}, 0.01);
      ASSERT_EQ(contacts.size(), 2u) << depth << " " << radius;
      for (const MeshContact& c : contacts) {
        const bool floor = c.normal.z() > 0.5;
        EXPECT_NEAR(c.gap, floor ? -2 * depth : -depth, 1e-12);
        EXPECT_LE((c.normal - (floor ? Vec3::UnitZ() : Vec3::UnitX())).norm(), 1e-12);
      }
    }
  }
}

TEST(MeshContact, APointJustInsideBesideAnEdgeSeesTheNearerFaceOnly) {
  const TriangleMesh box = mesh_of(BoxShape{Vec3::Zero(), {2, 2, 2}, Eigen::Quaterniond::Identity()});
  const auto contacts = contacts_of(solid::Ball{{1 - 1e-3, 0, 1 - 1e-4}, 0}, box, Frame{}, Frame{}, 0);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, -1e-4, 1e-12);
  EXPECT_NEAR(contacts[0].normal.z(), 1, 1e-12);
}

TEST(MeshContact, AHoleStaysAHole) {
  const int sides = 24;
  const TriangleMesh ring = built(ring_soup(0.3, 0.5, 0.2, sides));
  const double apothem = 0.3 * std::cos(std::numbers::pi / sides);
  for (const double radius : {0.1, 0.25, 0.29}) {
    const auto contacts = contacts_of(solid::Ball{Vec3::Zero(), radius}, ring, Frame{}, Frame{}, 0.3);
    EXPECT_EQ(contacts.size(), static_cast<std::size_t>(sides));
    for (const MeshContact& c : contacts) EXPECT_NEAR(c.gap, apothem - radius, 1e-12);
  }
}

// A mesh inscribed in a ball of radius R with angles delta between its points lies within R (1 - cos(delta)) of it.
TEST(MeshContact, ABallOnAMeshOfABallFollowsTheAnalyticBallWithinTheErrorOfTheMesh) {
  const TriangleMesh ball = built(ball_soup(0.5, 100, 100));
  EXPECT_GE(ball.triangles().size(), 19'000u);
  const double delta = std::hypot(std::numbers::pi / 100, 2 * std::numbers::pi / 100) / 2,
               error = 0.5 * (1 - std::cos(delta));
  RandomSolids random(11);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 out = random.direction();
    const double gap = random.uniform(-1e-3, 1e-3);
    const auto contacts = contacts_of(solid::Ball{(0.7 + gap) * out, 0.2}, ball, Frame{}, Frame{}, 0.01);
    ASSERT_GE(contacts.size(), 1u);
    EXPECT_GE(least_gap(contacts), gap - 1e-12);
    EXPECT_LE(least_gap(contacts), gap + error);
  }
}

// Play 0.1 mm on each side of a peg of 10 mm: the least gap is the distance wherever they do not cut each other, and
// negative where they do.
TEST(MeshContact, APegInAHoleWithATenthOfAMillimetreOfPlayIsOutsideUntilItTouches) {
  const TriangleMesh peg = built(peg_soup(10e-3, 30e-3, 32)), hole = built(ring_soup(10.1e-3, 20e-3, 20e-3, 32));
  RandomSolids random(12);
  int apart = 0, inside = 0;
  for (int i = 0; i < 24; ++i) {
    const Frame at = frame({random.uniform(-1e-4, 1e-4), random.uniform(-1e-4, 1e-4), random.uniform(-4e-3, 4e-3)},
                           random.direction(), random.uniform(0, 4e-3));
    const double gap = least_gap(contacts_of(peg, hole, at, Frame{}, 2e-4, 4096));
    if (surfaces_cut(peg, at, hole, Frame{})) {
      EXPECT_LT(gap, 0) << i;
      ++inside;
    } else {
      EXPECT_NEAR(gap, distance_by_all_triangles(peg, at, hole, Frame{}), 1e-12) << i;
      ++apart;
    }
  }
  EXPECT_GT(apart, 3);
  EXPECT_GT(inside, 3);
}

TEST(MeshContact, MoreContactsThanPlacesLeaveTheNearest) {
  const TriangleMesh ring = built(ring_soup(0.3, 0.5, 0.2, 24));
  const solid::Ball ball{{0.01, 0, 0}, 0.1};
  const auto all = contacts_of(ball, ring, Frame{}, Frame{}, 0.3);
  std::vector<double> gaps;
  for (const MeshContact& c : all) gaps.push_back(c.gap);
  std::sort(gaps.begin(), gaps.end());
  std::vector<MeshContact> few(5);
  const MeshContacts found = find_mesh_contacts(ball, ring, Frame{}, Frame{}, 0.3, few);
  EXPECT_FALSE(found.complete);
  ASSERT_EQ(found.count, 5);
  for (const MeshContact& c : few) EXPECT_LE(c.gap, gaps[4] + 1e-12);
}

TEST(MeshContact, TheSearchAllocatesNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  const TriangleMesh peg = built(peg_soup(10e-3, 30e-3, 32)), hole = built(ring_soup(10.1e-3, 20e-3, 20e-3, 32));
  std::vector<MeshContact> out(256);
  EXPECT_EQ(allocations_during([&] {
              find_mesh_contacts(peg, hole, frame({1e-4, 0, 0}), Frame{}, 1e-4, out);
              find_mesh_contacts(solid::Ball{Vec3::Zero(), 10e-3}, hole, Frame{}, Frame{}, 1e-4, out);
              find_mesh_contacts(peg, solid::of(PlaneShape{}), frame({0, 0, 15e-3}), Frame{}, 1e-4, out);
            }),
            0u);
}

}  // namespace
}  // namespace freeplay::test
