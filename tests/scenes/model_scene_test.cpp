// Many bodies in a few lines: fill, pattern, materials, groups.
#include <gmock/gmock.h>

#include <chrono>

#include "freeplay/io/model/model_build.h"
#include "physics/model_run.h"
#include "unit/io/model/model_test_support.h"

namespace freeplay::test::model_scene_test {
namespace {

using testing::HasSubstr;

const std::string kPile = R"(freeplay: 1
space: spatial
parameters: {count: 30, radius: 20 mm, floor: 0.4 m}
gravity: [0, 0, -9.81 m/s^2]
materials:
  glass: {density: 2500 kg/m^3, with: {glass: {restitution: 0.5, friction: 0.2}, wood: {restitution: 0.1, friction: 0.4}}}
  wood: {density: 600 kg/m^3, with: {wood: {restitution: 0, friction: 0.6}}}
bodies:
  ball:
    material: glass
    inertia: from-shape
    shapes: {skin: {type: sphere, radius: radius}}
    fill: {count: count, from: [-floor/2, -floor/2, 0], to: [floor/2, floor/2, 0], open_above: true, size: [0.5, 1], seed: 7}
  block:
    material: wood
    inertia: from-shape
    initial: {z: 1 m}
    shapes: {skin: {type: box, size: [30 mm, 20 mm, 10 mm]}}
    pattern: {count: 3, shift: [50 mm, 0, 0], rows: 2, row_shift: [0, 40 mm, 0]}
ground:
  shapes: {bottom: {type: plane, normal: [0, 0, 1], material: wood}}
groups:
  pile: {members: [ball, block.skin], against: ground}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 10 ms}
record: {channels: [ball_3.z, pile.contacts, pile.normal_force, pile.penetration], motion: false}
)";

TEST(Scene, OfAFewLinesHasAllBodiesShapesAndLaws) {
  const ModelFile file = parse_model(kPile, "pile.yaml");
  ASSERT_EQ(file.mechanism.bodies.size(), 36u);
  EXPECT_EQ(file.mechanism.bodies[0].name, "ball_1");
  EXPECT_EQ(file.mechanism.bodies[35].name, "block_6");
  EXPECT_EQ(*file.mechanism.bodies[34].initial.position_m[0], 0.05) << "the second of the second row";
  EXPECT_EQ(*file.mechanism.bodies[34].initial.position_m[1], 0.04);
  EXPECT_EQ(*file.mechanism.bodies[34].initial.position_m[2], 1);
  EXPECT_EQ(file.shapes.size(), 37u);
  for (std::size_t i = 0; i < 30; ++i) {
    const double radius = std::get<SphereShape>(file.shapes[i].geometry).radius_m;
    EXPECT_TRUE(radius == 0.01 || radius == 0.02);
    const double mass = 2500 * 4.0 / 3 * M_PI * radius * radius * radius;
    EXPECT_NEAR(file.mechanism.bodies[i].mass_kg, mass, 1e-12 * mass);
    EXPECT_NEAR(file.mechanism.bodies[i].inertia_kg_m2(1, 1), 0.4 * mass * radius * radius, 1e-15);
  }
  ASSERT_EQ(file.groups.size(), 1u);
  EXPECT_EQ(file.groups[0].members.size(), 36u);
  ASSERT_EQ(file.groups[0].against.size(), 1u);
  ASSERT_EQ(file.groups[0].material_laws.size(), 3u);
  EXPECT_EQ(file.groups[0].material_laws[1].name, "glass_wood");
  EXPECT_EQ(file.groups[0].material_laws[1].law.friction, 0.4);
  EXPECT_EQ(build_model(file).contacts->groups().size(), 3u);
}

