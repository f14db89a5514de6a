#include "freeplay/integrators/smooth/hidden_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::integrators {

namespace {

constexpr double kMargin = 1.25;  // speeds are those of the ends of the step
// Pieces down to this length are judged by the speeds of the surfaces, which may slide past each other without closing;
// shorter ones by how fast the gap has been seen to change.
constexpr int kLongPiece = 256;
// In one step; ten or twenty are usual. Parts that fly past each other with poor bounds need all there are.
constexpr std::size_t kMostLooks = 1023, kFewLooks = 128, kMostNumbers = 1U << 18U;

}  // namespace

HiddenContacts::HiddenContacts(const System& system, const ContactModel& contacts)
    : dynamics_(system.make_dynamics()),
      kinematics_(contacts.make_kinematics(*dynamics_)),
      q_(VecX::Zero(system.coordinate_count())) {
  kinematics_->take_all_points();
  slopes_ = VecX::Zero(kinematics_->set().size());
  reaches_ = VecX::Constant(slopes_.size(), std::numeric_limits<double>::infinity());
  const std::size_t points = std::max<std::size_t>(1, static_cast<std::size_t>(slopes_.size()));
  most_looks_ = std::clamp(kMostNumbers / points, kFewLooks, kMostLooks);
  gaps_.assign(most_looks_ + 2, slopes_);
  for (std::vector<Piece>* list : {&pieces_, &halves_}) list->reserve(2 * most_looks_);
  open_.reserve(static_cast<std::size_t>(slopes_.size()));
  start_ = end_ = GapMotion(static_cast<int>(slopes_.size()));
  for (const LivePoint& point : kinematics_->set().points()) by_pair_.push_back(point.description->is_followed);
  has_followed_ = std::find(by_pair_.begin(), by_pair_.end(), true) != by_pair_.end();
}

bool HiddenContacts::is_clear(const Piece& piece, const Step& step, const Ends& start, const Ends& end) const {
  const double size_s = step.size_s * piece.length / kPieces;
  const VecX &g_a = gaps_[piece.gaps_a], &g_b = gaps_[piece.gaps_b];
  for (const int i : open_) {
    const double speed = piece.length >= kLongPiece
                             ? std::max(start.speeds[i], end.speeds[i])
                             : std::max({std::abs(start.rates[i]), std::abs(end.rates[i]), slopes_[i]});
    if (g_a[i] + g_b[i] <= kMargin * speed * size_s) return false;
    if (start.untold_gaps == nullptr || end.untold_gaps == nullptr) continue;
    const double untold = std::max((*start.untold_speeds)[i], (*end.untold_speeds)[i]);
    const double apart = piece.length == kPieces ? (*start.untold_gaps)[i] + (*end.untold_gaps)[i] : 2 * reaches_[i];
    if (apart <= kMargin * untold * size_s) return false;
  }
  return true;
}

void HiddenContacts::note_slopes(const Piece& piece, const Step& step) {
  const double size_s = step.size_s * piece.length / kPieces;
  const VecX &g_a = gaps_[piece.gaps_a], &g_b = gaps_[piece.gaps_b];
  for (int i = 0; i < slopes_.size(); ++i) {
    const double slope = std::abs(g_b[i] - g_a[i]) / size_s;
    if (std::isfinite(slope)) slopes_[i] = std::max(slopes_[i], slope);
  }
}

bool HiddenContacts::look_inside(const Piece& piece, std::size_t place, const Step& step, const Position& position) {
  const int middle = piece.first + piece.length / 2;
  const double s = static_cast<double>(middle) / kPieces;
  position(s, q_);
  dynamics_->set_position(step.start_s + s * step.size_s, q_);
  VecX& g = gaps_[place];
  kinematics_->update_gaps(g);
  gather_pairs(g);
  return std::any_of(open_.begin(), open_.end(), [&](int i) { return g[i] < -step.least_depth_m; });
}

// One point stands for all of a pair. Beside a contact that touches, those of its pair that are shown go by themselves.
void HiddenContacts::list_open(const Step& step, const Ends& start, const Ends& end, const std::vector<bool>& watched) {
  open_.clear();
  for (int first = 0, end_of = 0; first < slopes_.size(); first = end_of) {
    end_of = by_pair_[static_cast<std::size_t>(first)] ? end_of_pair(first) : first + 1;
    const double least_m = -step.touching_m;
    if (watched[static_cast<std::size_t>(first)] && start.gaps[first] >= least_m && end.gaps[first] >= least_m)
      open_.push_back(first);
  }
}

