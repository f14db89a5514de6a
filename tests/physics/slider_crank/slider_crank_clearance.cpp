#include "physics/slider_crank/slider_crank_clearance.h"

namespace freeplay::test {

Vec3 angles(const ModelRun& run, std::size_t row) {
  return {run["crank.angle"][row], run["rod.angle"][row], run["slider.angle"][row]};
}

Vec3 rates(const ModelRun& run, std::size_t row) {
  return {run["crank.omega"][row], run["rod.omega"][row], run["slider.omega"][row]};
}

Vec4 gaps(const ModelRun& run, std::size_t row) {
  return {run["guide.gap_1"][row], run["guide.gap_2"][row], run["guide.gap_3"][row], run["guide.gap_4"][row]};
}

ModelRun run_slider_crank(const flores::Parameters& p, int steps, Overrides more,
                          const std::vector<std::string>& channels) {
  Overrides overrides = p.overrides(steps);
  overrides.insert(overrides.end(), more.begin(), more.end());
  return run_example("slider_crank", overrides, channels);
}

Passage passage(const flores::Parameters& p, const ModelRun& run, int turns) {
  const std::vector<double>& angle = run["crank.angle"];
  const double wanted = 2 * std::numbers::pi * turns;
  const auto found = std::find_if(angle.begin(), angle.end(), [&](double x) { return x >= wanted; });
  if (found == angle.end() || found == angle.begin()) {
    ADD_FAILURE() << "the crank does not complete " << turns << " turns";
    return {};
  }
  const std::size_t i = static_cast<std::size_t>(found - angle.begin());
  const double s = (wanted - angle[i - 1]) / (angle[i] - angle[i - 1]);
  const Vec3 q = (1 - s) * angles(run, i - 1) + s * angles(run, i);
  const Vec3 u = (1 - s) * rates(run, i - 1) + s * rates(run, i);
  return {i, (1 - s) * run.time()[i - 1] + s * run.time()[i], u[0], flores::energy(p, q, u)};
}

}  // namespace freeplay::test
