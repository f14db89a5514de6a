// Calibration: least squares by closed forms, and parameters recovered from noisy runs.
#include "freeplay/study/fit/fit.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/math/philox.h"
#include "freeplay/math/quantities/distribution.h"
#include "freeplay/study/fit/fit_data.h"

namespace freeplay::test::fit_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
constexpr double kEndless = std::numeric_limits<double>::infinity();

double noise(std::uint64_t seed, std::uint64_t index) {
  return Distribution::normal(0, 1).quantile(std::max(1e-12, random_number(seed, 77, index)));
}

LeastSquaresOptions free_options(const VecX& start) {
  LeastSquaresOptions options;
  options.start = start;
  options.low = VecX::Constant(start.size(), -kEndless);
  options.high = VecX::Constant(start.size(), kEndless);
  options.scale = VecX::Ones(start.size());
  return options;
}

ResidualFunction each(const std::function<VecX(const VecX&)>& f) {
  return [f](const std::vector<VecX>& points) -> std::optional<std::vector<VecX>> {
    std::vector<VecX> all;
    for (const VecX& point : points) all.push_back(f(point));
    return all;
  };
}

// Rosenbrock's valley as residuals 10 (y - x^2), 1 - x.
TEST(LeastSquares, FindsTheEndOfRosenbrocksValley) {
  const auto valley = [](const VecX& p) { return VecX(Vec2(10 * (p[1] - p[0] * p[0]), 1 - p[0])); };
  const LeastSquares fit = fit_least_squares(free_options(Vec2(-1.2, 1)), each(valley));
  EXPECT_EQ(fit.end, LeastSquares::End::kConverged);
  EXPECT_NEAR(fit.point[0], 1, 1e-5);
  EXPECT_NEAR(fit.point[1], 1, 1e-5);
  EXPECT_NEAR(fit.jacobian(0, 0), -20, 1e-3);
}

TEST(LeastSquares, StopsAtABoundWhereTheOthersAreStillFree) {
  const auto plane = [](const VecX& p) { return VecX(Vec2(p[0] - 3, p[1] + p[0] - 7)); };
  LeastSquaresOptions options = free_options(Vec2(0, 0));
  options.high[0] = 2;
  const LeastSquares fit = fit_least_squares(options, each(plane));
  EXPECT_EQ(fit.end, LeastSquares::End::kConverged);
  EXPECT_EQ(fit.point[0], 2);
  EXPECT_NEAR(fit.point[1], 5, 1e-6);
}

// y = a (1 - exp(-b t)): the two are correlated, and the first steps from far away would leave the box. Cut off one by
// one at its bounds they promise something; cut off together they did not, and a start counted as the answer.
TEST(LeastSquares, DoesNotTakeACornerOfTheBoxForTheAnswer) {
  constexpr double kA = 0.954, kB = 1.734;
  const auto growth = [](double a, double b, double t) { return a * (1 - std::exp(-b * t)); };
  const auto residuals = [&](const VecX& p) {
    VecX r(20);
    for (Eigen::Index i = 0; i < r.size(); ++i) {
      const double t = 0.1 * static_cast<double>(i + 1);
      r[i] = growth(p[0], p[1], t) - growth(kA, kB, t);
    }
    return r;
  };
  LeastSquaresOptions options = free_options(Vec2(3.83, 0.122));
  options.low = VecX::Constant(2, 0.1);
  options.high = VecX::Constant(2, 4);
  const LeastSquares fit = fit_least_squares(options, each(residuals));
  EXPECT_EQ(fit.end, LeastSquares::End::kConverged);
  EXPECT_NEAR(fit.point[0], kA, 1e-4);
  EXPECT_NEAR(fit.point[1], kB, 1e-4);
}

