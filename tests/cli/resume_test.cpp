// `freeplay resume`: the result is that of a run without interruption, bit for bit.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "freeplay/io/result/result_reader.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

// All that a result holds but the wall time.
void expect_same_result(const std::filesystem::path& a, const std::filesystem::path& b) {
  const ResultReader one(a), two(b);
  ASSERT_EQ(one.rows(), two.rows());
  ASSERT_EQ(one.channels().size(), two.channels().size());
  const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
  };
  EXPECT_TRUE(same(one.read_time(), two.read_time()));
  for (const ChannelInfo& channel : one.channels())
    EXPECT_TRUE(same(one.read_channel(channel.name), two.read_channel(channel.name))) << channel.name;
  ASSERT_EQ(one.impact_count(), two.impact_count());
  for (std::size_t i = 0; i < one.impacts().size(); i += 7) {
    EXPECT_EQ(one.impacts()[i].time_s, two.impacts()[i].time_s);
    EXPECT_EQ(one.impacts()[i].normal_impulse, two.impacts()[i].normal_impulse);
  }
  const auto forces = [](const ResultReader& result) {
    std::vector<StoredContactForce> all(static_cast<std::size_t>(result.contact_force_count()));
    result.read_contact_forces(0, all);
    return all;
  };
  const std::vector<StoredContactForce> first = forces(one), second = forces(two);
  ASSERT_EQ(first.size(), second.size());
  EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof first[0]), 0) << "contact forces";
  EXPECT_EQ(one.summary()->steps, two.summary()->steps);
  EXPECT_EQ(one.summary()->energy_drift_J, two.summary()->energy_drift_J);
}

class ResumeVerb : public CommandTest {
 protected:
  // The ball bounces until it rests; with small steps that takes a few seconds of computing.
  void SetUp() override {
    CommandTest::SetUp();
    std::string model = kBallOnFloor + "measure: {top: max(ball.y), hits: count(bounce.impact)}\n";
    const std::string record = "record: [ball.y, bounce.gap]";
    model.replace(model.find(record), record.size(), "record: {channels: [ball.y, bounce.gap], contact_forces: 2}");
    write("ball.yaml", model);
  }
  std::vector<std::string> run(const std::string& out) const {
    return {"run", "ball.yaml", "--set", "simulate.step=2us", "--checkpoint", "0.05", "--out", out, "--quiet"};
  }
};

TEST_F(ResumeVerb, GoesOnAfterAnInterruptAndAfterAKill) {
  ASSERT_EQ(freeplay(run("whole")).exit_code, 0);
  for (const int signal : {SIGINT, SIGKILL}) {
    const std::string out = signal == SIGINT ? "stopped" : "killed";
    RunningCommand command(folder_, run(out));
    if (signal == SIGKILL)
      wait_until([&] { return exists(out + "/result.checkpoint"); });
    else
      wait_until([&] { return exists(out + "/result.h5"); });
    ASSERT_TRUE(command.is_running()) << "the run was over too soon to tell anything";
    command.send(signal);
    command.wait();
    ASSERT_NE(ResultReader(folder_ / out / "result.h5").status(), "completed");
    const CommandResult rest = freeplay({"resume", out, "--json"});
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_EQ(json::parse(rest.out)["status"], "completed");
    EXPECT_FALSE(exists(out + "/result.checkpoint"));
    expect_same_result(folder_ / "whole/result.h5", folder_ / out / "result.h5");
    EXPECT_EQ(ResultReader(folder_ / "whole/result.h5").summary()->measures[1].value,
              ResultReader(folder_ / out / "result.h5").summary()->measures[1].value);
  }
}

TEST_F(ResumeVerb, MakesARunLonger) {
  const auto with = [&](const std::string& duration, const std::string& out) {
    return freeplay({"run", "ball.yaml", "--set", "simulate.duration=" + duration, "--set", "simulate.force_window=1ms",
                     "--out", out, "--quiet"})
        .exit_code;
  };
  ASSERT_EQ(with("1s", "short"), 0);
  ASSERT_EQ(with("2s", "long"), 0);
  ASSERT_EQ(freeplay({"resume", "short", "--set", "simulate.duration=2s", "--quiet"}).exit_code, 0);
  expect_same_result(folder_ / "long/result.h5", folder_ / "short/result.h5");
}

