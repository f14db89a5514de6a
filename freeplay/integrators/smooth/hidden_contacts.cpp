#include "freeplay/integrators/smooth/hidden_contacts.h"

#include <algorithm>
#include <cmath>

namespace freeplay::integrators {

namespace {

constexpr double kMargin = 1.25;  // speeds are those of the ends of the step
// Pieces down to this length are judged by the speeds of the surfaces, which may slide past each other without closing;
// shorter ones by how fast the gap has been seen to change.
constexpr int kLongPiece = 256;
constexpr std::size_t kMostLooks = 128;  // in one step; ten or twenty are usual

}  // namespace

HiddenContacts::HiddenContacts(const System& system, const ContactModel& contacts, bool by_pairs)
    : by_pairs_(by_pairs),
      dynamics_(system.make_dynamics()),
      kinematics_(contacts.make_kinematics(*dynamics_)),
      q_(VecX::Zero(system.coordinate_count())) {
  kinematics_->take_all_points();
  slopes_ = VecX::Zero(kinematics_->set().size());
  gaps_.assign(kMostLooks + 2, slopes_);
  for (std::vector<Piece>* list : {&pieces_, &halves_}) list->reserve(2 * kMostLooks);
  open_.reserve(static_cast<std::size_t>(slopes_.size()));
}

bool HiddenContacts::is_clear(const Piece& piece, const Step& step, const Ends& start, const Ends& end) const {
  const double size_s = step.size_s * piece.length / kPieces;
  const VecX &g_a = gaps_[piece.gaps_a], &g_b = gaps_[piece.gaps_b];
  for (const int i : open_) {
    const double speed = piece.length >= kLongPiece
                             ? std::max(start.speeds[i], end.speeds[i])
                             : std::max({std::abs(start.rates[i]), std::abs(end.rates[i]), slopes_[i]});
    if (g_a[i] + g_b[i] <= kMargin * speed * size_s) return false;
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
  if (by_pairs_) gather_pairs(g);
  return std::any_of(open_.begin(), open_.end(), [&](int i) { return g[i] < -step.least_depth_m; });
}

// All pieces of one length before those of half of it: what is seen in one place tells how fast gaps change in others.
std::optional<double> HiddenContacts::find(const Step& step, const Ends& start, const Ends& end,
                                           const std::vector<bool>& watched, const Position& position) {
  gaps_[0] = start.gaps;
  gaps_[1] = end.gaps;
  slopes_.setZero();
  open_.clear();
  for (int i = 0; i < slopes_.size(); ++i) {
    if (watched[static_cast<std::size_t>(i)] && start.gaps[i] >= 0 && end.gaps[i] >= 0) open_.push_back(i);
  }
  pieces_.assign(1, Piece{});
  std::size_t looks = 0;
  for (int length = kPieces; length >= 2 && !pieces_.empty(); length /= 2) {
    halves_.clear();
    for (const Piece& piece : pieces_) {
      if (looks == kMostLooks) return std::nullopt;
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
  }
  if (!by_pairs_) return;
  // The motion is that of the nearest contact.
  const ContactSet& points = kinematics_->set();
  for (int i = 0; i < points.size(); ++i) {
    if (!points[i].is_followed) continue;
    int nearest = i;
    for (int k = 0; k < points.size(); ++k) {
      if (points.key(k).pair == points.key(i).pair && motion.gaps[k] < motion.gaps[nearest]) nearest = k;
    }
    motion.rates[i] = motion.rates[nearest];
    motion.speeds[i] = motion.speeds[nearest];
  }
  gather_pairs(motion.gaps);
}

void HiddenContacts::gather_pairs(VecX& gaps) const {
  const ContactSet& points = kinematics_->set();
  for (int first = 0; first < points.size();) {
    int end = first + 1;
    while (end < points.size() && points.key(end).pair == points.key(first).pair) ++end;
    if (points[first].is_followed)
      gaps.segment(first, end - first).setConstant(gaps.segment(first, end - first).minCoeff());
    first = end;
  }
}

}  // namespace freeplay::integrators
