// Forces of contacts: means over a window, their peaks, and the past that they need.
#include <algorithm>
#include <map>

#include "freeplay/simulation/recording/contact_recorder.h"

namespace freeplay::simulation {

// When all channels are chosen.
void ContactRecorder::prepare_windows() {
  windows_ = SlidingSums(kColumns * force_points_.size(), static_cast<std::size_t>(options_.window.steps));
  impulses_.assign(kColumns * force_points_.size(), 0.0);
  force_elements_.clear();
  peaks_ = {};
  std::map<std::string, std::size_t> by_contact;
  for (std::size_t i = 0; i < force_points_.size(); ++i) {
    const ContactPoint& point = contacts_.points()[static_cast<std::size_t>(force_points_[i])];
    if (!point.has_normal) continue;
    const auto known = by_contact.find(point.contact);
    if (point.has_place && known != by_contact.end()) {
      force_elements_[known->second].points.push_back(i);
      continue;
    }
    if (point.has_place) by_contact.emplace(point.contact, force_elements_.size());
    force_elements_.push_back({{i}, point.has_place});
    peaks_.add(point.has_place ? point.contact : point.name(), point.gap_dimension == dimensions::kAngle ? "N m" : "N");
  }
}

void ContactRecorder::push_window(const State& state, double dt, bool acts) {
  if (!acts) {
    windows_.push_nothing(dt);
    if (!windows_.is_quiet()) note_peaks(state.t);
    return;
  }
  locate_memory(state);
  double* next = impulses_.data();
  for (const int index : force_points_) {
    const ContactMemory& memory = memory_of(index, state);
    const ContactPoint& point = contacts_.points()[static_cast<std::size_t>(index)];
    *next++ = memory.normal_impulse;
    *next++ = tangential_size(memory.tangential_impulse, point);
    for (const double component : memory.impulse) *next++ = component;
  }
  windows_.push(dt, impulses_);
  note_peaks(state.t);
}

// Over the whole window: at the start it has not been filled, and a mean over the first steps would depend on their
// size.
void ContactRecorder::note_peaks(double time_s) {
  const double window_s = std::max(windows_.time_s(), options_.window.length_s);
  for (std::size_t e = 0; e < force_elements_.size(); ++e) {
    Vec3 vector = Vec3::Zero();
    for (const std::size_t i : force_elements_[e].points) {
      for (std::size_t k = 0; k < 3; ++k) vector[static_cast<int>(k)] += windows_.sum(kColumns * i + 2 + k);
    }
    const double impulse =
        force_elements_[e].is_vector ? vector.norm() : windows_.sum(kColumns * force_elements_[e].points[0]);
    peaks_.note(e, impulse / window_s, window_s, time_s);
  }
}

void ContactRecorder::note_peaks_at(const State& state) {
  for (std::size_t e = 0; e < force_elements_.size(); ++e) {
    Vec3 vector = Vec3::Zero();
    const auto force_of = [&](std::size_t i) { return forces_[static_cast<std::size_t>(force_points_[i])]; };
    for (const std::size_t i : force_elements_[e].points) vector += force_of(i).vector;
    peaks_.note(e, force_elements_[e].is_vector ? vector.norm() : force_of(force_elements_[e].points[0]).normal, 0,
                state.t);
  }
}

// At the state where forces are known there, otherwise the mean over the window.
void ContactRecorder::update_forces(const State& state) {
  if (options_.has_forces_at_states()) {
    for (const int point : force_points_) {
      const std::size_t i = static_cast<std::size_t>(point);
      const ContactMemory& memory = memory_of(point, state);
      forces_[i] = {memory.normal_force, tangential_size(memory.tangential_force, contacts_.points()[i]), memory.force};
    }
    note_peaks_at(state);
    return;
  }
  if (windows_.is_empty()) return;  // no step yet: no force
  window_s_ = windows_.time_s();
  if (windows_.is_quiet() && forces_are_zero_) return;
  forces_are_zero_ = windows_.is_quiet();
  for (std::size_t i = 0; i < force_points_.size(); ++i) {
    const std::size_t column = kColumns * i;
    Impulse& force = forces_[static_cast<std::size_t>(force_points_[i])];
    force.normal = windows_.mean(column);
    force.tangential = windows_.mean(column + 1);
    force.vector = Vec3(windows_.mean(column + 2), windows_.mean(column + 3), windows_.mean(column + 4));
    largest_force_N_ = std::max(largest_force_N_, force.normal);
  }
}

std::span<const ContactForce> ContactRecorder::strongest_forces(const State& state, double dt, int most) {
  const ContactKinematics& points = near_ == nullptr ? *recorded_ : *near_;
  return strongest_.find(points, state, options_.has_forces_at_states() ? std::nullopt : std::optional(dt), most);
}

void ContactRecorder::forget() {
  windows_.forget();
  peaks_.forget();
  loads_.forget();
  deep_point_ = passed_point_ = doubtful_point_ = crowded_point_ = -1;
  largest_force_N_ = hardest_impact_N_s_ = 0;
  struck_point_ = -1;
  watch_.forget();
  wear_.forget();
  totals_.forget();
  if (force_impacts_) force_impacts_->forget();
  std::fill(forces_.begin(), forces_.end(), Impulse());
  forces_are_zero_ = true;
}

// The deep point, impacts under force laws, peaks, the window, wear, totals of groups, recent loads.
std::vector<double> ContactRecorder::memory() const {
  std::vector<double> numbers = {static_cast<double>(deep_point_)};
  numbers.insert(numbers.end(), watch_.ways_m().begin(), watch_.ways_m().end());
  if (force_impacts_) force_impacts_->write(numbers);
  peaks_.write(numbers);
  if (needs_forces_ && !options_.has_forces_at_states()) windows_.write(numbers);
  wear_.write(numbers);
  totals_.write(numbers);
  loads_.write(numbers);
  return numbers;
}

bool ContactRecorder::set_memory(std::span<const double> numbers) {
  constexpr std::size_t kHead = 1;
  const bool has_window = needs_forces_ && !options_.has_forces_at_states();
  const std::size_t of_ways = watch_.ways_m().size();
  const std::size_t of_impacts = force_impacts_ ? force_impacts_->number_count() : 0;
  const std::size_t of_windows = has_window ? windows_.number_count() : 0;
  const std::size_t of_wear = wear_.number_count(), of_totals = totals_.number_count();
  if (numbers.size() < kHead + of_ways + of_impacts + peaks_.number_count() + of_windows + of_wear + of_totals)
    return false;
  const double entries = static_cast<double>(contacts_.points().size() + contacts_.groups().size());
  if (!(numbers[0] >= -1 && numbers[0] <= entries - 1)) return false;
  forget();
  deep_point_ = static_cast<int>(numbers[0]);
  std::span<const double> rest = numbers.subspan(kHead);
  watch_.set_ways_m(rest.first(of_ways));
  rest = rest.subspan(of_ways);
  if (force_impacts_) force_impacts_->take(rest.first(of_impacts));
  rest = rest.subspan(of_impacts);
  peaks_.take(rest.first(peaks_.number_count()));
  rest = rest.subspan(peaks_.number_count());
  if (has_window && !windows_.take(rest.first(of_windows))) return false;
  rest = rest.subspan(of_windows);
  if (!wear_.take(rest.first(of_wear))) return false;
  rest = rest.subspan(of_wear);
  if (!totals_.take(rest.first(of_totals))) return false;
  rest = rest.subspan(of_totals);
  return loads_.take(rest) == rest.size();
}

}  // namespace freeplay::simulation
