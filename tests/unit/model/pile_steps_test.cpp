// Steps of a pile, which are solved without a matrix: their velocities are those of the other solvers, momentum is
// closed body by body, energy does not grow, and what rests costs one evaluation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "freeplay/integrators/integrator.h"
#include "freeplay/model/coded_scene.h"

namespace freeplay::test::pile_steps_test {
namespace {

constexpr double kStep_s = 2e-3, kGravity_m_s2 = 9.81;
constexpr Eigen::Index kVelocities = 6;  // of a free body

struct Pile {
  Pile(int spheres, int boxes, double box_m, double radius_m = 0.04) {
    const SceneEntry* entry = find_scene("spheres_in_box");
    std::vector<double> values;
    for (const SystemParameter& parameter : entry->parameters) values.push_back(parameter.default_value);
    values[0] = spheres;
    values[1] = boxes;
    values[2] = radius_m;
    values[3] = box_m;
    scene = entry->make(values);
    mechanism = Mechanism::build(scene.mechanism);
    contacts = MechanismContacts::build(mechanism, scene.mechanism, scene.contacts);
    state = mechanism->initial_state();
  }
  std::unique_ptr<Integrator> integrator(const std::string& solver, double tolerance_m_s,
                                         VelocityForces forces = VelocityForces::kStart) const {
    IntegratorOptions options;
    options.velocity_forces = forces;
    options.first_step_s = kStep_s;
    options.solver = solver;
    options.solver_tolerance_m_s = tolerance_m_s;
    options.activation = ActivationRule::kAnticipated;
    return find_integrator("moreau-midpoint")->make(*mechanism, *contacts, options);
  }
  // Kinetic and potential.
  double energy() const {
    const std::unique_ptr<Dynamics> dynamics = mechanism->make_dynamics();
    dynamics->set_position(state.t, state.q);
    dynamics->set_velocity(state.u);
    const Energies energies = dynamics->energies();
    return energies.kinetic + energies.potential;
  }

