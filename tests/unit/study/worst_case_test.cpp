// Searches for worst cases, whose answers are known.
#include "freeplay/study/sweep/worst_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "freeplay/core/error.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/study/search/box_search.h"

namespace freeplay::test::worst_case_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

BoxFunction each(const std::function<double(const BoxPoint&)>& f) {
  return [f](const std::vector<BoxPoint>& points) {
    std::vector<double> values;
    for (const BoxPoint& point : points) values.push_back(f(point));
    return values;
  };
}

BoxSearchOptions from_the_middle(std::size_t count) {
  BoxSearchOptions options;
  options.nominal.assign(count, 0.5);
  return options;
}

TEST(BoxSearch, FindsAMaximumInside) {
  const auto hill = [](const BoxPoint& x) {
    return -std::pow(x[0] - 0.37, 2) - 10 * std::pow(x[1] - 0.81, 2) - std::pow(x[0] - 0.37 + x[1] - 0.81, 2);
  };
  const BoxOptimum found = search_box(from_the_middle(2), each(hill));
  EXPECT_TRUE(found.is_converged);
  EXPECT_NEAR(found.point[0], 0.37, 2e-4);
  EXPECT_NEAR(found.point[1], 0.81, 2e-4);
  EXPECT_LT(found.points, 400);
}

TEST(BoxSearch, FindsACornerExactly) {
  const auto slope = [](const BoxPoint& x) { return x[0] - 2 * x[1] + 3 * x[2] - x[3]; };
  const BoxOptimum found = search_box(from_the_middle(4), each(slope));
  EXPECT_EQ(found.point, (BoxPoint{1, 0, 1, 0}));
  EXPECT_EQ(found.value, 4);
  EXPECT_TRUE(found.is_converged);
}

// Two hills of different heights, the lower one at the nominal point.
TEST(BoxSearch, LeavesTheLowerOfTwoHills) {
  const auto hills = [](const BoxPoint& x) {
    const auto hill = [&](double a, double b) {
      return std::exp(-40 * (std::pow(x[0] - a, 2) + std::pow(x[1] - b, 2)));
    };
    return hill(0.5, 0.5) + 1.5 * hill(0.15, 0.2);
  };
  const BoxOptimum found = search_box(from_the_middle(2), each(hills));
  EXPECT_NEAR(found.point[0], 0.15, 1e-3);
  EXPECT_NEAR(found.point[1], 0.2, 1e-3);
}

TEST(BoxSearch, TakesTwelveParametersOnWhichNoGridFits) {
  const auto sum = [](const BoxPoint& x) {
    double value = 0;
    for (std::size_t k = 0; k < x.size(); ++k) value += k % 2 == 0 ? x[k] : -std::pow(x[k] - 0.3, 2);
    return value;
  };
  BoxSearchOptions options = from_the_middle(12);
  options.most_points = 5000;
  EXPECT_NEAR(search_box(options, each(sum)).value, 6, 1e-6);
}

TEST(BoxSearch, PassesOverPointsWithoutAValueAndKeepsToItsPoints) {
  const auto hole = [](const BoxPoint& x) { return x[0] > 0.6 ? NAN : x[0]; };
  EXPECT_NEAR(search_box(from_the_middle(1), each(hole)).value, 0.6, 1e-4);
  EXPECT_TRUE(search_box(from_the_middle(1), each([](const BoxPoint&) { return NAN; })).point.empty());
  BoxSearchOptions few = from_the_middle(3);
  few.most_points = 30;
  const BoxOptimum cut = search_box(few, each([](const BoxPoint& x) { return x[0]; }));
  EXPECT_EQ(cut.points, 30);
  EXPECT_FALSE(cut.is_converged);
}

// What is measured is a hill over a and k with its top at a = 0.3, k = 10, and a slope over the clearance of a fit. Of
// H7/g6 at 25 mm the diameters differ by 7 to 41 um (ISO 286).
constexpr const char* kHill = R"(freeplay: 1
name: A hill
space: planar
parameters: {a: 0.5, k: 1, c: {fit: H7/g6, diameter: 25 mm}}
bodies: {point: {mass: 1 kg, inertia: 1 kg m^2}}
simulate: {integrator: dopri5, duration: 1 us}
measure: {y: c/1um - (a - 0.3)^2 - log(k/10)^2 + 0*final(point.x)/1m, z: 0 - final(point.x)/1m + a}
)";

