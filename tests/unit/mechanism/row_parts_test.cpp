// Bilateral rows one at a time, kept to the trees that they act on, against the dense columns of W.
#include <gtest/gtest.h>

#include <algorithm>

#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/systems/minimal_dynamics.h"
#include "freeplay/mechanism/trees/tied_trees.h"
#include "random_mechanism.h"

namespace freeplay::test::row_parts_test {
namespace {

Expression motion_of_time(const std::string& text) {
  const SymbolScope scope{[](std::string_view name) -> std::optional<Symbol> {
                            if (name != "t") return std::nullopt;
                            return Symbol{Symbol::Kind::kVariable, {}, 0, dimensions::kTime};
                          },
                          [] { return std::vector<std::string>{"t"}; }};
  return Expression::parse(text, scope);
}

// Several trees: some joints of a random tree become rows, and the first one that can is driven.
std::shared_ptr<const Mechanism> random_trees_with_rows(RandomMechanism& random, Space space) {
  MechanismSpec spec = random.tree(random.integer(2, 8));
  for (JointSpec& joint : spec.joints) joint.as_constraint = random.uniform(0, 1) < 0.5;
  for (const JointSpec& joint : spec.joints) {
    if (joint_coordinates(joint.type, space)->u != 1) continue;
    const char* unit = joint.type == "prismatic" ? "m" : "rad";
    spec.drivers.push_back({"d", joint.name, motion_of_time(fmt::format("0.3 {}/s*t", unit)), std::nullopt});
    break;
  }
  // Rows are exact where they are not fulfilled, too, so any start will do. (0.5, 0.5, 0.5, 0.5) is a unit quaternion.
  int q = 0, u = 0;
  for (const JointSpec& joint : spec.joints) {
    const JointCoordinates own = *joint_coordinates(joint.as_constraint ? "free" : joint.type, space);
    q += own.q, u += own.u;
  }
  State start;
  start.q = VecX::Constant(q, 0.5);
  start.u = VecX::Zero(u);
  return Mechanism::build(spec, start);
}

class RowParts : public testing::TestWithParam<Space> {};

TEST_P(RowParts, AreTheDenseColumnsKeptToTheTreesOfTheRow) {
  int rows_of_two_trees = 0, rows_of_one_tree = 0, driven = 0;
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    SCOPED_TRACE(draw);
    RandomMechanism random(GetParam(), 31000 + draw);
    const auto mechanism = random_trees_with_rows(random, GetParam());
    const auto dynamics = mechanism->make_dynamics();
    const State state = random.state(*mechanism);
    dynamics->set_position(0.1, state.q);
    BilateralRows rows;
    rows.resize(mechanism->velocity_count(), mechanism->row_count());
    dynamics->row_jacobian(rows);
    for (int r = 0; r < mechanism->row_count(); ++r) {
      std::array<RowPart, 2> parts;
      VecX values = VecX::Constant(mechanism->velocity_count() + 1, 7);  // what was there before does not count
      const double w_tilde = dynamics->row_parts(r, parts, values.data());
      EXPECT_EQ(w_tilde, rows.w_tilde[r]);
      VecX column = VecX::Zero(mechanism->velocity_count());
      int count = 0;
      for (const RowPart& part : parts) {
        column.segment(part.first, part.size) = values.segment(count, part.size);
        count += part.size;
        if (part.size == 0) continue;
        const auto& blocks = mechanism->mass_structure().blocks;
        EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [&](const MassStructure::Block& block) {
          return block.first == part.first && block.size == part.size;
        })) << "a part is a whole tree";
      }
      EXPECT_EQ(column, VecX(rows.W.col(r))) << mechanism->row_name(r);
      EXPECT_EQ(values[count], 7) << "writes no more than the parts hold";
      (parts[0].size > 0 && parts[1].size > 0 ? rows_of_two_trees : rows_of_one_tree)++;
      driven += w_tilde != 0;
    }
  }
  EXPECT_GT(rows_of_two_trees, 100);
  EXPECT_GT(rows_of_one_tree, 100);
  EXPECT_GT(driven, 50);
}

