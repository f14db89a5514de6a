// The slider-crank with clearance, compiled: against states that another program computed with the same scheme, and
// against the engine.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

using CompiledSliderCrank = CompiledTest;
using nlohmann::json;

const std::vector<std::string> kStates = {"bearing.q",    "crankpin.q",  "wristpin.q", "crank.angle",  "rod.angle",
                                          "slider.angle", "crank.omega", "rod.omega",  "slider.omega", "guide.gap_1",
                                          "guide.gap_2",  "guide.gap_3", "guide.gap_4"};

TEST_F(CompiledSliderCrank, MeetsTheCheckpointsOfThePaper) {
  const json checkpoints = json::parse(std::ifstream(test_dir() + "/reference/planar/slider_crank_checkpoints.json"));
  ASSERT_EQ(checkpoints.size(), 4u);
  for (const auto& [name, variant] : checkpoints.items()) {
    SCOPED_TRACE(name);
    const double step = variant.at("dt");
    const int steps = variant.at("points").back().at("step");
    const LoadedModel loaded =
        load_example("slider_crank", {fmt::format("step={} s", step), fmt::format("duration={} s", step * steps),
                                      fmt::format("restitution={}", variant.at("epsN").get<double>()),
                                      fmt::format("slider_omega={} rad/s", variant.at("u0").at(2).get<double>())});
    const CompiledFamily::Sample sample{loaded.file, loaded.model};
    const CompiledFamily family({&sample, 1}, kStates);
    std::vector<LaneData> lanes{family.lane(loaded.file, loaded.model).value()};
    std::vector<std::vector<double>> rows;
    family.run(lanes,
               [&](std::size_t, double, std::span<const double> row) { rows.emplace_back(row.begin(), row.end()); });
    EXPECT_EQ(lanes[0].status, 0) << lane_status_text(lanes[0].status);
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(steps) + 1);
    double angle = 0, rate = 0, gap = 0;
    for (const json& point : variant.at("points")) {
      const std::vector<double>& row = rows[point.at("step").get<std::size_t>()];
      for (std::size_t i = 0; i < 3; ++i) {
        angle = std::max(angle, std::abs(row[3 + i] - point.at("q").at(i).get<double>()));
        rate = std::max(rate, std::abs(row[6 + i] - point.at("u").at(i).get<double>()));
      }
      for (std::size_t i = 0; i < 4; ++i) gap = std::max(gap, std::abs(row[9 + i] - point.at("g").at(i).get<double>()));
    }
    EXPECT_LE(angle, 1e-9);
    EXPECT_LE(gap, 1e-9);
    EXPECT_LE(rate, 1e-8);
  }
}

}  // namespace
}  // namespace freeplay::test