class WorstCase : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    plan_.model = folder_ / "hill.yaml";
    std::ofstream(plan_.model) << kHill;
    plan_.over = {"a=0:1", "k=1:1000:log"};
    plan_.worst = "max:y";
  }
  void TearDown() override { fs::remove_all(folder_); }
  SweepOutcome run(const std::string& out, int workers = 1, const SweepHooks& hooks = {}) const {
    SweepOptions options;
    options.out = folder_ / out;
    options.workers = workers;
    return run_sweep(plan_, options, hooks);
  }
  std::string bytes_of(const std::string& out) const {
    std::ifstream in(folder_ / out / "sweep.h5", std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  std::string mistake() const {
    try {
      run("mistake");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "none";
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     (std::string("worst_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  SweepPlan plan_;
};

TEST_F(WorstCase, IsFoundInsideAndAtTheLimitsOfAFit) {
  const SweepOutcome outcome = run("out");
  const nlohmann::json worst = nlohmann::json::parse(outcome.table.header.attributes.at("worst"));
  EXPECT_NEAR(worst["value"].get<double>(), 20.5, 1e-6) << "half of 41 um";
  EXPECT_NEAR(worst["parameters"]["a"]["value"].get<double>(), 0.3, 1e-3);
  EXPECT_NEAR(worst["parameters"]["k"]["value"].get<double>(), 10, 1e-2);
  EXPECT_NEAR(worst["parameters"]["c"]["value"].get<double>(), 20.5e-6, 1e-12);
  EXPECT_TRUE(worst["parameters"]["c"]["is_at_an_end"].get<bool>());
  EXPECT_FALSE(worst["parameters"]["a"]["is_at_an_end"].get<bool>());
  EXPECT_NEAR(worst["nominal"].get<double>(), 12 - 0.04 - std::pow(std::log(10), 2), 1e-9) << "the model's own values";
  EXPECT_TRUE(worst["is_converged"].get<bool>());
  EXPECT_TRUE(outcome.table.is_complete());
  plan_.worst = "min:z";
  EXPECT_EQ(nlohmann::json::parse(run("least").table.header.attributes.at("worst"))["value"], 0.0);
}

TEST_F(WorstCase, HasTheSameBytesWithTwoWorkersAndAfterAnInterrupt) {
  run("whole");
  run("two", 2);
  EXPECT_TRUE(bytes_of("two") == bytes_of("whole"));
  std::atomic<bool> stop = false;
  SweepHooks hooks;
  hooks.stop_requested = &stop;
  hooks.progress = [&](const SweepProgress& now) { stop = stop || now.done >= 70; };
  const SweepOutcome cut = run("cut", 1, hooks);
  ASSERT_TRUE(cut.was_interrupted);
  EXPECT_EQ(read_sweep(folder_ / "cut/sweep.h5").rows.size(), static_cast<std::size_t>(cut.progress.done));
  const SweepOutcome rest = run("cut");
  EXPECT_EQ(rest.progress.earlier, cut.progress.done);
  EXPECT_TRUE(bytes_of("cut") == bytes_of("whole"));
  EXPECT_EQ(run("cut").progress.earlier, rest.progress.done) << "all of it is there";
  EXPECT_TRUE(bytes_of("cut") == bytes_of("whole"));
}

TEST_F(WorstCase, TellsOfMistakes) {
  plan_.worst = "max:yy";
  EXPECT_THAT(mistake(), HasSubstr("nothing measures 'yy'"));
  plan_.worst = "worst:y";
  EXPECT_THAT(mistake(), HasSubstr("neither max nor min"));
  plan_.worst = "max:y:0";
  EXPECT_THAT(mistake(), HasSubstr("no number of runs"));
  plan_.worst = "max:y";
  plan_.sample = "lhs:10";
  EXPECT_THAT(mistake(), HasSubstr("leave out --sample"));
  plan_.sample = "";
  plan_.over = {"a=0,1"};
  EXPECT_THAT(mistake(), HasSubstr("is a list"));
}

}  // namespace
}  // namespace freeplay::test::worst_case_test