// A run beyond the bound fails on both sides of the second parameter: no derivative, and none that is made up.
TEST(LeastSquares, HasNoDerivativesWhereAllNeighboursFail) {
  const ResidualFunction fails_beside = [](const std::vector<VecX>& points) -> std::optional<std::vector<VecX>> {
    std::vector<VecX> all;
    for (const VecX& p : points) all.push_back(p[1] == 0 ? VecX(Vec2(p[0] - 1, 1)) : VecX());
    return all;
  };
  const LeastSquares fit = fit_least_squares(free_options(Vec2(0, 0)), fails_beside);
  EXPECT_EQ(fit.end, LeastSquares::End::kNoDerivative);
  EXPECT_EQ(fit.jacobian.size(), 0);
}

// A straight line through n points: the textbook's standard errors s/sqrt(Sxx) and s sqrt(1/n + xbar^2/Sxx).
TEST(LeastSquares, HasTheStandardErrorsOfAStraightLine) {
  static constexpr int kCount = 40;
  const auto line = [](const VecX& p) {
    VecX r(kCount);
    for (int i = 0; i < kCount; ++i)
      r[i] = p[0] + p[1] * i - (2 + 0.5 * i + 0.3 * noise(1, static_cast<std::uint64_t>(i)));
    return r;
  };
  const LeastSquaresOptions options = free_options(Vec2(0, 0));
  const LeastSquares fit = fit_least_squares(options, each(line));
  const FitCovariance found = covariance_of(fit, options);
  const double mean = (kCount - 1) / 2.0, sxx = kCount * (kCount * kCount - 1.0) / 12;
  const double s = std::sqrt(fit.sum / (kCount - 2));
  EXPECT_EQ(found.degrees_of_freedom, kCount - 2);
  EXPECT_NEAR(std::sqrt(found.covariance(1, 1)), s / std::sqrt(sxx), 1e-6 * s);
  EXPECT_NEAR(std::sqrt(found.covariance(0, 0)), s * std::sqrt(1.0 / kCount + mean * mean / sxx), 1e-6 * s);
}

TEST(LeastSquares, TellsWhichParametersTheDataDoNotDetermine) {
  const auto sum_only = [](const VecX& p) { return VecX(Vec3(p[0] + p[1] - 1, 2 * (p[0] + p[1]) - 2.1, p[2] - 4)); };
  const LeastSquaresOptions options = free_options(Vec3(0, 0, 0));
  const FitCovariance found = covariance_of(fit_least_squares(options, each(sum_only)), options);
  EXPECT_THAT(found.is_determined, testing::ElementsAre(false, false, true));
}

TEST(LeastSquares, KnowsStudentsDistribution) {
  EXPECT_NEAR(student_bound_95(1), 12.706, 1e-3);
  EXPECT_NEAR(student_bound_95(5), 2.5706, 1e-3);  // tables
  EXPECT_NEAR(student_bound_95(10), 2.2281, 1e-4);
  EXPECT_NEAR(student_bound_95(30), 2.0423, 1e-4);
  EXPECT_NEAR(student_bound_95(100000), 1.96, 1e-4);
}

constexpr const char* kPendulumModel = R"(freeplay: 1
name: A pendulum
space: planar
parameters: {l: 0.6 m, m: 1 kg}
gravity: [0, -9.81 m/s^2]
bodies: {bob: {mass: m, inertia: 1e-3 kg m^2}}
joints: {pivot: {type: revolute, parent: ground, child: bob, at_child: [0, l], initial: {q: 0.01 rad}}}
simulate: {integrator: dopri5, duration: 6 s}
)";

constexpr const char* kBallModel = R"(freeplay: 1
name: A ball
space: planar
parameters: {h: 1 m, e: 0.8, radius: 20 mm}
gravity: [0, -9.81 m/s^2]
bodies:
  ball: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {y: h + radius}, shapes: {skin: {type: circle, radius: radius}}}
ground: {shapes: {floor: {type: line, at: [0, 0], normal: [0, 1]}}}
contacts:
  bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: e, friction: 0}
