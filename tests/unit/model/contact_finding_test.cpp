// Which points a step looks at: never too few, whatever was before; and the contact problem that they make.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "freeplay/contact/problem/contact_step.h"
#include "freeplay/core/error.h"
#include "freeplay/model/coded_scene.h"

namespace freeplay::test::contact_finding_test {
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

// The lattice of the scene, in which neighbours nearly touch.
struct Pile {
  explicit Pile(Solids solids, int count = 40) {
    const SceneEntry* entry = find_scene("spheres_in_box");
    std::vector<double> values;
    for (const SystemParameter& parameter : entry->parameters) values.push_back(parameter.default_value);
    values[0] = solids == Solids::kSpheresAndBoxes ? count / 2 : count;
    values[1] = solids == Solids::kSpheresAndBoxes ? count / 2 : 0;
    values[3] = 0.5;  // the box: five spheres across, so that there are two layers
    values[6] = 0.3;  // restitution
    scene = entry->make(values);
    if (solids == Solids::kJoinedSpheres) join_neighbours(scene);
    mechanism = Mechanism::build(scene.mechanism);
    contacts = MechanismContacts::build(mechanism, scene.mechanism, scene.contacts);
    state = mechanism->initial_state();
    dynamics = mechanism->make_dynamics();
    kinematics = contacts->make_kinematics(*dynamics);
    for (Eigen::Index i = 0; i < state.u.size(); ++i) state.u[i] = 0.1 * std::sin(1.0 + static_cast<double>(i));
    move(0);
  }

  // Along its velocity for a time.
  void move(double time_s) {
    const VecX delta = time_s * state.u;
    dynamics->displace(state.q, delta);
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
  }

  // The gaps of every pair that there can be, without any bound: by the smallest of each pair.
  struct PairGap {
    std::uint64_t pair = 0;
    double gap = 0;
  };
  std::vector<PairGap> all_gaps() const {
    std::vector<Frame> frames(contacts->markers.size());
    dynamic_cast<const BodyDynamics&>(*dynamics).placements(contacts->markers, frames);
    std::vector<PairGap> gaps;
    const int surfaces = static_cast<int>(contacts->surfaces.size());
    for (int i = 0; i < surfaces; ++i) {
      for (int j = 0; j < i; ++j) {
        const MechanismContacts::Surface& a = contacts->surfaces[static_cast<std::size_t>(i)];
        const MechanismContacts::Surface& b = contacts->surfaces[static_cast<std::size_t>(j)];
        if (a.body == b.body) continue;
        const auto gap = make_spatial_gap(a.geometry, b.geometry);
        std::vector<SpatialContactPoint> points(static_cast<std::size_t>(gap->point_count()));
        gap->evaluate(frames[static_cast<std::size_t>(a.placement)], frames[static_cast<std::size_t>(b.placement)],
                      points);
        double smallest = points[0].gap;
        for (const SpatialContactPoint& point : points) smallest = std::min(smallest, point.gap);
        gaps.push_back({MechanismContacts::key_of_surfaces(i, j), smallest});
      }
    }
    return gaps;
  }

  bool has(std::uint64_t pair) const {
    const std::span<const LivePoint> points = kinematics->set().points();
    return std::any_of(points.begin(), points.end(), [&](const LivePoint& point) { return point.key.pair == pair; });
  }

  Scene scene;
  std::shared_ptr<const Mechanism> mechanism;
  std::shared_ptr<const MechanismContacts> contacts;
  State state;
  std::unique_ptr<Dynamics> dynamics;
  std::unique_ptr<ContactKinematics> kinematics;
};

class Piles : public testing::TestWithParam<Solids> {};
INSTANTIATE_TEST_SUITE_P(Of, Piles, testing::Values(Solids::kSpheres, Solids::kSpheresAndBoxes, Solids::kJoinedSpheres),
                         [](const auto& solids) -> std::string {
                           if (solids.param == Solids::kSpheres) return "Spheres";
                           return solids.param == Solids::kJoinedSpheres ? "JoinedSpheres" : "SpheresAndBoxes";
                         });

TEST_P(Piles, EveryClosedPairIsFoundAndFewOthers) {
  Pile pile(GetParam());
  int closed = 0;
  for (int step = 0; step < 12; ++step) {
    pile.move(0.15);
    pile.kinematics->find_points(0);
    int found = 0;
    const std::vector<Pile::PairGap> all = pile.all_gaps();
    for (const Pile::PairGap& pair : all) {
      found += pile.has(pair.pair);
      if (pair.gap > 0) continue;
      ++closed;
      EXPECT_TRUE(pile.has(pair.pair)) << "gap " << pair.gap;
    }
    EXPECT_LT(found, static_cast<int>(all.size()) / 2);
  }
  EXPECT_GT(closed, 20);
}

TEST_P(Piles, WhatClosesWithinTheHorizonIsFoundBefore) {
  Pile pile(GetParam());
  int closing = 0;
  constexpr double kHorizon_s = 0.15;
  for (int step = 0; step < 12; ++step) {
    pile.kinematics->find_points(kHorizon_s);
    const std::vector<Pile::PairGap> before = pile.all_gaps();
    // Surfaces move on at their velocities, straight on: no farther than the horizon foresees.
    pile.move(kHorizon_s);
    const std::vector<Pile::PairGap> after = pile.all_gaps();
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].gap <= 0 || after[i].gap > 0) continue;
      ++closing;
      EXPECT_TRUE(pile.has(before[i].pair)) << "gap " << before[i].gap << " -> " << after[i].gap;
    }
  }
  EXPECT_GT(closing, 5);
}