// By default the window of forces is a thousandth of the duration here: the longer run goes on with the one it had.
TEST_F(ResumeVerb, MakesARunLongerWithTheWindowOfForcesThatItHad) {
  ASSERT_EQ(freeplay({"run", "ball.yaml", "--set", "simulate.duration=1s", "--out", "out", "--quiet"}).exit_code, 0);
  const std::string window = ResultReader(folder_ / "out/result.h5").attributes().at("force_window");
  for (const char* duration : {"1.5s", "2s"}) {
    const CommandResult longer =
        freeplay({"resume", "out", "--set", std::string("simulate.duration=") + duration, "--quiet"});
    ASSERT_EQ(longer.exit_code, 0) << longer.err;
    EXPECT_EQ(ResultReader(folder_ / "out/result.h5").attributes().at("force_window"), window);
  }
}

// Its longest step is a hundredth of the first duration, however often the end is moved: a row per step.
TEST_F(ResumeVerb, MakesAnEventDrivenRunLongerWithTheStepsThatItHad) {
  write("falling.yaml",
        "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
        "bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 1 m}, shapes: {skin: {type: point}}}}\n"
        "ground: {shapes: {floor: {type: line, at: [0, 0], normal: [0, 1]}}}\n"
        "contacts: {bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: 0.9}}\n"
        "simulate: {integrator: event-driven, duration: 0.5 s}\nrecord: [ball.y]\n");
  ASSERT_EQ(freeplay({"run", "falling.yaml", "--out", "out", "--quiet"}).exit_code, 0);
  for (const char* duration : {"1s", "2s"}) {
    ASSERT_EQ(freeplay({"resume", "out", "--set", std::string("simulate.duration=") + duration, "--quiet"}).exit_code,
              0);
    const std::vector<double> time_s = ResultReader(folder_ / "out/result.h5").read_time();
    double longest_s = 0;
    for (std::size_t i = 1; i < time_s.size(); ++i) longest_s = std::max(longest_s, time_s[i] - time_s[i - 1]);
    EXPECT_NEAR(longest_s, 5e-3, 1e-9) << duration;
  }
}

TEST_F(ResumeVerb, SaysWhatItCannotGoOnWith) {
  EXPECT_EQ(freeplay({"resume", "nowhere"}).exit_code, 6);
  ASSERT_EQ(freeplay({"run", "ball.yaml", "--out", "out", "--quiet"}).exit_code, 0);
  // What would make another run of it: the result stays as it is.
  for (const char* change : {"simulate.integrator=moreau-jean", "simulate.step=1us", "gravity=[0, -1 m/s^2]"}) {
    const CommandResult other = freeplay({"resume", "out", "--set", change});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("a run goes on as it was begun"));
    EXPECT_EQ(freeplay({"info", "out"}).exit_code, 0);
  }
}

