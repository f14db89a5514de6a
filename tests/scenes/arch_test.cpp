// An arch of stones without mortar, and the least coefficient of friction with which it stands.
//
// By symmetry the joint at the crown carries a horizontal thrust H only. The k-th joint from there, k alpha from the
// vertical with alpha = pi/n, carries H and the weight k w of the stones above it, in a direction that is
// atan(k w/H) below the horizontal; the normal of the joint is k alpha below it. So Coulomb's law asks for
//     |atan(k w/H) - k alpha| <= atan mu    for k = 0 ... n/2,
// and the least mu is the one for which some H does that. (The thrust must also pass through the joints, which it does
// in an arch as thick as this one.) For many stones it is 0.309, the value of the literature for semicircular arches.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::arch_test {
namespace {

double needed_angle(int stones, double thrust_in_weights) {
  double angle = 0;
  for (int k = 0; k <= stones / 2; ++k) {
    const double direction = std::atan2(k, thrust_in_weights), normal = k * std::numbers::pi / stones;
    angle = std::max(angle, std::abs(direction - normal));
  }
  return angle;
}

// The angle falls with the thrust until the lowest joint rules, and rises from there: ternary search.
double least_friction(int stones) {
  double low = 0.01 * stones, high = stones;
  for (int i = 0; i < 200; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (needed_angle(stones, a) < needed_angle(stones, b) ? high : low) =
        needed_angle(stones, a) < needed_angle(stones, b) ? b : a;
  }
  return std::tan(needed_angle(stones, low));
}

ModelRun stand(int stones, double friction) {
  return run_example("arch",
                     {fmt::format("stones={}", stones), fmt::format("friction={:.17g}", friction),
                      "simulate.duration=0.2 s", "record=[stone_1.x]"},
                     {"stone_1.x", "joints.contacts", "joints.penetration", "energy.total", "step.residual"});
}

TEST(Arch, NeedsTheFrictionOfTheLiterature) {
  EXPECT_NEAR(least_friction(10), 0.30299, 1e-5);
  EXPECT_NEAR(least_friction(1000), 0.309, 5e-4);
}

TEST(Arch, StandsJustAboveTheLeastFrictionAndFallsJustBelow) {
  for (const int stones : {6, 10}) {
    const double least = least_friction(stones);
    const ModelRun above = stand(stones, 1.005 * least), below = stand(stones, 0.995 * least);
    for (const ModelRun* run : {&above, &below}) {
      EXPECT_EQ(run->summary.status, RunStatus::kCompleted) << run->summary.message;
      EXPECT_LE(largest((*run)["step.residual"]), 1e-9);
    }
    const auto moved = [](const ModelRun& run) { return std::abs(run["stone_1.x"].back() - run["stone_1.x"].front()); };
    EXPECT_LT(moved(above), 1e-12) << stones;
    EXPECT_GT(moved(below), 1e-4) << stones;
    EXPECT_LT(below["energy.total"].back(), below["energy.total"].front());
  }
}

// The floor carries the whole arch, whatever the thrust is: weights by hand, forces of a group with the floor alone.
TEST(Arch, OfWhichTheFloorCarriesTheWeight) {
  const ModelFile file = load_example("arch", {"simulate.duration=5 ms"});
  double weight = 0;
  for (const BodySpec& body : file.mechanism.bodies) weight += 9.81 * body.mass_kg;
  ModelFile split = file;
  ASSERT_EQ(split.groups.size(), 1u);
  // The same shapes as contacts with names against the floor, and a group for the rest.
  for (const char* foot : {"stone_1", "stone_10"}) {
    ContactSpec contact;
    contact.name = std::string("foot_") + foot;
    contact.body_a = foot;
    contact.shape_a = "face";
    contact.body_b = "ground";
    contact.shape_b = "floor";
    contact.law = split.groups[0].material_laws[0].law;
    split.contacts.push_back(contact);
  }
  split.groups[0].against.clear();
  split.record.channels.clear();
  const ModelRun run = run_model(split);
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  double carried = 0;
  for (const char* foot : {"foot_stone_1", "foot_stone_10"}) {
    for (const char* point : {"_1", "_2", "_3", "_4"})
      carried += run[std::string(foot) + ".normal_force" + point].back();
  }
  EXPECT_NEAR(carried, weight, 1e-6 * weight);
}

}  // namespace
}  // namespace freeplay::test::arch_test
