// Linkages that move although Gruebler's count says that they cannot: rings of revolute joints with exact geometry.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test {
namespace {

constexpr double kPi = std::numbers::pi, kDegree = kPi / 180;

// The common normal of two neighbouring axes, and the angle between them about it.
struct Link {
  double length_m, twist;
};

// Joint k (from 1) turns link k against link k - 1; the last link is the ground. Every link has x along its common
// normal and z along the axis at its beginning, so that the ring closes where
//   product of Rz(q_k) Tx(length_k) Rx(twist_k) = 1.
std::string ring_of_revolute_joints(const std::vector<Link>& links, const std::vector<std::string>& initial,
                                    const std::string& rest) {
  std::string bodies = "bodies:\n", joints = "joints:\n";
  const std::size_t n = links.size();
  for (std::size_t k = 1; k <= n; ++k) {
    const bool starts_on_ground = k == 1, ends_on_ground = k == n;
    const Link &before = links[(k + n - 2) % n], &link = links[k - 1];
    if (!ends_on_ground) {
      bodies += fmt::format("  link_{}: {{mass: {} kg, inertia: [1e-3 kg m^2, 3e-3 kg m^2, 2.5e-3 kg m^2]}}\n", k,
                            0.5 + 0.1 * static_cast<double>(k % 2));
    }
    joints += fmt::format(
        "  joint_{}: {{type: revolute, parent: {}, at_parent: [{:.17g} m, 0, 0], axis: [0, {:.17g}, {:.17g}],\n"
        "    rotation: {{axis: [1, 0, 0], angle: {:.17g} rad}}, child: {}, at_child: [{:.17g} m, 0, 0]{}}}\n",
        k, starts_on_ground ? "ground" : fmt::format("link_{}", k - 1),
        starts_on_ground ? before.length_m : before.length_m / 2, -std::sin(before.twist), std::cos(before.twist),
        before.twist, ends_on_ground ? "ground" : fmt::format("link_{}", k), ends_on_ground ? 0 : -link.length_m / 2,
        k <= initial.size() && !initial[k - 1].empty() ? ", initial: {" + initial[k - 1] + "}" : "");
  }
  return "freeplay: 1\nname: ring\nspace: spatial\n" + bodies + joints + rest;
}

std::string at_angle(double angle) {
  return fmt::format("q: {:.17g} rad", angle);
}

double angle_between(double a, double b) {
  return std::remainder(a - b, 2 * kPi);
}

double largest_reaction(const ModelRun& run) {
  Worst reaction;
  for (const ChannelDescription& channel : run.system->channels()) {
    if (channel.needs_accelerations) reaction(largest(run[channel.name]));
  }
  return reaction.value;
}

// ---- Bennett: four links, opposite ones alike, length_a/sin(twist_a) = length_b/sin(twist_b)
// ----------------------------

struct Bennett {
  double twist_a, twist_b, length_a = 0.2;
  double length_b() const { return length_a * std::sin(twist_b) / std::sin(twist_a); }
  // tan(q_1/2) tan(q_2/2) = sin((twist_b + twist_a)/2)/sin((twist_b - twist_a)/2),  q_3 = -q_1,  q_4 = -q_2
  double second_angle(double first) const {
    const double ratio = std::sin((twist_b + twist_a) / 2) / std::sin((twist_b - twist_a) / 2);
    return 2 * std::atan2(ratio * std::cos(first / 2), std::sin(first / 2));
  }
  std::string model(double start, const std::string& rest) const {
    const Link a{length_a, twist_a}, b{length_b(), twist_b};
    return ring_of_revolute_joints({a, b, a, b}, {"", at_angle(second_angle(start)), at_angle(-start)}, rest);
  }
};

class BennettLinkage : public testing::TestWithParam<Bennett> {};

TEST_P(BennettLinkage, HasOneDegreeOfFreedomAndThreeRedundantRows) {
  const Bennett linkage = GetParam();
  const ModelFile file =
      parse_model(ring_of_revolute_joints({{linkage.length_a, linkage.twist_a},
                                           {linkage.length_b(), linkage.twist_b},
                                           {linkage.length_a, linkage.twist_a},
                                           {linkage.length_b(), linkage.twist_b}},
                                          {at_angle(1), at_angle(linkage.second_angle(1)), at_angle(-1)},
                                          "simulate: {duration: 1 s}\n"),
                  "bennett.yaml");
  const auto mechanism = Mechanism::build(file.mechanism);
  EXPECT_TRUE(mechanism->assembly_notes().empty());
  EXPECT_EQ(mechanism->velocity_count(), 3);
  EXPECT_EQ(mechanism->row_count(), 5);  // of the joint that closes the ring
  EXPECT_EQ(mechanism->row_rank(), 2);
  EXPECT_EQ(mechanism->redundant_rows().size(), 3U);
  EXPECT_EQ(mechanism->degrees_of_freedom(), 1);
}

TEST_P(BennettLinkage, TurnsRoundAsTheClosedForm) {
  const Bennett linkage = GetParam();
  const double start = 0.3, speed = 3;
  const ModelRun run = run_model(parse_model(
      linkage.model(start, fmt::format("gravity: [0, 0, -9.81 m/s^2]\n"
                                       "drivers: {{motor: {{on: joint_1, motion: {0} rad + {1} rad/s*t}}}}\n"
                                       "simulate: {{integrator: dopri5, tolerance: 1e-10, step: 2*pi/({1} rad/s)/200, "
                                       "duration: 2*pi/({1} rad/s)}}\n",
                                       start, speed)),
      "bennett.yaml"));
  Worst error;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double first = start + speed * run.time()[i], second = linkage.second_angle(first);
    error(run["joint_1.q"][i] - first);
    error(angle_between(run["joint_2.q"][i], second));
    error(angle_between(run["joint_3.q"][i], -first));
    error(angle_between(run["joint_4.q"][i], -second));
  }
  EXPECT_LT(error.value, 1e-10);
  EXPECT_NEAR(run["joint_1.q"].back() - run["joint_1.q"].front(), 2 * kPi, 1e-9);
  EXPECT_LE(run.summary.worst_position_residual_m, 1e-12);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-8);
  EXPECT_GT(largest_reaction(run), 1);  // it carries its weight
  EXPECT_LT(largest_reaction(run), 1e3);
}