simulate: {integrator: event-driven, duration: 2 s, max_step: 5 ms}
)";

class ModelFitTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    plan_.model = folder_ / "model.yaml";
    plan_.data = folder_ / "data.csv";
    plan_.workers = 2;
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const fs::path& path, const std::string& text) const { std::ofstream(path) << text; }
  std::string mistake() const {
    try {
      fit_model(plan_, {});
    } catch (const ModelError& error) {
      return error.what();
    }
    return "none";
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     (std::string("fit_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  FitPlan plan_;
};

// Heights of a ball that falls from h and bounces with e, by its closed form: flights last 2 e^k v/g.
double height_of_ball(double t, double h, double e) {
  constexpr double g = 9.81;
  double v = std::sqrt(2 * g * h), start = v / g;
  if (t < start) return h - g * t * t / 2;
  for (;;) {
    v *= e;
    if (v < 1e-9) return 0;  // at rest, after infinitely many bounces
    if (t < start + 2 * v / g) return v * (t - start) - g * (t - start) * (t - start) / 2;
    start += 2 * v / g;
  }
}

// The data are the closed form with noise of 2 mm, 150 heights; the model is run. Of 20 sets of noise 19 intervals
// should contain the true value; 15 or fewer has a probability of 3e-4 for each parameter.
TEST_F(ModelFitTest, RecoversHeightAndRestitutionOfABouncingBallAndItsIntervalsCover) {
  write(plan_.model, kBallModel);
  plan_.parameters = {"h=0.5m:2m", "e=0:1"};
  int covers_h = 0, covers_e = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::string text = "time [s],ball.y [mm]\n";
    for (int i = 0; i < 150; ++i)
      text += fmt::format(
          "{},{}\n", 0.01 * i,
          1000 * (height_of_ball(0.01 * i, 1.1, 0.83) + 0.02) + 2 * noise(seed, static_cast<std::uint64_t>(i)));
    write(plan_.data, text);
    const FitResult result = fit_model(plan_, {});
    ASSERT_TRUE(result.is_converged()) << fit_word(result);
    const FittedParameter &h = result.parameters[0], &e = result.parameters[1];
    EXPECT_NEAR(h.value, 1.1, 5e-3);
    EXPECT_NEAR(e.value, 0.83, 5e-3);
    EXPECT_NEAR(result.series[0].rms, 2e-3, 4e-4);
    covers_h += h.low <= 1.1 && 1.1 <= h.high ? 1 : 0;
    covers_e += e.low <= 0.83 && 0.83 <= e.high ? 1 : 0;
  }
  EXPECT_GE(covers_h, 16);
  EXPECT_GE(covers_e, 16);
}

// Small swings: angle and speed of a pendulum, cos(w t) with w^2 = m g l/(m l^2 + J), in different units and with noise
// of different size, of which that of the angle is much smaller.
TEST_F(ModelFitTest, RecoversTheLengthOfAPendulumFromTwoColumns) {
  write(plan_.model, kPendulumModel);
  const double l = 0.5, w = std::sqrt(9.81 * l / (l * l + 1e-3));
  std::string text = "time;bob.omega [deg/s];pivot.q\n";
  for (int i = 0; i <= 200; ++i) {
    const double t = 0.025 * i;
    const auto index = static_cast<std::uint64_t>(2 * i);
    text += fmt::format("{};{};{}\n", t, (-0.01 * w * std::sin(w * t) + 5e-3 * noise(3, index)) * 180 / M_PI,
                        0.01 * std::cos(w * t) + 2e-5 * noise(3, index + 1));
  }
  write(plan_.data, text);
  plan_.parameters = {"l"};
  const FitResult result = fit_model(plan_, {});
  ASSERT_TRUE(result.is_converged()) << fit_word(result) << result.message;
  EXPECT_NEAR(result.parameters[0].value, l, 2e-4);
  EXPECT_LT(result.parameters[0].deviation, 1e-4);
  EXPECT_LE(std::abs(result.parameters[0].value - l), 3 * result.parameters[0].deviation + 1e-5)
      << "amplitude adds 2e-6";
  EXPECT_NEAR(result.series[0].rms, 5e-3, 1e-3);
  EXPECT_NEAR(result.series[1].rms, 2e-5, 4e-6);
  EXPECT_THAT(fit_csv(result), HasSubstr("time,bob.omega,bob.omega.fit,bob.omega.residual,pivot.q,"));
  EXPECT_EQ(make_fit_figure(result).panels.size(), 4U);
  EXPECT_EQ(fit_json(result)["status"], "converged");
}

TEST_F(ModelFitTest, TellsWhatTheDataDoNotDetermine) {
  write(plan_.model, kBallModel);
  std::string text = "time,ball.y\n";  // before the first impact nothing depends on the restitution
  for (int i = 0; i < 20; ++i) text += fmt::format("{},{}\n", 0.01 * i, height_of_ball(0.01 * i, 1.1, 0.83) + 0.02);
  write(plan_.data, text);
  plan_.parameters = {"h", "e=0:1"};
  const FitResult result = fit_model(plan_, {});
  EXPECT_TRUE(result.parameters[0].is_determined);
  EXPECT_NEAR(result.parameters[0].value, 1.1, 1e-6);
  EXPECT_FALSE(result.parameters[1].is_determined);
  EXPECT_TRUE(std::isnan(result.parameters[1].deviation));
  EXPECT_FALSE(result.is_undetermined());
  EXPECT_EQ(fit_json(result)["status"], "converged");
  plan_.parameters = {"e=0:1"};
  const FitResult nothing = fit_model(plan_, {});
  EXPECT_TRUE(nothing.is_undetermined());
  EXPECT_EQ(fit_json(nothing)["status"], "undetermined");
}

TEST_F(ModelFitTest, FindsAFarAnswerFromSeveralStarts) {
  write(plan_.model, kBallModel);
  std::string text = "time,ball.y\n";
  for (int i = 0; i < 190; ++i) text += fmt::format("{},{}\n", 0.01 * i, height_of_ball(0.01 * i, 0.6, 0.5) + 0.02);
  write(plan_.data, text);
  plan_.parameters = {"h=0.2m:3m", "e=0.1:0.95"};
  plan_.starts = 100;
  const FitResult result = fit_model(plan_, {});
  EXPECT_NEAR(result.parameters[0].value, 0.6, 1e-4);
  EXPECT_NEAR(result.parameters[1].value, 0.5, 1e-4);
}

constexpr const char* kWallsModel = R"(freeplay: 1
name: A ball between two walls
space: planar
parameters: {speed: 1 m/s}
bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 0.5 m, vx: speed}, shapes: {skin: {type: point}}}}
ground: {shapes: {left: {type: line, at: [0, 0], normal: [1, 0]}, right: {type: line, at: [1 m, 0], normal: [-1, 0]}}}
contacts:
  a: {between: [ball.skin, ground.left], impact: newton, restitution: 1, friction: 0}
  b: {between: [ball.skin, ground.right], impact: newton, restitution: 1, friction: 0}
