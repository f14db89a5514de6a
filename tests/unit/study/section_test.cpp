// Sections, chains of runs that follow one another, and what the file keeps of them.
#include "freeplay/study/dynamics/section.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "freeplay/core/error.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/study/dynamics/attractors.h"
#include "freeplay/study/sweep/sweep.h"

namespace freeplay::test::section_test {
namespace {

namespace fs = std::filesystem;
using std::numbers::pi;
using testing::HasSubstr;

constexpr double kNatural_rad_s = 10;

// x(t) = x0 cos(10/s t), as long as the drive is 0.
constexpr const char* kOscillator = R"yaml(freeplay: 1
name: An oscillator
space: planar
parameters: {x0: 1 m, drive: 0 N, damping: 0 N s/m, period: 0.25 s, limit: 100 m}
bodies:
  m: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: x0}, shapes: {face: {type: point}}}
ground: {shapes: {wall: {type: line, at: [-limit, 0], normal: [1, 0]}}}
joints: {guide: {type: prismatic, parent: ground, axis: [1, 0], child: m}}
forces:
  spring: {type: force, on: m, value: ["-100 N/m*m.x - damping*m.vx + drive*cos(2*pi*t/period)", 0 N]}
contacts: {knock: {between: [m.face, ground.wall], impact: newton, restitution: 0.5}}
simulate: {integrator: event-driven, tolerance: 1e-11, duration: 2 s, max_step: 2 ms}
)yaml";

// For integrators that know no impacts.
std::string without_wall() {
  std::string text = kOscillator;
  const std::size_t contacts = text.find("contacts:");
  return text.erase(contacts, text.find("simulate:") - contacts);
}

std::string bytes_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class SectionStudy : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              fmt::format("section_{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    plan_.model = folder_ / "oscillator.yaml";
    std::ofstream(plan_.model) << kOscillator;
    plan_.over = {"x0=1 m,2 m"};
    plan_.section.at = "every(period)";
    plan_.section.points = {"x=m.x", "v=m.vx"};
  }
  void TearDown() override { fs::remove_all(folder_); }

  SweepOutcome run(const std::string& name, int workers = 1, const SweepHooks& hooks = {}) const {
    SweepOptions options;
    options.out = folder_ / name;
    options.workers = workers;
    return run_sweep(plan_, options, hooks);
  }
  std::string mistake() const {
    try {
      const SweepRunner runner(plan_);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "none";
  }

  fs::path folder_;
  SweepPlan plan_;
};

TEST_F(SectionStudy, NotesTheMotionOncePerPeriod) {
  plan_.section.skip = 2;
  plan_.section.turns = 5;
  const SweepTable table = run("out").table;
  ASSERT_EQ(table.header.section.size(), 3U);
  EXPECT_EQ(table.header.section[0].name, "t");
  EXPECT_EQ(table.header.section[2].unit, "m/s");
  for (const SweepRow& row : table.rows) {
    ASSERT_EQ(table.crossing_count(row), 5U);
    for (std::size_t k = 0; k < 5; ++k) {
      const double t = 0.25 * static_cast<double>(k + 3);
      EXPECT_NEAR(row.crossings[3 * k], t, 1e-12);
      EXPECT_NEAR(row.crossings[3 * k + 1], row.values[0] * std::cos(kNatural_rad_s * t), 1e-7);
      EXPECT_NEAR(row.crossings[3 * k + 2], -row.values[0] * kNatural_rad_s * std::sin(kNatural_rad_s * t), 1e-6);
    }
  }
  EXPECT_THAT(sweep_csv(table), HasSubstr("x0,t,x,v\n1,0.75,"));
}

// x rises through 0 where cos does, at (3/2 + 2 k) pi/10; rows are 2 ms apart.
TEST_F(SectionStudy, NotesZerosInTheirDirection) {
  plan_.over = {"x0=1 m"};
  for (const auto& [at, first, distance] : {std::tuple{"rising(m.x)", 1.5, 2.0}, std::tuple{"falling(m.x)", 0.5, 2.0},
                                            std::tuple{"crossing(m.x)", 0.5, 1.0}}) {
    plan_.section.at = at;
    const SweepTable table = run(fmt::format("out_{}", at[0])).table;
    const SweepRow& row = table.rows[0];
    ASSERT_GE(table.crossing_count(row), 3U) << at;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(row.crossings[3 * k], (first + distance * static_cast<double>(k)) * pi / kNatural_rad_s, 1e-6) << at;
      EXPECT_NEAR(row.crossings[3 * k + 1], 0, 1e-12);
      EXPECT_NEAR(std::abs(row.crossings[3 * k + 2]), kNatural_rad_s, 1e-3);
    }
  }
}

