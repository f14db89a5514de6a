// Every local minimum of the distance, against brute force; symmetry; gaps that go on below zero.
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/geometry/contours/contour_cases.h"

namespace freeplay::test::contour_random_test {
namespace {

// The boundary by the length travelled: plain evaluation, nothing of the search that is tested.
class Boundary {
 public:
  explicit Boundary(const PlanarContour& contour, const PlanarPlacement& at) : length_(contour.length_m()), at_(at) {
    for (const ContourElement& e : contour.elements()) {
      if (!e.hidden && (e.length_m > 0 || contour.length_m() == 0)) elements_.push_back(&e);
    }
  }

  double length() const { return length_; }
  Vec2 operator()(double travelled) const {
    if (length_ == 0) return at_.point(elements_[0]->start);
    travelled -= length_ * std::floor(travelled / length_);
    const auto after = std::upper_bound(elements_.begin() + 1, elements_.end(), travelled,
                                        [](double l, const ContourElement* e) { return l < e->travelled_m; });
    const ContourElement& e = **(after - 1);
    const double share = std::min((travelled - e.travelled_m) / e.length_m, 1.0);
    if (e.kind == ElementKind::kEdge) return at_.point(e.start + share * (e.end - e.start));
    if (e.kind == ElementKind::kCurve) return at_.point(curve_place(e, e.s_from + share * (e.s_to - e.s_from)).x);
    const double angle = e.hollow ? e.normal_to + share * (e.normal_from - e.normal_to)
                                  : e.normal_from + share * (e.normal_to - e.normal_from);
    return at_.point(e.centre + e.radius_m * Vec2(std::cos(angle), std::sin(angle)));
  }
  // Whether `away` is an outward normal there: that of a smooth place, or one in the cone of a convex corner.
  bool faces(double travelled, const Vec2& away) const {
    if (length_ == 0) return true;
    constexpr double kStep = 1e-5, kAngle = 0.02;
    const Vec2 x = (*this)(travelled);
    const Vec2 before = normal_of_tangent((x - (*this)(travelled - kStep)).normalized());
    const Vec2 after = normal_of_tangent(((*this)(travelled + kStep) - x).normalized());
    const auto turn = [](const Vec2& p, const Vec2& q) { return p.x() * q.y() - p.y() * q.x(); };
    return turn(before, after) > -1e-3 && turn(before, away) > -kAngle && turn(away, after) > -kAngle &&
           away.dot(before + after) > 0;
  }
  std::vector<Vec2> points(int count) const {
    std::vector<Vec2> points;
    for (int i = 0; i < count; ++i) points.push_back((*this)(length_ * i / count));
    return points;
  }