std::optional<double> HiddenContacts::find(const Step& step, const Ends& start, const Ends& end,
                                           const std::vector<bool>& watched, const Position& position) {
  if (!has_followed_) {
    list_open(step, start, end, watched);
    return search(step, start, end, position);
  }
  for (int first = 0, end_of = 0; first < slopes_.size(); first = end_of) {
    end_of = end_of_pair(first);
    const auto from = watched.begin() + first, to = watched.begin() + end_of;
    const bool is_free = kinematics_->set()[first].is_followed && std::find(from, to, false) == to;
    std::fill(by_pair_.begin() + first, by_pair_.begin() + end_of, is_free);
  }
  const auto take = [this](const Ends& from, GapMotion& to) {
    to.gaps = from.gaps;
    to.rates = from.rates;
    to.speeds = from.speeds;
    gather_pairs(to);
    return Ends{to.gaps, to.rates, to.speeds, from.untold_gaps, from.untold_speeds};
  };
  const Ends start_of_pairs = take(start, start_), end_of_pairs = take(end, end_);
  list_open(step, start_of_pairs, end_of_pairs, watched);
  return search(step, start_of_pairs, end_of_pairs, position);
}

// All pieces of one length before those of half of it: what is seen in one place tells how fast gaps change in others.
std::optional<double> HiddenContacts::search(const Step& step, const Ends& start, const Ends& end,
                                             const Position& position) {
  if (open_.empty()) return std::nullopt;
  gaps_[0] = start.gaps;
  gaps_[1] = end.gaps;
  slopes_.setZero();
  pieces_.assign(1, Piece{});
  std::size_t looks = 0;
  for (int length = kPieces; length >= 2 && !pieces_.empty(); length /= 2) {
    halves_.clear();
    for (const Piece& piece : pieces_) {
      if (looks == most_looks_) return std::nullopt;
      if (is_clear(piece, step, start, end)) continue;
      const std::size_t place = 2 + looks++;
      const int half = length / 2;
      if (look_inside(piece, place, step, position)) return static_cast<double>(piece.first + half) / kPieces;
      halves_.push_back({piece.first, half, piece.gaps_a, place});
      note_slopes(halves_.back(), step);
      halves_.push_back({piece.first + half, half, place, piece.gaps_b});
      note_slopes(halves_.back(), step);
    }
    pieces_.swap(halves_);
  }
  return std::nullopt;
}

void HiddenContacts::measure(double t, const VecX& q, const VecX& u, GapMotion& motion) {
  dynamics_->set_position(t, q);
  dynamics_->set_velocity(u);
  kinematics_->update_gaps(motion.gaps);
  kinematics_->update_velocities();
  for (int i = 0; i < slopes_.size(); ++i) {
    const bool has_velocity = kinematics_->set()[i].has_place;
    const PointVelocity velocity = has_velocity ? kinematics_->velocity_of(i) : PointVelocity{};
    motion.rates[i] = velocity.normal;
    motion.speeds[i] = velocity.shape_speed();
    const std::optional<double> far = kinematics_->far_speed(i);
    motion.is_far[static_cast<std::size_t>(i)] = far.has_value();
    if (far) motion.rates[i] = -(motion.speeds[i] = *far);
    const contact::UntoldContacts untold = kinematics_->untold_contacts(i);
    reaches_[i] = untold.reach_m;
    motion.untold_gaps[i] = untold.gap_m;
    motion.untold_speeds[i] = untold.speed_m_s;
  }
  kinematics_->fill_far_gaps(motion.gaps);
  for (int i = 0; i < slopes_.size(); ++i) by_pair_[static_cast<std::size_t>(i)] = kinematics_->set()[i].is_followed;
  gather_pairs(motion);
}

int HiddenContacts::end_of_pair(int first) const {
  const ContactSet& points = kinematics_->set();
  int end = first + 1;
  while (end < points.size() && points.key(end).pair == points.key(first).pair) ++end;
  return end;
}

void HiddenContacts::gather_pairs(GapMotion& motion) const {
  if (!has_followed_) return;
  for (int first = 0, end = 0; first < slopes_.size(); first = end) {
    end = end_of_pair(first);
    if (!by_pair_[static_cast<std::size_t>(first)]) continue;
    int nearest = first;
    for (int k = first + 1; k < end; ++k) {
      if (motion.gaps[k] < motion.gaps[nearest]) nearest = k;
    }
    const int count = end - first;
    motion.gaps.segment(first, count).setConstant(motion.gaps[nearest]);
    motion.rates.segment(first, count).setConstant(motion.rates[nearest]);
    motion.speeds.segment(first, count).setConstant(motion.speeds[nearest]);
    for (int k = first; k < end; ++k)
      motion.is_far[static_cast<std::size_t>(k)] = motion.is_far[static_cast<std::size_t>(nearest)];
  }
}

void HiddenContacts::gather_pairs(VecX& gaps) const {
  if (!has_followed_) return;
  kinematics_->fill_far_gaps(gaps);
  for (int first = 0, end = 0; first < slopes_.size(); first = end) {
    end = end_of_pair(first);
    if (by_pair_[static_cast<std::size_t>(first)])
      gaps.segment(first, end - first).setConstant(gaps.segment(first, end - first).minCoeff());
  }
}

}  // namespace freeplay::integrators
