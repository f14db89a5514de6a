#include "freeplay/compile/family_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/compile/measured_lane.h"
#include "freeplay/compile/object/object_cache.h"
#include "freeplay/compile/recording/pushed_velocities.h"
#include "freeplay/compile/step/step_text.h"
#include "freeplay/core/error.h"
#include "freeplay/simulation/run_end.h"

namespace freeplay::compile {

// Samples of one structure and their recordings, the reference first.
struct RecordedSamples {
  std::vector<ModelRecording> recordings;
  const FamilySample* reference = nullptr;
};

namespace {

constexpr const char* kSizes = R"(
extern "C" void freeplay_sizes(FreeplaySizes* sizes) {
  typedef freeplay_compiled::Mechanism M;
  sizes->format = freeplay_compiled::kFormat;
  sizes->width = freeplay_compiled::Pack<FreeplayPack>::width;
  sizes->velocities = M::velocities;
  sizes->points = M::points;
  sizes->members = M::members;
  sizes->laws = freeplay_compiled::law_numbers<M>();
  sizes->channels = M::channel_count;
  sizes->state_numbers = freeplay_compiled::state_numbers<M>();
  sizes->measures = freeplay_compiled::Measured::count;
}
)";

constexpr const char* kProcessorEntryPoints = R"(
#if defined(__AVX512F__)
typedef freeplay_compiled::Double8 FreeplayPack;
#elif defined(__AVX2__) || defined(__aarch64__)
typedef freeplay_compiled::Double4 FreeplayPack;
#else
typedef double FreeplayPack;
#endif
extern "C" void freeplay_run(FreeplayRun* run) {
  freeplay_compiled::run_lanes<freeplay_compiled::Mechanism, freeplay_compiled::Measured, FreeplayPack>(*run);
}
)";

// A failed freeplay_batch_begin() leaves a run behind that freeplay_batch_end() takes.
constexpr const char* kDeviceEntryPoints = R"(
typedef double FreeplayPack;
typedef freeplay_compiled::DeviceRun<freeplay_compiled::Mechanism, freeplay_compiled::Measured,
                                     freeplay_compiled::Sectioned>
    FreeplayDeviceRun;
extern "C" int freeplay_device_open(char* text, int size) {
  return freeplay_compiled::tell_error(freeplay_compiled::open_device(text, size), text, size);
}
extern "C" int freeplay_batch_begin(FreeplayBatch* batch, void** run, char* text, int size) {
  FreeplayDeviceRun* made = new FreeplayDeviceRun(batch);
  *run = made;
  return freeplay_compiled::tell_error(made->begin(), text, size);
}
extern "C" int freeplay_batch_advance(void* run, long long first_step, long long steps, char* text, int size) {
  return freeplay_compiled::tell_error(static_cast<FreeplayDeviceRun*>(run)->advance(first_step, steps), text, size);
}
extern "C" int freeplay_batch_bring_back(void* run, char* text, int size) {
  return freeplay_compiled::tell_error(static_cast<FreeplayDeviceRun*>(run)->bring_back(), text, size);
}
extern "C" void freeplay_batch_end(void* run) { delete static_cast<FreeplayDeviceRun*>(run); }
)";

constexpr double kUsualTouching = 1e-9;  // TouchingContacts
constexpr std::size_t kMostClosed = 8;
constexpr std::size_t kSectionNumbers = 7;  // of compiled_section.inc

bool anticipates(const ModelSpec& spec) {
  return spec.simulate.activation == ActivationRule::kAnticipated;
}

ModelRecording record_sample(const FamilySample& sample, const std::vector<std::string>& channels) {
  ModelRecording recording = record_model(sample.model, channels, sample.measures, sample.section.program);
  if (!anticipates(sample.spec)) return recording;
  const std::vector<std::uint64_t> pushed = pushed_velocities(sample.model);
  FREEPLAY_ASSERT(pushed.size() == recording.points.size());
  for (std::size_t p = 0; p < pushed.size(); ++p) recording.points[p].pushed = pushed[p];
  return recording;
}

// A parameter that decides whether something is there at its first or last value, a friction from 0 for instance, must
// not take the family its code: the structure that at least half of the samples have is that of the family.
RecordedSamples record_samples(std::span<const FamilySample> samples, const std::vector<std::string>& channels) {
  std::vector<RecordedSamples> groups;
  std::string obstacle;
  for (const FamilySample& sample : samples) {
    const std::vector<std::string> obstacles = compile_obstacles(sample.spec, sample.model);
    if (!obstacles.empty()) {
      obstacle = obstacles.front();
      continue;
    }
    ModelRecording recording = record_sample(sample, channels);
    if (!recording.unknown_channels.empty())
      throw CompileError(fmt::format("the channel '{}' is not compiled", recording.unknown_channels.front()));
    const auto is_alike = [&](const RecordedSamples& group) {
      return group.recordings.front().has_structure_of(recording);
    };
    auto group = std::ranges::find_if(groups, is_alike);
    if (group == groups.end()) group = groups.insert(group, RecordedSamples{{}, &sample});
    group->recordings.push_back(std::move(recording));
  }
  if (groups.empty()) throw CompileError(obstacle);
  const auto size = [](const RecordedSamples& group) { return group.recordings.size(); };
  RecordedSamples& largest = *std::ranges::max_element(groups, {}, size);
  // Otherwise most runs would wait for a compiler, and be left to the engine then.
  if (2 * size(largest) < samples.size())
    throw CompileError("the members of the family differ in their structure, not in numbers alone");
  return std::move(largest);
}

