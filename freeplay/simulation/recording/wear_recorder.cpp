#include "freeplay/simulation/recording/wear_recorder.h"

#include <algorithm>
#include <cmath>

#include "freeplay/core/error.h"

namespace freeplay::simulation {

namespace {

bool has_depth(const WornSurface& surface) {
  return surface.kind != WornSurface::Kind::kWhole;
}

const char* unit_of_places(const WornSurface& surface) {
  if (!has_depth(surface)) return "";
  return surface.kind == WornSurface::Kind::kRound ? "rad" : "m";
}

constexpr std::size_t kNumbersOfPast = 8;

}  // namespace

double mean_speed(const Vec3& v_A, const Vec3& v_E) {
  const Vec3 change = v_E - v_A;
  const double size = change.norm(), fastest = std::max(v_A.norm(), v_E.norm());
  // Below, the difference of two integrals would be rounding, and the middle is exact to the square of this.
  constexpr double kHardlyAny = 1e-6;
  if (size <= kHardlyAny * fastest) return (v_A + v_E).norm() / 2;
  const Vec3 along = change / size;
  const double from = along.dot(v_A), to = along.dot(v_E), across = (v_A - from * along).norm();
  const auto integral = [&](double x) {
    const double of_across = across > 0 ? across * across * std::asinh(x / across) : 0;
    return (x * std::hypot(x, across) + of_across) / 2;
  };
  return (integral(to) - integral(from)) / size;
}

WearRecorder::WearRecorder(const ContactModel& contacts, Dynamics& dynamics, ContactTreatment treatment)
    : contacts_(contacts), dynamics_(dynamics), treatment_(treatment) {
  if (contacts.worn().empty()) return;
  kinematics_ = contacts.make_kinematics(dynamics);
  point_of_entry_.assign(contacts.points().size(), -1);
  std::vector<int> pairs;
  for (std::size_t c = 0; c < contacts.worn().size(); ++c) {
    const WornContact& contact = contacts.worn()[c];
    FREEPLAY_ASSERT(contact.surfaces.size() <= kMostSurfaces);
    first_surface_.push_back(surfaces_.size());
    for (const WornSurface& surface : contact.surfaces) {
      surfaces_.push_back(&surface);
      cells_.emplace_back(surface);
    }
    for (int i = 0; i < contact.point_count; ++i) {
      point_of_entry_[static_cast<std::size_t>(contact.first_point + i)] = static_cast<int>(points_.size());
      points_.push_back({static_cast<int>(c), i, 0, nullptr, {}});
    }
    pairs.push_back(static_cast<int>(contacts.key_of(contact.first_point).pair));
  }
  std::sort(pairs.begin(), pairs.end());
  kinematics_->take_points_of(pairs);
  const ContactSet& set = kinematics_->set();
  gaps_ = VecX::Zero(set.size());
  for (int i = 0; i < set.size(); ++i) {
    const int point = point_of_entry_[static_cast<std::size_t>(contacts.entry_of(set.key(i)))];
    if (point >= 0) points_[static_cast<std::size_t>(point)].place = i;
  }
  numbers_.assign(channels(contacts).size(), 0.0);
}

std::vector<ChannelInfo> WearRecorder::channels(const ContactModel& contacts) {
  std::vector<ChannelInfo> channels;
  for (const WornContact& contact : contacts.worn()) {
    for (const WornSurface& surface : contact.surfaces) {
      channels.push_back({contact.contact + ".wear_volume_" + surface.name, "m^3"});
      if (has_depth(surface)) channels.push_back({contact.contact + ".wear_depth_" + surface.name, "m"});
    }
  }
  return channels;
}

// The dynamics at the state, and what it remembers of every point.
void WearRecorder::look(const State& state) {
  dynamics_.set_position(state.t, state.q);
  dynamics_.set_velocity(state.u);
  kinematics_->recall(state);
  kinematics_->update_gaps(gaps_);
  kinematics_->update_velocities();
  for (Point& point : points_) point.memory = nullptr;
  for (const ContactMemory& memory : state.contacts) {
    if (!memory.key.is_named()) continue;
    const int point = point_of_entry_[static_cast<std::size_t>(contacts_.entry_of(memory.key))];
    if (point >= 0) points_[static_cast<std::size_t>(point)].memory = &memory;
  }
}

WearRecorder::Past WearRecorder::past_of(const Point& point) const {
  Past now;
  if (!std::isfinite(gaps_[point.place])) return now;  // there is no such contact here
  const Vec2 sliding = kinematics_->velocity_of(point.place).tangential;
  // In space tangents are not the same from step to step.
  const bool is_planar = kinematics_->set()[point.place].tangents < 2;
  now.sliding_m_s = is_planar ? Vec3(sliding.x(), 0, 0) : kinematics_->in_world(point.place, 0, sliding);
  if (point.memory != nullptr) {
    now.power_W = point.memory->normal_force * sliding.norm();
    now.is_loaded = point.memory->normal_force > 0 || point.memory->normal_impulse > 0;
  }
  const WornContact& contact = contacts_.worn()[static_cast<std::size_t>(point.contact)];
  for (std::size_t s = 0; s < contact.surfaces.size(); ++s)
    now.at[s] = kinematics_->wear_coordinate(point.place, contact, contact.surfaces[s]);
  return now;
}

void WearRecorder::start(const State& state) {
  if (!kinematics_) return;
  look(state);
  for (Point& point : points_) point.past = past_of(point);
}

// Integral of F_N |v_T| dt over a step. Forces at states: the trapezoid, as of the impulses of such contacts. Impulses
// of steps: v_T runs from its value at the start to that at the end while the impulse acts.
double WearRecorder::work_of(const Point& point, const Past& now, double dt, bool by_impulses) const {
  const double impulse = point.memory != nullptr ? point.memory->normal_impulse : 0;
  if (by_impulses) return impulse > 0 ? impulse * mean_speed(point.past.sliding_m_s, now.sliding_m_s) : 0;
  double work = 0.5 * dt * (point.past.power_W + now.power_W);
  // Impacts at the end of a step; without friction nothing is known of the velocity before it.
  if (treatment_ == ContactTreatment::kAccelerations && impulse > 0) {
    const Vec2 &before = point.memory->tangential_velocity_before, &after = point.memory->tangential_velocity_after;
    const bool is_known = std::isfinite(before[0]) && std::isfinite(after[0]);
    work +=
        impulse * (is_known ? mean_speed({before[0], before[1], 0}, {after[0], after[1], 0}) : now.sliding_m_s.norm());
  }
  return work;
}

void WearRecorder::after_step(const State& state, double dt, bool is_handed_over) {
  if (!kinematics_) return;
  look(state);
  const bool by_impulses = is_handed_over || treatment_ == ContactTreatment::kImpulses;
  for (Point& point : points_) {
    const Past now = past_of(point);
    const double work = work_of(point, now, dt, by_impulses);
    const std::size_t contact = static_cast<std::size_t>(point.contact), first = first_surface_[contact];
    const std::vector<WornSurface>& surfaces = contacts_.worn()[contact].surfaces;
    for (std::size_t s = 0; work > 0 && s < surfaces.size(); ++s) {
      const int number = point.number - surfaces[s].first_point;
      if (number < 0 || number >= surfaces[s].point_count) continue;
      // A contact that has just begun has its place at the end of the step only, one that has ended at its start.
      const double from = point.past.is_loaded ? point.past.at[s] : now.at[s];
      cells_[first + s].add(from, now.is_loaded ? now.at[s] : from, work);
    }
    point.past = now;
  }
}

double WearRecorder::depth_of(std::size_t surface, double amount) const {
  const WornSurface& of = *surfaces_[surface];
  const double arc = of.kind == WornSurface::Kind::kRound ? of.radius_m : 1;
  return of.coefficient_1_Pa * amount / (arc * cells_[surface].width() * of.length_m);
}

void WearRecorder::update_numbers() {
  std::size_t next = 0;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    numbers_[next++] = surfaces_[s]->coefficient_1_Pa * cells_[s].total();
    if (has_depth(*surfaces_[s])) numbers_[next++] = depth_of(s, cells_[s].largest());
  }
}

