#include "freeplay/study/sweep/runs/compiled_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/compile/measured_lane.h"
#include "freeplay/compile/object/gpu.h"
#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/study/sweep/points/lane_order.h"
#include "freeplay/study/sweep/runs/refusal_text.h"

namespace freeplay::study {

namespace {

// Members that show which numbers differ: enough that every parameter takes several of its values.
constexpr int kSamples = 12;
constexpr double kGolden = 0.6180339887498949;
constexpr std::size_t kLanesOfGpu = 16384;  // per worker; several of them fill a GPU

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

struct SampleModel {
  ModelFile file;
  Model model;
  MeasureProgram measures;
  std::optional<Section> section;
};

// As lanes of a device note it.
LaneSection lane_section(const std::optional<Section>& section) {
  if (!section) return {};
  LaneSection lane;
  switch (section->kind()) {
    case Section::Kind::kEvery:
      lane.kind = LaneSection::kEvery;
      break;
    case Section::Kind::kRising:
      lane.kind = LaneSection::kRising;
      break;
    case Section::Kind::kFalling:
      lane.kind = LaneSection::kFalling;
      break;
    case Section::Kind::kBoth:
      lane.kind = LaneSection::kCrossing;
      break;
    case Section::Kind::kImpact:  // refused before
      return {};
  }
  lane.program = &section->program();
  lane.skip = section->skip();
  lane.turns = section->turns().value_or(-1);
  return lane;
}

// Why lanes cannot note it themselves; empty: they can.
std::string section_obstacle(const Section& section) {
  for (const Reduction& reduction : section.program().reductions) {
    if (!reduction.spec().of.can_be_recorded() || !reduction.spec().crossing.can_be_recorded())
      return "the section has a function given by more than 256 samples";
  }
  return "";
}

std::vector<SampleModel> build_samples(const ModelFamily& family, const SweepPoints& points,
                                       const std::vector<MeasureSpec>& measures, const SectionPlan& section) {
  std::vector<SampleModel> samples;
  std::string why;
  for (const std::int64_t index : sample_indices(points.size())) {
    try {
      SampleModel sample{family.member(points.overrides(index)), {}, {}, {}};
      sample.file.measures = measures;
      sample.model = build_model(sample.file);
      sample.measures = measure_program_of(sample.file, sample.model);
      if (!section.at.empty()) sample.section.emplace(section, sample.file, sample.model);
      samples.push_back(std::move(sample));
    } catch (const ModelError& error) {  // a row that says why, when its turn comes
      if (why.empty())
        why = fmt::format("none of its runs that were tried can be built, run {}: {}", index, refusal_text(error));
    }
  }
  if (samples.empty()) throw CompileError(why);
  return samples;
}

}  // namespace

// A member that is ready to run: the model itself is not needed any more.
struct CompiledSweep::Member {
  LaneData lane;
  MeasureProgram program;
  Measures measures;  // of lanes that give rows
  std::optional<Section> section;
  std::optional<SectionSink> crossings;  // of the section

