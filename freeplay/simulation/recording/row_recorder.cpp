#include "freeplay/simulation/recording/row_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "freeplay/core/error.h"

namespace freeplay::simulation {

namespace {

// The last one only of integrators that measure it.
enum StepColumn { kSize, kResidual, kIterations, kPositionResidual, kEquationResidual, kStepCount };
constexpr std::array<const char*, kStepCount> kStepChannels = {"step.size", "step.residual", "step.iterations",
                                                               "step.position_residual", "step.equation_residual"};
constexpr std::array<const char*, kStepCount> kStepUnits = {"s", "m/s", "1", "m", "N"};

constexpr std::size_t kMostChannels = 20000;  // a file of more is of no use to anybody

std::vector<std::string> names_of_channels(const std::vector<ChannelInfo>& channels) {
  std::vector<std::string> names;
  for (const ChannelInfo& channel : channels) names.push_back(channel.name);
  return names;
}

Diagnostic unknown_channel(const std::string& name, const std::vector<std::string>& names) {
  const std::string close = closest_match(name, names);
  return {{},
          "record",
          fmt::format("there is no channel '{}'", name),
          close.empty() ? "`freeplay info` lists the channels of a model" : fmt::format("did you mean '{}'?", close),
          {}};
}

}  // namespace

std::vector<ChannelInfo> available_channels(const System& system, const ContactModel& contacts,
                                            const std::string& integrator) {
  std::vector<ChannelInfo> channels;
  for (const ChannelDescription& channel : system.channels()) channels.push_back({channel.name, channel.unit()});
  for (ChannelInfo& channel : ContactRecorder::channels(contacts)) channels.push_back(std::move(channel));
  for (const char* name : EnergyLedger::kChannels) channels.push_back({name, "J"});
  const IntegratorEntry* entry = find_integrator(integrator);
  const bool measures_equation = entry != nullptr && entry->traits.measures_equation_residual;
  const std::size_t steps = measures_equation ? kStepCount : kStepCount - 1;
  for (std::size_t i = 0; i < steps; ++i) channels.push_back({kStepChannels[i], kStepUnits[i]});
  return channels;
}

void RowRecorder::Source::add(int channel, std::size_t target) {
  is_run = is_run && (column.empty() || column.back() + 1 == target);
  from.push_back(channel);
  column.push_back(target);
  values.push_back(0);
}

void RowRecorder::Source::scatter(std::span<double> row) const {
  if (is_run) return;
  for (std::size_t i = 0; i < column.size(); ++i) row[column[i]] = values[i];
}

RowRecorder::RowRecorder(const System& system, const ContactModel& contacts, const std::string& integrator,
                         const RecordOptions& record, ContactRecorder& contact_recorder, const ForceWindow& window)
    : system_(system),
      contact_recorder_(contact_recorder),
      contact_channels_(ContactRecorder::channels(contacts).size()) {
  choose(available_channels(system, contacts, integrator), record);
  contact_recorder.choose_channels(contacts_.from);
  row_.assign(channels_.size(), 0.0);
  std::vector<ChannelInfo> reactions;
  for (const std::size_t column : reactions_.column) reactions.push_back(channels_[column]);
  windows_ = ReactionWindows(reactions, window);
}

// Those of the system stand first.
std::vector<std::string> RowRecorder::recorded_by_default(const std::vector<std::string>& names) const {
  std::vector<std::string> chosen;
  const std::vector<ChannelDescription>& of_system = system_.channels();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i >= of_system.size() || !of_system[i].is_on_request) chosen.push_back(names[i]);
  }
  return chosen;
}

// Models of many bodies have a hundred thousand channels: no list of all names is made for a few that are wanted.
void RowRecorder::choose(const std::vector<ChannelInfo>& available, const RecordOptions& record) {
  if (record.channels.empty() && available.size() > kMostChannels) {
    throw ModelError("record",
                     fmt::format("the model has {} channels, too many to record all of them", available.size()),
                     "name those that you want: 'record: [energy.total, step.residual]'");
  }
  const std::vector<std::string> names =
      record.channels.empty() ? recorded_by_default(names_of_channels(available)) : record.channels;
  const std::unordered_set<std::string_view> wanted(names.begin(), names.end());
  std::unordered_map<std::string_view, std::size_t> index_of;
  for (std::size_t i = 0; i < available.size(); ++i) {
    if (wanted.contains(available[i].name)) index_of.emplace(available[i].name, i);
  }
  std::vector<Diagnostic> unknown;
  for (const std::string& name : names) {
    const auto found = index_of.find(name);
    if (found == index_of.end())
      unknown.push_back(unknown_channel(name, names_of_channels(available)));
    else
      add_column(available, found->second);
  }
  if (!unknown.empty()) throw ModelError(unknown);
  if (record.motion && !record.channels.empty()) add_motion(available, names);
}

void RowRecorder::add_motion(const std::vector<ChannelInfo>& available, const std::vector<std::string>& wanted) {
  const std::unordered_set<std::string> recorded(wanted.begin(), wanted.end());
  for (std::size_t i = 0; i < system_.channels().size(); ++i) {
    if (!system_.channels()[i].is_pose || recorded.contains(system_.channels()[i].name)) continue;
    add_column(available, i);
    ++motion_channels_;
  }
}

// `channel` counts as available_channels() does.
void RowRecorder::add_column(const std::vector<ChannelInfo>& available, std::size_t channel) {
  const std::size_t column = channels_.size(), system_count = system_.channels().size();
  channels_.push_back(available[channel]);
  if (channel < system_count) {
    Source& source = system_.channels()[channel].needs_accelerations ? reactions_ : positions_;
    source.add(static_cast<int>(channel), column);
    return;
  }
  channel -= system_count;
  if (channel < contact_channels_) {
    contacts_.add(static_cast<int>(channel), column);
    return;
  }
  channel -= contact_channels_;
  if (channel < EnergyLedger::kEntryCount)
    energies_.add(static_cast<int>(channel), column);
  else
    steps_.add(static_cast<int>(channel - EnergyLedger::kEntryCount), column);
}

void RowRecorder::read_reactions(const StepRecord& record, double t, double step_s, Dynamics& dynamics) {
  if (!has_reactions()) return;
  const std::span<double> values = reactions_.target(row_);
  if (record.is_known) {
    step_reactions_.set(record, dynamics).read_channels(reactions_.from, values);
    windows_.after_step(t, step_s, values);
  } else {
    std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
  }
}

void RowRecorder::write_row(const State& state, const StepReport& report, Dynamics& dynamics,
                            const EnergyLedger& ledger, RecordSink& sink) {
  if (has_reactions()) reactions_.scatter(row_);
  dynamics.read_channels(positions_.from, positions_.target(row_));
  positions_.scatter(row_);
  contact_recorder_.read_channels(state, contacts_.target(row_));
  contacts_.scatter(row_);
  for (std::size_t i = 0; i < energies_.from.size(); ++i) {
    row_[energies_.column[i]] = ledger.entries()[static_cast<std::size_t>(energies_.from[i])];
  }
  const std::array<double, kStepCount> step = {report.size_s, report.residual_m_s,
                                               static_cast<double>(report.iterations), report.position_residual_m,
                                               report.equation_residual_N};
  for (std::size_t i = 0; i < steps_.from.size(); ++i) {
    row_[steps_.column[i]] = step[static_cast<std::size_t>(steps_.from[i])];
  }
  sink.row(state.t, row_);
}

}  // namespace freeplay::simulation
