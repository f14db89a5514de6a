#include "freeplay/io/result/tables/model_geometry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "freeplay/io/schema/record_layout.h"

namespace freeplay::test::model_geometry_test {

namespace {

using nlohmann::json;

ModelFile model(const std::string& text) {
  return parse_model("freeplay: 1\n" + text + "simulate: {duration: 1 s}\n", "model.yaml");
}

// A sector of a disc has its two straight sides, a hollow arc and an open spline have a back.
TEST(ModelGeometry, HoldsOutlinesOfArcsAndOpenSplines) {
  const json shapes = json::parse(geometry_json(model(R"(space: planar
bodies: {b: {mass: 1 kg, inertia: 1 kg m^2}}
ground:
  shapes:
    sector: {type: arc, radius: 1 m, from: 0, to: 90 deg}
    bore: {type: arc, radius: 1 m, from: 0, to: 90 deg, side: inside}
    track: {type: spline, closed: false, points: [[0, 0], [1 m, 0.5 m], [2 m, 0], [3 m, 0.5 m]]}
    cam: {type: spline, points: [[1 m, 0], [0, 1 m], [-1 m, 0], [0, -1 m]]}
)")))["shapes"];
  const auto area_of = [](const json& outline) {
    double twice = 0;
    for (std::size_t i = 0; i < outline.size(); ++i) {
      const json &a = outline[i], &b = outline[(i + 1) % outline.size()];
      twice += a[0].get<double>() * b[1].get<double>() - a[1].get<double>() * b[0].get<double>();
    }
    return twice / 2;
  };
  EXPECT_NEAR(area_of(shapes[0]["outline"]), std::acos(-1.0) / 4, 1e-2);
  for (const int wall : {1, 2}) {
    EXPECT_GT(shapes[wall]["outline"].size(), 20u) << wall;
    EXPECT_GT(std::abs(area_of(shapes[wall]["outline"])), 1e-2) << "it has a back";
  }
  EXPECT_FALSE(shapes[3].contains("outline")) << "its points tell it";
}

TEST(ModelGeometry, HoldsBodiesJointsSpringsAndShapes) {
  const json geometry = json::parse(geometry_json(model(R"(space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  block: {mass: 2 kg, inertia: 1 kg m^2, shapes: {skin: {type: circle, at: [1 mm, 0], radius: 20 mm}}}
  arm: {mass: 1 kg, inertia: 1 kg m^2, shapes: {tip: {type: point}}}
ground:
  shapes:
    ramp: {type: polygon, vertices: [[0, 0], [1 m, 0], [0, 1 m]]}
    floor: {type: line, at: [0, -1 m], normal: [0, 1]}
joints:
  guide: {type: prismatic, parent: ground, child: block, axis: [0, 2], at_parent: [0.5 m, 0]}
  pin: {type: revolute, parent: block, child: arm, model: clearance, clearance: 1 mm,
        contact: {impact: newton, restitution: 0.5}}
forces:
  coil: {type: spring, parent: ground, child: arm, stiffness: 1 N/m}
contacts:
  landing: {between: [arm.tip, ground.floor], impact: newton, restitution: 0.5}
)")));
  EXPECT_EQ(geometry["space"], "planar");
  EXPECT_EQ(geometry["gravity"], json({0.0, -9.81, 0.0}));
  EXPECT_EQ(geometry["bodies"], json::parse(R"([{"name": "ground"}, {"name": "block", "mass": 2.0},
                                                {"name": "arm", "mass": 1.0}])"));
  ASSERT_EQ(geometry["joints"].size(), 2u);
  const json& guide = geometry["joints"][0];
  EXPECT_EQ(guide["model"], "ideal");
  EXPECT_EQ(guide["axis"], json({0.0, 1.0, 0.0})) << "a direction has length 1";
  EXPECT_EQ(guide["at_parent"], json({0.5, 0.0, 0.0}));
  const json& pin = geometry["joints"][1];
  EXPECT_EQ(pin["model"], "clearance");
  EXPECT_EQ(pin["clearance"], 0.001);
  EXPECT_EQ(pin["axis"], json({0.0, 0.0, 1.0})) << "the type's own axis";
  EXPECT_EQ(geometry["springs"][0]["name"], "coil");
  ASSERT_EQ(geometry["shapes"].size(), 4u);
  EXPECT_EQ(geometry["shapes"][0], json::parse(R"({"body": "block", "name": "skin", "type": "circle",
                                                   "at": [0.001, 0.0, 0.0], "radius": 0.02})"));
  EXPECT_EQ(geometry["shapes"][2]["vertices"][1], json({1.0, 0.0, 0.0}));
  EXPECT_EQ(geometry["contacts"], json::parse(R"([{"name": "landing", "a": "arm.tip", "b": "ground.floor"}])"));
}

TEST(ModelGeometry, CouplingsHaveTheTermsOfTheirJoints) {
  const json geometry = json::parse(geometry_json(model(R"(space: planar
bodies: {small: {mass: 1 kg, inertia: 1 kg m^2}, large: {mass: 1 kg, inertia: 1 kg m^2}}
joints:
  first: {type: revolute, parent: ground, child: small}
  second: {type: revolute, parent: ground, at_parent: [100 mm, 0], child: large}
couplings: {mesh: {type: gear, first: first, second: second, ratio: 1.5, pitch_radius: 40 mm}}
)")));
  ASSERT_EQ(geometry["couplings"].size(), 1u);
  EXPECT_EQ(geometry["couplings"][0]["name"], "mesh");
  EXPECT_EQ(geometry["couplings"][0]["angle"], false);
  EXPECT_EQ(geometry["couplings"][0]["terms"][0]["joint"], "first");
  EXPECT_DOUBLE_EQ(geometry["couplings"][0]["terms"][0]["factor"].get<double>(), 0.04);
  EXPECT_DOUBLE_EQ(geometry["couplings"][0]["terms"][1]["factor"].get<double>(), 0.06);
}

// A cantilever with knots: its modes are 0 where it is held, and their largest value is at the tip, as those of a
// uniform beam.
TEST(ModelGeometry, ElasticBodiesOfKnotsHaveStations) {
  const json geometry = json::parse(geometry_json(model(R"(space: planar
bodies:
  mast:
    elastic: {length: 1 m, knots: [0 m, 500 mm, 1 m], mass_per_length: [3 kg/m, 2 kg/m, 1 kg/m], bending: cantilever, bending_modes: 2,
              bending_stiffness: [30 N m^2, 20 N m^2, 10 N m^2]}
joints: {foot: {type: fixed, parent: ground, child: mast, at_child: [-500 mm, 0]}}
)")));
  const json& stations = geometry["bodies"][1]["stations"];
  ASSERT_EQ(stations["modes"].size(), 2u);
  ASSERT_EQ(stations["places"].size(), 41u);
  EXPECT_EQ(stations["places"][0], json({-0.5, 0.0, 0.0}));
  EXPECT_TRUE(stations["is_axis"].get<bool>());
  for (const json& mode : stations["modes"]) {
    EXPECT_NEAR(mode[0][1].get<double>(), 0, 1e-12);
    double largest = 0;
    for (const json& move : mode) largest = std::max(largest, std::abs(move[1].get<double>()));
    EXPECT_DOUBLE_EQ(std::abs(mode[40][1].get<double>()), largest);
  }
}

TEST(ModelGeometry, JointsHaveTheStopsThatTheModelGives) {
  const json geometry = json::parse(geometry_json(model(R"(space: planar
bodies:
  flap: {mass: 2 kg, inertia: 1 kg m^2}
  drawer: {mass: 2 kg, inertia: 1 kg m^2}
  wheel: {mass: 2 kg, inertia: 1 kg m^2}
joints:
  lid: {type: revolute, parent: ground, child: flap, stops: {lower: 0, upper: 2 rad}}
  rail: {type: prismatic, parent: ground, child: drawer, stops: {upper: 300 mm}}
  axle: {type: revolute, parent: ground, child: wheel}
)")));
  EXPECT_EQ(geometry["joints"][0]["stops"], json::parse(R"({"lower": 0.0, "upper": 2.0})"));
  EXPECT_EQ(geometry["joints"][1]["stops"], json::parse(R"({"upper": 0.3})"));
  EXPECT_FALSE(geometry["joints"][2].contains("stops"));
}

TEST(ModelGeometry, QuaternionsStartWithTheScalar) {
  const json geometry = json::parse(geometry_json(model(R"(space: spatial
bodies:
  die: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2],
        shapes: {skin: {type: box, size: [1 m, 2 m, 3 m], rotation: {axis: [1, 0, 0], angle: 180 deg}}}}
)")));
  const json& box = geometry["shapes"][0];
  EXPECT_EQ(box["size"], json({1.0, 2.0, 3.0}));
  EXPECT_NEAR(box["rotation"][0], 0, 1e-15);
  EXPECT_NEAR(box["rotation"][1], 1, 1e-15);
}

TEST(ModelGeometry, CodedSystemHasNoBodies) {
  const json geometry = json::parse(geometry_json(model("system: double_pendulum\n")));
  EXPECT_EQ(geometry["system"], "double_pendulum");
  EXPECT_TRUE(geometry["bodies"].empty());
}

TEST(RecordLayoutOfAModel, DescribesModelAndRunButNoClockTime) {
  const std::vector<std::string> overrides = {"l=50cm"};
  const std::string text =
      "freeplay: 1\nsystem: double_pendulum\nparameters: {l1: l, l: 1 m, law: {word: hertz}}\n"
      "simulate: {duration: 1 s, max_step: 1 ms, force_window: 5 ms}\n";
  const ModelFile file = parse_model(text, "some/folder/model.yaml", overrides);
  const RecordLayout layout = record_layout(file);
  EXPECT_EQ(layout.attributes.at("model"), text);
  EXPECT_EQ(layout.attributes.at("model_file"), "model.yaml");
  EXPECT_EQ(layout.attributes.at("integrator"), "dopri5");
  EXPECT_EQ(json::parse(layout.attributes.at("overrides")), json(overrides));
  const json parameters = json::parse(layout.attributes.at("parameters"));
  EXPECT_EQ(parameters["l1"], json::parse(R"({"text": "l", "value": 0.5, "unit": "m"})"));
  EXPECT_EQ(parameters["law"]["word"], "hertz");
  const json simulate = json::parse(layout.attributes.at("simulate"));
  EXPECT_EQ(simulate["duration"], 1.0);
  EXPECT_EQ(simulate["max_step"], 0.001);
  EXPECT_FALSE(simulate.contains("min_step"));
  EXPECT_EQ(simulate["solver_tolerance"], 1e-9);
  EXPECT_EQ(simulate["impact_threshold"], 1e-3);
  EXPECT_EQ(simulate["force_window"], 5e-3);
  EXPECT_EQ(record_layout(file).attributes, layout.attributes);
}

}  // namespace

}  // namespace freeplay::test::model_geometry_test
