// A silo: friction at its walls carries most of what is above the floor (Janssen 1895), so the load of the floor
// saturates with the height. Impulses of contacts that are redundant are not unique; the ones that remain of impacts
// must not stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "freeplay/integrators/integrator.h"
#include "freeplay/model/coded_scene.h"

namespace freeplay::test::silo_test {
namespace {

constexpr double kStep_s = 1e-3, kGravity_m_s2 = 9.81, kFriction = 0.5;
constexpr double kRadius_m = 0.02, kWidth_m = 0.12;

struct Loads {
  double weight_N = 0;
  double floor_N = 0, walls_up_N = 0, walls_across_N = 0;  // means over the last tenth of a second
  double height_m = 0;                                     // of the top
};

Loads fill_silo(int spheres, int steps) {
  const SceneEntry* entry = find_scene("spheres_in_box");
  std::vector<double> values;
  for (const SystemParameter& parameter : entry->parameters) values.push_back(parameter.default_value);
  values[0] = spheres;
  values[2] = kRadius_m;
  values[3] = kWidth_m;
  const Scene scene = entry->make(values);
  const std::shared_ptr<const Mechanism> mechanism = Mechanism::build(scene.mechanism);
  const std::shared_ptr<const MechanismContacts> contacts =
      MechanismContacts::build(mechanism, scene.mechanism, scene.contacts);
  State state = mechanism->initial_state();
  IntegratorOptions options;
  options.first_step_s = kStep_s;
  options.solver_tolerance_m_s = 1e-3;
  options.activation = ActivationRule::kAnticipated;
  const std::unique_ptr<Integrator> integrator =
      find_integrator("moreau-midpoint")->make(*mechanism, *contacts, options);
  EXPECT_EQ(integrator->start(state).status, StepStatus::kOk);
  Loads loads;
  for (const BodySpec& body : scene.mechanism.bodies) loads.weight_N += body.mass_kg * kGravity_m_s2;
  constexpr int kMean = 100, kFloor = 0, kWalls = 5;
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(integrator->step(state, state.t + kStep_s).status, StepStatus::kOk) << integrator->failure_details();
    if (k < steps - kMean) continue;
    for (const ContactMemory& memory : state.contacts) {
      const auto [a, b] = MechanismContacts::surfaces_of_key(memory.key.pair);
      const int wall = std::min(a, b);
      if (wall >= kWalls) continue;
      // The impulse acts on the first of the two surfaces, the other way round on the second.
      const double up_N = (wall == b ? 1 : -1) * memory.impulse.z() / (kMean * kStep_s);
      if (wall == kFloor) {
        loads.floor_N += up_N;
      } else {
        loads.walls_up_N += up_N;
        loads.walls_across_N += memory.normal_impulse / (kMean * kStep_s);
      }
    }
  }
  for (Eigen::Index i = 2; i < state.q.size(); i += state.q.size() / spheres)
    loads.height_m = std::max(loads.height_m, state.q[i] + kRadius_m);
  return loads;
}

// Janssen: sigma' = rho g - (4 / D) mu K sigma, so the floor carries the share (1 - exp(-s)) / s of the weight with
// s = 4 mu K H / D.
double janssen_share(double K, double height_m) {
  const double s = 4 * kFriction * K * height_m / kWidth_m;
  return (1 - std::exp(-s)) / s;
}

// K, how much of the pressure acts sideways, times the share of friction that is mobilised: 0.3 to 0.8 where grains
// slide down all walls, less where they have come to rest by themselves.
constexpr double kLeastK = 0.1, kLargestK = 0.8;

// How much of the friction is mobilised differs from filling to filling, from a fifth to two fifths, and with it what
// the floor carries; what is known of silos holds for many.
Loads mean_of_fillings(int from_spheres, int spheres_more, int steps) {
  constexpr int kFillings = 5;
  Loads mean;
  for (int filling = 0; filling < kFillings; ++filling) {
    const Loads loads = fill_silo(from_spheres + filling * spheres_more, steps);
    EXPECT_NEAR(loads.floor_N + loads.walls_up_N, loads.weight_N, 0.02 * loads.weight_N) << "nothing else carries it";
    EXPECT_LE(loads.walls_up_N, kFriction * loads.walls_across_N);
    mean.weight_N += loads.weight_N / kFillings;
    mean.floor_N += loads.floor_N / kFillings;
    mean.walls_up_N += loads.walls_up_N / kFillings;
    mean.walls_across_N += loads.walls_across_N / kFillings;
    mean.height_m += loads.height_m / kFillings;
  }
  return mean;
}

void expect_janssen(const Loads& loads) {
  EXPECT_LT(loads.floor_N / loads.weight_N, janssen_share(kLeastK, loads.height_m));
  EXPECT_GT(loads.floor_N / loads.weight_N, janssen_share(kLargestK, loads.height_m));
  // What the impacts of the filling have pressed on is gone but for what friction needs, which may be in part
  // mobilised.
  EXPECT_LT(loads.walls_across_N, 4 * loads.walls_up_N / kFriction);
}

TEST(Silo, LoadOfItsFloorSaturates) {
  const Loads low = mean_of_fillings(78, 1, 1600), high = mean_of_fillings(156, 2, 2200);
  expect_janssen(low);
  expect_janssen(high);
  // Twice as much in it: of the upper half the floor feels less than a third.
  EXPECT_LT(high.floor_N - low.floor_N, 0.33 * low.weight_N);
}

}  // namespace
}  // namespace freeplay::test::silo_test
