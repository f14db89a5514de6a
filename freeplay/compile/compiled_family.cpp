#include "freeplay/compile/compiled_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/compile/step/step_text.h"
#include "freeplay/simulation/run_end.h"

namespace freeplay::compile {

namespace {

constexpr const char* kEntryPoints = R"(
#if defined(__AVX512F__)
typedef freeplay_compiled::Double8 FreeplayPack;
#elif defined(__AVX2__) || defined(__aarch64__)
typedef freeplay_compiled::Double4 FreeplayPack;
#else
typedef double FreeplayPack;
#endif
extern "C" void freeplay_sizes(FreeplaySizes* sizes) {
  typedef freeplay_compiled::Mechanism M;
  sizes->format = freeplay_compiled::kFormat;
  sizes->width = freeplay_compiled::Pack<FreeplayPack>::width;
  sizes->velocities = M::velocities;
  sizes->points = M::points;
  sizes->members = M::members;
  sizes->channels = M::channel_count;
  sizes->state_numbers = 2 * M::velocities + freeplay_compiled::kMemoryNumbers * M::points;
}
extern "C" void freeplay_run(FreeplayRun* run) {
  freeplay_compiled::run_lanes<freeplay_compiled::Mechanism, FreeplayPack>(*run);
}
)";

constexpr long long kStepsAtATime = 1024;
constexpr double kUsualTouching = 1e-9;  // TouchingContacts

std::vector<ModelRecording> record_samples(std::span<const CompiledFamily::Sample> samples,
                                           const std::vector<std::string>& channels) {
  std::vector<ModelRecording> recordings;
  for (const CompiledFamily::Sample& sample : samples) {
    const std::vector<std::string> obstacles = compile_obstacles(sample.spec, sample.model);
    if (!obstacles.empty()) throw CompileError(obstacles.front());
    recordings.push_back(record_model(sample.model, channels));
    if (!recordings.back().unknown_channels.empty())
      throw CompileError(fmt::format("the channel '{}' is not compiled", recordings.back().unknown_channels.front()));
    if (!recordings.back().has_structure_of(recordings.front()))
      throw CompileError("the members of the family differ in their structure, not in numbers alone");
  }
  return recordings;
}

LaneData::Rules rules_of(const ModelSpec& spec) {
  const SimulationOptions& simulate = spec.simulate;
  LaneData::Rules rules;
  rules.step_s = *simulate.step_s;
  rules.end_s = end_time_of(simulate);
  rules.tolerance_m_s = simulate.solver_tolerance_m_s;
  rules.threshold_m_s = simulate.impact_threshold_m_s;
  rules.keeps_contacts = simulate.lasting_contacts == LastingContacts::kKept ? 1 : 0;
  rules.touching = simulate.simultaneous.value_or(rules.keeps_contacts != 0 ? kUsualTouching : 0);
  rules.midpoint_forces = simulate.velocity_forces == VelocityForces::kMidpoint ? 1 : 0;
  rules.every = spec.record.every;
  return rules;
}

}  // namespace

CompiledFamily::CompiledFamily(std::span<const Sample> samples, std::vector<std::string> channels)
    : channels_(std::move(channels)),
      program_(record_samples(samples, channels_)),
      source_(fmt::format("{}namespace freeplay_compiled {{\n{}}}\n{}", step_text(), program_.text(), kEntryPoints)),
      cached_(compile_object(source_)),
      object_(cached_.file) {}

std::optional<LaneData> CompiledFamily::lane(const ModelSpec& spec, const Model& model) const {
  if (!compile_obstacles(spec, model).empty()) return std::nullopt;
  const ModelRecording recording = record_model(model, channels_);
  std::optional<std::vector<double>> numbers = program_.member_numbers(recording);
  if (!numbers) return std::nullopt;
  LaneData lane;
  lane.member = std::move(*numbers);
  for (const PointNumbers& law : recording.laws)
    lane.laws.insert(lane.laws.end(),
                     {law.restitution, law.tangential_restitution, law.friction, law.size, law.dry_effort});
  const State start = model.system->initial_state();
  lane.state.assign(static_cast<std::size_t>(object_.sizes().state_numbers), 0.0);
  const std::size_t n = static_cast<std::size_t>(recording.velocities);
  for (std::size_t i = 0; i < n; ++i) {
    lane.state[i] = start.q[static_cast<Eigen::Index>(i)];
    lane.state[n + i] = start.u[static_cast<Eigen::Index>(i)];
  }
  lane.rules = rules_of(spec);
  return lane;
}

void CompiledFamily::run(std::span<LaneData> lanes, const LaneRowSink& rows,
                         const std::function<bool()>& should_stop) const {
  if (lanes.empty()) return;
  const LaneData::Rules& rules = lanes.front().rules;
  std::vector<FreeplayLane> data;
  for (LaneData& lane : lanes) data.push_back({lane.member.data(), lane.laws.data(), lane.state.data(), lane.status});
  const std::size_t width = static_cast<std::size_t>(this->width()), channels = channels_.size();
  const std::size_t most_rows = static_cast<std::size_t>(kStepsAtATime / rules.every) + 2;
  std::vector<double> values(rows ? most_rows * channels * width + 1 : 0), times(most_rows), row(channels);
  FreeplayRun run{};
  run.lanes = data.data();
  run.lane_count = static_cast<int>(lanes.size());
  run.keeps_contacts = rules.keeps_contacts;
  run.midpoint_forces = rules.midpoint_forces;
  run.every = rules.every;
  run.step_s = rules.step_s;
  run.end_s = rules.end_s;
  run.tolerance_m_s = rules.tolerance_m_s;
  run.touching = rules.touching;
  run.threshold_m_s = rules.threshold_m_s;
  run.rows = rows ? values.data() : nullptr;
  run.row_times = times.data();
  const long long steps = std::llround(std::ceil(rules.end_s / rules.step_s - 1e-6));
  for (long long first = 1; first <= steps; first += kStepsAtATime) {
    if (should_stop && should_stop()) break;
    run.first_step = first;
    run.steps = std::min(kStepsAtATime, steps - first + 1);
    object_.run(run);
    for (std::size_t r = 0; rows && r < static_cast<std::size_t>(run.row_count); ++r) {
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        if (data[lane].status != 0) continue;
        for (std::size_t c = 0; c < channels; ++c) row[c] = values[(r * channels + c) * width + lane];
        rows(lane, times[r], row);
      }
    }
    if (std::ranges::all_of(data, [](const FreeplayLane& lane) { return lane.status != 0; })) break;
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].status = data[i].status;
}

std::string lane_status_text(int status) {
  switch (status) {
    case 0:
      return "certified";
    case 1:
      return "a contact problem was not solved to the tolerance";
    case 2:
      return "a comparison came out otherwise than when the model was recorded";
    case 3:
      return "more points were closed at once than compiled steps take";
    case 4:
      return "a contact touched while another one struck";
    default:
      return "a number was out of reach";
  }
}

}  // namespace freeplay::compile
