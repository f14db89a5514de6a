// Rates of contacts of surfaces against central differences of fourth order, for pairs of kinds.
#pragma once

#include <gtest/gtest.h>

#include "surface_cases.h"

namespace freeplay::test {

inline SpatialBodyMotion motion_at(const SpatialMotion& m, double s) {
  return {m.start.p + s * m.v, m.v, m.omega};
}

// A contact at four times around one, at distances of `step`, and the differences of fourth order that they give.
class ContactAround {
 public:
  ContactAround(const SurfacePair& pair, const SpatialMotion& a, const SpatialMotion& b, const SurfaceContact& contact,
                double step)
      : step_(step) {
    const double times[4] = {-2 * step, -step, step, 2 * step};
    for (int k = 0; k < 4; ++k) {
      if (!pair.refine(a.at(times[k]), b.at(times[k]), contact, at_[k])) return;
      // Curvatures jump where a contact passes from one patch to another.
      if (at_[k].place_a.patch != contact.place_a.patch || at_[k].place_b.patch != contact.place_b.patch) return;
      rates_[k] = surface_rates(at_[k], motion_at(a, times[k]), motion_at(b, times[k]));
      if (!rates_[k].is_regular || at_[k].normal.z() * contact.normal.z() < 0) return;  // tangent_to jumps
    }
    exists_ = true;
  }

  bool exists() const { return exists_; }
  template <class Value>
  double slope(Value value) const {
    return (8 * (of(value, 2) - of(value, 1)) - (of(value, 3) - of(value, 0))) / (12 * step_);
  }
  // Where even the second-order difference is not small, the motion bends too much for any difference.
  bool is_smooth() const {
    const auto roughness = [&](auto value) {
      return std::abs((of(value, 3) - of(value, 0)) / (4 * step_) - (of(value, 2) - of(value, 1)) / (2 * step_));
    };
    return roughness(gap) < 1e-5 && roughness(gap_rate) < 1e-5 && roughness(sliding_1) < 1e-5 &&
           roughness(sliding_2) < 1e-5;
  }
  bool agrees(const SurfaceRates& now) const {
    return std::abs(now.normal_bias - slope(gap_rate)) < 1e-7 &&
           std::abs(now.tangential_bias[0] - slope(sliding_1)) < 1e-7 &&
           std::abs(now.tangential_bias[1] - slope(sliding_2)) < 1e-7;
  }

  static double gap(const SurfaceContact& c, const SurfaceRates&) { return c.gap; }
  static double gap_rate(const SurfaceContact&, const SurfaceRates& r) { return r.gap_rate; }
  static double sliding_1(const SurfaceContact&, const SurfaceRates& r) { return r.sliding[0]; }
  static double sliding_2(const SurfaceContact&, const SurfaceRates& r) { return r.sliding[1]; }

 private:
  template <class Value>
  double of(Value value, int k) const {
    return value(at_[k], rates_[k]);
  }

  double step_;
  bool exists_ = false;
  SurfaceContact at_[4];
  SurfaceRates rates_[4];
};

// True where one contact was compared; false where it bends too much for any difference, or is lost.
inline bool rates_agree_with_differences(const SurfacePair& pair, const SpatialMotion& a, const SpatialMotion& b,
                                         const SurfaceContact& contact, const std::string& name) {
  constexpr double kStep = 1e-3, kShorter = 8;
  const SurfaceRates now = surface_rates(contact, motion_at(a, 0), motion_at(b, 0));
  ContactAround around(pair, a, b, contact, kStep);
  if (!around.exists() || !around.is_smooth()) return false;
  // A knot of a spline, where third derivatives jump, may lie within the times: shorter distances decide.
  if (!around.agrees(now)) around = ContactAround(pair, a, b, contact, kStep / kShorter);
  if (!around.exists()) return false;
  EXPECT_NEAR(now.gap_rate, around.slope(ContactAround::gap), 1e-7) << name;
  EXPECT_NEAR(now.normal_bias, around.slope(ContactAround::gap_rate), 1e-7) << name << " gap " << contact.gap;
  EXPECT_NEAR(now.tangential_bias[0], around.slope(ContactAround::sliding_1), 1e-7) << name << " gap " << contact.gap;
  EXPECT_NEAR(now.tangential_bias[1], around.slope(ContactAround::sliding_2), 1e-7) << name << " gap " << contact.gap;
  for (int axis = 0; axis < 3; ++axis) {
    const auto normal = [=](const SurfaceContact& c, const SurfaceRates&) { return c.normal[axis]; };
    const auto point_a = [=](const SurfaceContact& c, const SurfaceRates&) { return c.point_a[axis]; };
    const auto point_b = [=](const SurfaceContact& c, const SurfaceRates&) { return c.point_b[axis]; };
    EXPECT_NEAR(now.normal_rate[axis], around.slope(normal), 1e-6) << name;
    // The point moves with its body and over it.
    const Vec3 moved = motion_at(a, 0).velocity_at(contact.point_a) + now.travel_a;
    EXPECT_NEAR(moved[axis], around.slope(point_a), 1e-6) << name;
    const Vec3 moved_b = motion_at(b, 0).velocity_at(contact.point_b) + now.travel_b;
    EXPECT_NEAR(moved_b[axis], around.slope(point_b), 1e-6) << name;
  }
  return true;
}

inline void check_pair_by_differences(const SurfacePool& pool, const std::string& kind_a, const std::string& kind_b,
                                      int wanted, std::uint64_t seed) {
  RandomSurfaces random(seed);
  int compared = 0;
  for (int tries = 0; tries < 200 * wanted && compared < wanted; ++tries) {
    const SpatialSurface &a = pool.any(kind_a, random), &b = pool.any(kind_b, random);
    const SurfacePair pair(a, b);
    const SpatialMotion move_a = random.motion(1.2), move_b = random.motion(1.2);
    for (const SurfaceContact& contact : contacts_of(a, move_a.at(0), b, move_b.at(0), 0.5)) {
      if (contact.is_centred ||
          (contact.gap < 0.02 && std::isinf(contact.bend_a.curvature_2) && std::isinf(contact.bend_b.curvature_2)))
        continue;  // two edges: the normal turns arbitrarily fast near gap 0 of parallel ones
      if (rates_agree_with_differences(pair, move_a, move_b, contact, kind_a + " " + kind_b)) ++compared;
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GE(compared, wanted) << kind_a << " " << kind_b;
}

inline void check_all_pairs_by_differences(const SurfacePool& pool, int wanted) {
  const std::vector<std::string>& kinds = surface_kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t k = i; k < kinds.size(); ++k) {
      if (i + k > 0) check_pair_by_differences(pool, kinds[k], kinds[i], wanted, 100 + 10 * i + k);
    }
  }
}

}  // namespace freeplay::test
