// Rates of contacts of surfaces against central differences of fourth order, for pairs of kinds.
#pragma once

#include <gtest/gtest.h>

#include "surface_cases.h"

namespace freeplay::test {

inline SpatialBodyMotion motion_at(const SpatialMotion& m, double s) {
  return {m.start.p + s * m.v, m.v, m.omega};
}

// True where one contact was compared; false where it bends too much for any difference, or is lost.
inline bool rates_agree_with_differences(const SurfacePair& pair, const SpatialMotion& a, const SpatialMotion& b,
                                         const SurfaceContact& contact, const std::string& name) {
  constexpr double kStep = 1e-3;
  const double times[4] = {-2 * kStep, -kStep, kStep, 2 * kStep};
  SurfaceContact at[4];
  SurfaceRates r[4];
  for (int k = 0; k < 4; ++k) {
    if (!pair.refine(a.at(times[k]), b.at(times[k]), contact, at[k])) return false;
    // Curvatures jump where a contact passes from one patch to another.
    if (at[k].place_a.patch != contact.place_a.patch || at[k].place_b.patch != contact.place_b.patch) return false;
    r[k] = surface_rates(at[k], motion_at(a, times[k]), motion_at(b, times[k]));
    if (!r[k].is_regular || at[k].normal.z() * contact.normal.z() < 0) return false;  // tangent_to jumps
  }
  const auto slope = [&](auto value) { return (8 * (value(2) - value(1)) - (value(3) - value(0))) / (12 * kStep); };
  const auto roughness = [&](auto value) {
    return std::abs((value(3) - value(0)) / (4 * kStep) - (value(2) - value(1)) / (2 * kStep));
  };
  const SurfaceRates now = surface_rates(contact, motion_at(a, 0), motion_at(b, 0));
  const auto gap = [&](int k) { return at[k].gap; };
  const auto gap_rate = [&](int k) { return r[k].gap_rate; };
  const auto sliding_1 = [&](int k) { return r[k].sliding[0]; };
  const auto sliding_2 = [&](int k) { return r[k].sliding[1]; };
  // Where even the second-order difference is not small, the motion bends too much for any difference.
  if (roughness(gap) > 1e-5 || roughness(gap_rate) > 1e-5 || roughness(sliding_1) > 1e-5 || roughness(sliding_2) > 1e-5)
    return false;
  EXPECT_NEAR(now.gap_rate, slope(gap), 1e-7) << name;
  EXPECT_NEAR(now.normal_bias, slope(gap_rate), 1e-7) << name << " gap " << contact.gap;
  EXPECT_NEAR(now.tangential_bias[0], slope(sliding_1), 1e-7) << name << " gap " << contact.gap;
  EXPECT_NEAR(now.tangential_bias[1], slope(sliding_2), 1e-7) << name << " gap " << contact.gap;
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(now.normal_rate[axis], slope([&](int k) { return at[k].normal[axis]; }), 1e-6) << name;
    // The point moves with its body and over it.
    const Vec3 moved = motion_at(a, 0).velocity_at(contact.point_a) + now.travel_a;
    EXPECT_NEAR(moved[axis], slope([&](int k) { return at[k].point_a[axis]; }), 1e-6) << name;
    const Vec3 moved_b = motion_at(b, 0).velocity_at(contact.point_b) + now.travel_b;
    EXPECT_NEAR(moved_b[axis], slope([&](int k) { return at[k].point_b[axis]; }), 1e-6) << name;
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