std::vector<SurfaceWear> WearRecorder::results() const {
  std::vector<SurfaceWear> results;
  for (std::size_t c = 0; c < first_surface_.size(); ++c) {
    const WornContact& contact = contacts_.worn()[c];
    for (std::size_t i = 0; i < contact.surfaces.size(); ++i) {
      const std::size_t s = first_surface_[c] + i;
      const double coefficient = surfaces_[s]->coefficient_1_Pa;
      SurfaceWear wear{contact.contact, contact.surfaces[i].name, unit_of_places(contact.surfaces[i])};
      wear.volume_m3 = coefficient * cells_[s].total();
      for (const WearCells::Cell& cell : cells_[s].cells()) {
        wear.cells.push_back({cell.from, cell.to, coefficient * cell.amount, depth_of(s, cell.amount)});
        if (!(wear.cells.back().depth_m > wear.max_depth_m)) continue;
        wear.max_depth_m = wear.cells.back().depth_m;
        wear.max_at = (cell.from + cell.to) / 2;
      }
      results.push_back(std::move(wear));
    }
  }
  return results;
}

void WearRecorder::forget() {
  for (WearCells& cells : cells_) cells.forget();
  for (Point& point : points_) point.past = {};
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
}

std::size_t WearRecorder::number_count() const {
  std::size_t count = kNumbersOfPast * points_.size();
  for (const WearCells& cells : cells_) count += cells.number_count();
  return count;
}

void WearRecorder::write(std::vector<double>& numbers) const {
  for (const Point& point : points_) {
    const Past& past = point.past;
    numbers.insert(numbers.end(), {past.sliding_m_s.x(), past.sliding_m_s.y(), past.sliding_m_s.z(), past.power_W,
                                   past.is_loaded ? 1.0 : 0.0, past.at[0], past.at[1], past.at[2]});
  }
  for (const WearCells& cells : cells_) cells.write(numbers);
}

bool WearRecorder::take(std::span<const double> numbers) {
  for (Point& point : points_) {
    const std::span<const double> own = numbers.first(kNumbersOfPast);
    if (!std::all_of(own.begin(), own.end(), [](double number) { return std::isfinite(number); })) return false;
    point.past = {{own[0], own[1], own[2]}, own[3], own[4] != 0, {own[5], own[6], own[7]}};
    numbers = numbers.subspan(kNumbersOfPast);
  }
  for (WearCells& cells : cells_) {
    if (!cells.take(numbers.first(cells.number_count()))) return false;
    numbers = numbers.subspan(cells.number_count());
  }
  return true;
}

}  // namespace freeplay::simulation