simulate: {integrator: event-driven, duration: 10 s, max_step: 0.1 s}
)";

// The way of a ball between two walls that give everything back: a triangle of period 2 m/v.
double place_between_walls(double t, double v) {
  const double way = std::fmod(0.5 + v * t, 2);
  return way <= 1 ? way : 2 - way;
}

std::string walls_data(double noise_m) {
  std::string text = "time,ball.x\n";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("{},{}\n", 0.1 * i,
                        place_between_walls(0.1 * i, 1.7) + noise_m * noise(5, static_cast<std::uint64_t>(i)));
  return text;
}

// Two triangles of different periods agree in places, so that the sum of squares has a valley for about every 0.1 m/s.
// From 1 m/s a descent ends in one of them, with runs that are further from the data than their mean is.
TEST_F(ModelFitTest, AnswersWithTheBestOfManyMinima) {
  write(plan_.model, kWallsModel);
  write(plan_.data, walls_data(0));
  plan_.parameters = {"speed=0.5m/s:2.5m/s"};
  plan_.starts = 0;
  const FitResult one = fit_model(plan_, {});
  EXPECT_GT(one.minima.at(0).relative_error, 1);
  EXPECT_EQ(one.descents, 1);
  plan_.starts.reset();
  for (plan_.seed = 0; plan_.seed < 10; ++plan_.seed) {
    const FitResult best = fit_model(plan_, {});
    EXPECT_NEAR(best.parameters[0].value, 1.7, 1e-9) << plan_.seed;
    EXPECT_EQ(best.parameters[0].start, 1);
    EXPECT_TRUE(best.is_exact());
    EXPECT_STREQ(fit_word(best), "converged");
    EXPECT_NEAR(best.minima.back().relative_error, one.minima[0].relative_error, 1e-6) << "of the model's own value";
    EXPECT_EQ(fit_json(best)["minima"].size(), best.minima.size());
  }
  plan_.parameters = {"speed"};  // between half and twice of it
  EXPECT_NEAR(fit_model(plan_, {}).parameters[0].value, 1.7, 1e-9);
}

