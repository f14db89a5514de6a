// Channels of bodies from files: what is told at their nodes, against the beam that the nodes were taken from.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "elastic_models.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/description/beam_shapes.h"
#include "freeplay/mechanism/description/beam_stress.h"

namespace freeplay::test::node_channels_test {
namespace {

constexpr double kModulus = 2e-6, kStiffness = 100;
constexpr int kModes = 3, kIntervals = 100;

// The cantilever of the reference with E I W'' of its modes at every node, and that over the section modulus.
std::shared_ptr<ElasticNodes> nodes_of_the_beam() {
  auto body = std::make_shared<ElasticNodes>();
  const std::vector<BeamShape> shapes = bending_shapes(BendingShapes::kCantilever, kModes, 1);
  body->frequencies_rad_s.resize(kModes);
  for (int k = 0; k <= kIntervals; ++k) {
    ElasticNode node;
    node.name = fmt::format("n{}", k);
    node.at_m = Vec3(static_cast<double>(k) / kIntervals, 0, 0);
    node.mass_kg = (k == 0 || k == kIntervals ? 0.5 : 1.0) / kIntervals;
    node.shapes = node.stresses = MatX::Zero(6, kModes);
    node.moments = MatX::Zero(2, kModes);
    for (int j = 0; j < kModes; ++j) {
      const BeamShape& shape = shapes[static_cast<std::size_t>(j)];
      body->frequencies_rad_s[j] = 10 * std::pow(shape.wave_number_1_m, 2);
      node.moments(0, j) = kStiffness * shape.curvature(node.at_m.x());
      node.stresses(0, j) = node.moments(0, j) / kModulus;
      if (k == 0) continue;  // clamped, to the last digit
      node.shapes(1, j) = shape.value(node.at_m.x());
      node.shapes(5, j) = shape.slope(node.at_m.x());
    }
    body->nodes.push_back(node);
  }
  return body;
}

MechanismSpec on_a_hinge(const ElasticSpec& body) {
  return held_beam(body, "revolute");
}

class ElasticChannels {
 public:
  explicit ElasticChannels(const MechanismSpec& spec)
      : mechanism_(Mechanism::build(spec)), dynamics_(mechanism_->make_dynamics()) {}
  void set(const VecX& q) {
    dynamics_->set_position(0, q);
    dynamics_->set_velocity(VecX::Zero(mechanism_->velocity_count()));
  }
  double operator[](const std::string& name) const {
    const int channel[] = {find_channel(*mechanism_, name)};
    EXPECT_GE(channel[0], 0) << name;
    double value = 0;
    if (channel[0] >= 0) dynamics_->read_channels(channel, {&value, 1});
    return value;
  }
  bool has(const std::string& name) const { return find_channel(*mechanism_, name) >= 0; }

