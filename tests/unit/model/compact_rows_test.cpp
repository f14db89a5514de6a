// Rows that hold two trees only, and G by blocks, against whole columns and a dense G.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "freeplay/contact/problem/contact_step.h"
#include "freeplay/model/coded_scene.h"

namespace freeplay::test::compact_rows_test {
namespace {

// Normals of spheres pass through the centre of mass, so that half of a row's numbers are zero; those of boxes do not.
// In a tree of two bodies a row has entries of both, and a contact may lie within one tree.
enum class Solids { kSpheres, kSpheresAndBoxes, kJoinedSpheres };

// A hinge half way between each two neighbours.
void join_neighbours(Scene& scene) {
  std::vector<BodySpec>& bodies = scene.mechanism.bodies;
  for (std::size_t i = 0; i + 1 < bodies.size(); i += 2) {
    Vec3 half;
    for (std::size_t k = 0; k < 3; ++k)
      half[static_cast<Eigen::Index>(k)] =
          (*bodies[i + 1].initial.position_m[k] - *bodies[i].initial.position_m[k]) / 2;
    JointSpec hinge;
    hinge.name = fmt::format("hinge_{}", i);
    hinge.type = "revolute";
    hinge.parent = bodies[i].name;
    hinge.child = bodies[i + 1].name;
    hinge.at_parent_m = half;
    hinge.at_child_m = -half;
    scene.mechanism.joints.push_back(hinge);
  }
}

// A pile in which neighbours touch: the lattice of the scene, pressed together.
struct Pressed {
  explicit Pressed(Solids solids = Solids::kSpheres) {
    const SceneEntry* entry = find_scene("spheres_in_box");
    std::vector<double> values;
    for (const SystemParameter& parameter : entry->parameters) values.push_back(parameter.default_value);
    values[0] = solids == Solids::kSpheresAndBoxes ? 20 : 40;
    values[1] = solids == Solids::kSpheresAndBoxes ? 20 : 0;
    values[3] = 0.5;  // the box: five spheres across, so that there are two layers
    values[6] = 0.3;  // restitution
    Scene scene = entry->make(values);
    if (solids == Solids::kJoinedSpheres) join_neighbours(scene);
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

  // The points with the smallest gaps count as closed.
  std::vector<Activation> near() const {
    std::vector<int> order(static_cast<std::size_t>(contacts->point_count()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return gaps[a] < gaps[b]; });
    order.resize(70);
    std::sort(order.begin(), order.end());
    std::vector<Activation> list;
    for (const int i : order) list.push_back({i, 0, 0});
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

class CompactRows : public testing::TestWithParam<Solids> {};

INSTANTIATE_TEST_SUITE_P(Of, CompactRows,
                         testing::Values(Solids::kSpheres, Solids::kSpheresAndBoxes, Solids::kJoinedSpheres),
                         [](const auto& solids) -> std::string {
                           if (solids.param == Solids::kSpheres) return "Spheres";
                           return solids.param == Solids::kJoinedSpheres ? "JoinedSpheres" : "SpheresAndBoxes";
                         });

TEST_P(CompactRows, GiveTheSameProblemAndTheSameVelocities) {
  Pressed pile(GetParam());
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