// With noise no fit is exact, so that three descents have to agree; the same ones on any number of threads.
TEST_F(ModelFitTest, GoesOnUntilDescentsAgreeAndHasTheSameBitsOnAnyNumberOfThreads) {
  write(plan_.model, kWallsModel);
  write(plan_.data, walls_data(0.02));
  plan_.parameters = {"speed=1m/s:2.5m/s"};
  plan_.starts = 60;
  std::vector<std::string> found;
  for (const int workers : {1, 2, 5}) {
    plan_.workers = workers;
    FitResult result = fit_model(plan_, {});
    EXPECT_NEAR(result.parameters[0].value, 1.7, 0.005);
    EXPECT_NEAR(result.series[0].rms, 0.02, 0.005);
    EXPECT_FALSE(result.is_lone_minimum());
    result.wall_seconds = 0;
    found.push_back(fit_json(result).dump());
  }
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}

// Ends as descents have them: (x, sum of squares of 100 residuals).
LeastSquares end_at(double x, double sum) {
  LeastSquares end;
  end.end = LeastSquares::End::kConverged;
  end.point = VecX::Constant(1, x);
  end.residuals = VecX::Constant(100, std::sqrt(sum / 100));
  end.jacobian = MatX::Ones(100, 1);
  end.sum = sum;
  return end;
}

TEST(FitMinima, AreEndsOfDescentsAtOnePlace) {
  const LeastSquaresOptions options = free_options(VecX::Zero(1));
  FitMinima minima(100);
  minima.add(end_at(3, 25), options);
  minima.add(end_at(1, 4), options);
  minima.add(end_at(1.005, 4.01), options);
  EXPECT_FALSE(minima.are_settled());
  minima.add(end_at(2, 4.04), options);  // as good, and elsewhere
  ASSERT_EQ(minima.list().size(), 3U);
  EXPECT_EQ(minima.list()[0].descents, 2);
  EXPECT_EQ(minima.list()[0].point[0], 1);
  EXPECT_DOUBLE_EQ(minima.list()[0].relative_error, 0.2);
  EXPECT_EQ(minima.list()[1].point[0], 2);
  EXPECT_DOUBLE_EQ(minima.list()[2].relative_error, 0.5);
  minima.add(end_at(0.999, 3.99), options);
  EXPECT_TRUE(minima.are_settled());
  EXPECT_EQ(minima.best().point[0], 0.999);
}