LaneData::Rules rules_of(const ModelSpec& spec) {
  const SimulationOptions& simulate = spec.simulate;
  LaneData::Rules rules;
  rules.tolerance_m_s = simulate.solver_tolerance_m_s;
  rules.threshold_m_s = simulate.impact_threshold_m_s;
  const bool keeps_contacts = simulate.lasting_contacts == LastingContacts::kKept;
  rules.touching = simulate.simultaneous.value_or(keeps_contacts ? kUsualTouching : 0);
  return rules;
}

bool have_equal_laws(const ModelRecording& recording) {
  return std::ranges::all_of(recording.laws, [&](const PointNumbers& law) { return law == recording.laws.front(); });
}

std::vector<LaneMeasure> lane_measures_of(const FamilySample& sample) {
  if (sample.measures == nullptr) return {};
  return lane_measures(*sample.measures, *sample.model.contacts);
}

// Channels of measures come first, of a crossing two.
std::size_t measured_channels(const std::vector<LaneMeasure>& measures) {
  std::size_t count = 0;
  for (const LaneMeasure& measure : measures) count += measure.is_of_impacts ? 0 : measure.crosses ? 2 : 1;
  return count;
}

// What compiled_section.inc asks for; record_model() has put its channels behind those of the measures.
std::string sectioned_text(LaneSection::Kind kind, std::size_t points, std::size_t first) {
  return fmt::format(
      "struct Sectioned {{\n  static constexpr int kind = {}, points = {}, crossing = {}, first = {};\n}};\n",
      static_cast<int>(kind), points, first, first + 1);
}

// A function from the place of a measure to its number, as text.
std::string measured_function(const char* type, const char* name, const std::vector<std::uint64_t>& numbers) {
  std::string text = fmt::format("  static FP_INLINE constexpr {} {}(int r) {{ return ", type, name);
  for (std::size_t r = 0; r < numbers.size(); ++r) text += fmt::format("r == {} ? {}ull : ", r, numbers[r]);
  return text + "0ull; }\n";
}

// The list that compiled_measure.inc and compiled_impacts.inc ask for: numbers, and nothing of the model. Functions of
// rows have channels, of a crossing two; those of impacts have values of their own.
std::string measured_text(const std::vector<LaneMeasure>& measures) {
  std::vector<std::uint64_t> kind, of, crossing, of_impacts, own, value;
  std::uint64_t channels = 0, values = 0;
  for (const LaneMeasure& measure : measures) {
    kind.push_back(static_cast<std::uint64_t>(measure.kind));
    of.push_back(measure.is_of_impacts ? 0 : channels);
    crossing.push_back(measure.crosses ? channels + 1 : of.back());
    of_impacts.push_back(measure.is_of_impacts ? 1 : 0);
    own.push_back(measure.points);
    value.push_back(measure.is_of_impacts ? values : 0);
    channels += measure.is_of_impacts ? 0 : measure.crosses ? 2 : 1;
    values += measure.is_of_impacts ? 1 : 0;
  }
  return fmt::format("struct Measured {{\n  static constexpr int count = {};\n{}{}{}{}{}{}}};\n", measures.size(),
                     measured_function("int", "kind", kind), measured_function("int", "of", of),
                     measured_function("int", "crossing", crossing),
                     measured_function("bool", "of_impacts", of_impacts),
                     measured_function("unsigned long long", "own", own), measured_function("int", "value", value));
}

bool has_passable(const ModelRecording& recording) {
  return std::ranges::any_of(recording.points, &ModelRecording::Point::can_be_passed);
}

// As memory_numbers() of compiled_run.inc.
int memory_numbers(bool notes_impacts, const ModelRecording& recording) {
  return 3 + (notes_impacts ? 3 : 0) + (has_passable(recording) ? 3 : 0);
}

}  // namespace

FamilyCode::Constants FamilyCode::constants_of(const ModelSpec& spec) {
  return {spec.simulate.lasting_contacts == LastingContacts::kKept,
          spec.simulate.velocity_forces == VelocityForces::kMidpoint, anticipates(spec)};
}

FamilyCode::FamilyCode(std::span<const FamilySample> samples, const std::vector<std::string>& channels)
    : FamilyCode(record_samples(samples, channels), channels) {}

