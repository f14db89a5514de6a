// Contact problems of the slider-crank with solutions from an independent implementation (lcp_cases.json).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "freeplay/complementarity/pivoting/enumerative.h"
#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers/slider_crank.h"
#include "support/places.h"

namespace freeplay::test {
namespace {

using nlohmann::json;

json reference() {
  std::ifstream file(test_dir() + "/reference/planar/lcp_cases.json");
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

// What rounding leaves in a residual is relative to the terms of G Lambda, not to their sum. Jamming impulses of 36 N s
// with G_NN = 950 / kg are rounded to 36 * 950 * 2^-53 = 4e-12 m/s in xi_N of the corners that hold (2 and 4), and
// since w_N1 = w_N2 + a / (b tan theta_3) (w_N2 + w_N4), theta_3 = 0.013, the open corner 1, where xi_N = 0 too, sees
// up to 2 * 154 times that: 1.2e-9 m/s. An absolute 1e-9 m/s would let rounding decide whether that is a solution.
// Relative to |G| |Lambda| all solutions of these cases are below 3e-14 and what is none is above 1e-6.
std::vector<VecX> distinct_solutions(const SliderCrankStep& step) {
  constexpr double kCandidate_m_s = 1e-5, kRelative = 1e-10;
  const LocalProblem problem = step.problem.view();
  std::vector<VecX> solutions;
  for (const VecX& Lambda : all_solutions(problem, kCandidate_m_s)) {
    const double terms = (step.problem.G.cwiseAbs() * Lambda.cwiseAbs()).maxCoeff();
    if (natural_residual(problem, Lambda).absolute > kRelative * terms) continue;
    const Vec3 u = step.u_end(Lambda);
    const bool is_known = std::any_of(solutions.begin(), solutions.end(), [&](const VecX& other) {
      return (u - step.u_end(other)).norm() <= 1e-6 * (1 + u.norm());
    });
    if (!is_known) solutions.push_back(Lambda);
  }
  return solutions;
}

TEST(SliderCrankReference, AllSolutionsAreTheMotionsThatTheReferenceFoundAndOneMore) {
  const json cases = reference()["cases"];
  int more = 0;
  for (const json& item : cases) {
    SCOPED_TRACE(item["active"].dump());
    const SliderCrankStep step = step_of(item);
    const std::vector<VecX> solutions = distinct_solutions(step);
    std::vector<Vec3> expected;
    if (item.contains("all_uE")) {
      for (const json& u : item["all_uE"]) expected.push_back(vec3(u));
    } else {
      expected.push_back(vec3(item["uE"]));
    }
    // xi_N of two corners across, known to some 4e-12 m/s, over 2 b sin theta_3 = 6.5e-4 m: 1e-8 rad/s each.
    const auto is_near = [](const Vec3& u, const Vec3& v) { return (u - v).norm() <= 1e-8 * (1 + v.norm()); };
    for (const Vec3& u : expected) {
      EXPECT_TRUE(std::any_of(solutions.begin(), solutions.end(),
                              [&](const VecX& Lambda) { return is_near(u, step.u_end(Lambda)); }));
    }
    for (const VecX& Lambda : solutions) {
      const Vec3 u = step.u_end(Lambda);
      if (std::any_of(expected.begin(), expected.end(), [&](const Vec3& v) { return is_near(v, u); })) continue;
      ++more;
      // The slider stops dead: with e_N = e_T = 0, u_E = 0 means xi = 0 in all rows, which all laws allow as long as
      // each impulse is in its cone. The reference, with an absolute tolerance, takes the rounding for a violation.
      EXPECT_EQ(item["epsN"], 0.0);
      EXPECT_EQ(item["epsT"], 0.0);
      const MatX response = step.M_inverse * step.W;
      EXPECT_LE(u.cwiseAbs().maxCoeff(), 1e-12 * (response.cwiseAbs() * Lambda.cwiseAbs()).maxCoeff());
      for (int k = 0; k < Lambda.size(); k += 2) {
        EXPECT_LE(std::abs(Lambda[k + 1]), item["mu"].get<double>() * Lambda[k]) << "corner " << k / 2;
      }
    }
  }
  EXPECT_EQ(more, 1);
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