// Ends that are only where the iterations ran out do not agree on anything, and give way to one that is an end.
TEST(FitMinima, CountDescentsThatCameToTheirEnd) {
  const LeastSquaresOptions options = free_options(VecX::Zero(1));
  FitMinima minima(100);
  for (const double x : {1.0, 1.001, 1.002}) {
    LeastSquares end = end_at(x, 4 * (1 - 1e-8));
    end.end = LeastSquares::End::kTooManyIterations;
    minima.add(end, options);
  }
  EXPECT_FALSE(minima.are_settled());
  EXPECT_EQ(minima.list()[0].descents, 0);
  minima.add(end_at(1, 4), options);
  EXPECT_EQ(minima.best().end, LeastSquares::End::kConverged) << "of equal sums";
  EXPECT_EQ(minima.list()[0].descents, 1);
}

// A parameter that the data do not tell ends anywhere.
TEST(FitMinima, AreOneWhereverAParameterEndsThatTheDataDoNotTell) {
  const LeastSquaresOptions options = free_options(VecX::Zero(1));
  FitMinima minima(100);
  for (const double x : {1.0, 5.0, -3.0}) {
    LeastSquares end = end_at(x, 4);
    end.jacobian.setZero();
    minima.add(end, options);
  }
  EXPECT_EQ(minima.list().size(), 1U);
  EXPECT_TRUE(minima.are_settled());
}

TEST_F(ModelFitTest, TellsOfMistakesInDataAndParameters) {
  write(plan_.model, kBallModel);
  plan_.parameters = {"h"};
  const auto with = [&](const std::string& data) {
    write(plan_.data, data);
    return mistake();
  };
  const std::string good = "time,ball.y\n0,1\n0.1,1\n0.2,0.9\n";
  EXPECT_THAT(with("ball.y\n1\n2\n"), HasSubstr("no column 'time'"));
  EXPECT_THAT(with("time,ball.z\n0,1\n1,1\n"), HasSubstr("'ball.z' is no channel"));
  EXPECT_THAT(with("time,ball.y [kg]\n0,1\n1,1\n"), HasSubstr("[kg] is no unit"));
  EXPECT_THAT(with("time,ball.y\n0,1\n1,1\n0.5,2\n"), HasSubstr(":4:"));
  EXPECT_THAT(with("time,ball.y\n-1,1\n1,1\n"), HasSubstr("before the start"));
  EXPECT_THAT(with("time,ball.y\n0,1\n5,1\n"), HasSubstr("simulate.duration=5s"));
  EXPECT_THAT(with("time,ball.y\n0,x\n"), HasSubstr("data.csv"));
  EXPECT_THAT(with(""), HasSubstr("data.csv"));
  EXPECT_THAT(with("time,ball.y\n0,nan\n1,2\n"), HasSubstr("fewer than two numbers"));
  plan_.parameters = {"hh"};
  EXPECT_THAT(with(good), HasSubstr("no parameter 'hh'"));
  plan_.parameters = {"h=1m:1m"};
  EXPECT_THAT(with(good), HasSubstr("are no bounds"));
  plan_.parameters = {"h=1kg:2kg"};
  EXPECT_THAT(with(good), HasSubstr("--parameters: error: 'h=1kg:2kg': "));
  plan_.parameters = {"h=1m:2kg"};
  EXPECT_THAT(with(good), HasSubstr("--parameters: error: 'h=1m:2kg': "));
  plan_.parameters = {"h=0:2"};
  EXPECT_THAT(with(good), HasSubstr("--parameters: error: 'h=0:2': ")) << "2 is no length";
  plan_.parameters = {"h", "h"};
  EXPECT_THAT(with(good), HasSubstr("twice"));
  plan_.parameters = {"h", "e", "radius"};
  EXPECT_THAT(with(good), HasSubstr("3 numbers do not tell 3 parameters"));
  plan_.data = folder_ / "none.csv";
  EXPECT_THROW(fit_model(plan_, {}), IoError);
}

}  // namespace
}  // namespace freeplay::test::fit_test
