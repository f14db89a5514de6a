// Models from files, their members, and runs of both kinds.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "freeplay/compile/compiled_family.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "support/places.h"

namespace freeplay::test {

struct LoadedModel {
  ModelFile file;
  Model model;
};

inline LoadedModel load_example(const std::string& name, const std::vector<std::string>& overrides = {}) {
  LoadedModel loaded;
  loaded.file = load_model(examples_dir() + "/" + name + ".yaml", overrides);
  loaded.model = build_model(loaded.file);
  return loaded;
}

struct FamilyRun {
  std::vector<LaneData> lanes;
  std::vector<std::vector<std::vector<double>>> rows;  // per lane
};

inline FamilyRun run_family(const std::vector<LoadedModel>& members, const std::vector<std::string>& channels,
                            std::size_t width_of_samples) {
  std::vector<CompiledFamily::Sample> samples;
  for (std::size_t i = 0; i < width_of_samples; ++i) samples.push_back({members[i].file, members[i].model});
  const CompiledFamily family(samples, channels);
  FamilyRun run;
  for (const LoadedModel& member : members) {
    std::optional<LaneData> lane = family.lane(member.file, member.model);
    EXPECT_TRUE(lane.has_value());
    if (lane) run.lanes.push_back(std::move(*lane));
  }
  run.rows.resize(run.lanes.size());
  const std::size_t width = static_cast<std::size_t>(family.width());
  for (std::size_t first = 0; first < run.lanes.size(); first += width) {
    const std::size_t count = std::min(width, run.lanes.size() - first);
    family.run(std::span(run.lanes).subspan(first, count), [&](std::size_t lane, double, std::span<const double> row) {
      run.rows[first + lane].emplace_back(row.begin(), row.end());
    });
  }
  return run;
}

// The largest difference of any channel from the engine's run, relative to 1 or to the channel's largest value.
inline double difference_from_engine(LoadedModel member, const std::vector<std::string>& channels,
                                     const std::vector<std::vector<double>>& rows) {
  member.file.record.channels = channels;
  const std::unique_ptr<Simulation> simulation = build_simulation(member.file, member.model);
  MemorySink sink;
  const RunSummary summary = simulation->run(sink, {});
  EXPECT_EQ(summary.status, RunStatus::kCompleted) << summary.message;
  EXPECT_EQ(rows.size(), static_cast<std::size_t>(summary.rows));
  double worst = 0;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::vector<double>& expected = sink.channel(channels[c]);
    double scale = 1;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (std::size_t r = 0; r < std::min(rows.size(), expected.size()); ++r)
      worst = std::max(worst, std::abs(rows[r][c] - expected[r]) / scale);
  }
  return worst;
}

// A folder for compiled objects that goes away, so that tests leave nothing in the user's.
class CompiledTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "freeplay-compiled-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("FREEPLAY_CXX");
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path folder_;
};

}  // namespace freeplay::test
