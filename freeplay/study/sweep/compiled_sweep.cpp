#include "freeplay/study/sweep/compiled_sweep.h"

#include <algorithm>
#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"

namespace freeplay::study {

namespace {

// Members that show which numbers differ: enough that every parameter takes several of its values.
constexpr int kSamples = 12;
constexpr double kGolden = 0.6180339887498949;

std::vector<std::int64_t> sample_indices(std::int64_t size) {
  std::vector<std::int64_t> indices = {0, size - 1};
  for (int k = 1; k < kSamples; ++k) {
    const double share = std::fmod(k * kGolden, 1.0);
    indices.push_back(std::min(size - 1, static_cast<std::int64_t>(share * static_cast<double>(size))));
  }
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

}  // namespace

struct CompiledSweep::Member {
  ModelFile file;
  Model model;
  LaneData lane;
  Measures measures;
};

CompiledSweep::CompiledSweep(const ModelFamily& family, const SweepPoints& points, std::vector<MeasureSpec> measures,
                             std::vector<std::string> channels)
    : family_(family),
      points_(points),
      measures_(std::move(measures)),
      channels_(std::move(channels)),
      compiled_(compile(family_, points_, measures_, channels_)) {}

CompiledFamily CompiledSweep::compile(const ModelFamily& family, const SweepPoints& points,
                                      const std::vector<MeasureSpec>& measures,
                                      const std::vector<std::string>& channels) {
  std::vector<ModelFile> files;
  std::vector<Model> models;
  for (const std::int64_t index : sample_indices(points.size())) {
    try {
      ModelFile file = family.member(points.overrides(index));
      file.measures = measures;
      models.push_back(build_model(file));
      files.push_back(std::move(file));
    } catch (const ModelError&) {
      continue;  // a row that says why, when its turn comes
    }
  }
  if (files.empty()) throw CompileError("none of the members that were tried can be built");
  if (measures_of(files.front(), models.front()).needs_impacts())
    throw CompileError("a measure asks for impacts, which compiled runs do not list");
  std::vector<CompiledFamily::Sample> samples;
  for (std::size_t i = 0; i < files.size(); ++i) samples.push_back({files[i], models[i]});
  return {samples, channels};
}

std::optional<CompiledSweep::Member> CompiledSweep::member(std::int64_t index) const {
  try {
    ModelFile file = family_.member(points_.overrides(index));
    file.measures = measures_;
    Model model = build_model(file);
    std::optional<LaneData> lane = compiled_.lane(file, model);
    if (!lane) return std::nullopt;
    Measures measures = measures_of(file, model);
    return Member{std::move(file), std::move(model), std::move(*lane), std::move(measures)};
  } catch (const ModelError&) {
    return std::nullopt;  // the engine says why
  }
}

std::vector<std::optional<std::vector<double>>> CompiledSweep::measure(std::span<const std::int64_t> indices,
                                                                       const std::atomic<bool>* stop_requested) const {
  std::vector<std::optional<std::vector<double>>> results(indices.size());
  std::vector<std::optional<Member>> members;
  for (const std::int64_t index : indices) members.push_back(member(index));
  std::vector<char> is_done(indices.size(), 0);
  const auto should_stop = [&] { return stop_requested != nullptr && stop_requested->load(std::memory_order_relaxed); };
  std::vector<ChannelInfo> columns;
  for (const std::string& name : channels_) columns.push_back({name, ""});
  for (std::size_t first = 0; first < members.size(); ++first) {
    if (!members[first] || is_done[first] != 0) continue;
    std::vector<std::size_t> pack;  // of the same rules
    std::vector<LaneData> lanes;
    for (std::size_t i = first; i < members.size(); ++i) {
      if (!members[i] || is_done[i] != 0 || members[i]->lane.rules != members[first]->lane.rules) continue;
      is_done[i] = 1;
      pack.push_back(i);
      lanes.push_back(std::move(members[i]->lane));
      members[i]->measures.begin(columns);
    }
    compiled_.run(
        lanes,
        [&](std::size_t lane, double time_s, std::span<const double> row) {
          members[pack[lane]]->measures.add_row(time_s, row);
        },
        should_stop);
    for (std::size_t lane = 0; lane < pack.size(); ++lane) {
      if (lanes[lane].status != 0 || should_stop()) continue;
      std::vector<double>& values = results[pack[lane]].emplace();
      for (const MeasuredValue& value : members[pack[lane]]->measures.values()) values.push_back(value.value);
    }
  }
  return results;
}

}  // namespace freeplay::study
