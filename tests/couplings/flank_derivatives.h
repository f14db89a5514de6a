// Gap, rate, columns and bias of flanks against each other.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "freeplay/mechanism/body_dynamics.h"
#include "physics/model_run.h"

namespace freeplay::test {

// dgap/dt, the columns and d2gap/dt2 at du/dt = 0 against differences of the gap, with all velocities of the order of 1
// and away from the start of the model by so many metres and radians in each coordinate.
inline void expect_that_flanks_fit_together(const std::string& text, int couplings, double away = 2e-4) {
  const std::shared_ptr<const System> system = build_system(parse_model(text, "flanks.yaml"));
  const std::unique_ptr<Dynamics> dynamics = system->make_dynamics();
  auto& bodies = dynamic_cast<BodyDynamics&>(*dynamics);
  const int n = system->velocity_count();
  VecX start = system->initial_state().q, from_start(n), u(n);
  for (int k = 0; k < n; ++k) {
    from_start[k] = away * std::sin(1.0 + 3 * k);
    u[k] = std::cos(2.0 + 5 * k);
  }
  dynamics->displace(start, from_start);
  const auto position_at = [&](double t) {
    VecX q = start;
    dynamics->displace(q, t * u);
    dynamics->set_position(0, q);
  };
  for (int coupling = 0; coupling < couplings; ++coupling) {
    for (const int side : {-1, 1}) {
      const Flank flank{coupling, side};
      const auto gap_at = [&](double t) {
        position_at(t);
        return bodies.flank_gap(flank);
      };
      const auto rate_at = [&](double t) {
        position_at(t);
        dynamics->set_velocity(u);
        return bodies.flank_velocity(flank);
      };
      const double h = 1e-6;
      const double rate = rate_at(0), bias = bodies.flank_bias(flank);
      std::array<RowPart, 2> parts;
      std::vector<double> column(static_cast<std::size_t>(n));
      bodies.flank_parts(flank, parts, column.data());
      double by_column = 0;
      const double* entry = column.data();
      for (const RowPart& part : parts) {
        for (int k = part.first; k < part.first + part.size; ++k) by_column += *entry++ * u[k];
      }
      EXPECT_NEAR(by_column, rate, 1e-13) << coupling << side;
      EXPECT_NEAR((gap_at(h) - gap_at(-h)) / (2 * h), rate, 1e-7) << coupling << side;
      EXPECT_NEAR((rate_at(h) - rate_at(-h)) / (2 * h), bias, 1e-5 * std::max(1.0, std::abs(bias))) << coupling << side;
    }
  }
}

}  // namespace freeplay::test
