// First and second order of contacts: the reference of Pfeiffer's equations, and central differences.
#include "freeplay/geometry/contours/contour_rates.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "unit/geometry/contours/contour_cases.h"

namespace freeplay::test::contour_rates_test {
namespace {

PlanarBodyMotion motion_of(const Motion& m, double s = 0) {
  return {{m.x + s * m.vx, m.y + s * m.vy}, {m.vx, m.vy}, m.omega};
}

// ---- tests/reference/unilateral/contour_reference.json: its shapes are described under "shapes" ----

ContourResult reference_shape(const std::string& name, bool first) {
  if (name.starts_with("circle-circle")) return make_contour(CircleShape{Vec3::Zero(), first ? 0.7 : 0.4});
  if (name.find("line") != std::string::npos && !first) return make_contour(LineShape{});
  if (name.starts_with("circle")) return make_contour(CircleShape{Vec3::Zero(), 0.7});
  if (name.starts_with("three-lobe") && first)
    return make_contour(ParametricShape{expression_of_s("(1 m + 0.06 m*cos(3*s))*cos(s)"),
                                        expression_of_s("(1 m + 0.06 m*cos(3*s))*sin(s)"), 0, 2 * kPi, true});
  return first ? make_contour(EllipseShape{Vec3::Zero(), 1.2, 0.6})
               : make_contour(EllipseShape{Vec3::Zero(), 0.8, 0.5});
}

TEST(ContourRates, AgreeWithTheReferenceOfPfeiffersPlanarEquations) {
  std::ifstream file(test_dir() + "/reference/unilateral/contour_reference.json");
  const nlohmann::json reference = nlohmann::json::parse(file);
  ASSERT_GE(reference["plane"].size(), 8u);
  for (const nlohmann::json& one : reference["plane"]) {
    const std::string name = one["name"];
    const auto q1 = one["q1"], u1 = one["u1"], q2 = one["q2"], u2 = one["u2"];
    const Motion a{q1[0], q1[1], q1[2], u1[0], u1[1], u1[2]}, b{q2[0], q2[1], q2[2], u2[0], u2[1], u2[2]};
    const ContourResult first = reference_shape(name, true), second = reference_shape(name, false);
    ASSERT_TRUE(first.problem.empty() && second.problem.empty()) << name;
    const auto found = contacts(first.contour, a.at(0), second.contour, b.at(0), 3);
    const ContourContact* contact = nullptr;
    for (const ContourContact& other : found) {
      if (contact == nullptr || other.gap < contact->gap) contact = &other;
    }
    ASSERT_NE(contact, nullptr) << name;
    const ContourRates rates = contour_rates(*contact, motion_of(a), motion_of(b));
    constexpr double kTolerance = 1e-12;
    EXPECT_NEAR(contact->gap, double(one["gN"]), kTolerance) << name;
    EXPECT_NEAR(rates.gap_rate, double(one["dgN"]), kTolerance) << name;
    EXPECT_NEAR(rates.sliding, double(one["dgT"]), kTolerance) << name;
    EXPECT_NEAR(rates.normal_bias, double(one["wbarN"]), 1e-11) << name;
    EXPECT_NEAR(rates.tangential_bias, double(one["wbarT"]), 1e-11) << name;
    EXPECT_NEAR(rates.travel_a, double(one["ds1"]), 1e-11) << name;
    EXPECT_NEAR(rates.travel_b, double(one["ds2"]), 1e-11) << name;
    EXPECT_NEAR(contact->curvature_a, double(one["kappa"][0]), 1e-10) << name;
    EXPECT_NEAR(contact->curvature_b, double(one["kappa"][1]), 1e-10) << name;
  }
}

// ---- central differences ----

// The same contact a little before and after; false where it is lost, or passes from one element to another, where
// curvatures may jump.
bool follow(const ContourPair& pair, const Motion& a, const Motion& b, const ContourContact& start, double s,
            ContourContact& contact) {
  return pair.refine(a.at(s), b.at(s), start, contact) && contact.place_a.element == start.place_a.element &&
         contact.place_b.element == start.place_b.element;
}

void check_by_differences(const ContourPool& pool, const std::string& kind_a, const std::string& kind_b,
                          std::uint64_t seed, int& checked) {
  RandomContours random(seed);
  int tries = 0, wanted = 0;
  while (wanted < 1000 && tries < 20'000) {
    ++tries;
    const ContourResult &a = pool.any(kind_a, random), &b = pool.any(kind_b, random);
    const ContourPair pair(a.contour, b.contour);
    for (int pose = 0; pose < 10; ++pose) {
      const Motion move_a = random.motion(1.2), move_b = random.motion(1.2);
      for (const ContourContact& contact : contacts(a.contour, move_a.at(0), b.contour, move_b.at(0), 0.5)) {
        const double ka = contact.curvature_a, kb = contact.curvature_b, g = contact.gap;
        const bool corner_a = std::isinf(ka), corner_b = std::isinf(kb);
        // Well away from where the minimum ends, and from bends that a difference cannot resolve.
        const double determinant = corner_a && corner_b ? g
                                   : corner_a           ? 1 + g * kb
                                   : corner_b           ? 1 + g * ka
                                                        : ka + kb + g * ka * kb;
        if (contact.is_centred || std::abs(determinant) < 0.3 || (!corner_a && std::abs(ka) > 20) ||
            (!corner_b && std::abs(kb) > 20) || (corner_a && corner_b && g < 0.05))
          continue;
        const double step = 1e-3;
        ContourContact at[4];
        const double times[4] = {-2 * step, -step, step, 2 * step};
        bool followed = true;
        for (int k = 0; k < 4 && followed; ++k) followed = follow(pair, move_a, move_b, contact, times[k], at[k]);
        if (!followed) continue;
        ContourRates r[4];
        for (int k = 0; k < 4; ++k)
          r[k] = contour_rates(at[k], motion_of(move_a, times[k]), motion_of(move_b, times[k]));
        const auto slope = [&](auto value) {  // of fourth order
          return (8 * (value(2) - value(1)) - (value(3) - value(0))) / (12 * step);
        };
        // The differences' own error: how much it changes with a step twice as large, over 15.
        const auto error = [&](auto value, double now) {
          const double coarse = (value(3) - value(0)) / (4 * step), fine = (value(2) - value(1)) / (2 * step);
          static_cast<void>(now);
          return std::abs(coarse - fine);
        };
        const ContourRates now = contour_rates(contact, motion_of(move_a), motion_of(move_b));
        const auto gap = [&](int k) { return at[k].gap; };
        const auto gap_rate = [&](int k) { return r[k].gap_rate; };
        const auto sliding = [&](int k) { return r[k].sliding; };
        // Where even the second-order difference is not small, motion bends too much for any difference.
        if (error(gap, 0) > 1e-5 || error(gap_rate, 0) > 1e-5 || error(sliding, 0) > 1e-5) continue;
        ASSERT_NEAR(now.gap_rate, slope(gap), 1e-7) << kind_a << " " << kind_b;
        ASSERT_NEAR(now.normal_bias, slope(gap_rate), 1e-7) << kind_a << " " << kind_b << " gap " << g;
        ASSERT_NEAR(now.tangential_bias, slope(sliding), 1e-7) << kind_a << " " << kind_b << " gap " << g;
        ++wanted;
      }
    }
  }
  checked += wanted;
  EXPECT_GE(wanted, 1000) << kind_a << " " << kind_b;
}

TEST(ContourRates, AgreeWithCentralDifferencesForEveryPairOfKinds) {
  // One kind for every kind of element: corner, arcs, edge, curves of both signs, straight without ends.
  const std::vector<std::string> kinds = {"point",   "circle", "hollow_arc", "polygon",
                                          "ellipse", "spline", "ring",       "line"};
  RandomContours random(31);
  const ContourPool pool(random);
  int checked = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t k = i; k < kinds.size(); ++k) {
      const std::string &a = kinds[i], &b = kinds[k];
      if ((a == "line" && b == "line") || (a == "ring" && b == "ring") || (a == "ring" && b == "line")) continue;
      check_by_differences(pool, a, b, 100 + 10 * i + k, checked);
    }
  }
  EXPECT_GE(checked, 30'000);
}

}  // namespace
}  // namespace freeplay::test::contour_rates_test
