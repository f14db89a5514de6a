// Tables in model files: functions of expressions, tables in the place of an expression, what is refused about them.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "freeplay/io/model/model_build.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "model_test_support.h"

namespace freeplay::test::model_table_test {
namespace {

using testing::HasSubstr;

constexpr const char* kDrive =
    "# measured\ntime [ms], torque [N m], speed [rpm], angle [deg]\n0, 0, 60, 0\n500, 2, 30, 1\n1000, 0, 60, 2\n";

class ModelTable : public testing::Test {
 protected:
  // A wheel of 0.5 kg m^2 about the origin.
  static std::string text(const std::string& functions, const std::string& driver) {
    return "freeplay: 1\nspace: planar\n" + functions +
           "bodies: {wheel: {mass: 1 kg, inertia: 0.5 kg m^2}}\n"
           "joints: {pin: {type: revolute, parent: ground, child: wheel}}\n"
           "drivers: {motor: {on: pin, " +
           driver + "}}\nsimulate: {integrator: dopri5, duration: 1 s, tolerance: 1e-10}\n";
  }
  ModelFile load(const std::string& model) const { return load_model(folder_.write("model.yaml", model)); }
  double final_of(const std::string& model, const std::string& channel) const {
    const ModelFile file = load(model);
    const auto built = build_model(file);
    const auto simulation = build_simulation(file, built);
    MemorySink sink;
    simulation->run(sink, RunContext());
    return sink.channel(channel).back();
  }
  void expect_mistake(const std::string& model, const std::string& path, const std::string& message) const {
    try {
      load(model);
      ADD_FAILURE() << "accepted: " << model;
    } catch (const ModelError& error) {
      const Diagnostic& found = error.diagnostics().front();
      EXPECT_EQ(found.path, path);
      EXPECT_THAT(found.message, HasSubstr(message));
      EXPECT_FALSE(found.hint.empty());
      EXPECT_GT(found.mark.line, 1);
    }
  }

