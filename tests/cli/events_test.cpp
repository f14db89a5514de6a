// Runs that locate events, seen through every verb that shows or writes them.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command_test.h"
#include "support/places.h"

namespace freeplay::test::events_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// Falls from 1 m with restitution 0.5: impacts until the speed of rest, then one landing and the rest at its end.
const std::string kBall = R"(freeplay: 1
name: A ball that comes to rest
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: 1.1 m}, shapes: {skin: {type: circle, radius: 100 mm}}}
ground: {shapes: {floor: {type: line, at: [0, 0], normal: [0, 1]}}}
contacts:
  bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: 0.5, friction: 0.3}
simulate: {integrator: event-driven, duration: 2 s}
)";

// Two impacts at once, and so two rows at t = 0.
const std::string kCradle = test_dir() + "/models/physics/balls_in_a_row.yaml";

class Events : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("ball.yaml", kBall);
  }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_F(Events, AreInTheSummaryOfRunsThatLocateThemAndOfNoOthers) {
  const CommandResult run = freeplay({"run", "ball.yaml"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("instants located"));
  EXPECT_THAT(run.out, HasSubstr("acceleration residual"));
  // These belong to force laws; a landing is none of them.
  for (const char* text :
       {"contact starts", "refused for them", "initial penetration", "injected by it", "unexplained"})
    EXPECT_THAT(run.out, Not(HasSubstr(text)));
  const json summary = json::parse(freeplay({"run", "ball.yaml", "--json", "--quiet"}).out);
  EXPECT_GT(summary["events"], summary["impacts"]);
  EXPECT_GE(summary["worst_acceleration_residual"], 0);
  EXPECT_EQ(summary["contact_starts"], 0);

  const CommandResult stepped =
      freeplay({"run", "ball.yaml", "--set", "simulate.integrator=moreau-midpoint", "--set", "simulate.step=1 ms"});
  EXPECT_EQ(stepped.exit_code, 0) << stepped.err;
  EXPECT_THAT(stepped.out, Not(HasSubstr("instants located")));
  EXPECT_THAT(stepped.out, Not(HasSubstr("acceleration residual")));
}

TEST_F(Events, AreCountedByInfoWhichShowsTheFirstAndTheLastOfThem) {
  ASSERT_EQ(freeplay({"run", "ball.yaml", "--out", "r", "--quiet"}).exit_code, 0);
  const CommandResult text = freeplay({"info", "r"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("Events\n  contact  impact  landing  release  stick  slip  reversal  rest\n"));
  EXPECT_THAT(text.out, HasSubstr("0.451523641  bounce   impact\n")) << "sqrt(2 h/g)";
  EXPECT_THAT(text.out, HasSubstr(" more\n")) << "those between";
  EXPECT_THAT(text.out, HasSubstr("1.35457092  bounce   rest\n")) << "(1 + e)/(1 - e) times as late";

  const json info = json::parse(freeplay({"info", "r", "--json"}).out);
  const json& counts = info["event_counts"].at(0);
  EXPECT_EQ(counts["contact"], "bounce");
  EXPECT_EQ(counts["landing"], 1);
  EXPECT_EQ(counts["rest"], 1);
  EXPECT_EQ(counts["release"], 0);
  EXPECT_EQ(info["events"], counts["impact"].get<int>() + 2);
  EXPECT_EQ(info["first_events"].size(), 12u);
  ASSERT_EQ(info["last_events"].size(), 4u);
  EXPECT_EQ(info["first_events"][0]["kind"], "impact");
  EXPECT_NEAR(info["first_events"][0]["time"], std::sqrt(2 / 9.81), 1e-9);
  EXPECT_EQ(info["last_events"][3]["kind"], "rest");
  EXPECT_EQ(info["last_events"][3]["contact"], "bounce");
}

TEST_F(Events, AreNotMentionedByInfoWhereNoneAreLocated) {
  write("floor.yaml", kBallOnFloor);
  ASSERT_EQ(freeplay({"run", "floor.yaml", "--out", "r", "--quiet"}).exit_code, 0);
  EXPECT_THAT(freeplay({"info", "r"}).out, Not(HasSubstr("vents")));
  const json info = json::parse(freeplay({"info", "r", "--json"}).out);
  EXPECT_EQ(info["events"], 0);
  EXPECT_EQ(info["event_counts"], json::array());
  EXPECT_EQ(freeplay({"export", "r", "--events", "-"}).out, "time,contact,kind\n");
}

TEST_F(Events, AreWrittenAsCsvLineByLineInTheirOrder) {
  ASSERT_EQ(freeplay({"run", "ball.yaml", "--out", "r", "--quiet"}).exit_code, 0);
  const CommandResult result = freeplay({"export", "r", "--events", "events.csv", "--impacts", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = lines_of(read("events.csv"));
  const json info = json::parse(freeplay({"info", "r", "--json"}).out);
  ASSERT_EQ(lines.size(), 1 + info["events"].get<std::size_t>());
  EXPECT_EQ(lines[0], "time,contact,kind");
  EXPECT_THAT(lines[1], testing::EndsWith(",bounce,impact"));
  EXPECT_EQ(std::stod(lines[1]), info["first_events"][0]["time"].get<double>());
  EXPECT_THAT(lines[lines.size() - 2], testing::EndsWith(",bounce,landing"));
  EXPECT_THAT(lines.back(), testing::EndsWith(",bounce,rest"));
}

TEST_F(Events, RowsAtOneTimeAreShownAndWrittenByEveryVerb) {
  ASSERT_EQ(freeplay({"run", kCradle, "--out", "r", "--quiet"}).exit_code, 0);
  const std::vector<std::string> rows =
      lines_of(freeplay({"export", "r", "--csv", "-", "--channels", "b.vx,bc.normal_impulse"}).out);
  ASSERT_GE(rows.size(), 4u);
  EXPECT_THAT(rows[1], testing::StartsWith("0,")) << "after the first impact";
  EXPECT_THAT(rows[2], testing::StartsWith("0,")) << "and after the second, at the same time";
  EXPECT_NE(rows[1], rows[2]);
  EXPECT_EQ(lines_of(freeplay({"export", "r", "--impacts", "-"}).out).size(), 3u);
  const std::vector<std::vector<std::string>> commands = {
      {"info", "r"},
      {"export", "r", "--vtk", "film", "--frames", "5"},
      {"plot", "r", "-o", "sheet.svg"},
      {"plot", "r", "b.vx", "2*b.vx", "--against", "b.x", "-o", "curves.svg"},
      {"plot", "r", "--modes", "--impacts", "--gaps", "bc", "--energy", "--steps", "-o", "panels.svg"},
      {"plot", "r", "b.vx", "--from", "0", "--to", "1us", "-o", "instant.svg"},
      {"view", "r", "-o", "page.html"}};
  for (const std::vector<std::string>& command : commands) {
    const CommandResult result = freeplay(command);
    EXPECT_EQ(result.exit_code, 0) << command[0] << ' ' << command[2] << ": " << result.err;
  }
  for (const char* file : {"sheet.svg", "curves.svg", "panels.svg", "instant.svg"})
    EXPECT_THAT(read(file), Not(HasSubstr("nan"))) << file;
}

TEST_F(Events, RowsAtOneTimeAreComparedWithThoseOfOtherRuns) {
  const CommandResult result =
      freeplay({"compare", kCradle, "--with", "loose: tolerance=1e-7", "--with", "tight: tolerance=1e-11", "--with",
                "stepped: integrator=moreau-midpoint, step=0.1 ms", "--out", "c", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  const json comparison = json::parse(result.out);
  ASSERT_EQ(comparison["pairs"].size(), 2u) << result.out;
  EXPECT_EQ(comparison["reference"], "loose");
  EXPECT_EQ(comparison["pairs"][0]["matched_impacts"], 2) << "both at t = 0";
  EXPECT_EQ(comparison["pairs"][0]["largest_time_difference"], 0);
  EXPECT_EQ(comparison["pairs"][1]["matched_impacts"], 0) << "a step leaves b and c apart before a strikes";
  EXPECT_GT(comparison["formulations"][0]["events"], 1);
  EXPECT_EQ(comparison["formulations"][2]["events"], 0);
}

}  // namespace
}  // namespace freeplay::test::events_test