// Trees are tied where a chain of nonzero columns of W leads from one to the other.
TEST_P(RowParts, TieTheTreesThatTheyLinkAlsoThroughOthers) {
  int tied_through_others = 0;
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    SCOPED_TRACE(draw);
    RandomMechanism random(GetParam(), 47000 + draw);
    const auto mechanism = random_trees_with_rows(random, GetParam());
    const auto dynamics = mechanism->make_dynamics();
    dynamics->set_position(0.1, random.state(*mechanism).q);
    BilateralRows rows;
    rows.resize(mechanism->velocity_count(), mechanism->row_count());
    dynamics->row_jacobian(rows);
    const std::vector<MassStructure::Block>& blocks = mechanism->mass_structure().blocks;
    const Eigen::Index n = static_cast<Eigen::Index>(blocks.size());
    MatX linked = MatX::Identity(n, n);
    for (Eigen::Index r = 0; r < rows.W.cols(); ++r)
      for (Eigen::Index a = 0; a < n; ++a)
        for (Eigen::Index b = 0; b < n; ++b) {
          const auto acts_on = [&](Eigen::Index tree) {
            const MassStructure::Block& block = blocks[static_cast<std::size_t>(tree)];
            return rows.W.col(r).segment(block.first, block.size).norm() > 0;
          };
          if (acts_on(a) && acts_on(b)) linked(a, b) = 1;
        }
    MatX reached = linked;
    for (Eigen::Index i = 0; i < n; ++i) reached = (reached * linked).cwiseMin(1);
    const std::vector<int> tied = tied_trees(*mechanism);
    ASSERT_EQ(tied.size(), blocks.size());
    for (Eigen::Index a = 0; a < n; ++a) {
      EXPECT_LE(tied[static_cast<std::size_t>(a)], a);
      for (Eigen::Index b = 0; b < n; ++b) {
        const bool is_tied = tied[static_cast<std::size_t>(a)] == tied[static_cast<std::size_t>(b)];
        EXPECT_EQ(is_tied, reached(a, b) > 0) << a << " and " << b;
        tied_through_others += reached(a, b) > linked(a, b);
      }
    }
  }
  EXPECT_GT(tied_through_others, 100);
}

INSTANTIATE_TEST_SUITE_P(Spaces, RowParts, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "Planar" : "Spatial"; });

// Three velocities, two rows:  q0 + 2 q1 - t = 0,  q1 - q2 = 0.
class CodedRows final : public MinimalDynamics {
 public:
  CodedRows() : MinimalDynamics(3, 2) {}
  void set_position(double, const ConstVecRef&) override {}
  void set_velocity(const ConstVecRef&) override {}
  void mass_matrix(MassMatrix&) override {}
  double potential_energy() override { return 0; }
  void forces(VecRef) override {}
  Energies energies() override { return {}; }
  void read_channels(std::span<const int>, std::span<double>) override {}
  void row_jacobian(BilateralRows& rows) override {
    rows.W << 1, 0, 2, 1, 0, -1;
    rows.w_tilde << -1, 0;
  }
};

TEST(CodedRowParts, AreOnePartOfAllVelocities) {
  CodedRows system;
  std::array<RowPart, 2> parts;
  VecX values(3);
  EXPECT_EQ(system.row_parts(0, parts, values.data()), -1);
  EXPECT_EQ(values, Vec3(1, 2, 0));
  EXPECT_EQ(system.row_parts(1, parts, values.data()), 0);
  EXPECT_EQ(values, Vec3(0, 1, -1));
  EXPECT_EQ(parts[0].first, 0);
  EXPECT_EQ(parts[0].size, 3);
  EXPECT_EQ(parts[1].size, 0);
}

}  // namespace
}  // namespace freeplay::test::row_parts_test