TEST(Scene, TakesParametersAndExpressionsWithUnits) {
  const ModelFile file = parse_model(kPile, "pile.yaml", std::vector<std::string>{"count=2*100", "radius=1 cm"});
  EXPECT_EQ(file.mechanism.bodies.size(), 206u);
  EXPECT_EQ(
      parse_model(kPile, "pile.yaml", std::vector<std::string>{"bodies.block.pattern.rows=1"}).mechanism.bodies.size(),
      33u);
  EXPECT_EQ(parse_model(kPile, "pile.yaml", std::vector<std::string>{"count=0", "record=[energy.total]"})
                .mechanism.bodies.size(),
            6u);
  const auto place = [](const ModelFile& model) { return *model.mechanism.bodies[3].initial.position_m[0]; };
  EXPECT_EQ(place(parse_model(kPile, "a.yaml")), place(parse_model(kPile, "b.yaml")));
  EXPECT_NE(place(parse_model(kPile, "a.yaml")),
            place(parse_model(kPile, "b.yaml", std::vector<std::string>{"bodies.ball.fill.seed=8"})));
}

// The limits are those of the issue; a computer with other work to do has a share of the time only.
TEST(Scene, OfTenThousandBodiesIsBuiltInSeconds) {
  const auto start = std::chrono::steady_clock::now();
  const ModelFile file = parse_model(kPile, "pile.yaml", std::vector<std::string>{"count=10000", "floor=2 m"});
  const Model model = build_model(file);
  EXPECT_EQ(file.mechanism.bodies.size(), 10006u);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 10) << "2 s where nothing else runs";
}

struct BadScene {
  const char* set;
  const char* path;
  const char* message;
};

TEST(Scene, SaysWhatIsWrongAndWhere) {
  const BadScene cases[] = {
      {"count=-1", "bodies.ball.fill.count", "must be from 0 to 1000000"},
      {"count=1e9", "bodies.ball.fill.count", "must be from 0 to 1000000"},
      {"count=2.5", "bodies.ball.fill.count", "must be a whole number"},
      {"radius=0 m", "bodies.ball.shapes.skin.radius", "must be"},
      {"radius=-1 mm", "bodies.ball.shapes.skin.radius", "must be"},
      {"radius=300 mm", "bodies.ball.fill.to", "the region is 0.4 m wide along x, and a body needs 0.6 m"},
      {"bodies.ball.fill.open_above=false", "bodies.ball.fill.to", "the region is 0 m wide along z"},
      {"bodies.ball.fill.arrangement=random", "bodies.ball.fill.open_above", "random places need a region with an end"},
      {"bodies.ball.fill.size=[1, 0]", "bodies.ball.fill.size", "must be"},
      {"bodies.ball.fill.size=[1, -2]", "bodies.ball.fill.size", "must be"},
      {"bodies.ball.fill.size_normal=[1, 0.1]", "bodies.ball.fill.size_normal", "the size is given by 'size' already"},
      {"bodies.ball.initial={x: 1 m}", "bodies.ball.initial", "'fill' says where the bodies are"},
      {"bodies.ball.pattern={count: 3, shift: [1 m, 0, 0]}", "bodies.ball.fill", "by 'fill' or by 'pattern'"},
      {"bodies.ball.material=glas", "bodies.ball.material", "there is no material 'glas'"},
      {"bodies.block.pattern.shift=[0, 0, 0]", "bodies.block.pattern.shift", "all copies would lie on each other"},
      {"bodies.block.pattern.layers=1000000", "bodies.block.pattern", "copies are more than 1000000"},
      {"groups.pile.members=[ball, cube]", "groups.pile.members[1]", "there is no shape 'cube'"},
      {"groups.pile.members=[]", "groups.pile.members", "names no shapes"},
      {"groups.pile.friction=0.3", "groups.pile.friction", "a law of the group needs a restitution"},
      {"ground.shapes.bottom.material=steel", "ground.shapes.bottom.material", "there is no material 'steel'"},
  };
  for (const BadScene& one : cases) {
    const std::vector<Diagnostic> found = mistakes_in(kPile, {one.set});
    ASSERT_FALSE(found.empty()) << one.set;
    EXPECT_THAT(found[0].path, testing::StartsWith(one.path)) << one.set;
    EXPECT_THAT(found[0].message, HasSubstr(one.message)) << one.set;
    EXPECT_NE(found[0].hint, "") << one.set;
    EXPECT_GT(found[0].mark.line, 0) << one.set;
  }
}