TEST(ContactSet, TheListDependsOnThePresentAlone) {
  Pile pile(Solids::kSpheres), fresh(Solids::kSpheres);
  pile.move(0.3);
  pile.kinematics->find_points(1);  // something else before
  pile.kinematics->add_points(3);
  pile.move(-0.1);
  pile.kinematics->find_points(0.05);
  fresh.move(0.3);
  fresh.move(-0.1);
  fresh.kinematics->find_points(0.05);
  const ContactSet &used = pile.kinematics->set(), &unused = fresh.kinematics->set();
  ASSERT_EQ(used.size(), unused.size());
  ASSERT_GT(used.size(), 10);
  for (int i = 0; i < used.size(); ++i) EXPECT_EQ(used.key(i), unused.key(i));
}

TEST(ContactSet, AddingKeepsThePlacesOfThosePointsThatAreThere) {
  Pile pile(Solids::kSpheres);
  pile.kinematics->find_points(0.05);
  const std::vector<LivePoint> before(pile.kinematics->set().points().begin(), pile.kinematics->set().points().end());
  EXPECT_FALSE(pile.kinematics->add_points(0.05));
  ASSERT_TRUE(pile.kinematics->add_points(0.5));
  ASSERT_GT(pile.kinematics->set().size(), static_cast<int>(before.size()));
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(pile.kinematics->set().key(static_cast<int>(i)), before[i].key);
}

// G = W^T M^-1 W by whole columns and a dense inverse, against what the step makes of rows that know two trees only.
TEST_P(Piles, TheContactProblemIsThatOfWholeRows) {
  Pile pile(GetParam());
  pile.kinematics->find_points(0.2);
  const int points = pile.kinematics->set().size();
  ASSERT_GT(points, 20);
  VecX gaps(points);
  pile.kinematics->update_gaps(gaps);

  ContactStep step(*pile.mechanism, *pile.contacts, *pile.kinematics, {.tolerance_m_s = 1e-10});
  // The points with the smallest gaps count as closed.
  std::vector<int> order(static_cast<std::size_t>(points));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return gaps[a] < gaps[b]; });
  order.resize(std::min<std::size_t>(order.size(), 70));
  std::sort(order.begin(), order.end());
  step.clear_active();
  for (const int i : order) step.activate({i, 0, 0});
  MassMatrix M(pile.mechanism->mass_structure());
  pile.dynamics->mass_matrix(M);
  const MatX M_dense = M.to_dense();
  ASSERT_TRUE(M.factor());
  step.assemble(*pile.dynamics, *pile.kinematics, M, pile.state.u);
  VecX u_E = pile.state.u;
  const ContactStepReport report = step.solve(M, pile.state.u, 1e-3, u_E, ContactStep::Guess::kNone);
  EXPECT_TRUE(report.solved);

  const LocalProblem problem = step.problem();
  const int n = problem.size();
  MatX W(pile.mechanism->velocity_count(), n);
  for (int i = 0; i < n; ++i) step.rows().write_column(i, W.col(i));
  const MatX G = W.transpose() * M_dense.ldlt().solve(W);
  VecX unit = VecX::Zero(n), column = VecX::Zero(n);
  double worst = 0;
  for (int j = 0; j < n; ++j) {
    unit.setZero();
    unit[j] = 1;
    problem.G.apply(unit, column);
    worst = std::max(worst, (column - G.col(j)).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst, 1e-13 * G.cwiseAbs().maxCoeff());
  // The velocities answer the impulses through the same matrix.
  VecX momentum(u_E.size());
  step.generalised_impulse(momentum);
  const VecX expected = pile.state.u + VecX(M_dense.ldlt().solve(momentum));
  EXPECT_LT((u_E - expected).cwiseAbs().maxCoeff(), 1e-12);
}