// The speed at a zero of the place is the same each time, however far apart the rows are: 20 ms, a third of a radian.
TEST_F(SectionStudy, LocatesZerosWithinSteps) {
  for (const char* integrator : {"dopri5", "event-driven", "cvode-adams"}) {
    plan_.over = {"x0=1 m"};
    plan_.text = without_wall();
    plan_.overrides = {fmt::format("simulate.integrator={}", integrator), "simulate.max_step=20 ms"};
    plan_.section.at = "rising(m.x)";
    const SweepTable table = run(fmt::format("out_{}", integrator)).table;
    const SweepRow& row = table.rows[0];
    ASSERT_EQ(table.crossing_count(row), 3U) << integrator << row.message;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(row.crossings[3 * k], (1.5 + 2.0 * static_cast<double>(k)) * pi / kNatural_rad_s, 1e-8) << integrator;
      EXPECT_NEAR(row.crossings[3 * k + 1], 0, 1e-9) << integrator;
      EXPECT_NEAR(row.crossings[3 * k + 2], kNatural_rad_s, 1e-7) << integrator;
    }
  }
}

// With the wall at x = 0 the speed jumps through zero: at pi/20 s, and a half period later each time, to half of it.
TEST_F(SectionStudy, TakesAJumpAtItsInstantWithTheValuesBehindIt) {
  plan_.overrides = {"limit=0 m", "simulate.max_step=20 ms"};
  plan_.over = {"x0=1 m"};
  plan_.section.at = "rising(m.vx)";
  const SweepTable table = run("out").table;
  const SweepRow& row = table.rows[0];
  ASSERT_GE(table.crossing_count(row), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(row.crossings[3 * k], pi / kNatural_rad_s * (0.5 + static_cast<double>(k)), 1e-8);
    EXPECT_NEAR(row.crossings[3 * k + 1], 0, 1e-9);
    EXPECT_NEAR(row.crossings[3 * k + 2], kNatural_rad_s * std::pow(0.5, static_cast<double>(k + 1)), 1e-7);
  }
}

// Once per period, at the turning point, where the motion is the same each time but for what is left of its beginning.
TEST_F(SectionStudy, FindsADrivenMotionPeriodicAtItsTurningPoints) {
  plan_.text = without_wall();
  plan_.overrides = {"simulate.integrator=dopri5",
                     "simulate.tolerance=1e-10",
                     "simulate.duration=60 s",
                     "damping=2 N s/m",
                     "drive=10 N",
                     "period=0.4 s"};
  plan_.section.at = "rising(m.vx)";
  plan_.section.points = {"x=m.x"};
  plan_.section.skip = 100;
  const Attractors found = find_attractors(run("out").table);
  ASSERT_EQ(found.list.size(), 1U);
  EXPECT_EQ(found.list[0].period, 1);
}

// With the wall at x = 0 the mass strikes it with the speed 10 m/s at pi/20 s, and half of that after each half period.
TEST_F(SectionStudy, NotesImpacts) {
  plan_.overrides = {"limit=0 m"};
  plan_.over = {"x0=1 m"};
  plan_.section.at = "knock.impact";
  plan_.section.points = {"before=impact.normal_velocity_before", "after=m.vx"};
  plan_.section.turns = 4;
  const SweepTable table = run("out").table;
  const SweepRow& row = table.rows[0];
  ASSERT_EQ(table.crossing_count(row), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    const double speed = kNatural_rad_s * std::pow(0.5, static_cast<double>(k));
    EXPECT_NEAR(row.crossings[3 * k], pi / kNatural_rad_s * (0.5 + static_cast<double>(k)), 1e-8);
    EXPECT_NEAR(row.crossings[3 * k + 1], -speed, 1e-7);
    EXPECT_NEAR(row.crossings[3 * k + 2], 0.5 * speed, 1e-7);
  }
}

TEST_F(SectionStudy, TellsOfMistakes) {
  EXPECT_EQ(mistake(), "none");
  plan_.section.at = "sometimes(x)";
  EXPECT_THAT(mistake(), HasSubstr("is no section"));
  plan_.section.at = "every(1 m)";
  EXPECT_THAT(mistake(), HasSubstr("--section"));
  plan_.section.at = "every(-1 s)";
  EXPECT_THAT(mistake(), HasSubstr("the period is -1 s"));
  plan_.section.at = "knok.impact";
  EXPECT_THAT(mistake(), HasSubstr("did you mean 'knock'"));
  plan_.section.at = "rising(m.x)";
  plan_.section.points = {"x=m.z"};
  EXPECT_THAT(mistake(), HasSubstr("--point"));
  plan_.section.points = {"x=impact.energy_lost"};
  EXPECT_THAT(mistake(), HasSubstr("tells of impacts"));
  plan_.section.points = {"x=m.x) + final(m.x"};
  EXPECT_THAT(mistake(), HasSubstr("brackets"));
  plan_.section.points = {};
  EXPECT_THAT(mistake(), HasSubstr("nothing is noted"));
  plan_.section.points = {"x=m.x"};
  plan_.follow = "sideways";
  EXPECT_THAT(mistake(), HasSubstr("up, down or both"));
  plan_.follow = "up";
  plan_.sample = "lhs:5";
  plan_.over = {"x0=1 m:2 m"};
  EXPECT_THAT(mistake(), HasSubstr("samples have no neighbours"));
}

