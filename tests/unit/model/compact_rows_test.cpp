// Rows that hold two trees only, and G by blocks, against whole columns and a dense G.
#include <gtest/gtest.h>

#include "freeplay/contact/problem/contact_step.h"
#include "freeplay/model/coded_scene.h"

namespace freeplay::test::compact_rows_test {
namespace {

// A pile in which neighbours touch: the lattice of the scene, pressed together.
struct Pressed {
  Pressed() {
    const SceneEntry* entry = find_scene("spheres_in_box");
    std::vector<double> values;
    for (const SystemParameter& parameter : entry->parameters) values.push_back(parameter.default_value);
    values[0] = 40;
    values[3] = 0.5;  // the box: five across, so that there are two layers
    const Scene scene = entry->make(values);
    mechanism = Mechanism::build(scene.mechanism);
    contacts = MechanismContacts::build(mechanism, scene.mechanism, scene.contacts);
    state = mechanism->initial_state();
    dynamics = mechanism->make_dynamics();
    kinematics = contacts->make_kinematics(*dynamics);
    for (Eigen::Index i = 0; i < state.u.size(); ++i) state.u[i] = 0.1 * std::sin(1.0 + static_cast<double>(i));
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    gaps = VecX::Zero(contacts->point_count());
    kinematics->update_gaps(gaps);
  }

  // Everything within a third of a radius counts as closed.
  std::vector<Activation> near() const {
    std::vector<Activation> list;
    for (int i = 0; i < contacts->point_count(); ++i) {
      if (gaps[i] < 0.014) list.push_back({i, 0, 0});
    }
    return list;
  }

  std::shared_ptr<const Mechanism> mechanism;
  std::shared_ptr<const MechanismContacts> contacts;
  State state;
  std::unique_ptr<Dynamics> dynamics;
  std::unique_ptr<ContactKinematics> kinematics;
  VecX gaps;
};

struct Solution {
  MatX G;
  VecX u;
  ContactStepReport report;
};

Solution solve(Pressed& pile, bool may_be_compact) {
  ContactStepOptions options;
  options.may_be_compact = may_be_compact;
  options.tolerance_m_s = 1e-10;
  ContactStep step(*pile.mechanism, *pile.contacts, options);
  for (const Activation& activation : pile.near()) step.activate(activation);
  MassMatrix M(pile.mechanism->mass_structure());
  pile.dynamics->mass_matrix(M);
  EXPECT_TRUE(M.factor());
  step.assemble(*pile.dynamics, *pile.kinematics, M, pile.state.u);
  Solution solution;
  solution.u = pile.state.u;
  solution.report = step.solve(M, pile.state.u, 1e-3, solution.u, ContactStep::Guess::kNone);
  const LocalProblem problem = step.problem();
  EXPECT_EQ(problem.G.is_dense(), !may_be_compact);
  const int n = problem.size();
  solution.G = MatX::Zero(n, n);
  VecX unit = VecX::Zero(n), column = VecX::Zero(n);
  for (int j = 0; j < n; ++j) {
    unit.setZero();
    unit[j] = 1;
    problem.G.apply(unit, column);
    solution.G.col(j) = column;
  }
  return solution;
}

TEST(CompactRows, GiveTheSameProblemAndTheSameVelocities) {
  Pressed pile;
  EXPECT_GT(pile.near().size(), 60u);
  const Solution whole = solve(pile, false), compact = solve(pile, true);
  ASSERT_EQ(whole.G.rows(), compact.G.rows());
  EXPECT_LT((whole.G - compact.G).cwiseAbs().maxCoeff(), 1e-14 * whole.G.cwiseAbs().maxCoeff());
  EXPECT_TRUE(whole.report.solved);
  EXPECT_TRUE(compact.report.solved);
  EXPECT_LT((whole.u - compact.u).cwiseAbs().maxCoeff(), 1e-6);
}

// Far pairs are not looked at; their gap is that of their bounding spheres, which for spheres is the gap itself.
TEST(ManyPairs, FarOnesHaveTheGapOfTheirBounds) {
  Pressed pile;
  ASSERT_TRUE(pile.contacts->skips_far_pairs);
  for (const MechanismContacts::Pair<SpatialGap>& pair : pile.contacts->spatial_pairs) {
    if (pair.b == kGround) continue;
    const auto centre = [&](BodyIndex body) { return Vec3(pile.state.q.segment<3>(7 * (to_int(body) - 1))); };
    const double exact = (centre(pair.a) - centre(pair.b)).norm() - 0.08;
    EXPECT_NEAR(pile.gaps[pair.first_point], exact, 1e-14);
  }
}

}  // namespace
}  // namespace freeplay::test::compact_rows_test
