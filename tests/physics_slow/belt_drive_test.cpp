// The belt of examples/belt_drive.yaml where it slips and where it does not: Eytelwein's formula, tensions, torque and
// creep in closed form.
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::belt_drive_test {
namespace {

constexpr double kDriver = 0.04, kDriven = 0.08, kDistance = 0.25, kMassPerLength = 0.8, kStiffness = 35e3;
constexpr double kLinks = 126, kFriction = 0.3, kLaidOn = 300, kSpeed = 100;

// The belt around its pulleys, as pins at equal distances on circles.
struct Belt {
  double slope = std::asin((kDriven - kDriver) / kDistance);
  double strand = kDistance * std::cos(slope);
  double driver_wrap = std::numbers::pi - 2 * slope, driven_wrap = std::numbers::pi + 2 * slope;
  double way = 2 * strand + kDriver * driver_wrap + kDriven * driven_wrap;
  double spacing = way / kLinks;
  double flying = kMassPerLength * std::pow(kSpeed * kDriver, 2);  // m v^2 per length, which presses on nothing

  // Angle from pin to pin, and the lever of a tension along the chords.
  double pin_angle(double radius) const { return spacing / radius; }
  double lever(double radius) const { return radius * std::sin(pin_angle(radius) / 2) / (pin_angle(radius) / 2); }
  // Over the wrap of the driver, pin by pin; exp(mu theta) in the limit.
  double slip_ratio() const {
    const double half = std::tan(pin_angle(kDriver) / 2);
    return std::pow((1 + kFriction * half) / (1 - kFriction * half), driver_wrap / pin_angle(kDriver));
  }
  // What the chords are shorter than their arcs takes off the tension.
  double mean_tension() const {
    const auto shorter = [&](double radius, double wrap) {
      return radius * wrap * (1 - 2 * std::sin(pin_angle(radius) / 2) / pin_angle(radius));
    };
    return kLaidOn - kStiffness * (shorter(kDriver, driver_wrap) + shorter(kDriven, driven_wrap)) / way;
  }
};

struct Means {
  double tight = 0, slack = 0, torque = 0, speed = 0;
};

Means means(const Overrides& overrides, double from_s) {
  const ModelRun run = run_example("belt_drive", overrides,
                                   {"tight.tension", "slack.tension", "motor.torque", "driven.omega", "energy.drift"});
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  // The measures of the example begin later than these runs end.
  for (const std::string& warning : run.summary.warnings)
    EXPECT_NE(warning.find("measure"), std::string::npos) << warning;
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-3);  // of the 7 J of the belt
  const auto mean = [&](const char* channel) {
    double sum = 0, count = 0;
    for (std::size_t row = 0; row < run.rows(); ++row) {
      if (run.time()[row] >= from_s) sum += run[channel][row], ++count;
    }
    return sum / count;
  };
  return {mean("tight.tension"), mean("slack.tension"), mean("motor.torque"), mean("driven.omega")};
}

// The driven pulley is held back: the belt slides on all of the small driver, which has the smaller wrap. Its length
// does not change, so the mean of the tension along it stays: T on the strands, T_c + (T1 - T2)/ln(ratio) on an arc
// where it slides, and on the driven pulley, where it slides over as large an arc, T2 before that.
TEST(BeltDrive, SlipsAtTheTensionsOfEytelwein) {
  const Belt belt;
  const Means found = means({"driven_speed=45", "simulate.duration=0.15 s"}, 0.1);
  const double ratio = belt.slip_ratio();
  EXPECT_NEAR(ratio, std::exp(kFriction * belt.driver_wrap), 5e-3 * ratio);
  EXPECT_NEAR((found.tight - belt.flying) / (found.slack - belt.flying), ratio, 0.01 * ratio);

  const double on_slip = (ratio - 1) / std::log(ratio);  // mean on a sliding arc, over T2 - T_c
  const double of_way = belt.strand * (1 + ratio) + kDriver * belt.driver_wrap * on_slip +
                        kDriven * (belt.driver_wrap * on_slip + belt.driven_wrap - belt.driver_wrap);
  const double slack = belt.flying + (belt.mean_tension() - belt.flying) * belt.way / of_way;
  const double tight = belt.flying + ratio * (slack - belt.flying);
  EXPECT_NEAR(found.slack, slack, 0.01 * slack);
  EXPECT_NEAR(found.tight, tight, 0.01 * tight);
  EXPECT_NEAR(found.torque, (tight - slack) * belt.lever(kDriver), 0.02 * found.torque);
  EXPECT_NEAR(found.torque, (found.tight - found.slack) * belt.lever(kDriver), 0.01 * found.torque);
}

// Below that the belt creeps: it carries the load with the difference of its tensions, and the driven pulley is slower
// by the stretch that the belt loses on the driver, and by what pins on chords make of the ratio of radii.
TEST(BeltDrive, CreepsUnderALoad) {
  const Belt belt;
  const Means found = means({"torque=5", "simulate.duration=0.2 s"}, 0.15);
  const double difference = found.tight - found.slack;
  EXPECT_NEAR(difference * belt.lever(kDriven), 5, 0.02 * 5);
  EXPECT_NEAR(found.torque, 5 * kDriver / kDriven, 0.02 * 2.5);
  const auto turn = [&](double radius) { return 2 * std::asin(belt.spacing / (2 * radius)); };
  const double without_creep = kSpeed * turn(kDriven) / turn(kDriver);
  EXPECT_NEAR(1 - found.speed / without_creep, difference / kStiffness, 0.1 * difference / kStiffness);
}

}  // namespace
}  // namespace freeplay::test::belt_drive_test
