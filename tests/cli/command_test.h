// Runs the built command as a user would: in a folder of its own, with its streams caught.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace freeplay::test {

struct CommandResult {
  int exit_code = -1;  // or -1 if a signal ended it
  int signal = 0;
  std::string out, err;
};

// A running command. Its streams go to files, so that it never waits for a reader.
class RunningCommand {
 public:
  enum class Stderr { kFile, kTerminal };

  RunningCommand(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                 Stderr kind = Stderr::kFile);
  ~RunningCommand();  // kills what still runs
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  void send(int signal) const;
  pid_t id() const { return pid_; }
  double cpu_seconds() const;  // used so far
  bool is_running();
  CommandResult wait();
  // What it has written to the terminal so far.
  const std::string& terminal_text();

 private:
  std::filesystem::path out_, err_;
  pid_t pid_ = -1;
  int terminal_ = -1;  // our end of the pseudo-terminal
  int status_ = 0;
  bool has_ended_ = false;
  std::string terminal_text_;
};

// Each test has an empty folder; relative paths are relative to it.
class CommandTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  CommandResult freeplay(const std::vector<std::string>& arguments) const;
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  // Until the condition holds; fails the test after 60 s.
  template <class Condition>
  void wait_until(Condition condition) const;

  std::filesystem::path folder_;
};

void sleep_briefly();
bool is_patient(int rounds);  // false after about a minute of sleep_briefly()

template <class Condition>
void CommandTest::wait_until(Condition condition) const {
  for (int rounds = 0; !condition(); ++rounds) {
    ASSERT_TRUE(is_patient(rounds)) << "the condition never came true";
    sleep_briefly();
  }
}

// ---- Models ------------------------------------------------------------------------------------------------------

inline const std::string kPendulum = R"(freeplay: 1
name: Two links
space: planar
parameters: {l: 1 m, m: 2 kg, speed: 90 deg/s, law: {word: hertz}}
gravity: [0, -9.81 m/s^2]
bodies:
  upper: {mass: m, inertia: m*l^2/12}
  lower: {mass: m, inertia: m*l^2/12}
joints:
  shoulder: {type: revolute, parent: ground, child: upper, at_child: [-l/2, 0], initial: {u: speed}}
  elbow: {type: revolute, parent: upper, at_parent: [l/2, 0], child: lower, at_child: [-l/2, 0]}
simulate: {duration: 2 s}
)";

// The same in minimal coordinates. Takes long enough to be interrupted.
inline const std::string kLongRun = R"(freeplay: 1
name: A long run
system: double_pendulum
parameters: {omega1: 3 rad/s}
simulate: {duration: 1e6 s}
record: [upper.angle, lower.angle, energy.total]
)";

// Four parallel axes: a planar mechanism in space, so three rows of the closing joint say nothing new. `ball` is free.
inline const std::string kParallelogram = R"(freeplay: 1
name: Parallelogram in space
reference: A. Author (2001), figure 3
space: spatial
parameters: {a: 100 mm, b: 300 mm, J: "1e-3 kg m^2"}
gravity: [0, -9.81 m/s^2, 0]
bodies:
  crank: {mass: 1 kg, inertia: [J, J, J]}
  rod: {mass: 1 kg, inertia: [J, J, J], initial: {y: a}}
  rocker: {mass: 1 kg, inertia: [J, J, J]}
  ball: {mass: 1 kg, inertia: [J, J, J], initial: {x: 1 m}}
joints:
  p1: {type: revolute, parent: ground, child: crank, at_child: [0, -a/2, 0]}
  p2: {type: revolute, parent: crank, at_parent: [0, a/2, 0], child: rod, at_child: [-b/2, 0, 0]}
  p3: {type: revolute, parent: rod, at_parent: [b/2, 0, 0], child: rocker, at_child: [0, a/2, 0]}
  p4: {type: revolute, parent: rocker, at_parent: [0, -a/2, 0], child: ground, at_child: [b, 0, 0]}
drivers: {motor: {on: p1, motion: "2*pi*1Hz*t"}}
simulate: {duration: 0.1 s, step: 1 ms}
)";

inline const std::string kBallOnFloor = R"(freeplay: 1
name: A ball on the floor
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: 1 m}, shapes: {skin: {type: circle, radius: 100 mm}}}
ground: {shapes: {floor: {type: line, at: [0, 0], normal: [0, 1]}}}
contacts:
  bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: 0.7, friction: 0.3}
simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 3 s}
record: [ball.y, bounce.gap]
)";

}  // namespace freeplay::test