std::string without(const std::string& part) {
  std::string text = kPile;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos);
  return text.erase(at, part.size());
}

TEST(Scene, NeedsALawForEveryTwoMaterialsThatCanMeet) {
  const std::vector<Diagnostic> missing = mistakes_in(without(", wood: {restitution: 0.1, friction: 0.4}"));
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].path, "materials.glass");
  EXPECT_THAT(missing[0].message, HasSubstr("no law of 'glass' against 'wood', which the group 'pile' needs"));
  EXPECT_EQ(missing[0].mark.line, 6);
  const std::vector<Diagnostic> bare = mistakes_in(without(", material: wood"));
  ASSERT_EQ(bare.size(), 1u);
  EXPECT_THAT(bare[0].message, HasSubstr("'ground.bottom' has no material"));
  std::string twice = kPile;
  twice.replace(twice.find("wood: {restitution: 0, friction: 0.6}"), 4, "glass");
  std::string messages;
  for (const Diagnostic& mistake : mistakes_in(twice)) messages += mistake.message + '\n';
  EXPECT_THAT(messages, HasSubstr("these two materials have a law already"));
  std::string alone = without(", with: {wood: {restitution: 0, friction: 0.6}}");
  alone.replace(alone.find("[ball, block.skin]"), 18, "ball");
  EXPECT_NO_THROW(parse_model(alone, "pile.yaml")) << "the only wooden thing meets no wood";
}

TEST(Scene, WhoseBodiesOverlapIsRefusedWithBothNames) {
  const ModelFile file =
      parse_model(kPile, "pile.yaml", std::vector<std::string>{"bodies.block.pattern.shift=[20 mm, 0, 0]"});
  try {
    build_model(file);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1u);
    const Diagnostic& found = error.diagnostics()[0];
    EXPECT_EQ(found.path, "groups.pile");
    EXPECT_GT(found.mark.line, 0);
    EXPECT_THAT(
        found.message,
        testing::MatchesRegex("'block_[1-6].skin' and 'block_[1-6].skin' penetrate by 0.01 m in the initial state.*"));
  }
}

// Two balls rest on the floor, one on top of the other beside them flies: totals by hand.
TEST(GroupTotals, OfRestingBodiesAreTheirWeight) {
  const std::string text = R"(freeplay: 1
space: spatial
gravity: [0, 0, -10 m/s^2]
bodies:
  ball:
    mass: 2 kg
    inertia: [1e-3 kg m^2, 1e-3 kg m^2, 1e-3 kg m^2]
    initial: {z: 50 mm}
    shapes: {skin: {type: sphere, radius: 50 mm}}
    pattern: {count: 3, shift: [200 mm, 0, 0]}
  flyer:
    mass: 2 kg
    inertia: [1e-3 kg m^2, 1e-3 kg m^2, 1e-3 kg m^2]
    initial: {z: 5 m}
    shapes: {skin: {type: sphere, radius: 50 mm}}
ground: {shapes: {floor: {type: plane, normal: [0, 0, 1]}}}
groups: {pile: {members: [ball, flyer], against: ground, restitution: 0, friction: 0.5}}
simulate: {integrator: moreau-midpoint, activation: anticipated, step: 1 ms, duration: 20 ms}
)";
  const ModelRun run = run_model(parse_model(text, "rest.yaml"));
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_EQ(run["pile.contacts"].front(), 0) << "no step yet";
  for (std::size_t row = 1; row < run.rows(); ++row) {
    EXPECT_EQ(run["pile.contacts"][row], 3);
    // A step is solved to 1e-9 m/s: with 2 kg in 1 ms that is 2e-6 N for each of the three.
    EXPECT_NEAR(run["pile.normal_force"][row], 60, 6e-6);
    EXPECT_LT(run["pile.penetration"][row], 1e-12);
  }
}

}  // namespace
}  // namespace freeplay::test::model_scene_test