// Impacts are booked on the group that lets two surfaces touch, be the member the one with the smaller index.
TEST(ContactGroups, AreFoundFromEitherSide) {
  Pile pile(Solids::kSpheres, 4);
  ContactModelSpec& contacts = pile.scene.contacts;
  ContactGroupSpec& first = contacts.groups[0];
  ContactGroupSpec second = first;
  second.name = "others";
  second.members = {first.members[0], first.members[1]};
  second.against = {first.members[2], first.members[3]};
  first.members = {first.members[2], first.members[3]};
  contacts.groups.push_back(second);
  const auto model = MechanismContacts::build(pile.mechanism, pile.scene.mechanism, contacts);
  const auto surface = [&](int ball) {
    for (std::size_t i = 0; i < model->surfaces.size(); ++i) {
      if (to_int(model->surfaces[i].body) == ball) return static_cast<int>(i);
    }
    return -1;
  };
  const auto entry = [&](int a, int b) {
    return model->entry_of(
        {MechanismContacts::key_of_surfaces(std::max(surface(a), surface(b)), std::min(surface(a), surface(b))), 0});
  };
  EXPECT_EQ(entry(3, 4), 0) << "members of the first group";
  EXPECT_EQ(entry(1, 2), 1) << "members of the second";
  EXPECT_EQ(entry(1, 4), 1) << "a member and its partner";
  EXPECT_TRUE(model->has_point({MechanismContacts::key_of_surfaces(surface(4), surface(1)), 0}) ||
              model->has_point({MechanismContacts::key_of_surfaces(surface(1), surface(4)), 0}));
  EXPECT_FALSE(model->has_point({7, 0})) << "nothing has a name here";
}

// Balls 1 and 2 are of one material, 3 and 4 of another, the walls of a third.
TEST(ContactGroups, HaveTheLawOfEveryTwoMaterials) {
  Pile pile(Solids::kSpheres, 4);
  ContactModelSpec& contacts = pile.scene.contacts;
  ContactGroupSpec& group = contacts.groups[0];
  for (std::size_t i = 0; i < 4; ++i) group.members[i].material = i < 2 ? 5 : 2;
  for (ContactGroupSpec::Member& wall : group.against) wall.material = 7;
  const auto law = [](double friction) {
    ContactLawSpec spec;
    spec.impact = "newton";
    spec.friction = friction;
    return spec;
  };
  group.material_laws = {{5, 5, "a_a", law(0.1)}, {2, 5, "b_a", law(0.2)}, {2, 2, "b_b", law(0.3)}};
  const auto build = [&] { return MechanismContacts::build(pile.mechanism, pile.scene.mechanism, contacts); };
  EXPECT_THROW(build(), ModelError) << "two materials of the walls have no law";
  group.material_laws.push_back({7, 5, "c_a", law(0.4)});
  group.material_laws.push_back({2, 7, "b_c", law(0.5)});
  const auto model = build();
  ASSERT_EQ(model->groups().size(), 5u);
  const auto friction = [&](int a, int b) {
    return model->groups()[static_cast<std::size_t>(model->law_of(a, b))].law.friction;
  };
  const int walls = 5;  // come first among the surfaces
  EXPECT_EQ(friction(walls, walls + 1), 0.1);
  EXPECT_EQ(friction(walls + 2, walls), 0.2);
  EXPECT_EQ(friction(walls + 3, walls + 2), 0.3);
  EXPECT_EQ(friction(0, walls + 1), 0.4);
  EXPECT_EQ(friction(walls + 3, 4), 0.5);
  EXPECT_EQ(model->groups()[1].name(), "pile_b_a");
  EXPECT_EQ(model->entry_of({MechanismContacts::key_of_surfaces(walls + 3, 4), 0}), 4);
}

TEST(ContactGroups, RefuseWhatTheyCannotHold) {
  const auto message_of = [](auto change) -> std::string {
    Pile pile(Solids::kSpheres, 3);
    change(pile.scene);
    try {
      MechanismContacts::build(Mechanism::build(pile.scene.mechanism), pile.scene.mechanism, pile.scene.contacts);
    } catch (const ModelError& error) {
      return error.diagnostics()[0].path + ": " + error.diagnostics()[0].message;
    }
    return {};
  };
  EXPECT_EQ(message_of([](Scene&) {}), "");
  EXPECT_EQ(message_of([](Scene& scene) { scene.contacts.groups[0].members[1].body = "nobody"; }),
            "groups.pile: there is no body 'nobody'");
  EXPECT_EQ(message_of([](Scene& scene) { scene.contacts.groups.push_back(scene.contacts.groups[0]); }),
            "groups.pile: 'ball_1.skin' is in two groups, or twice in one");
  EXPECT_EQ(message_of([](Scene& scene) {
              *scene.mechanism.bodies[1].initial.position_m[0] = 0;
              *scene.mechanism.bodies[1].initial.position_m[1] = 0;
              *scene.mechanism.bodies[1].initial.position_m[2] = 0.03;
            }),
            "groups.pile: 'ground.bottom' and 'ball_2.skin' penetrate by 0.01 m in the initial state");
}

}  // namespace
}  // namespace freeplay::test::contact_finding_test
