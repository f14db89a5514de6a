// Impacts for the tests of their laws: given ones, and random ones that are counted.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "freeplay/contact/problem/impact.h"

namespace freeplay::test::impacts {

struct Outcome {
  VecX Lambda, compression, after;
  ImpactReport report;
  double energy_J = 0;  // of the impact: below 0 if it loses
};

inline Outcome strike(const MatX& G, const VecX& before, const std::vector<ImpactContact>& contacts,
                      ImpactEnergy rule = ImpactEnergy::kWarn, const std::string& solver_name = "auto") {
  Impact impact;
  impact.set_energy_rule(rule);
  ImpulseSolver solver(solver_name, {.tolerance = 1e-12});
  solver.reserve(static_cast<int>(G.rows()));
  Outcome outcome;
  outcome.Lambda = VecX::Zero(G.rows());
  outcome.report = impact.solve(G, before, contacts.front().row, contacts, solver, outcome.Lambda);
  EXPECT_TRUE(outcome.report.solved);
  outcome.compression = impact.compression();
  outcome.after = before + G * outcome.Lambda;
  outcome.energy_J = outcome.Lambda.dot(before + outcome.after) / 2;
  return outcome;
}

inline PointLaw poisson(double e_N, double e_T, double mu, TangentialLaw tangential = TangentialLaw::kBeitelschmidt) {
  PointLaw law{e_N, e_T, mu, 0};
  law.impact = ImpactLaw::kPoisson;
  law.tangential = tangential;
  return law;
}

// ---- random impacts ----

struct Tally {
  int gains = 0, reported = 0, samples = 0;
};

enum class NormalRestitution { kOfEach, kShared };

// tangents: friction rows of each contact, 0 to 2.
inline Tally random_impacts(int contacts, double largest_mu, int tangents, TangentialLaw tangential, int samples,
                            ImpactEnergy rule = ImpactEnergy::kWarn,
                            NormalRestitution restitution = NormalRestitution::kOfEach) {
  std::mt19937 random(20261117);
  std::uniform_real_distribution<double> unit(0, 1), symmetric(-1, 1);
  std::normal_distribution<double> normal;
  const int rows = (1 + tangents) * contacts;
  Tally tally;
  for (int n = 0; n < samples; ++n) {
    MatX A(rows, rows + 1);
    for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] = normal(random);
    MatX G = A * A.transpose();
    const VecX scale = G.diagonal().cwiseSqrt().cwiseInverse();
    G = scale.asDiagonal() * G * scale.asDiagonal();
    VecX before(rows);
    std::vector<ImpactContact> list;
    for (int i = 0; i < contacts; ++i) {
      const int row = (1 + tangents) * i;
      before[row] = -unit(random);
      for (int k = 1; k <= tangents; ++k) before[row + k] = 2 * symmetric(random);
      list.push_back({row, tangents,
                      poisson(unit(random), unit(random), tangents > 0 ? largest_mu * unit(random) : 0, tangential)});
      if (restitution == NormalRestitution::kShared) list.back().law.restitution = list.front().law.restitution;
    }
    const Outcome outcome = strike(G, before, list, rule);
    const double size = outcome.Lambda.cwiseAbs().dot(before.cwiseAbs() + outcome.after.cwiseAbs());
    ++tally.samples;
    if (outcome.energy_J > 1e-9 * size) ++tally.gains;
    if (outcome.report.gained_J > 0) ++tally.reported;
  }
  return tally;
}

}  // namespace freeplay::test::impacts