 private:
  double length_;
  PlanarPlacement at_;
  std::vector<const ContourElement*> elements_;
};

// Pattern search downhill. At a small gap the valley is narrow and runs where both points move together.
double descend(const Boundary& a, const Boundary& b, double& la, double& lb, double step) {
  double best = (a(la) - b(lb)).norm();
  while (step > 1e-11) {
    bool better = false;
    for (int k = 0; k < 8 && !better; ++k) {
      static constexpr double kX[] = {1, -1, 1, -1, 1, -1, 0, 0}, kY[] = {-1, 1, 1, -1, 0, 0, 1, -1};
      const double now = (a(la + step * kX[k]) - b(lb + step * kY[k])).norm();
      if (now >= best) continue;
      best = now;
      la += step * kX[k];
      lb += step * kY[k];
      better = true;
    }
    if (!better) step /= 2;
  }
  return best;
}

TEST(ContourRandom, EveryLocalMinimumOfBruteForceIsFound) {
  constexpr int kPairs = 10'000;
  constexpr double kReach = 0.4, kSpacing = 0.04;
  RandomContours random(11);
  const ContourPool pool(random);
  int minima = 0;
  for (int draw = 0; draw < kPairs; ++draw) {
    const auto& kinds = contour_kinds();  // the last is the half-plane, whose boundary has no end
    const std::string kind_a = kinds[static_cast<std::size_t>(random.integer(0, int(kinds.size()) - 2))];
    const std::string kind_b = kinds[static_cast<std::size_t>(random.integer(0, int(kinds.size()) - 2))];
    const ContourResult &a = pool.any(kind_a, random), &b = pool.any(kind_b, random);
    const PlanarPlacement at_a = random.motion(1.2).at(0), at_b = random.motion(1.2).at(0);
    const std::vector<ContourContact> found = contacts(a.contour, at_a, b.contour, at_b, kReach);
    const Boundary on_a(a.contour, at_a), on_b(b.contour, at_b);
    const int na = 1 + int(on_a.length() / kSpacing), nb = 1 + int(on_b.length() / kSpacing);
    const std::vector<Vec2> wa = on_a.points(na), wb = on_b.points(nb);
    std::vector<double> squares;
    for (const Vec2& x : wa) {
      for (const Vec2& y : wb) squares.push_back((x - y).squaredNorm());
    }
    const auto at = [&](int i, int k) { return squares[std::size_t((i + na) % na * nb + (k + nb) % nb)]; };
    for (int i = 0; i < na; ++i) {
      for (int k = 0; k < nb; ++k) {
        const double here = at(i, k);
        if (here > 1.2 * kReach * kReach) continue;
        bool least = true;
        for (int p = -1; p <= 1 && least; ++p) {
          for (int q = -1; q <= 1 && least; ++q) least = at(i + p, k + q) >= here;
        }
        if (!least) continue;
        double la = on_a.length() * i / na, lb = on_b.length() * k / nb;
        const double distance = descend(on_a, on_b, la, lb, kSpacing / 2);
        // Where boundaries cross they are at no distance, which is no minimum of a signed gap.
        if (distance < 1e-4 || distance > kReach * 0.999) continue;
        const Vec2 xa = on_a(la), xb = on_b(lb), n = (xa - xb) / distance;
        if (!on_a.faces(la, -n) || !on_b.faces(lb, n)) continue;
        ++minima;
        double nearest = kInfinity;
        for (const ContourContact& contact : found) {
          if (std::abs(contact.gap - distance) < 1e-7)
            nearest = std::min(nearest, (contact.point_a - xa).norm() + (contact.point_b - xb).norm());
        }
        EXPECT_LT(nearest, 1e-3) << kind_a << " " << kind_b << " draw " << draw << " distance " << distance << " at "
                                 << xa.transpose() << " / " << xb.transpose() << " of " << found.size();
      }
    }
    // And nothing else: what is found is a minimum.
    for (const ContourContact& contact : found) {
      if (contact.gap < 1e-4) continue;
      double la = contact.place_a.travelled_m, lb = contact.place_b.travelled_m;
      if (a.contour.elements()[std::size_t(contact.place_a.element)].hidden ||
          b.contour.elements()[std::size_t(contact.place_b.element)].hidden)
        continue;
      const double distance = descend(on_a, on_b, la, lb, 1e-6);
      EXPECT_NEAR(distance, contact.gap, 1e-9) << kind_a << " " << kind_b << " draw " << draw;
    }
  }
  EXPECT_GT(minima, 3500);
}

TEST(ContourRandom, ExchangeOfThePartnersGivesTheSameContacts) {
  RandomContours random(12);
  const ContourPool pool(random);
  for (int draw = 0; draw < 4000; ++draw) {
    const auto& kinds = contour_kinds();
    const std::string kind_a = kinds[static_cast<std::size_t>(random.integer(0, int(kinds.size()) - 1))];
    const std::string kind_b = kinds[static_cast<std::size_t>(random.integer(0, int(kinds.size()) - 1))];
    const ContourResult &a = pool.any(kind_a, random), &b = pool.any(kind_b, random);
    const PlanarPlacement at_a = random.motion(1.2).at(0), at_b = random.motion(1.2).at(0);
    const auto there = contacts(a.contour, at_a, b.contour, at_b, 0.5);
    const auto back = contacts(b.contour, at_b, a.contour, at_a, 0.5);
    ASSERT_EQ(there.size(), back.size()) << kind_a << " " << kind_b << " draw " << draw;
    for (const ContourContact& one : there) {
      const ContourContact* twin = nullptr;
      for (const ContourContact& other : back) {
        if (other.key.feature_a == one.key.feature_b && other.key.feature_b == one.key.feature_a &&
            (other.point_a - one.point_b).norm() + (other.point_b - one.point_a).norm() < 1e-7)
          twin = &other;
      }
      ASSERT_NE(twin, nullptr) << kind_a << " " << kind_b << " draw " << draw << " gap " << one.gap;
      EXPECT_NEAR(twin->gap, one.gap, 1e-12) << kind_a << " " << kind_b;
      EXPECT_LT((twin->normal + one.normal).norm(), 1e-7) << kind_a << " " << kind_b;
    }
  }
}

TEST(ContourRandom, APenetratedMinimumGoesOnWithTheSameKeyAndPoints) {
  RandomContours random(13);
  const ContourPool pool(random);
  int seen = 0;
  for (int draw = 0; draw < 20'000; ++draw) {
    const auto& kinds = contour_kinds();
    const std::string kind_a = kinds[static_cast<std::size_t>(random.integer(0, int(kinds.size()) - 1))];
    const std::string kind_b = kinds[static_cast<std::size_t>(random.integer(0, int(kinds.size()) - 1))];
    const ContourResult &a = pool.any(kind_a, random), &b = pool.any(kind_b, random);
    PlanarPlacement at_a = random.motion(1.2).at(0);
    const PlanarPlacement at_b = random.motion(1.2).at(0);
    const auto apart = contacts(a.contour, at_a, b.contour, at_b, 0.5);
    if (apart.empty()) continue;
    const ContourContact& one =
        *std::min_element(apart.begin(), apart.end(), [](const auto& p, const auto& q) { return p.gap < q.gap; });
    // Two corners cannot enter each other; neither can what no longer bends away where it touches.
    const double bend = one.curvature_a + one.curvature_b;
    if (one.gap < 0 || (std::isinf(one.curvature_a) && std::isinf(one.curvature_b)) || bend < 1e-2) continue;
    // A thousandth deep, along the normal: the same two points stay opposite.
    const double depth = 1e-6;
    at_a.x -= (one.gap + depth) * one.normal.x();
    at_a.y -= (one.gap + depth) * one.normal.y();
    const auto deep = contacts(a.contour, at_a, b.contour, at_b, 0.5);
    bool found = false;
    for (const ContourContact& other : deep) {
      if ((other.point_b - one.point_b).norm() > 1e-6 || other.gap > 0) continue;
      found = true;
      EXPECT_NEAR(other.gap, -depth, 1e-12);
      EXPECT_EQ(other.key.feature_a, one.key.feature_a);
      EXPECT_EQ(other.key.feature_b, one.key.feature_b);
    }
    EXPECT_TRUE(found) << kind_a << " " << kind_b << " draw " << draw << " gap " << one.gap << " curvatures "
                       << one.curvature_a << " " << one.curvature_b;
    ++seen;
  }
  EXPECT_GT(seen, 1000);
}

}  // namespace
}  // namespace freeplay::test::contour_random_test