INSTANTIATE_TEST_SUITE_P(Twists, BennettLinkage,
                         testing::Values(Bennett{40 * kDegree, 100 * kDegree}, Bennett{30 * kDegree, 70 * kDegree},
                                         Bennett{110 * kDegree, 50 * kDegree}),
                         [](const auto& c) {
                           return fmt::format("a{:.0f}b{:.0f}", c.param.twist_a / kDegree, c.param.twist_b / kDegree);
                         });

// Lengths that miss the condition by a thousandth: a rigid frame, which cannot be driven.
TEST(BennettCondition, IsNeededToMove) {
  const Bennett linkage{40 * kDegree, 100 * kDegree};
  const Link a{linkage.length_a, linkage.twist_a}, b{linkage.length_b(), linkage.twist_b};
  const std::string drive =
      "drivers: {motor: {on: joint_1, motion: 1 rad + 3 rad/s*t}}\n"
      "simulate: {integrator: dopri5, step: 10 ms, duration: 1 s}\n";
  const std::string model = ring_of_revolute_joints({a, b, {a.length_m, a.twist}, {1.001 * b.length_m, b.twist}},
                                                    {"", at_angle(linkage.second_angle(1)), at_angle(-1)}, drive);
  EXPECT_THROW(build_model(parse_model(model, "bennett.yaml")), ModelError);
}

// ---- Bricard: six equal links with right angles, turned to the left and to the right
// ----------------------------------

// Trihedral, with threefold symmetry: q_1 = q_3 = q_5, q_2 = q_4 = q_6, and  cos q_1 + cos q_2 + cos q_1 cos q_2 = 0.
// No angle goes beyond 120 degrees, so no driver could take the linkage round; it turns inside out by its own inertia.
TEST(BricardLinkage, TurnsInsideOutForEver) {
  const Link left{0.1, kPi / 2}, right{0.1, -kPi / 2};
  const double start = 1.0, second = std::acos(-std::cos(start) / (1 + std::cos(start)));
  const std::string first = at_angle(start), other = at_angle(second);
  const ModelRun run = run_model(parse_model(
      ring_of_revolute_joints({left, right, left, right, left, right},
                              {first + ", u: 6 rad/s", other, first, other, first},
                              "simulate: {integrator: dopri5, tolerance: 1e-10, step: 5 ms, duration: 8 s}\n"),
      "bricard.yaml"));
  EXPECT_EQ(run.mechanism().velocity_count(), 5);
  EXPECT_EQ(run.mechanism().row_count(), 5);
  EXPECT_EQ(run.mechanism().row_rank(), 4);
  EXPECT_EQ(run.mechanism().redundant_rows().size(), 1U);
  EXPECT_EQ(run.mechanism().degrees_of_freedom(), 1);

  Worst relation, symmetry;
  int crossings[2] = {0, 0};
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double a = run["joint_1.q"][i], b = run["joint_2.q"][i];
    relation(std::cos(a) + std::cos(b) + std::cos(a) * std::cos(b));
    for (const char* joint : {"joint_3.q", "joint_5.q"}) symmetry(run[joint][i] - a);
    for (const char* joint : {"joint_4.q", "joint_6.q"}) symmetry(run[joint][i] - b);
    for (const int k : {0, 1}) {
      const std::vector<double>& q = run[k == 0 ? "joint_1.q" : "joint_2.q"];
      if (i > 0 && q[i - 1] < 0 && q[i] >= 0) ++crossings[k];
    }
  }
  EXPECT_LT(relation.value, 1e-9);
  EXPECT_LT(symmetry.value, 1e-9);
  // One cycle takes each angle through zero upwards once.
  EXPECT_GE(crossings[0], 2);
  EXPECT_GE(crossings[1], 2);
  EXPECT_NEAR(largest(run["joint_1.q"]), 120 * kDegree, 0.01);
  EXPECT_NEAR(largest(run["joint_2.q"]), 120 * kDegree, 0.01);
  EXPECT_LE(run.summary.worst_position_residual_m, 1e-12);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-8);
  EXPECT_GT(largest_reaction(run), 0.1);
  EXPECT_LT(largest_reaction(run), 1e3);
}

}  // namespace
}  // namespace freeplay::test
