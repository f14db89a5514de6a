// The pairs of surfaces that are looked at now, and the points that they have. Private to contact/points.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "freeplay/contact/points/contact_finder.h"
#include "freeplay/contact/points/contact_geometry.h"

namespace freeplay::contact {

template <class Geometry>
class LivePairs {
  using Gap = typename Geometry::Gap;

 public:
  // Its points stand one after the other in the contact set.
  struct Pair {
    std::uint64_t key = 0;
    int placement_a = 0, placement_b = 0;
    int turn_a = -1, turn_b = -1;
    int belt_a = -1, belt_b = -1;
    const Gap* gap = nullptr;
    const ContactPoint* descriptions = nullptr;  // of a named pair one per point, of a group's the group's
    int first_point = 0, point_count = 0;
    int joint = -1;  // of the mechanism, whose play it is

    bool is_named() const { return (key & ContactKey::kUnnamed) == 0; }
  };

  explicit LivePairs(const MechanismContacts& model) : model_(model) {}

  const std::vector<Pair>& pairs() const { return pairs_; }
  int point_count() const { return static_cast<int>(pair_of_point_.size()); }
  bool is_joint_row(std::size_t point) const { return pair_of_point_[point] < 0; }
  const Pair& pair_of(std::size_t point) const { return pairs_[static_cast<std::size_t>(pair_of_point_[point])]; }
  const MechanismContacts::JointRow& joint_row(std::size_t point) const {
    return model_.joint_rows[static_cast<std::size_t>(-1 - pair_of_point_[point])];
  }
  // Rows of joints have points that are always there, one after the other from this one on.
  int first_joint_point() const { return first_joint_point_; }

  // Named pairs that there are at all.
  std::size_t named_count() const { return Geometry::pairs(model_).size(); }
  // Whether the list is just these pairs (keys, increasing), as assign() leaves it.
  bool are(std::span<const std::uint64_t> keys) const {
    return !is_extended_ && std::equal(keys.begin(), keys.end(), pairs_.begin(), pairs_.end(),
                                       [](std::uint64_t key, const Pair& pair) { return key == pair.key; });
  }
  void assign(std::span<const std::uint64_t> keys, ContactSet& set) {
    // From one step to the next most pairs stay: they are taken over.
    before_.swap(pairs_);
    if (is_extended_)
      std::sort(before_.begin(), before_.end(), [](const Pair& a, const Pair& b) { return a.key < b.key; });
    start();
    pairs_.reserve(before_.capacity());
    auto next = before_.begin();
    for (const std::uint64_t key : keys) {
      while (next != before_.end() && next->key < key) ++next;
      if (next != before_.end() && next->key == key)
        append(*next);
      else
        add_pair(key);
    }
    add_joint_rows();
    set.assign(added_);
  }
  // Those that are missing, behind all others. True if there are any.
  bool extend(std::span<const std::uint64_t> keys, ContactSet& set) {
    added_.clear();
    known_.clear();
    for (const Pair& pair : pairs_) known_.push_back(pair.key);
    std::sort(known_.begin(), known_.end());
    for (const std::uint64_t key : keys) {
      if (!std::binary_search(known_.begin(), known_.end(), key)) add_pair(key);
    }
    if (added_.empty()) return false;
    set.append(added_);
    is_extended_ = true;
    return true;
  }

 private:
  void start() {
    pairs_.clear();
    added_.clear();
    pair_of_point_.clear();
    is_extended_ = false;
  }
  void add_pair(std::uint64_t key) {
    append((key & ContactKey::kUnnamed) == 0 ? named_pair(static_cast<std::size_t>(key)) : pair_of_group(key));
  }
  void append(const Pair& pair) {
    const int first_point = point_count();
    for (int i = 0; i < pair.point_count; ++i) {
      added_.push_back({{pair.key, static_cast<std::uint32_t>(i)}, pair.descriptions + (pair.is_named() ? i : 0)});
      pair_of_point_.push_back(static_cast<int>(pairs_.size()));
    }
    pairs_.push_back(pair);
    pairs_.back().first_point = first_point;
  }
  Pair named_pair(std::size_t index) const {
    const auto& of = Geometry::pairs(model_)[index];
    const auto belt = [&](int surface) {
      return surface < 0 ? -1 : model_.surfaces[static_cast<std::size_t>(surface)].belt;
    };
    Pair pair{index, of.placement_a, of.placement_b, of.turn_a, of.turn_b, belt(of.surface_a), belt(of.surface_b)};
    pair.gap = of.gap.get();
    pair.descriptions = &model_.points()[static_cast<std::size_t>(of.first_point)];
    pair.point_count = pair.gap->point_count();
    pair.joint = of.joint;
    return pair;
  }
  // Pairs of surfaces of the same kinds share their gap function.
  Pair pair_of_group(std::uint64_t key) {
    const auto [index_a, index_b] = MechanismContacts::surfaces_of_key(key);
    const MechanismContacts::Surface& a = model_.surfaces[static_cast<std::size_t>(index_a)];
    const MechanismContacts::Surface& b = model_.surfaces[static_cast<std::size_t>(index_b)];
    Pair pair{key, a.placement, b.placement, -1, -1, a.belt, b.belt};
    pair.gap = gap_of(a, b);
    pair.descriptions = &model_.groups()[static_cast<std::size_t>(model_.law_of(index_a, index_b))];
    pair.point_count = pair.gap->point_count();
    return pair;
  }
  const Gap* gap_of(const MechanismContacts::Surface& a, const MechanismContacts::Surface& b) {
    const std::pair<int, int> kinds{a.kind, b.kind};
    if (last_gap_ != nullptr && kinds == last_kinds_) return last_gap_;  // of most pairs of a pile
    std::unique_ptr<const Gap>& gap = gaps_of_groups_[kinds];
    if (!gap) gap = Geometry::make_gap(a.geometry, b.geometry);
    last_kinds_ = kinds;
    return last_gap_ = gap.get();
  }
  void add_joint_rows() {
    first_joint_point_ = point_count();
    for (std::size_t r = 0; r < model_.joint_rows.size(); ++r) {
      const std::size_t point = static_cast<std::size_t>(model_.joint_rows[r].point);
      added_.push_back({{named_count() + r, 0}, &model_.points()[point]});
      pair_of_point_.push_back(-1 - static_cast<int>(r));
    }
  }

  const MechanismContacts& model_;
  std::vector<Pair> pairs_, before_;
  std::vector<int> pair_of_point_;  // into pairs_; -1 - r for the row r of joints
  int first_joint_point_ = 0;
  bool is_extended_ = false;  // the list is not in the order of keys
  std::vector<LivePoint> added_;
  std::vector<std::uint64_t> known_;
  std::map<std::pair<int, int>, std::unique_ptr<const Gap>> gaps_of_groups_;  // by kinds of surfaces
  std::pair<int, int> last_kinds_;                                            // the last of them that was asked for
  const Gap* last_gap_ = nullptr;
};

}  // namespace freeplay::contact