 private:
  std::shared_ptr<const Mechanism> mechanism_;
  std::unique_ptr<Dynamics> dynamics_;
};

TEST(NodeChannels, TellWhatTheBeamTellsAtTheSamePlaces) {
  ElasticSpec beam = reference_beam(kModes), nodes;
  beam.stations_m = {0, 0.37, 1};
  beam.section_modulus_m3 = kModulus;
  nodes.nodes = nodes_of_the_beam();
  nodes.station_nodes = {"n0", "n37", "n100"};
  ElasticChannels of_beam(on_a_hinge(beam)), of_nodes(on_a_hinge(nodes));
  for (std::uint64_t draw = 0; draw < 10; ++draw) {
    RandomMechanism random(Space::kPlanar, draw);
    VecX q(1 + kModes);
    q << random.uniform(-3, 3), random.uniform(-0.05, 0.05), random.uniform(-0.02, 0.02), random.uniform(-0.01, 0.01);
    of_beam.set(q);
    of_nodes.set(q);
    for (int k = 1; k <= 3; ++k) {
      const auto name = [&](const char* word) { return fmt::format("beam.{}_{}", word, k); };
      EXPECT_NEAR(of_nodes[name("displacement_x")], 0, 0);
      EXPECT_NEAR(of_nodes[name("displacement_y")], of_beam[name("deflection")], 1e-15);
      EXPECT_NEAR(of_nodes[name("moment")], of_beam[name("moment")], 1e-12 * of_beam["beam.max_moment"]);
      EXPECT_NEAR(of_nodes[name("stress")], std::abs(of_beam[name("stress")]), 1e-12 * of_beam["beam.max_stress"]);
      // The foreshortening of the nodes is that of a cubic between any two of them.
      EXPECT_NEAR(of_nodes[name("x")], of_beam[name("x")], 1e-8);
      EXPECT_NEAR(of_nodes[name("y")], of_beam[name("y")], 1e-8);
    }
    // The largest value is looked for at places that are as near to each other in both, but not the same.
    EXPECT_NEAR(of_nodes["beam.max_moment"], of_beam["beam.max_moment"], 5e-3 * of_beam["beam.max_moment"]);
    EXPECT_NEAR(of_nodes["beam.max_stress"], of_nodes["beam.max_moment"] / kModulus, 1e-9 * of_beam["beam.max_stress"]);
  }
}

TEST(NodeChannels, AreThoseThatTheFileHasNumbersFor) {
  const auto body = nodes_of_the_beam();
  for (ElasticNode& node : body->nodes) node.moments.resize(0, 0);
  body->nodes[5].stresses.resize(0, 0);
  ElasticSpec spec;
  spec.nodes = body;
  spec.station_nodes = {"n5", "n6"};
  const ElasticChannels channels(on_a_hinge(spec));
  EXPECT_FALSE(channels.has("beam.max_moment"));
  EXPECT_FALSE(channels.has("beam.moment_2"));
  EXPECT_FALSE(channels.has("beam.stress_1"));
  EXPECT_TRUE(channels.has("beam.stress_2"));
  EXPECT_TRUE(channels.has("beam.max_stress"));
  EXPECT_TRUE(channels.has("beam.displacement_y_1"));
}

// Stresses of modes add up before they are made one number. A body of two modes in space, of which one shears a node
// and the other pulls it: sqrt(pull^2 + 3 shear^2).
TEST(NodeChannels, StressIsThatOfVonMisesOfWhatTheModesAddUpTo) {
  auto body = std::make_shared<ElasticNodes>();
  for (int k = 0; k < 2; ++k) {
    ElasticNode node;
    node.name = k == 0 ? "root" : "tip";
    node.at_m = Vec3(k, 0, 0);
    node.mass_kg = 1;
    node.inertia_kg_m2 = Vec3::Constant(0.1);
    node.shapes = MatX::Zero(6, 2);
    if (k == 1) node.shapes(1, 0) = node.shapes(2, 1) = 1;
    body->nodes.push_back(node);
  }
  body->frequencies_rad_s = Vec2(20, 30);
  body->nodes[0].stresses = MatX::Zero(6, 2);
  body->nodes[0].stresses(4, 0) = 5e9;  // xz
  body->nodes[0].stresses(1, 1) = 7e9;  // yy
  body->nodes[0].moments = MatX::Zero(2, 2);
  body->nodes[0].moments << 11, 0, 0, 13;
  ElasticSpec spec;
  spec.nodes = body;
  spec.station_nodes = {"tip", "root"};
  MechanismSpec held = held_beam(spec, "fixed");
  held.space = Space::kSpatial;
  ElasticChannels channels(held);
  channels.set(Vec2(1e-3, -2e-3));
  EXPECT_NEAR(channels["beam.stress_2"], std::hypot(7e9 * 2e-3, std::sqrt(3.0) * 5e9 * 1e-3), 1e-6);
  EXPECT_NEAR(channels["beam.max_stress"], channels["beam.stress_2"], 0);
  EXPECT_NEAR(channels["beam.moment_2"], 11e-3, 1e-15);
  EXPECT_NEAR(channels["beam.moment_xz_2"], -26e-3, 1e-15);
  EXPECT_NEAR(channels["beam.max_moment"], std::hypot(11e-3, 26e-3), 1e-15);
  EXPECT_FALSE(channels.has("beam.stress_1"));
  EXPECT_NEAR(channels["beam.displacement_z_1"], -2e-3, 0);
  EXPECT_NEAR(channels["beam.z_1"], -2e-3, 1e-15);
  Eigen::Matrix<double, 6, 1> pressure;
  pressure << 3, 3, 3, 0, 0, 0;
  EXPECT_EQ(equivalent_stress(pressure), 0) << "alike on all sides it bends nothing";
}

TEST(NodeChannels, NodesThatAreNotThereAreRefusedWithTheNearestName) {
  ElasticSpec spec;
  spec.nodes = nodes_of_the_beam();
  spec.station_nodes = {"n5", "m100", "7"};
  try {
    Mechanism::build(on_a_hinge(spec));
    FAIL() << "the body was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics()[0].path, "bodies.beam.elastic.station_nodes[1]");
    EXPECT_THAT(error.diagnostics()[0].message, testing::HasSubstr("there is no node 'm100'"));
    EXPECT_THAT(error.diagnostics()[0].hint, testing::HasSubstr("'n100'"));
    EXPECT_THAT(error.diagnostics()[1].hint, testing::HasSubstr(" nodes, from n")) << "any number is near to 7";
  }
  const auto wrong = nodes_of_the_beam();
  wrong->nodes[7].stresses.resize(3, kModes);
  spec = {};
  spec.nodes = wrong;
  EXPECT_THROW(Mechanism::build(on_a_hinge(spec)), ModelError);
}

}  // namespace
}  // namespace freeplay::test::node_channels_test
