// `freeplay sweep` as a user meets it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "cli/studies/ranks.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "support/places.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class SweepVerb : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("ball.yaml", kBallOnFloor);
    write("pendulum.yaml", kPendulum);
  }
  std::size_t rows_of(const std::string& file) const { return read_sweep(folder_ / file).rows.size(); }
  Words study(const std::string& out, const Words& more = {}) const {
    Words words = {"sweep",     "pendulum.yaml",          "--over",    "speed=0:1 rad/s:12",      "--over", "l=1m,2m",
                   "--measure", "top=max(elbow.force_x)", "--measure", "turn=final(upper.angle)", "--out",  out};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // The exit status under mpirun; what was printed is in mpi.log.
  int on_ranks(int ranks, const Words& words) const {
    return std::system(command_on_ranks(folder_, ranks, words).c_str());
  }
};

TEST_F(SweepVerb, GivesWhatSingleRunsGive) {
  const CommandResult result = freeplay(study("out", {"--csv", "all.csv", "--json", "--workers", "2"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["runs"], 24);
  EXPECT_EQ(summary["without_measures"], 0);
  const std::string csv = read("all.csv");
  EXPECT_TRUE(csv.starts_with("speed,l,top,turn\n0,1,")) << csv.substr(0, 80);
  // The same numbers by `run`, whose model measures them itself and records everything.
  write("measured.yaml", kPendulum + "measure: {top: max(elbow.force_x), turn: final(upper.angle)}\n");
  for (const char* speed : {"0 rad/s", "1 rad/s"}) {
    const CommandResult run =
        freeplay({"run", "measured.yaml", "--set", std::string("speed=") + speed, "--set", "l=2m", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json measures = json::parse(run.out)["measures"];
    EXPECT_THAT(csv, HasSubstr(fmt::format("\n{},2,{},{}\n", speed[0], measures["top"].get<double>(),
                                           measures["turn"].get<double>())));
  }
}

TEST_F(SweepVerb, HasTheSameBytesWithTwoWorkersAndAfterAKill) {
  ASSERT_EQ(freeplay(study("one", {"--workers", "1", "--quiet"})).exit_code, 0);
  ASSERT_EQ(freeplay(study("two", {"--workers", "2", "--quiet"})).exit_code, 0);
  const std::string bytes = read("one/sweep.h5");
  EXPECT_TRUE(read("two/sweep.h5") == bytes);
  // Long enough to be killed with some rows on the disk, which come there every half a second.
  const Words slow = {"--set", "simulate.max_step=20us", "--workers", "1", "--quiet"};
  ASSERT_EQ(freeplay(study("whole", slow)).exit_code, 0);
  std::size_t rows = 1;
  for (const int signal : {SIGKILL, SIGINT}) {
    RunningCommand command(folder_, study("killed", slow));
    const auto rows_so_far = [&] { return exists("killed/sweep.h5") ? rows_of("killed/sweep.h5") : 0; };
    wait_until([&] { return rows_so_far() >= rows; });
    ASSERT_TRUE(command.is_running()) << "the study was over too soon to tell anything";
    command.send(signal);
    EXPECT_EQ(command.wait().exit_code, signal == SIGINT ? 130 : -1);
    rows = rows_so_far() + 1;
  }
  const CommandResult rest = freeplay(study("killed", {"--set", "simulate.max_step=20us", "--resume", "--json"}));
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_GE(json::parse(rest.out)["done_earlier"], 2);
  EXPECT_TRUE(read("killed/sweep.h5") == read("whole/sweep.h5"));
}

// The motion of a mass on a stiff spring is unstable with a step that is too long: the numbers of those runs are no
// better in a study.
TEST_F(SweepVerb, SaysHowManyRunsGaveWarnings) {
  write("spring.yaml",
        "freeplay: 1\nspace: planar\nparameters: {k: 1 N/m}\nbodies: {a: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: "
        "1 m}}}\nforces:\n  s: {type: spring, parent: ground, child: a, stiffness: k, free_length: 0.5 m}\n"
        "simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 5 ms}\n");
  const auto swept = [&](const Words& more) {
    Words words = {"sweep", "spring.yaml", "--over", "k=1N/m,2N/m,2e7N/m", "--measure", "x=final(a.x)"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = freeplay(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  EXPECT_THAT(swept({"--out", "told"}), HasSubstr("1 of 3 runs gave warnings, the first is run 2; 'freeplay view told "
                                                  "--run 2' shows which"));
  EXPECT_THAT(freeplay({"view", "told", "--run", "2"}).err, HasSubstr("too long for"));
  EXPECT_EQ(json::parse(swept({"--out", "in_json", "--json"}))["with_warnings"], 1);
  const Words strict = {"sweep", "spring.yaml", "--measure", "x=final(a.x)", "--strict", "--quiet"};
  const auto code_of = [&](const std::string& over, const std::string& out, const Words& more) {
    Words words = strict;
    words.insert(words.end(), {"--over", over, "--out", out});
    words.insert(words.end(), more.begin(), more.end());
    return freeplay(words).exit_code;
  };
  EXPECT_EQ(code_of("k=1N/m,2e7N/m", "strict", {}), 5);
  EXPECT_EQ(code_of("k=1N/m,2N/m", "good", {}), 0);
  // Compiled code would give none.
  EXPECT_EQ(code_of("k=1N/m,2e7N/m", "compiled", {"--backend", "compiled"}), 3);
  EXPECT_EQ(code_of("k=1N/m,2e7N/m", "auto", {"--backend", "auto"}), 5);
  EXPECT_EQ(freeplay({"resume", "strict", "--strict", "--quiet"}).exit_code, 5);
  EXPECT_EQ(freeplay({"resume", "strict", "--quiet"}).exit_code, 0);
}

TEST_F(SweepVerb, RefusesANameForAParameterAndAMeasure) {
  const CommandResult result = freeplay({"sweep", examples_dir() + "/slider_crank.yaml", "--over", "c=0.1mm,0.2mm",
                                         "--measure", "c=max(slider.x)", "--out", "no"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("'c' is the name of a parameter that varies and of a measure"));
  EXPECT_FALSE(exists("no"));
}

// One column of bricks, then twelve, whose first step takes minutes (see interrupt_test.cpp).
Words wall_study(const std::string& out, const Words& more) {
  Words words = {"sweep",     examples_dir() + "/wall_of_bricks.yaml",
                 "--set",     "rows=12",
                 "--set",     "simulate.solver_tolerance=1e-18 m/s",
                 "--set",     "duration=1 ms",
                 "--measure", "top=max(energy.total)",
                 "--workers", "1",
                 "--out",     out,
                 "--backend", "engine",
                 "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(SweepVerb, IsLeftWithItsRowsWithinAStepThatTakesMinutes) {
  RunningCommand command(folder_, wall_study("left", {"--over", "bricks=1,12"}));
  wait_until([&] { return exists("left/sweep.h5") && rows_of("left/sweep.h5") == 1; });
  command.send(SIGTERM);
  const CommandResult result = command.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err,
              HasSubstr("before the runs under way had ended: what the study has of its runs is in its file"));
  EXPECT_EQ(rows_of("left/sweep.h5"), 1u);
}

// The first run of a search is that of the model's own values.
TEST_F(SweepVerb, IsLeftWithinAStepThatTakesMinutesAlsoInASearch) {
  RunningCommand command(
      folder_, wall_study("searched", {"--set", "bricks=12", "--over", "speed=5m/s:6m/s", "--worst", "max:top"}));
  wait_until([&] { return command.cpu_seconds() > 2; });
  command.send(SIGTERM);
  const CommandResult result = command.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err,
              HasSubstr("before the runs under way had ended: what the study has of its runs is in its file"));
}

// The signal goes to rank 0 alone: the others would be waited for until their steps have ended.
TEST_F(SweepVerb, IsLeftWithItsRowsWithinAStepThatTakesMinutesOnOtherRanks) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  const std::string command =
      command_on_ranks(folder_, 2, wall_study("left-on-ranks", {"--over", "bricks=1,12,12,12"}));
  ASSERT_EQ(std::system(fmt::format("({}; echo $? > ended) &", command).c_str()), 0);
  wait_until(
      [&] { return exists("ended") || (exists("left-on-ranks/sweep.h5") && rows_of("left-on-ranks/sweep.h5") == 1); });
  ASSERT_FALSE(exists("ended")) << read("mpi.log");
  const std::string signal = fmt::format("pkill -TERM -o -f '^{} .*--out [l]eft-on-ranks '", command_path());
  EXPECT_EQ(std::system(signal.c_str()), 0);
  wait_until([&] { return exists("ended"); });
  EXPECT_THAT(read("mpi.log"),
              HasSubstr("before the runs under way had ended: what the study has of its runs is in its file"));
  EXPECT_EQ(rows_of("left-on-ranks/sweep.h5"), 1u);
}

TEST_F(SweepVerb, HasTheSameBytesOnAnyNumberOfRanks) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  ASSERT_EQ(freeplay(study("plain", {"--quiet"})).exit_code, 0);
  for (const int ranks : {1, 2, 3}) {
    const std::string out = fmt::format("ranks{}", ranks);
    EXPECT_EQ(on_ranks(ranks, study(out, {"--quiet"})), 0) << read("mpi.log");
    EXPECT_TRUE(read(out + "/sweep.h5") == read("plain/sweep.h5")) << ranks;
  }
}

// Each of them would write the same files.
TEST_F(SweepVerb, RefusesRanksForWhatIsTheWorkOfOne) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  EXPECT_NE(on_ranks(2, {"run", "pendulum.yaml", "--out", "twice"}), 0);
  EXPECT_THAT(read("mpi.log"), HasSubstr("mpirun has started 2 processes, and 'freeplay run' is the work of one"));
  EXPECT_FALSE(exists("twice"));
  EXPECT_EQ(on_ranks(1, {"run", "pendulum.yaml", "--out", "once"}), 0) << read("mpi.log");
}

TEST_F(SweepVerb, DrawsTheSameSamplesOnRanksAndSearchesInOneProcess) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  const auto drawn = [](const std::string& out, const Words& how) {
    Words words = {"sweep",  "pendulum.yaml",          "--over",    "speed=1 rad/s:2 rad/s",  "--over", "l=1m:2m",
                   "--set",  "simulate.duration=0.2s", "--measure", "top=max(elbow.force_x)", "--out",  out,
                   "--quiet"};
    words.insert(words.end(), how.begin(), how.end());
    return words;
  };
  for (const std::string how : {"sobol:4", "morris:3", "lhs:7"}) {
    ASSERT_EQ(freeplay(drawn(how, {"--sample", how})).exit_code, 0);
    for (const int ranks : {2, 3}) {
      const std::string out = fmt::format("{}_{}", how, ranks);
      EXPECT_EQ(on_ranks(ranks, drawn(out, {"--sample", how})), 0) << read("mpi.log");
      EXPECT_TRUE(read(out + "/sweep.h5") == read(how + "/sweep.h5")) << out;
    }
  }
  EXPECT_NE(on_ranks(2, drawn("worst", {"--worst", "max:top"})), 0);
  EXPECT_THAT(read("mpi.log"), HasSubstr("a search runs in one process"));
}

// A study with a section whose runs follow one another.
TEST_F(SweepVerb, FollowsWithTheSameBytesOnRanksAndAfterAKill) {
  const auto followed = [&](const std::string& out, const Words& more = {}) {
    Words words = {"sweep",
                   "pendulum.yaml",
                   "--over",
                   "speed=1 rad/s:2 rad/s:8",
                   "--over",
                   "l=1m,2m,3m",
                   "--follow",
                   "both",
                   "--point",
                   "omega=upper.omega",
                   "--point",
                   "angle=lower.angle",
                   "--out",
                   out,
                   "--quiet",
                   "--section",
                   "crossing(upper.angle)"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  ASSERT_EQ(freeplay(followed("plain", {"--workers", "1"})).exit_code, 0);
  const std::string bytes = read("plain/sweep.h5");
  EXPECT_EQ(rows_of("plain/sweep.h5"), 48U);
  ASSERT_EQ(freeplay(followed("two", {"--workers", "2"})).exit_code, 0);
  EXPECT_TRUE(read("two/sweep.h5") == bytes);
  // Half of the parts of a chain are on the disk when it is killed.
  const Words slow = {"--set", "simulate.max_step=50us", "--workers", "1"};
  ASSERT_EQ(freeplay(followed("whole", slow)).exit_code, 0);
  {
    RunningCommand command(folder_, followed("killed", slow));
    wait_until([&] { return exists("killed/sweep.h5") && rows_of("killed/sweep.h5") >= 2; });
    ASSERT_TRUE(command.is_running()) << "the study was over too soon to tell anything";
    command.send(SIGKILL);
    EXPECT_EQ(command.wait().exit_code, -1);
  }
  const CommandResult rest = freeplay({"resume", "killed", "--json"});
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_GE(json::parse(rest.out)["done_earlier"], 2);
  EXPECT_TRUE(read("killed/sweep.h5") == read("whole/sweep.h5"));
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  for (const int ranks : {1, 2, 3}) {
    const std::string out = fmt::format("ranks{}", ranks);
    EXPECT_EQ(on_ranks(ranks, followed(out)), 0) << read("mpi.log");
    EXPECT_TRUE(read(out + "/sweep.h5") == bytes) << ranks;
  }
}

TEST_F(SweepVerb, IsDescribedAndDrawn) {
  ASSERT_EQ(freeplay({"sweep", "pendulum.yaml", "--over", "speed=1 rad/s:2 rad/s:9", "--over", "l=1m:2m:10", "--set",
                      "simulate.duration=0.5s", "--section", "every(0.1s)", "--point", "omega=upper.omega", "--point",
                      "angle=upper.angle", "--measure", "top=max(elbow.force_x)", "--out", "out", "--quiet"})
                .exit_code,
            0);
  const json info = json::parse(freeplay({"info", "out", "--json"}).out);
  EXPECT_EQ(info["kind"], "study");
  EXPECT_EQ(info["runs"], 90);
  EXPECT_EQ(info["crossings"], 450);
  EXPECT_EQ(info["section"][1]["name"], "omega");
  const CommandResult text = freeplay({"info", "out"});
  EXPECT_THAT(text.out, HasSubstr("a study, complete"));
  EXPECT_THAT(text.out, HasSubstr("every(0.1s)"));
  std::filesystem::copy_file(folder_ / "out/sweep.h5", folder_ / "renamed.h5");
  EXPECT_THAT(freeplay({"info", "renamed.h5"}).err, HasSubstr("it is a study, or a share of one: name its folder"));
  for (const Words& words : {Words{"plot", "out"}, Words{"plot", "out", "top"}, Words{"plot", "out", "attractor"},
                             Words{"plot", "out", "omega", "--against", "angle"}}) {
    const CommandResult plot = freeplay(words);
    EXPECT_EQ(plot.exit_code, 0) << plot.err;
    EXPECT_THAT(read("out/sweep.svg"), HasSubstr("Two links"));
  }
  EXPECT_EQ(freeplay({"plot", "out", "tip"}).exit_code, 2);
}

TEST_F(SweepVerb, IsJoinedByPeriodicMotionsAndExponents) {
  write("driven.yaml", R"yaml(freeplay: 1
name: Driven
space: planar
parameters: {omega: 7 rad/s}
bodies: {m: {mass: 1 kg, inertia: 1 kg m^2}}
joints: {guide: {type: prismatic, parent: ground, axis: [1, 0], child: m}}
forces: {all: {type: force, on: m, value: [5 N*cos(omega*t) - 100 N/m*m.x - 2 N s/m*m.vx, 0 N]}}
simulate: {integrator: dopri5, tolerance: 1e-10, duration: 5 s}
)yaml");
  const CommandResult result = freeplay({"orbit", "driven.yaml", "--period", "2*pi/omega", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json orbit = json::parse(result.out);
  EXPECT_EQ(orbit["status"], "found");
  EXPECT_EQ(orbit["is_stable"], true);
  EXPECT_NEAR(orbit["largest_multiplier"], std::exp(-2 * M_PI / 7), 1e-5);  // damping/(2 m) = 1/s
  EXPECT_THAT(freeplay({"orbit", "driven.yaml", "--period", "2*pi/omega", "--set", "omega=8 rad/s"}).out,
              testing::AllOf(HasSubstr("Floquet multipliers"),
                             HasSubstr("next: freeplay run driven.yaml --set 'omega=8 rad/s'\n")));
  const CommandResult no_time = freeplay({"orbit", "driven.yaml", "--period", "1 m"});
  EXPECT_EQ(no_time.exit_code, 2);
  EXPECT_THAT(no_time.err, HasSubstr("--period '1 m': the period is not a time\n"));
  EXPECT_EQ(freeplay({"orbit", "driven.yaml", "--period", "1 s", "--settle", "1 m"}).exit_code, 2);
  const CommandResult exponents = freeplay(
      {"lyapunov", "driven.yaml", "--set", "simulate.duration=20s", "--transient", "3s", "--spectrum", "--json"});
  ASSERT_EQ(exponents.exit_code, 0) << exponents.err;
  const json rates = json::parse(exponents.out)["exponents"];
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_NEAR(rates[0].get<double>() + rates[1].get<double>(), -2, 1e-2);
  EXPECT_THAT(freeplay({"lyapunov", "driven.yaml", "--set", "simulate.duration=40s", "--transient", "10 s"}).out,
              testing::AllOf(HasSubstr("neighbours come together"),
                             HasSubstr("next: freeplay sweep driven.yaml --set simulate.duration=40s "
                                       "--lyapunov='10 s' --over NAME=VALUES\n")));
  const CommandResult parting =
      freeplay({"lyapunov", "driven.yaml", "--members", "3", "--set", "simulate.duration=40s", "--json"});
  ASSERT_EQ(parting.exit_code, 0) << parting.err;
  EXPECT_NEAR(json::parse(parting.out)["exponent"], -1, 0.1) << "a distance of positions swings within a period";
  EXPECT_EQ(freeplay({"lyapunov", "driven.yaml", "--apart", "1e-6"}).exit_code, 2) << "without --members";
  const CommandResult too_far = freeplay({"lyapunov", "driven.yaml", "--members", "3", "--apart", "1"});
  EXPECT_EQ(too_far.exit_code, 3);
  EXPECT_THAT(too_far.err, HasSubstr("--until: error: neighbours have parted before they begin"));
  EXPECT_THAT(freeplay({"lyapunov", "driven.yaml", "--members", "3", "--apart", "-1"}).err,
              HasSubstr("--apart: error: neighbours begin at no distance"));
  EXPECT_EQ(freeplay({"lyapunov", "driven.yaml", "--transient", "1m"}).exit_code, 2);
  EXPECT_EQ(freeplay({"lyapunov", "driven.yaml", "--interval", "1s"}).exit_code, 4) << "too few intervals";
  EXPECT_EQ(freeplay({"lyapunov", "driven.yaml", "--set", "simulate.integrator=moreau-midpoint", "--set",
                      "simulate.step=1ms"})
                .exit_code,
            3);
  // As a measure of a study: x'' + 2 x' + 100 x has multipliers of the size exp(-T) at every frequency.
  const CommandResult stability = freeplay({"sweep", "driven.yaml", "--over", "omega=6 rad/s,8 rad/s", "--orbit",
                                            "2*pi/omega", "--out", "stability", "--quiet"});
  ASSERT_EQ(stability.exit_code, 0) << stability.err;
  for (const SweepRow& row : read_sweep(folder_ / "stability/sweep.h5").rows) {
    ASSERT_EQ(row.values.size(), 3U);
    EXPECT_NEAR(row.values[1], std::exp(-2 * M_PI / row.values[0]), 1e-5);
    EXPECT_EQ(row.values[2], 0) << "impacts";
  }
  const CommandResult unreadable = freeplay({"sweep", "driven.yaml", "--over", "omega=6 rad/s", "--orbit", "1 m"});
  EXPECT_EQ(unreadable.exit_code, 3);
  EXPECT_THAT(unreadable.err, HasSubstr("--orbit: error: '1 m'"));
  const CommandResult none = freeplay({"orbit", "driven.yaml", "--period", "1 s", "--json"});
  EXPECT_EQ(none.exit_code, 4);
  EXPECT_EQ(json::parse(none.out)["status"], "not found");
  EXPECT_THAT(none.err, HasSubstr("no periodic motion"));
  const auto sweep_with = [&](const Words& more) {
    Words words = {"sweep", "driven.yaml", "--over", "omega=7 rad/s", "--orbit", "1 s", "--out", "none"};
    words.insert(words.end(), more.begin(), more.end());
    return freeplay(words);
  };
  const CommandResult nothing = sweep_with({});
  EXPECT_EQ(nothing.exit_code, 4);
  EXPECT_THAT(nothing.err, HasSubstr("no periodic motion was found"));
  std::filesystem::remove_all(folder_ / "none");
  const CommandResult place = sweep_with({"--measure", "place=final(m.x)"});
  EXPECT_EQ(place.exit_code, 0) << place.err;
  EXPECT_THAT(place.out, HasSubstr("1 run without measures of an orbit, the first is run 0: no periodic motion"));
  const SweepTable kept = read_sweep(folder_ / "none/sweep.h5");
  ASSERT_EQ(kept.rows.size(), 1U);
  EXPECT_TRUE(std::isfinite(kept.rows[0].values[1]));
  EXPECT_TRUE(std::isnan(kept.rows[0].values[2]));
  EXPECT_THAT(kept.rows[0].message, HasSubstr("no periodic motion was found"));
}

TEST_F(SweepVerb, TakesTheMeasuresOfTheModel) {
  write("measured.yaml", kPendulum + "measure: {turn: final(upper.angle)}\n");
  const CommandResult result = freeplay({"sweep", "measured.yaml", "--over", "l=1m,2m", "--csv", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("l,turn\n1,")) << result.out;
  EXPECT_TRUE(exists("results/measured_sweep/sweep.h5"));
}

TEST_F(SweepVerb, TellsOfMistakesWithExitCode3) {
  const auto told = [&](const std::string& over, const std::string& measure) {
    const CommandResult result =
        freeplay({"sweep", "pendulum.yaml", "--over", over, "--measure", measure, "--out", "no"});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_FALSE(exists("no"));
    return result.err;
  };
  EXPECT_THAT(told("sped=0:1:3", "a=final(upper.angle)"), HasSubstr("did you mean 'speed'"));
  EXPECT_THAT(told("speed=0:1:0", "a=final(upper.angle)"), HasSubstr("the range is empty"));
  EXPECT_THAT(told("speed=0:1 rad/s:3", "a=final(upper.angel)"), HasSubstr("upper.angel"));
}

TEST_F(SweepVerb, RefusesTheFolderOfAnotherStudy) {
  ASSERT_EQ(freeplay(study("out", {"--quiet"})).exit_code, 0);
  const CommandResult other = freeplay(study("out", {"--set", "m=3kg"}));
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("holds another study"));
  EXPECT_THAT(other.err, HasSubstr("m=3kg"));
  const CommandResult none = freeplay(study("empty", {"--resume"}));
  EXPECT_EQ(none.exit_code, 6);
  EXPECT_THAT(none.err, HasSubstr("to go on with"));
}

// /dev/full takes nothing; a folder that cannot be made stands for a disk that is full before the first byte.
TEST_F(SweepVerb, TellsWhereItCannotWrite) {
  write("file", "");
  EXPECT_EQ(freeplay(study("file/out")).exit_code, 6);
  EXPECT_EQ(freeplay(study("out", {"--csv", "/dev/full"})).exit_code, 6);
}

TEST_F(SweepVerb, FailsIfNoRunHasMeasures) {
  const Words words = {"sweep", "pendulum.yaml", "--over", "m=-1kg,-2kg", "--measure", "turn=final(upper.angle)"};
  Words quiet = words;
  quiet.insert(quiet.end(), {"--quiet", "--out", "quiet"});
  const CommandResult result = freeplay(quiet);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("none of the 2 runs has measures; run 0: "));
  Words as_json = words;
  as_json.insert(as_json.end(), {"--json", "--out", "json"});
  EXPECT_EQ(json::parse(freeplay(as_json).out)["status"], "failed");
  const CommandResult some = freeplay(
      {"sweep", "pendulum.yaml", "--over", "m=-1kg,2kg", "--measure", "turn=final(upper.angle)", "--out", "some"});
  EXPECT_EQ(some.exit_code, 0) << some.err;
}

// The angle that a link turns by while it hangs in the horizontal plane is speed times 2 s, whatever its mass.
TEST_F(SweepVerb, TellsOnWhichParametersAMeasureDepends) {
  write("link.yaml", R"(freeplay: 1
space: planar
parameters: {m: 1 kg, speed: {normal: [2 rad/s, 0.1 rad/s]}}
bodies: {link: {mass: m, inertia: m*1m^2}}
joints: {pivot: {type: revolute, parent: ground, child: link, initial: {u: speed}}}
simulate: {duration: 2 s}
measure: {turn: final(link.angle)}
)");
  const Words sobol = {"sweep", "link.yaml", "--over", "m=1kg:2kg", "--sample", "sobol:300", "--out", "sobol"};
  const CommandResult shown = freeplay(sobol);
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("alone"));
  EXPECT_THAT(shown.out, HasSubstr("median"));
  Words again = sobol;
  again.push_back("--json");
  const json summary = json::parse(freeplay(again).out);
  EXPECT_EQ(summary["done_earlier"], 1200);
  const json turn = summary["sensitivity"]["turn"]["parameters"];
  EXPECT_NEAR(turn["speed"]["total"]["value"].get<double>(), 1, 0.2);
  EXPECT_NEAR(turn["m"]["total"]["value"].get<double>(), 0, 1e-9);
  EXPECT_NEAR(summary["distributions"]["turn"]["median"].get<double>(), 4, 0.02);
  EXPECT_THAT(freeplay({"info", "sobol"}).out, testing::AllOf(HasSubstr("alone"), HasSubstr("median")));
  EXPECT_EQ(json::parse(freeplay({"info", "sobol", "--json"}).out)["sensitivity"], summary["sensitivity"]);
  EXPECT_EQ(freeplay({"plot", "sobol"}).exit_code, 0);
  EXPECT_THAT(read("sobol/sweep.svg"), HasSubstr("alone (first order)"));
  ASSERT_EQ(freeplay({"sweep", "link.yaml", "--sample", "lhs:40", "--out", "lhs", "--quiet"}).exit_code, 0);
  EXPECT_EQ(freeplay({"plot", "lhs"}).exit_code, 0);
  EXPECT_THAT(read("lhs/sweep.svg"), HasSubstr("share of the runs"));
}

// The ball falls from 1 m less its radius; the worst speed is that from the largest height.
TEST_F(SweepVerb, FindsTheWorstCaseAndGoesOnWithTheSearch) {
  const Words search = {"sweep",   "ball.yaml",         "--over",    "bodies.ball.initial.y=0.5m:2m",
                        "--set",   "simulate.step=1ms", "--measure", "speed=max(abs(ball.vy))",
                        "--worst", "max:speed",         "--out",     "worst"};
  const CommandResult shown = freeplay(search);
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("an end of its range"));
  const CommandResult resumed = freeplay({"resume", "worst", "--json"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const json summary = json::parse(resumed.out);
  EXPECT_EQ(summary["done_earlier"], summary["runs"]);
  EXPECT_NEAR(summary["worst"]["value"].get<double>(), std::sqrt(2 * 9.81 * 1.9), 0.02);
  EXPECT_EQ(summary["worst"]["parameters"]["bodies.ball.initial.y"]["value"], 2.0);
  EXPECT_THAT(freeplay({"info", "worst"}).out,
              testing::AllOf(HasSubstr("\"max:speed\""), HasSubstr("an end of its range")));
  EXPECT_EQ(json::parse(freeplay({"info", "worst", "--json"}).out)["worst"], summary["worst"]);
  Words typo = search;
  typo[9] = "max:sped";
  EXPECT_EQ(freeplay(typo).exit_code, 3);
}

TEST_F(SweepVerb, WritesAJobArrayWhoseSharesAreJoined) {
  ASSERT_EQ(freeplay(study("whole", {"--quiet"})).exit_code, 0);
  const CommandResult result = freeplay(study("jobs", {"--slurm=job.sh", "--tasks", "3"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read("job.sh"), HasSubstr("#SBATCH --array=0-2\n"));
  for (int task = 0; task < 3; ++task) {
    const std::string command =
        fmt::format("cd '{}' && SLURM_ARRAY_TASK_ID={} sh job.sh > job.log 2>&1", folder_.string(), task);
    EXPECT_EQ(std::system(command.c_str()), 0) << read("job.log");
  }
  const CommandResult joined = freeplay(study("jobs", {"--json"}));
  ASSERT_EQ(joined.exit_code, 0) << joined.err;
  EXPECT_EQ(json::parse(joined.out)["done_earlier"], 24);
  EXPECT_NE(read("jobs/sweep.h5"), "");
}

}  // namespace

}  // namespace freeplay::test
