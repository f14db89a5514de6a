// Contact problems of the slider-crank with solutions from an independent implementation (lcp_cases.json).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "freeplay/complementarity/pivoting/enumerative.h"
#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers/slider_crank.h"

namespace freeplay::test {
namespace {

using nlohmann::json;

json reference() {
  std::ifstream file(std::string(FREEPLAY_TEST_DIR) + "/reference/planar/lcp_cases.json");
  return json::parse(file);
}
Vec3 vec3(const json& values) {
  return {values[0].get<double>(), values[1].get<double>(), values[2].get<double>()};
}
SliderCrankStep step_of(const json& item) {
  const auto corners = item["active"].get<std::vector<int>>();
  return make_step(corners, vec3(item["qM"]), vec3(item["uA"]), item["dt"], item["mu"], item["epsN"], item["epsT"]);
}
// The file has 13 digits and its own direct solvers differ by up to 2.3e-10 (lemke_du) in the worst conditioned case.
double tolerance_of(const json& item, const Vec3& u_E) {
  return 1e-12 * (1 + u_E.cwiseAbs().maxCoeff()) + 10 * item["lemke_du"].get<double>();
}

class SliderCrankCases : public testing::TestWithParam<const char*> {};

TEST_P(SliderCrankCases, EndVelocitiesAreThoseOfTheReference) {
  const json cases = reference()["cases"];
  ASSERT_EQ(cases.size(), 22u);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const json& item = cases[k];
    SCOPED_TRACE(testing::Message() << "case " << k << ", active " << item["active"].dump());
    const SliderCrankStep step = step_of(item);
    const Solved solved = solve_with(GetParam(), step.problem);
    EXPECT_EQ(solved.report.status, SolveStatus::kSolved);
    EXPECT_LE(natural_residual(step.problem.view(), solved.Lambda).absolute, 1e-9);
    const Vec3 u_E = step.u_end(solved.Lambda);
    std::vector<Vec3> expected;
    if (item.contains("all_uE")) {
      for (const json& u : item["all_uE"]) expected.push_back(vec3(u));
    } else {
      expected.push_back(vec3(item["uE"]));
    }
    double nearest = kInfinity;
    for (const Vec3& u : expected) nearest = std::min(nearest, (u_E - u).cwiseAbs().maxCoeff());
    EXPECT_LE(nearest, tolerance_of(item, u_E)) << "u_E " << u_E.transpose();
    if (item["unique_P"]) {
      for (int i = 0; i < solved.Lambda.size() / 2; ++i) {
        EXPECT_NEAR(solved.Lambda[2 * i], item["PN"][i].get<double>(), 1e-9 * (1 + solved.Lambda.norm()));
        EXPECT_NEAR(solved.Lambda[2 * i + 1], item["PT"][i].get<double>(), 1e-9 * (1 + solved.Lambda.norm()));
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Solvers, SliderCrankCases, testing::Values("lemke", "enumerative", "auto"),
                         [](const auto& test) { return std::string(test.param); });

TEST(SliderCrankReference, AllSolutionsAreAsManyMotionsAsTheReferenceFound) {
  const json cases = reference()["cases"];
  for (const json& item : cases) {
    SCOPED_TRACE(item["active"].dump());
    const SliderCrankStep step = step_of(item);
    std::vector<Vec3> motions;
    for (const VecX& Lambda : all_solutions(step.problem.view())) {
      const Vec3 u = step.u_end(Lambda);
      const bool known = std::any_of(motions.begin(), motions.end(),
                                     [&](const Vec3& v) { return (u - v).norm() <= 1e-6 * (1 + u.norm()); });
      if (!known) motions.push_back(u);
    }
    const std::size_t expected = item.contains("all_uE") ? item["all_uE"].size() : 1;
    EXPECT_EQ(motions.size(), expected);
    if (!item.contains("all_uE")) continue;
    for (const json& u : item["all_uE"]) {
      EXPECT_TRUE(std::any_of(motions.begin(), motions.end(),
                              [&](const Vec3& v) { return (vec3(u) - v).norm() <= 1e-9 * (1 + v.norm()); }));
    }
  }
}

// First impact of variant S (theta_3 = 0): both corners of the upper face, equal tangents, G_TT singular.
TEST(SliderCrankReference, FirstImpactOfTheParallelSlider) {
  const json item = reference()["r_factor"];
  ContactProblem problem;
  problem.G.resize(4, 4);
  problem.c.resize(4);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      problem.G(2 * i, 2 * j) = item["GNN"][i][j];
      problem.G(2 * i, 2 * j + 1) = problem.G(2 * j + 1, 2 * i) = item["GNT"][i][j];
      problem.G(2 * i + 1, 2 * j + 1) = item["GTT"][i][j];
    }
    problem.c[2 * i] = item["bN"][i];
    problem.c[2 * i + 1] = item["bT"][i];
    problem.contact(0.01);
  }
  for (const char* solver : {"lemke", "enumerative", "auto"}) {
    const Solved solved = solve_with(solver, problem);
    EXPECT_EQ(solved.report.status, SolveStatus::kSolved) << solver;
    // Condition 92 and 13 digits in the file.
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(solved.Lambda[2 * i], item["PN"][i].get<double>(), 1e-12) << solver;
      EXPECT_NEAR(solved.Lambda[2 * i + 1], item["PT"][i].get<double>(), 1e-14) << solver;
    }
  }
}

}  // namespace
}  // namespace freeplay::test
