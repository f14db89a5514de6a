#include "freeplay/integrators/smooth/hidden_contacts.h"

#include <algorithm>
#include <cmath>

namespace freeplay::integrators {

namespace {

constexpr double kMargin = 1.25;  // speeds are those of the ends of the step
// Pieces down to this length are judged by the speeds of the surfaces, which may slide past each other without closing;
// shorter ones by how fast the gap has been seen to change.
constexpr int kLongPiece = 256;
constexpr int kMostLooks = 128;  // in one step; ten or twenty are usual

}  // namespace

HiddenContacts::HiddenContacts(const System& system, const ContactModel& contacts, bool by_pairs)
    : by_pairs_(by_pairs),
      dynamics_(system.make_dynamics()),
      kinematics_(contacts.make_kinematics(*dynamics_)),
      q_(VecX::Zero(system.coordinate_count())),
      slot_(kPieces + 1) {
  kinematics_->take_all_points();
  slopes_ = VecX::Zero(kinematics_->set().size());
  gaps_.assign(kMostLooks + 2, slopes_);
  open_.reserve(static_cast<std::size_t>(slopes_.size()));
}

bool HiddenContacts::is_clear(int a, int b, const Step& step, const Ends& start, const Ends& end) const {
  const double size_s = step.size_s * (b - a) / kPieces;
  const VecX &g_a = gaps_at(a), &g_b = gaps_at(b);
  for (const int i : open_) {
    const double speed = b - a >= kLongPiece ? std::max(start.speeds[i], end.speeds[i])
                                             : std::max({std::abs(start.rates[i]), std::abs(end.rates[i]), slopes_[i]});
    if (g_a[i] + g_b[i] <= kMargin * speed * size_s) return false;
  }
  return true;
}

void HiddenContacts::note_slopes(int a, int b, const Step& step) {
  const double size_s = step.size_s * (b - a) / kPieces;
  const VecX &g_a = gaps_at(a), &g_b = gaps_at(b);
  for (int i = 0; i < slopes_.size(); ++i) {
    const double slope = std::abs(g_b[i] - g_a[i]) / size_s;
    if (std::isfinite(slope)) slopes_[i] = std::max(slopes_[i], slope);
  }
}

std::optional<double> HiddenContacts::find(const Step& step, const Ends& start, const Ends& end,
                                           const std::vector<bool>& watched, const Position& position) {
  std::fill(slot_.begin(), slot_.end(), -1);
  slot_.front() = 0;
  slot_.back() = 1;
  gaps_[0] = start.gaps;
  gaps_[1] = end.gaps;
  slopes_.setZero();
  open_.clear();
  for (int i = 0; i < slopes_.size(); ++i) {
    if (watched[static_cast<std::size_t>(i)] && start.gaps[i] >= 0 && end.gaps[i] >= 0) open_.push_back(i);
  }
  if (is_clear(0, kPieces, step, start, end)) return std::nullopt;
  int looks = 0;
  for (int length = kPieces; length >= 2; length /= 2) {
    for (int k = length / 2; k < kPieces && looks < kMostLooks; k += length) {
      const int a = k - length / 2, b = k + length / 2;
      // Places that are not known lie inside of a piece that is clear.
      if (!is_known(a) || !is_known(b)) continue;
      if (is_clear(a, b, step, start, end)) continue;
      ++looks;
      const double s = static_cast<double>(k) / kPieces;
      position(s, q_);
      dynamics_->set_position(step.start_s + s * step.size_s, q_);
      slot_[static_cast<std::size_t>(k)] = 1 + looks;
      VecX& g = gaps_at(k);
      kinematics_->update_gaps(g);
      if (by_pairs_) gather_pairs(g);
      for (const int i : open_) {
        if (g[i] < -step.least_depth_m) return s;
      }
      note_slopes(a, k, step);
      note_slopes(k, b, step);
    }
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