  ScratchFolder folder_;
};

// The speed is the integral of the torque over the inertia: a triangle of 2 N m over 1 s is 1 N m s.
TEST_F(ModelTable, ATorqueFromAFileTurnsAWheel) {
  folder_.write("drive.csv", kDrive);
  const std::string functions = "functions: {drive: {table: {file: drive.csv, x: time, y: torque}}}\n";
  EXPECT_NEAR(final_of(text(functions, "torque: drive(t)"), "wheel.omega"), 2, 1e-8);
  EXPECT_NEAR(final_of(text(functions, "torque: 3*drive(t/2)"), "wheel.omega"), 6, 1e-8);
  EXPECT_NEAR(final_of(text("", "torque: {table: {file: drive.csv, x: time, y: torque}}"), "wheel.omega"), 2, 1e-8);
}

// Without a unit in the file the place of the table says it.
TEST_F(ModelTable, AColumnWithoutAUnitIsInSiUnits) {
  folder_.write("plain.csv", "time;torque\n0;0\n0.5;2\n1;0\n");
  EXPECT_NEAR(final_of(text("", "torque: {table: {file: plain.csv, x: time, y: torque}}"), "wheel.omega"), 2, 1e-8);
  folder_.write("bare.csv", "0\t0\n0.5\t2\n1\t0\n");
  EXPECT_NEAR(final_of(text("", "torque: {table: {file: bare.csv}}"), "wheel.omega"), 2, 1e-8);
  const std::string in_ms = "torque: {table: {file: bare.csv, x_unit: s, y_unit: kN mm}}";
  EXPECT_NEAR(final_of(text("", in_ms), "wheel.omega"), 2, 1e-8);
}

// A constant 1 N m from 1 s/4 on.
TEST_F(ModelTable, ValuesHoldUntilTheNextSample) {
  const std::string driver = "torque: {table: {points: [[0 s, 0], [0.25 s, 1 N m], [0.75 s, 0]], interpolation: hold}}";
  EXPECT_NEAR(final_of(text("", driver), "wheel.omega"), 1, 1e-5);
}

// A spring by a table of the angle: k = 4 N m/rad gives the angle cos(sqrt(8) t) rad/10.
TEST_F(ModelTable, ATableMayBeAFunctionOfAChannel) {
  std::string model = text("", "torque: {table: {points: [[-1 rad, 4 N m], [1 rad, -4 N m]]}, of: wheel.angle}");
  model.replace(model.find("child: wheel"), 12, "child: wheel, initial: {q: 0.1 rad}");
  EXPECT_NEAR(final_of(model, "wheel.angle"), 0.1 * std::cos(std::sqrt(8.0)), 1e-8);
}

TEST_F(ModelTable, AMotionFollowsACubicTable) {
  std::string csv = "time [s], angle [deg]\n";
  for (int i = 0; i <= 100; ++i) {
    const double t = i / 100.0;
    csv += std::to_string(t) + "," + std::to_string(90 * t * t * t) + "\n";
  }
  folder_.write("motion.csv", csv);
  const std::string driver = "motion: {table: {file: motion.csv, x: time, y: angle, interpolation: cubic}}";
  EXPECT_NEAR(final_of(text("", driver), "wheel.angle"), std::numbers::pi / 2, 1e-9);
}

TEST_F(ModelTable, WrongTablesAreNamed) {
  const auto inline_table = [](const std::string& table) { return text("", "torque: {table: {" + table + "}}"); };
  const std::string driver = "drivers.motor.torque.table";
  folder_.write("drive.csv", kDrive);
  folder_.write("unsorted.csv", "time,torque\n0,0\n2,1\n1,2\n");
  folder_.write("nan.csv", "time,torque\n0,0\n1,nan\n2,1\n");
  folder_.write("words.csv", "time,torque\n0,0\n1,much\n");
  folder_.write("short.csv", "time,torque\n0,0\n1\n");
  folder_.write("empty.csv", "");
  expect_mistake(inline_table("file: unsorted.csv"), driver + ".file", "line 4 of the file");
  expect_mistake(inline_table("file: unsorted.csv, x: tine, y: torque"), driver + ".x", "no column 'tine'");
  folder_.write("twice.csv", "time, torque, torque\n0, 1, 2\n1, 2, 3\n");
  folder_.write("one.csv", "time\n0\n1\n");
  expect_mistake(inline_table("file: twice.csv, x: time, y: torque"), driver + ".y", "several columns 'torque'");
  expect_mistake(inline_table("file: one.csv"), driver + ".y", "no column");
  const std::string columns = ", x: time, y: torque";
  expect_mistake(inline_table("file: unsorted.csv" + columns), driver + ".file", "line 4 of the file");
  expect_mistake(inline_table("file: nan.csv" + columns), driver + ".file", "not a finite number (line 3");
  expect_mistake(inline_table("file: words.csv" + columns), driver + ".file", "line 3: 'much' is not a number");
  expect_mistake(inline_table("file: short.csv" + columns), driver + ".file", "line 3 has 1 values");
  expect_mistake(inline_table("file: empty.csv" + columns), driver + ".file", "empty");
  expect_mistake(inline_table("file: none.csv" + columns), driver + ".file", "cannot be found");
  expect_mistake(inline_table("file: ../drive.csv" + columns), driver + ".file", "");
  expect_mistake(inline_table("file: /etc/hostname" + columns), driver + ".file", "outside");
  expect_mistake(inline_table("file: drive.csv, x: time, y: speed"), driver + ".y", "but a torque");
  expect_mistake(inline_table("file: drive.csv, x: angle, y: torque"), driver + ".x", "not of a time");
  expect_mistake(inline_table("x: time"), driver, "either 'file' or 'points'");
  expect_mistake(inline_table("points: [[0 s, 1 N m], [1 m, 2 N m]]"), driver + ".points[1][0]", "is a length");
  expect_mistake(inline_table("points: [[0 s, 1 N m]]"), driver + ".points", "two at least");
  expect_mistake(inline_table("file: drive.csv, interpolation: spline"), driver + ".interpolation", "spline");
}

TEST_F(ModelTable, WrongFunctionsAreNamed) {
  folder_.write("drive.csv", kDrive);
  folder_.write("plain.csv", "time,torque\n0,0\n1,1\n");
  const auto with = [](const std::string& name, const std::string& table, const std::string& use) {
    return text("functions: {" + name + ": {table: {" + table + "}}}\n", "torque: " + use);
  };
  const std::string good = "file: drive.csv, x: time, y: torque";
  expect_mistake(with("sin", good, "0"), "functions.sin", "already");
  expect_mistake(with("9lives", good, "0"), "functions.9lives", "cannot be the name");
  expect_mistake(with("f", "file: plain.csv, x: time, y: torque", "f(t)"), "functions.f.table.x", "has no unit");
  expect_mistake(with("f", good, "f(wheel.angle)"), "drivers.motor.torque", "the argument of `f`");
  expect_mistake(with("f", good, "'f(t, t)'"), "drivers.motor.torque", "takes 1 argument");
  expect_mistake(with("f", good, "ff(t)"), "drivers.motor.torque", "unknown function");
}

}  // namespace
}  // namespace freeplay::test::model_table_test