  // The engine ends where the section has all its crossings.
  void add_row(double time_s, std::span<const double> row) {
    if (crossings && crossings->is_full()) return;
    measures.add_row(time_s, row);
    if (crossings) crossings->row(time_s, row);
  }
};

CompiledSweep::CompiledSweep(const ModelFamily& family, const SweepPoints& points, std::vector<MeasureSpec> measures,
                             std::vector<std::string> channels, const SectionPlan& section, LaneDevice device)
    : family_(family),
      points_(points),
      measures_(std::move(measures)),
      channels_(std::move(channels)),
      section_(section) {
  compile(device);
}

void CompiledSweep::compile(LaneDevice device) {
  // The GPU first: nothing is compiled for one that is not there.
  std::optional<Toolchain> toolchain;
  if (device == LaneDevice::kGpu) toolchain = gpu_toolchain(find_gpu().architecture);
  if (device == LaneDevice::kPretendedGpu) toolchain = processor_toolchain();
  const std::vector<SampleModel> built = build_samples(family_, points_, measures_, section_);
  const SampleModel& first = built.front();
  std::string reason;
  gives_rows_ = !are_lane_measures(first.measures, reason);
  if (first.section) {
    if (first.section->needs_impacts())
      throw CompileError("a section asks for impacts, which compiled runs do not list");
    if (!toolchain && !gives_rows_) reason = "a section on the processor needs all rows";
    if (toolchain && !gives_rows_) reason = section_obstacle(*first.section);
    gives_rows_ = gives_rows_ || !reason.empty();
  }
  if (gives_rows_ && measures_of(first.file, first.model).needs_impacts())
    throw CompileError("impacts are not listed where all rows are kept: " + reason);
  if (gives_rows_ && toolchain) throw CompileError("a GPU keeps no rows: " + reason);
  std::vector<FamilySample> samples;
  for (const SampleModel& sample : built) {
    FamilySample& made = samples.emplace_back(FamilySample{sample.file, sample.model});
    if (gives_rows_) continue;
    made.measures = &sample.measures;
    made.section = lane_section(sample.section);
  }
  if (toolchain)
    on_device_.emplace(samples, *toolchain);
  else
    compiled_.emplace(samples, channels_);
}

std::size_t CompiledSweep::at_once() const {
  return compiled_ ? static_cast<std::size_t>(compiled_->width()) : kLanesOfGpu;
}

std::optional<CompiledSweep::Member> CompiledSweep::member(std::int64_t index) const {
  try {
    ModelFile file = family_.member(points_.overrides(index));
    file.measures = measures_;
    const Model model = build_model(file);
    Member made;
    if (!section_.at.empty()) {
      made.section.emplace(section_, file, model);
      made.section->adapt(file.simulate);
      // Rows at the period are enough, unless a measure wants more; steps fit into it.
      const bool are_enough = made.section->is_by_time() && measures_.empty();
      file.record.every =
          are_enough ? static_cast<int>(std::lround(made.section->period_s() / *file.simulate.step_s)) : 1;
    }
    made.program = measure_program_of(file, model);
    FamilySample sample{file, model};
    if (!gives_rows_) {
      sample.measures = &made.program;
      sample.section = lane_section(made.section);
    }
    std::optional<LaneData> lane = compiled_ ? compiled_->lane(sample) : on_device_->lane(sample);
    if (!lane) return std::nullopt;
    made.lane = std::move(*lane);
    if (gives_rows_) made.measures = measures_of(file, model);
    return made;
  } catch (const ModelError&) {
    return std::nullopt;  // the engine says why
  }
}

void CompiledSweep::run_rows(std::vector<std::optional<Member>>& members, std::span<const std::size_t> pack,
                             std::vector<LaneData>& lanes, const ShouldStop& should_stop) const {
  std::vector<ChannelInfo> columns;
  for (const std::string& name : channels_) columns.push_back({name, ""});
  RecordLayout layout;
  layout.channels = columns;
  for (const std::size_t place : pack) {
    Member& member = *members[place];
    member.measures.begin(columns);
    if (member.section) member.crossings.emplace(*member.section).begin(layout);
  }
  compiled_->run(
      lanes,
      [&](std::size_t lane, double time_s, std::span<const double> row) { members[pack[lane]]->add_row(time_s, row); },
      should_stop);
}

void CompiledSweep::run_pack(std::vector<std::optional<Member>>& members, std::span<const std::size_t> pack,
                             const ShouldStop& should_stop, Results& results) const {
  std::vector<LaneData> lanes;
  for (const std::size_t place : pack) lanes.push_back(std::move(members[place]->lane));
  try {
    if (gives_rows_)
      run_rows(members, pack, lanes, should_stop);
    else if (compiled_)
      compiled_->run(lanes, {}, should_stop);
    else
      on_device_->run(lanes, should_stop);
  } catch (const DeviceFailure& failure) {
    throw IoError(std::string(failure.what()) +
                  "; what was done so far is kept, and the same command goes on from there");
  }
  for (std::size_t lane = 0; lane < pack.size(); ++lane) {
    LaneResult& result = results[pack[lane]];
    result.is_done = lanes[lane].status == 0;  // after a stop: those that had come to their end count
    result.left_because = result.is_done ? "" : lane_status_text(lanes[lane].status);
    if (!result.is_done) continue;
    Member& done = *members[pack[lane]];
    if (!gives_rows_) {
      result.values = measured_values(done.program, lanes[lane]);
      result.crossings = std::move(lanes[lane].crossings);
      continue;
    }
    for (const MeasuredValue& value : done.measures.values()) result.values.push_back(value.value);
    if (done.crossings) result.crossings = std::move(done.crossings->crossings());
  }
}

// Threads of a GPU go together, so neighbours should be alike.
std::vector<std::size_t> CompiledSweep::order_of(std::span<const std::int64_t> indices) const {
  std::vector<std::vector<double>> values;
  for (const std::int64_t index : indices) values.push_back(on_device_ ? points_.values(index) : std::vector<double>());
  return order_of_likeness(values);
}

CompiledSweep::Results CompiledSweep::measure(std::span<const std::int64_t> indices,
                                              const std::atomic<bool>* stop_requested) const {
  Results results(indices.size());
  for (LaneResult& result : results) result.left_because = "its rules or its structure are not those of most runs";
  const auto should_stop = [&] { return stop_requested != nullptr && stop_requested->load(std::memory_order_relaxed); };
  std::vector<std::optional<Member>> members;
  for (const std::int64_t index : indices) members.push_back(should_stop() ? std::nullopt : member(index));
  const std::vector<std::size_t> order = order_of(indices);
  std::vector<char> is_done(indices.size(), 0);
  for (const std::size_t first : order) {
    if (!members[first] || is_done[first] != 0) continue;
    const LaneData::Rules rules = members[first]->lane.rules;
    std::vector<std::size_t> pack;
    for (const std::size_t i : order) {
      if (!members[i] || is_done[i] != 0 || members[i]->lane.rules != rules) continue;
      is_done[i] = 1;
      pack.push_back(i);
    }
    run_pack(members, pack, should_stop, results);
  }
  return results;
}

}  // namespace freeplay::study
