// The vibratory feeder where its motion is chaotic: mean rates against an ensemble of another program (Pfeiffer 1999;
// 8 runs of 150 s or more each).
#include "physics/model_run.h"

namespace freeplay::test::conveyor_transport_test {
namespace {

struct Mean {
  double value = 0, error = 0;  // and its standard error
};

// Runs that differ in the phase at which the part is laid down: in the chaotic regime that is enough.
Mean transport_rate(const std::string& example, double amplitude_mm) {
  constexpr int kRuns = 6;
  double sum = 0, squares = 0;
  for (int i = 0; i < kRuns; ++i) {
    const ModelRun run = run_example(example,
                                     {fmt::format("amplitude={} mm", amplitude_mm), "duration=60 s",
                                      fmt::format("bodies.part.initial.vx={} m/s", 0.05 * i)},
                                     {"part.x"});
    std::size_t start = 0;
    while (run.time()[start] < 5) ++start;
    const double rate = (run["part.x"].back() - run["part.x"][start]) / (run.time().back() - run.time()[start]);
    sum += rate;
    squares += rate * rate;
  }
  const double mean = sum / kRuns;
  return {mean, std::sqrt((squares / kRuns - mean * mean) / (kRuns - 1))};
}

TEST(ConveyorTransport, IsThatOfAnIndependentEnsemble) {
  const struct { double amplitude_mm, rate_mm_s, error_mm_s; } table[] = {{0.6, 34.27, 0.58}, {1.0, 74.35, 0.51}};
  for (const auto& [amplitude_mm, rate_mm_s, error_mm_s] : table) {
    SCOPED_TRACE(amplitude_mm);
    const Mean mean = transport_rate("conveyor", amplitude_mm);
    EXPECT_LT(mean.error, 4e-3);
    EXPECT_NEAR(mean.value * 1e3, rate_mm_s, 3 * std::hypot(error_mm_s, mean.error * 1e3));
  }
}

}  // namespace
}  // namespace freeplay::test::conveyor_transport_test