// A kill while the rows of the earlier run are copied leaves that file beside the new one.
TEST_F(ResumeVerb, GoesOnAfterAKillWhileItCopied) {
  ASSERT_EQ(freeplay({"run", "ball.yaml", "--out", "out", "--quiet"}).exit_code, 0);
  ASSERT_EQ(freeplay({"run", "ball.yaml", "--out", "whole", "--quiet"}).exit_code, 0);
  std::filesystem::rename(folder_ / "out/result.h5", folder_ / "out/result.h5.earlier");
  std::ofstream(folder_ / "out/result.h5") << "half a file";
  ASSERT_EQ(freeplay({"resume", "out", "--quiet"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/result.h5.earlier"));
  expect_same_result(folder_ / "whole/result.h5", folder_ / "out/result.h5");
}

TEST_F(ResumeVerb, GoesOnWithAStudy) {
  const std::vector<std::string> study = {"sweep", "ball.yaml",          "--over",  "bodies.ball.initial.y=0.2m:2m:40",
                                          "--set", "simulate.step=20us", "--quiet", "--out"};
  const auto into = [&](const std::string& out) {
    std::vector<std::string> words = study;
    words.push_back(out);
    return words;
  };
  ASSERT_EQ(freeplay(into("whole")).exit_code, 0);
  RunningCommand command(folder_, into("cut"));
  wait_until([&] { return exists("cut/sweep.h5"); });
  ::usleep(300'000);
  command.send(SIGKILL);
  command.wait();
  const CommandResult rest = freeplay({"resume", "cut", "--json"});
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_EQ(json::parse(rest.out)["done"], 40);
  EXPECT_TRUE(read("cut/sweep.h5") == read("whole/sweep.h5"));
}

// What a model includes is kept in one text with it.
TEST_F(ResumeVerb, AModelThatIncludesOthersGoesOnWithoutTheirFiles) {
  write("part.yaml", "bodies:\n  m: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 0.3 m}}\n");
  write(
      "included.yaml",
      "freeplay: 1\nname: \"A 'mass' \\\\ on a spring\"\nspace: planar\ninclude: part.yaml\nparameters: {k: 100 N/m}\n"
      "joints: {guide: {type: prismatic, parent: ground, axis: [1, 0], child: m}}\n"
      "forces: {spring: {type: force, on: m, value: [-k*m.x, 0 N]}}\nsimulate: {integrator: dopri5, duration: 1 s}\n");
  const std::vector<std::string> study = {"sweep",     "included.yaml", "--over",  "k=50 N/m:100 N/m:9",
                                          "--measure", "top=max(m.x)",  "--quiet", "--out"};
  const auto studied = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = study;
    words.insert(words.end(), more.begin(), more.end());
    ASSERT_EQ(freeplay(words).exit_code, 0);
  };
  studied({"whole"});
  studied({"cut", "--part", "1/3"});
  std::filesystem::rename(folder_ / "cut/part-1-of-3.h5", folder_ / "cut/sweep.h5");
  const auto continued = [&](const std::string& run, const std::vector<std::string>& more) {
    for (const char* duration : {"1.5s", "2s"}) {
      std::vector<std::string> words = {"resume", run, "--set", std::string("simulate.duration=") + duration};
      words.insert(words.end(), more.begin(), more.end());
      const CommandResult result = freeplay(words);
      ASSERT_EQ(result.exit_code, 0) << result.err;
    }
  };
  for (const char* run : {"with", "without"})
    ASSERT_EQ(freeplay({"run", "included.yaml", "--out", run, "--quiet"}).exit_code, 0);
  continued("with", {"--model", "included.yaml"});
  std::filesystem::remove(folder_ / "part.yaml");
  const CommandResult rest = freeplay({"resume", "cut", "--json"});
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_EQ(json::parse(rest.out)["done_earlier"], 3);
  EXPECT_TRUE(read("cut/sweep.h5") == read("whole/sweep.h5"));
  EXPECT_EQ(freeplay({"view", "whole", "--run", "1"}).exit_code, 0);
  continued("without", {});
  const ResultReader resumed(folder_ / "without/result.h5"), expected_run(folder_ / "with/result.h5");
  for (const char* text : {"model", "resolved_model"})
    EXPECT_EQ(resumed.attributes().at(text), expected_run.attributes().at(text));
  ASSERT_GT(resumed.rows(), 0);
  double x = 0, expected = 0;
  resumed.read_channel("m.x", resumed.rows() - 1, {&x, 1});
  expected_run.read_channel("m.x", expected_run.rows() - 1, {&expected, 1});
  EXPECT_EQ(x, expected);
}

// Tables are not: where a model names one, it says what is missing, and goes on with it.
TEST_F(ResumeVerb, AModelThatNamesOtherFilesIsAskedFor) {
  write("push.csv", "time [s], push [N]\n0, 0\n1, 1\n");
  const std::string rest =
      "parameters: {k: 100 N/m}\njoints: {guide: {type: prismatic, parent: ground, axis: [1, 0], child: m}}\n"
      "simulate: {integrator: dopri5, duration: 1 s}\n";
  write("table.yaml", "freeplay: 1\nspace: planar\nbodies: {m: {mass: 1 kg, inertia: 1 kg m^2}}\n" + rest +
                          "functions: {push: {table: {file: push.csv, x: time, y: push}}}\n"
                          "forces: {all: {type: force, on: m, value: [push(t) - k*m.x, 0 N]}}\n");
  for (const std::string name : {"table"}) {
    const std::string model = name + ".yaml", study = name + "_study", run = name + "_run";
    ASSERT_EQ(freeplay({"sweep", model, "--over", "k=50 N/m:100 N/m:3", "--measure", "top=max(m.x)", "--out", study,
                        "--quiet"})
                  .exit_code,
              0);
    const std::string bytes = read(study + "/sweep.h5");
    ASSERT_EQ(freeplay({"run", model, "--out", run, "--quiet"}).exit_code, 0);
    const std::vector<std::vector<std::string>> asked = {
        {"resume", study}, {"resume", run, "--set", "simulate.duration=2s"}, {"view", study, "--run", "1"}};
    for (std::vector<std::string> words : asked) {
      const CommandResult without = freeplay(words);
      EXPECT_EQ(without.exit_code, 3) << name << " " << words[0];
      EXPECT_THAT(without.err, HasSubstr("names another file")) << name << " " << words[0];
      EXPECT_THAT(without.err, HasSubstr("--model FILE")) << name << " " << words[0];
      words.insert(words.end(), {"--model", model});
      const CommandResult with = freeplay(words);
      EXPECT_EQ(with.exit_code, 0) << name << " " << words[0] << with.err;
    }
    EXPECT_TRUE(read(study + "/sweep.h5") == bytes) << name;
  }
}

}  // namespace

}  // namespace freeplay::test
