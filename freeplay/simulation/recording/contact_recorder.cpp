#include "freeplay/simulation/recording/contact_recorder.h"

#include <algorithm>

namespace freeplay::simulation {

ContactRecorder::ContactRecorder(const ContactModel& contacts, Dynamics& dynamics,
                                 const ContactRecorderOptions& options)
    : contacts_(contacts),
      options_(options),
      recorded_(contacts.make_kinematics(dynamics)),
      extra_(contacts.extra_channels().size(), 0.0),
      watch_(contacts, dynamics),
      wear_(contacts, dynamics, options.treatment),
      totals_(contacts, options.has_forces_at_states() ? 0 : options.window.steps) {
  for (const Column& column : columns_of(contacts)) sources_.push_back(column.source);
  const std::size_t points = contacts.points().size();
  if (options.has_force_laws()) force_impacts_.emplace(points);
  forces_.resize(points);
  place_.resize(points);
  memory_place_.resize(points);
  for (std::size_t i = 0; i < points; ++i) {
    place_[i] = static_cast<int>(i);
    memory_place_[i] = i;
  }
  gaps_ = VecX::Zero(recorded_->set().size());
  if (!recorded_->has_far_points()) return;
  near_ = contacts.make_kinematics(dynamics);
  std::fill(place_.begin(), place_.end(), -1);
  must_take_pairs_ = true;
}

std::vector<ContactRecorder::Column> ContactRecorder::columns_of(const ContactModel& contacts) {
  std::vector<Column> columns;
  for (int i = 0; i < contacts.point_count(); ++i) {
    const ContactPoint& point = contacts.points()[static_cast<std::size_t>(i)];
    // A stop of a revolute joint and its friction act as moments.
    const bool turns = point.gap_dimension == dimensions::kAngle;
    const std::string force = turns ? "N m" : "N", impulse = turns ? "N m s" : "N s";
    const auto add = [&](const char* name, const std::string& unit, Quantity quantity) {
      columns.push_back({{point.contact + "." + name + point.suffix, unit}, {quantity, i}});
    };
    if (point.has_normal) add("gap", turns ? "rad" : "m", Quantity::kGap);
    if (point.has_normal) add("normal_impulse", impulse, Quantity::kNormalImpulse);
    if (point.tangents > 0) add("tangential_impulse", impulse, Quantity::kTangentialImpulse);
    if (point.has_normal) add("normal_force", force, Quantity::kNormalForce);
    if (point.tangents > 0) add("tangential_force", force, Quantity::kTangentialForce);
    if (point.has_place) {
      const bool in_space = point.tangents == 2;
      const bool is_all = point.is_all_of_joint;
      add(is_all ? "contact_force_x" : "force_x", force, Quantity::kForceX);
      add(is_all ? "contact_force_y" : "force_y", force, Quantity::kForceY);
      if (in_space) add(is_all ? "contact_force_z" : "force_z", force, Quantity::kForceZ);
      add("point_x", "m", Quantity::kPointX);
      add("point_y", "m", Quantity::kPointY);
      if (in_space) add("point_z", "m", Quantity::kPointZ);
      add("normal_x", "1", Quantity::kNormalX);
      add("normal_y", "1", Quantity::kNormalY);
      if (in_space) add("normal_z", "1", Quantity::kNormalZ);
    }
    add("mode", "1", Quantity::kMode);
    if (point.has_normal) add("impact_loss", "J", Quantity::kImpactLoss);
    if (point.tangents > 0) add("friction_loss", "J", Quantity::kFrictionLoss);
  }
  for (std::size_t i = 0; i < contacts.extra_channels().size(); ++i) {
    const ChannelDescription& channel = contacts.extra_channels()[i];
    columns.push_back({{channel.name, channel.unit()}, {Quantity::kExtra, static_cast<int>(i)}});
  }
  for (ChannelInfo& channel : WearRecorder::channels(contacts)) {
    const int index =
        columns.empty() || columns.back().source.quantity != Quantity::kWear ? 0 : columns.back().source.index + 1;
    columns.push_back({std::move(channel), {Quantity::kWear, index}});
  }
  int total = 0;
  for (ChannelInfo& channel : GroupTotals::channels(contacts))
    columns.push_back({std::move(channel), {Quantity::kGroup, total++}});
  return columns;
}

std::vector<ChannelInfo> ContactRecorder::channels(const ContactModel& contacts) {
  std::vector<ChannelInfo> channels;
  for (Column& column : columns_of(contacts)) channels.push_back(std::move(column.info));
  return channels;
}

namespace {

void insert(std::vector<int>& list, int number) {
  const auto place = std::lower_bound(list.begin(), list.end(), number);
  if (place == list.end() || *place != number) list.insert(place, number);
}

}  // namespace

void ContactRecorder::choose_channels(std::span<const int> channels) {
  chosen_.assign(channels.begin(), channels.end());
  must_find_cells_ = true;
  for (const int channel : channels) need_channel(channel);
  prepare_windows();
}

void ContactRecorder::need_channel(int channel) {
  const auto& [quantity, point] = sources_[static_cast<std::size_t>(channel)];
  if (quantity >= Quantity::kNormalForce && quantity <= Quantity::kForceZ) {
    needs_forces_ = true;
    insert(force_points_, point);
  }
  if (quantity == Quantity::kGroup) totals_.use();
  const bool is_place = quantity >= Quantity::kPointX && quantity <= Quantity::kNormalZ;
  if (quantity == Quantity::kGap || is_place) record_point(point);
  if (!is_place) return;
  places_.resize(contacts_.points().size());
  insert(placed_points_, point);
}

void ContactRecorder::record_point(int point) {
  if (near_ == nullptr) return;
  insert(recorded_pairs_, static_cast<int>(contacts_.key_of(point).pair));
  must_take_pairs_ = true;
}

void ContactRecorder::update_gaps(const State& state) {
  if (must_take_pairs_) {
    must_take_pairs_ = false;
    must_find_cells_ = true;
    recorded_->take_points_of(recorded_pairs_);
    gaps_.resize(recorded_->set().size());
    for (int i = 0; i < recorded_->set().size(); ++i)
      place_[static_cast<std::size_t>(contacts_.entry_of(recorded_->set().key(i)))] = i;
  }
  recorded_->recall(state);
  if (gaps_.size() > 0) recorded_->update_gaps(gaps_);
  if (near_ == nullptr) return;
  near_->recall(state);
  near_->find_points(0);
  if (near_gaps_.size() < near_->set().size()) near_gaps_.resize(near_->set().size());
  near_->update_gaps(near_gaps_);
}

void ContactRecorder::prepare_row(const State& state) {
  if (contacts_.is_empty()) return;
  recorded_->read_extra_channels(extra_);
  wear_.update_numbers();
  locate_memory(state);
  for (const int point : placed_points_) {
    const std::size_t i = static_cast<std::size_t>(point);
    places_[i] = recorded_->place_of(place_[i]);
  }
  if (needs_forces_) update_forces(state);
  if (near_ == nullptr)
    totals_.update(state, recorded_->set(), gaps_);
  else
    totals_.update(state, near_->set(), near_gaps_);
}

void ContactRecorder::look_at_gaps(const State& state, std::int64_t step, double dt, RunSummary& summary) {
  ContactKinematics& kinematics = near_ == nullptr ? *recorded_ : *near_;
  const VecX& gaps = near_ == nullptr ? gaps_ : near_gaps_;
  const GapWatch::Found found = watch_.look(kinematics, gaps, state, step, dt, !options_.has_force_laws());
  summary.max_penetration_m = std::max(summary.max_penetration_m, found.max_penetration_m);
  if (deep_point_ < 0) deep_point_ = found.deep_entry;
  if (passed_point_ < 0) passed_point_ = found.passed_entry;
  if (crowded_point_ < 0 && kinematics.crowded_point() >= 0)
    crowded_point_ = contacts_.entry_of(kinematics.set().key(kinematics.crowded_point()));
}

ContactRecorder::Findings ContactRecorder::findings() const {
  const auto found = [&](int index) { return index < 0 ? nullptr : &entry(index); };
  constexpr double kMost = 0.5;  // of the largest force
  const bool is_by_impact = hardest_impact_N_s_ > kMost * largest_force_N_ * window_s_;
  return {found(deep_point_), found(passed_point_), found(doubtful_point_), found(crowded_point_),
          found(is_by_impact ? struck_point_ : -1)};
}

const ContactPoint& ContactRecorder::entry(int index) const {
  const std::size_t i = static_cast<std::size_t>(index), named = contacts_.points().size();
  return i < named ? contacts_.points()[i] : contacts_.groups()[i - named];
}

const ContactMemory& ContactRecorder::memory_of(int point, const State& state) const {
  static const ContactMemory kNothingYet;
  const std::size_t place = memory_place_[static_cast<std::size_t>(point)];
  const bool is_there = place < state.contacts.size() && state.contacts[place].key == contacts_.key_of(point);
  return is_there ? state.contacts[place] : kNothingYet;
}

void ContactRecorder::locate_memory(const State& state) {
  if (near_ == nullptr) return;  // all points are there, in their order
  for (std::size_t i = 0; i < state.contacts.size(); ++i) {
    const ContactKey key = state.contacts[i].key;
    if (key.is_named()) memory_place_[static_cast<std::size_t>(contacts_.entry_of(key))] = i;
  }
}

void ContactRecorder::after_step(const State& state, double dt, int active_points, RecordSink& sink,
                                 RunSummary& summary) {
  if (contacts_.is_empty()) return;
  if (options_.has_force_laws()) {
    record_ended_impacts(state, sink, summary);
    return;
  }
  if (active_points > 0) record_impacts(state, dt, sink, summary);
  totals_.after_step(state, dt);
  if (needs_forces_ && !options_.has_forces_at_states()) push_window(state, dt, active_points > 0);
}

namespace {

template <class Quantity>
int axis_from(Quantity first, Quantity quantity) {
  return static_cast<int>(quantity) - static_cast<int>(first);
}

}  // namespace

const double* ContactRecorder::number_of_row(const Source& source) const {
  const std::size_t index = static_cast<std::size_t>(source.index);
  switch (source.quantity) {
    case Quantity::kGap:
      return &gaps_[place_[index]];
    case Quantity::kNormalForce:
      return &forces_[index].normal;
    case Quantity::kTangentialForce:
      return &forces_[index].tangential;
    case Quantity::kForceX:
    case Quantity::kForceY:
    case Quantity::kForceZ:
      return &forces_[index].vector[axis_from(Quantity::kForceX, source.quantity)];
    case Quantity::kPointX:
    case Quantity::kPointY:
    case Quantity::kPointZ:
      return &places_[index].point_m[axis_from(Quantity::kPointX, source.quantity)];
    case Quantity::kNormalX:
    case Quantity::kNormalY:
    case Quantity::kNormalZ:
      return &places_[index].normal[axis_from(Quantity::kNormalX, source.quantity)];
    case Quantity::kExtra:
      return &extra_[index];
    case Quantity::kWear:
      return &wear_.numbers()[index];
    case Quantity::kGroup:
      return &totals_.numbers()[index];
    default:
      return nullptr;  // see number_of_memory()
  }
}

inline double ContactRecorder::number_of_memory(const Source& source, const ContactMemory& memory) const {
  switch (source.quantity) {
    case Quantity::kNormalImpulse:
      return memory.normal_impulse;
    case Quantity::kTangentialImpulse:
      return tangential_size(memory.tangential_impulse, contacts_.points()[static_cast<std::size_t>(source.index)]);
    case Quantity::kMode:
      return static_cast<double>(memory.mode);
    case Quantity::kImpactLoss:
      return memory.impact_loss;
    case Quantity::kFrictionLoss:
      return memory.friction_loss;
    default:
      return 0;  // see number_of_row()
  }
}

// The tables of a row keep their places once update_gaps() knows which pairs it looks at.
void ContactRecorder::find_cells() {
  must_find_cells_ = false;
  row_cells_.clear();
  memory_cells_.clear();
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const Source source = sources_[static_cast<std::size_t>(chosen_[i])];
    if (const double* number = number_of_row(source))
      row_cells_.push_back({number, i});
    else
      memory_cells_.push_back({source, i});
  }
}

void ContactRecorder::read_channels(const State& state, std::span<double> values) {
  if (must_find_cells_) find_cells();
  for (const RowCell& cell : row_cells_) values[cell.to] = *cell.from;
  const ContactMemory* memory = nullptr;
  int last_point = -1;  // the channels of a point mostly stand together
  for (const MemoryCell& cell : memory_cells_) {
    if (cell.source.index != last_point) {
      last_point = cell.source.index;
      memory = &memory_of(last_point, state);
    }
    values[cell.to] = number_of_memory(cell.source, *memory);
  }
}

}  // namespace freeplay::simulation