  Scene scene;
  std::shared_ptr<const Mechanism> mechanism;
  std::shared_ptr<const MechanismContacts> contacts;
  State state;
};

int loaded(const State& state) {
  return static_cast<int>(std::count_if(state.contacts.begin(), state.contacts.end(),
                                        [](const ContactMemory& memory) { return memory.normal_impulse > 0; }));
}

void advance(Pile& pile, Integrator& integrator, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = integrator.step(pile.state, pile.state.t + kStep_s);
    ASSERT_EQ(report.status, StepStatus::kOk) << integrator.failure_details();
  }
}

// From one state, by the solver of piles and by another one that has the matrix.
void expect_same_velocities(Pile& pile, int steps) {
  const double tolerance = 1e-8;
  const std::unique_ptr<Integrator> swept = pile.integrator("auto", tolerance);
  ASSERT_EQ(swept->start(pile.state).status, StepStatus::kOk);
  advance(pile, *swept, steps);
  ASSERT_GE(loaded(pile.state), 64);
  const std::unique_ptr<Integrator> other = pile.integrator("proximal-point", tolerance);
  State by_sweeps = pile.state, by_matrix = pile.state;
  State scratch = pile.mechanism->initial_state();
  ASSERT_EQ(other->start(scratch).status, StepStatus::kOk);
  ASSERT_EQ(other->resume(pile.state, {}), StepStatus::kOk);
  ASSERT_EQ(swept->step(by_sweeps, pile.state.t + kStep_s).status, StepStatus::kOk);
  ASSERT_EQ(other->step(by_matrix, pile.state.t + kStep_s).status, StepStatus::kOk);
  EXPECT_LT((by_sweeps.u - by_matrix.u).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(PileSteps, OfSpheresHaveTheVelocitiesOfProximalPoint) {
  Pile pile(60, 0, 0.4);
  expect_same_velocities(pile, 120);
}

// M du = M g dt + sum of the impulses at a body, of each of its contacts with a sign; whatever the tolerance.
TEST(PileSteps, CloseTheMomentumOfEveryBodyToRounding) {
  Pile pile(60, 0, 0.4);
  const std::unique_ptr<Integrator> integrator = pile.integrator("auto", 1e-3);
  ASSERT_EQ(integrator->start(pile.state).status, StepStatus::kOk);
  advance(pile, *integrator, 120);
  const VecX before = pile.state.u;
  advance(pile, *integrator, 1);
  ASSERT_GE(loaded(pile.state), 64);
  const double mass = pile.scene.mechanism.bodies[0].mass_kg;
  const int walls = static_cast<int>(pile.scene.contacts.shapes.size() - pile.scene.mechanism.bodies.size());
  std::vector<Vec3> impulse(pile.scene.mechanism.bodies.size(), Vec3(0, 0, -mass * kGravity_m_s2 * kStep_s));
  for (const ContactMemory& memory : pile.state.contacts) {
    const auto [a, b] = MechanismContacts::surfaces_of_key(memory.key.pair);
    if (a >= walls) impulse[static_cast<std::size_t>(a - walls)] += memory.impulse;
    if (b >= walls) impulse[static_cast<std::size_t>(b - walls)] -= memory.impulse;
  }
  for (std::size_t i = 0; i < impulse.size(); ++i) {
    const Vec3 change = (pile.state.u - before).segment<3>(kVelocities * static_cast<Eigen::Index>(i));
    EXPECT_LT((mass * change - impulse[i]).norm(), 1e-13) << "body " << i;
  }
}

TEST(PileSteps, NeverGainEnergy) {
  Pile pile(60, 0, 0.4);
  const std::unique_ptr<Integrator> integrator = pile.integrator("auto", 1e-6);
  ASSERT_EQ(integrator->start(pile.state).status, StepStatus::kOk);
  double before = pile.energy();
  const double first = before;
  for (int k = 0; k < 300; ++k) {
    advance(pile, *integrator, 1);
    const double now = pile.energy();
    EXPECT_LT(now, before + 1e-6 * first) << "step " << k;
    before = now;
  }
}

// A pile at rest, and what has brought it there. In narrow boxes most piles come to rest; a sphere that lies free on
// the floor rolls on for ever, without rolling resistance. Which box is without one hangs on the last bits of how it
// fell.
struct PileAtRest {
  PileAtRest() {
    constexpr int kStepsToRest = 3000;
    for (const double box_m : {0.28, 0.27, 0.26, 0.25, 0.24}) {
      pile = std::make_unique<Pile>(60, 0, box_m);
      integrator = pile->integrator("auto", 1e-4, VelocityForces::kImplicit);
      if (integrator->start(pile->state).status != StepStatus::kOk) continue;
      advance(*pile, *integrator, kStepsToRest);
      if (max_abs(pile->state.u) < 1e-9) return;
    }
    pile.reset();
  }
  std::unique_ptr<Pile> pile;
  std::unique_ptr<Integrator> integrator;
};

// From the impulses of the step before: many steps cost one evaluation, the others a few sweeps where a start from
// nothing takes a hundred. The velocities that are left are rounding, and not what the tolerance allows: 1e-4 m/s for 8
// s would be 0.8 mm.
TEST(PileSteps, OfAPileAtRestCostAFewSweepsAndDoNotCreep) {
  const PileAtRest rest;
  ASSERT_NE(rest.pile, nullptr) << "no pile has come to rest";
  State& state = rest.pile->state;
  const VecX before = state.q;
  constexpr int kSteps = 200;
  int without = 0;
  double weight = 0;
  for (int k = 0; k < kSteps; ++k) {
    const StepReport report = rest.integrator->step(state, state.t + kStep_s);
    ASSERT_EQ(report.status, StepStatus::kOk);
    EXPECT_LE(report.iterations, 5);
    without += report.iterations == 0 ? 1 : 0;
    for (const ContactMemory& memory : state.contacts) {
      if (MechanismContacts::surfaces_of_key(memory.key.pair).second < 5)
        weight += memory.impulse.z() / (kSteps * kStep_s);
    }
  }
  EXPECT_GE(without, kSteps / 4);
  // The floor and friction at the side walls hold all of it together.
  const double whole = 60 * rest.pile->scene.mechanism.bodies[0].mass_kg * kGravity_m_s2;
  EXPECT_NEAR(weight, whole, 1e-9 * whole);
  advance(*rest.pile, *rest.integrator, 4000 - kSteps);
  EXPECT_LT(max_abs(state.q - before), 1e-12);
}

}  // namespace
}  // namespace freeplay::test::pile_steps_test