// A damped oscillator without drive: its amplitude at the end of a run is that at its start times q, whatever the
// parameter that is swept, so that the n-th run of a chain ends at x0 q^n.
TEST_F(SectionStudy, FollowsItsNeighbour) {
  plan_.overrides = {"damping=2 N s/m"};
  plan_.over = {"limit=10 m:13 m:4", "x0=1 m,2 m"};
  plan_.section.at = fmt::format("every({:.17g} s)", 2 * pi / std::sqrt(99));
  plan_.section.turns = 1;
  const double q = std::exp(-2 * pi / std::sqrt(99));  // damping/(2 m) = 1/s, a whole turn of sqrt(100 - 1)/s
  for (const char* way : {"up", "down", "both"}) {
    plan_.follow = way;
    const SweepTable table = run(way).table;
    const bool is_both = way == std::string("both");
    ASSERT_EQ(table.rows.size(), is_both ? 16U : 8U);
    for (const SweepRow& row : table.rows) {
      ASSERT_EQ(row.status, SweepStatus::kCompleted) << row.message;
      const double step = row.values[0] - 10;
      const bool is_down = way == std::string("down"), is_second = is_both && row.values[2] == 1;
      const double place = is_second ? 7 - step : is_down ? 3 - step : step;
      EXPECT_NEAR(row.crossings[1] / (row.values[1] * std::pow(q, place + 1)), 1, 1e-6) << way << row.index;
    }
  }
}

TEST_F(SectionStudy, HasTheSameBytesWithAnyNumberOfWorkersAndAfterAnInterrupt) {
  plan_.overrides = {"damping=0.5 N s/m", "drive=50 N"};
  plan_.over = {"period=0.3 s:0.6 s:6", "x0=1 m,2 m,3 m"};
  plan_.section.turns = 7;
  for (const char* way : {"", "both"}) {
    plan_.follow = way;
    const std::string prefix = std::string(way) + "_";
    const SweepOutcome whole = run(prefix + "whole");
    const auto runs = whole.progress.runs;
    ASSERT_EQ(runs, *way == 'b' ? 36 : 18);
    const std::string bytes = bytes_of_file(folder_ / (prefix + "whole/sweep.h5"));
    run(prefix + "three", 3);
    EXPECT_TRUE(bytes_of_file(folder_ / (prefix + "three/sweep.h5")) == bytes) << way;
    for (const std::int64_t after : {1, 5, 11}) {
      const std::string name = fmt::format("{}cut{}", prefix, after);
      std::atomic<bool> stop = false;
      SweepHooks hooks;
      hooks.stop_requested = &stop;
      hooks.progress = [&](const SweepProgress& now) { stop = stop || now.done >= after; };
      const SweepOutcome cut = run(name, 1, hooks);
      const SweepOutcome rest = run(name, 2);
      EXPECT_EQ(rest.progress.earlier, cut.progress.done);
      EXPECT_EQ(rest.progress.done, runs);
      EXPECT_TRUE(bytes_of_file(folder_ / name / "sweep.h5") == bytes) << way << after;
    }
    SweepOptions options;
    options.out = folder_ / (prefix + "parts");
    for (const char* part : {"0/2", "1/2"}) {
      options.part = parse_sweep_part(part);
      run_sweep(plan_, options, {});
    }
    run(prefix + "parts");
    EXPECT_TRUE(bytes_of_file(folder_ / (prefix + "parts/sweep.h5")) == bytes) << way;
  }
}

// c/(2 m), as in a single run; and a model that has none says so before anything runs.
TEST_F(SectionStudy, MeasuresTheExponent) {
  plan_.section = {};
  plan_.lyapunov = "3 s";
  plan_.overrides = {"simulate.duration=20 s"};
  plan_.over = {"damping=1 N s/m,2 N s/m"};
  const SweepTable table = run("out").table;
  ASSERT_EQ(table.header.measures.size(), 1U);
  EXPECT_EQ(table.header.measures[0].name, "lyapunov");
  for (const SweepRow& row : table.rows) {
    ASSERT_EQ(row.status, SweepStatus::kCompleted) << row.message;
    EXPECT_NEAR(row.values[1], -row.values[0] / 2, 1e-2);
  }
  plan_.overrides = {"simulate.integrator=moreau-midpoint", "simulate.step=1 ms"};
  EXPECT_THAT(mistake(), HasSubstr("does not find the instants"));
  plan_.overrides = {};
  plan_.lyapunov = "3 m";
  EXPECT_THAT(mistake(), HasSubstr("is not a time"));
}

}  // namespace
}  // namespace freeplay::test::section_test