FamilyCode::FamilyCode(RecordedSamples samples, std::vector<std::string> channels)
    : channels_(std::move(channels)),
      constants_(constants_of(samples.reference->spec)),
      has_shared_laws_(std::ranges::all_of(samples.recordings, have_equal_laws)),
      points_(samples.recordings.front().points.size()),
      channel_count_(samples.recordings.front().channels.size()),
      measures_(lane_measures_of(*samples.reference)),
      notes_impacts_(std::ranges::any_of(measures_, &LaneMeasure::needs_impacts)),
      section_kind_(samples.reference->section.kind),
      section_points_(samples.reference->section.point_count()),
      program_(samples.recordings),
      reference_(std::move(samples.recordings.front())),
      memory_numbers_(memory_numbers(notes_impacts_, reference_)) {}

std::string FamilyCode::source(const char* more, const char* entry_points) const {
  return fmt::format(
      "#define FP_KEEPS_CONTACTS {}\n#define FP_MIDPOINT_FORCES {}\n#define FP_ANTICIPATES {}\n"
      "#define FP_SHARED_LAWS {}\n#define FP_NOTES_IMPACTS {}\n#define FP_NOTES_BLOWS {}\n#define FP_MOST_ACTIVE {}\n"
      "{}{}namespace freeplay_compiled {{\n{}{}{}}}\n{}{}",
      constants_.keeps_contacts, constants_.midpoint_forces, constants_.anticipates, has_shared_laws_, notes_impacts_,
      notes_impacts_ || has_passable(reference_), std::clamp<std::size_t>(points_, 1, kMostClosed), step_text(), more,
      program_.text(), measured_text(measures_),
      sectioned_text(section_kind_, section_points_, measured_channels(measures_)), entry_points, kSizes);
}

std::string FamilyCode::processor_source() const {
  return source("", kProcessorEntryPoints);
}

std::string FamilyCode::device_source() const {
  return source(device_text(), kDeviceEntryPoints);
}

std::optional<LaneData> FamilyCode::lane(const FamilySample& member) const {
  if (!compile_obstacles(member.spec, member.model).empty()) return std::nullopt;
  if (constants_of(member.spec) != constants_ || lane_measures_of(member) != measures_) return std::nullopt;
  if (member.section.kind != section_kind_ || member.section.point_count() != section_points_) return std::nullopt;
  const ModelRecording recording = record_sample(member, channels_);
  std::optional<std::vector<double>> numbers = program_.member_numbers(recording);
  if (!numbers || !recording.has_structure_of(reference_) || (has_shared_laws_ && !have_equal_laws(recording)))
    return std::nullopt;
  LaneData lane;
  lane.member = std::move(*numbers);
  for (const PointNumbers& law : recording.laws) {
    if (has_shared_laws_ && !lane.laws.empty()) break;
    lane.laws.insert(lane.laws.end(),
                     {law.restitution, law.tangential_restitution, law.friction, law.size, law.dry_effort});
  }
  const State start = member.model.system->initial_state();
  const std::size_t n = static_cast<std::size_t>(recording.velocities);
  lane.state.assign(2 * n + static_cast<std::size_t>(memory_numbers_) * points_, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    lane.state[i] = start.q[static_cast<Eigen::Index>(i)];
    lane.state[n + i] = start.u[static_cast<Eigen::Index>(i)];
  }
  if (member.measures != nullptr) lane.measured = first_measured(*member.measures);
  if (has_section()) {  // the period first, then nothing that was seen
    lane.section.assign(kSectionNumbers + section_points_, 0.0);
    lane.section.front() = member.section.program->reductions.front().spec().from_s;
  }
  lane.every = member.spec.record.every;
  lane.step_s = *member.spec.simulate.step_s;
  lane.end_s = end_time_of(member.spec.simulate);
  lane.rules = rules_of(member.spec);
  lane.rules.skip = member.section.skip;
  lane.rules.turns = member.section.turns;
  return lane;
}

void mark_lanes_without_numbers(std::span<LaneData> lanes) {
  const auto is_none = [](double number) { return std::isnan(number); };
  for (LaneData& lane : lanes) {
    const bool has_all = std::ranges::none_of(lane.member, is_none) && std::ranges::none_of(lane.laws, is_none) &&
                         std::ranges::none_of(lane.state, is_none);
    if (lane.status == 0 && !has_all) lane.status = kLaneIsNotFinite;
  }
}

long long step_count(std::span<const LaneData> lanes) {
  double most = 0;
  for (const LaneData& lane : lanes) most = std::max(most, std::ceil(lane.end_s / lane.step_s - 1e-6));
  return std::llround(most);
}

int status_after(const LaneData& lane, int status, long long steps) {
  return status == 0 && steps < step_count({&lane, 1}) ? kLaneWasStopped : status;
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
    case kLaneHasNoRoom:
      return "the section was crossed more often than there was room for";
    case kLaneHasPassed:
      return "parts may have passed through each other within a step";
    case kLaneWasCentred:
      return "concentric parts may have touched within a step";
    case kLaneWasStopped:
      return "it was stopped before its end";
    default:
      return "a number was out of reach";
  }
}

}  // namespace freeplay::compile
