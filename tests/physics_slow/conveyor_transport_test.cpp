// The vibratory feeder where its motion is chaotic: mean rates against an ensemble of another program (Pfeiffer 1999;
// 8 runs of 150 s or more each, +- is one standard error).
#include "physics/model_run.h"

namespace freeplay::test::conveyor_transport_test {
namespace {

struct Mean {
  double value = 0, error = 0;  // and its standard error
};

// The error from pieces of the runs: within some seconds the motion has forgotten what it was.
Mean mean_of(const std::vector<double>& pieces) {
  double sum = 0, squares = 0;
  for (const double piece : pieces) {
    sum += piece;
    squares += piece * piece;
  }
  const double count = static_cast<double>(pieces.size()), mean = sum / count;
  return {mean, std::sqrt((squares / count - mean * mean) / (count - 1))};
}

// Runs that differ in the speed at which the part is laid down: in the chaotic regime that is enough.
Mean transport_rate(double amplitude_mm, int runs, const Overrides& overrides) {
  constexpr double kTransient_s = 5, kPiece_s = 5, kEnd_s = 85;
  std::vector<double> pieces;
  for (int i = 0; i < runs; ++i) {
    Overrides all = {fmt::format("amplitude={} mm", amplitude_mm), fmt::format("duration={} s", kEnd_s),
                     fmt::format("bodies.part.initial.vx={} m/s", 0.05 * i)};
    all.insert(all.end(), overrides.begin(), overrides.end());
    const ModelRun run = run_example("conveyor", all, {"part.x"});
    const std::vector<double>& x = run["part.x"];
    std::size_t first = 0;
    while (run.time()[first] < kTransient_s) ++first;
    for (std::size_t last = first; last < x.size(); ++last) {
      const double passed_s = run.time()[last] - run.time()[first];
      if (passed_s < kPiece_s) continue;
      pieces.push_back((x[last] - x[first]) / passed_s);
      first = last;
    }
  }
  return mean_of(pieces);
}

struct Row {
  const char* name;
  double amplitude_mm, rate_mm_s, error_mm_s;
  double most_error_mm_s = 3;  // of ours
  Overrides overrides = {};
};

class ConveyorTransport : public testing::TestWithParam<Row> {};

TEST_P(ConveyorTransport, IsThatOfAnIndependentEnsemble) {
  const Row& row = GetParam();
  const Mean mean = transport_rate(row.amplitude_mm, row.amplitude_mm > 1.1 ? 16 : 4, row.overrides);
  EXPECT_LT(mean.error * 1e3, row.most_error_mm_s);
  EXPECT_NEAR(mean.value * 1e3, row.rate_mm_s, 3 * std::hypot(row.error_mm_s, mean.error * 1e3));
}

const Overrides kGlocker = {"part=block", "law=glocker"}, kPaper = {"part=block", "law=beitelschmidt"};

INSTANTIATE_TEST_SUITE_P(
    Table, ConveyorTransport,
    testing::Values(Row{"Point0p5", 0.5, 17.43, 0.46}, Row{"Point0p6", 0.6, 34.27, 0.58},
                    Row{"Point0p8", 0.8, 57.55, 0.41}, Row{"Point1p0", 1.0, 74.35, 0.51},
                    Row{"Point1p2", 1.2, 72.48, 0.70}, Row{"Point1p6", 1.6, 107.05, 0.98},
                    Row{"Point2p0", 2.0, 131.18, 1.08, 4}, Row{"BlockGlocker0p7", 0.7, 60.9, 0.4, 6, kGlocker},
                    Row{"BlockGlocker1p0", 1.0, 74.9, 0.8, 6, kGlocker},
                    Row{"BlockGlocker1p5", 1.5, 90.4, 2.7, 6, kGlocker},
                    Row{"BlockGlocker2p0", 2.0, 86.9, 5.4, 6, kGlocker},
                    Row{"BlockPaper0p7", 0.7, 60.7, 0.6, 6, kPaper}, Row{"BlockPaper1p0", 1.0, 71.2, 1.7, 6, kPaper},
                    Row{"BlockPaper1p5", 1.5, 71.2, 3.4, 6, kPaper}, Row{"BlockPaper2p0", 2.0, 69.6, 4.1, 6, kPaper}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

}  // namespace
}  // namespace freeplay::test::conveyor_transport_test
