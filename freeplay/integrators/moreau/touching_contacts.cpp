#include "freeplay/integrators/moreau/touching_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "freeplay/mechanism/trees/tied_trees.h"

namespace freeplay::integrators {

namespace {

// Of the size of the smaller part: far above what rounding does to a gap, far below what a drawing can ask for.
constexpr double kTouching = 1e-9;
constexpr double kNowhere = -1;  // no gap is within that

}  // namespace

TouchingContacts::TouchingContacts(const System& system, const ContactModel& contacts, const IntegratorOptions& options)
    : structure_(system.mass_structure()),
      // The paper has no tolerance: a contact is closed if its gap is not positive.
      tolerance_(options.simultaneous.value_or(options.lasting_contacts == LastingContacts::kKept ? kTouching : 0)),
      looked_at_(tolerance_ > 0         ? tolerance_
                 : options.simultaneous ? kTouching
                                        : kNowhere),
      threshold_m_s_(options.impact_threshold_m_s),
      is_undecided_(!options.simultaneous || *options.simultaneous == 0),
      rows_(system.mass_structure()),
      tied_(tied_trees(system)) {
  list_.reserve(static_cast<std::size_t>(contacts.point_count()));
  rows_.reserve(ContactPoint::kMostRows);
  parent_ = tied_;
  strikers_.resize(structure_.blocks.size());
}

int TouchingContacts::root_of(int tree) {
  while (parent_[static_cast<std::size_t>(tree)] != tree) {
    int& parent = parent_[static_cast<std::size_t>(tree)];
    parent = parent_[static_cast<std::size_t>(parent)];
    tree = parent;
  }
  return tree;
}

void TouchingContacts::tie(int a, int b) {
  if (a >= 0 && b >= 0) parent_[static_cast<std::size_t>(root_of(a))] = root_of(b);
}

std::pair<int, int> TouchingContacts::trees_of(ContactKinematics& kinematics, int point) {
  rows_.clear();
  kinematics.add_rows(point, rows_);
  int trees[2] = {-1, -1}, count = 0;
  for (const RowPart& part : rows_.parts(0)) {
    if (part.size > 0) trees[count++] = structure_.block_of[static_cast<std::size_t>(part.first)];
  }
  return {trees[0], count == 2 ? trees[1] : trees[0]};
}

void TouchingContacts::keep_struck(ContactKinematics& kinematics, const std::vector<Activation>& active,
                                   const VecX& gamma_N) {
  const ContactSet& points = kinematics.set();
  const auto strikes = [&](const Activation& contact) {
    return points[contact.point].has_normal && contact.restitution > 0 && !contact.was_loaded_before() &&
           -gamma_N[contact.point] > threshold_m_s_;
  };
  if (std::none_of(active.begin(), active.end(), strikes)) {
    list_.clear();
    return;
  }
  parent_ = tied_;
  std::fill(strikers_.begin(), strikers_.end(), Strikers{});
  for (const Activation& contact : active) {
    const auto [a, b] = trees_of(kinematics, contact.point);
    tie(a, b);
  }
  for (const Touching& touching : list_) {
    const auto [a, b] = trees_of(kinematics, touching.point);
    tie(a, b);
  }
  for (const Activation& contact : active) {
    if (!strikes(contact)) continue;
    const int tree = trees_of(kinematics, contact.point).first;
    if (tree < 0) continue;
    Strikers& known = strikers_[static_cast<std::size_t>(root_of(tree))];
    (known.first < 0 ? known.first : known.second) = contact.point;
  }
  for (Touching& touching : list_) {
    const int tree = trees_of(kinematics, touching.point).first;
    if (tree < 0) continue;
    const Strikers& known = strikers_[static_cast<std::size_t>(root_of(tree))];
    touching.striker = known.first != touching.point ? known.first : known.second;
  }
  std::erase_if(list_, [](const Touching& touching) { return touching.striker < 0; });
}

std::string TouchingContacts::warning(double t, const ContactSet& points, const Touching& touching) const {
  const std::string& striker = points[touching.striker].name();
  const ContactPoint& other = points[touching.point];
  const char* unit = other.gap_dimension == dimensions::kAngle ? "rad" : "m";
  if (joins()) {
    return fmt::format(
        "at t = {:.6g} s '{}' strikes while '{}' touches, within {:.2g} {}: they are taken as closed in the same "
        "instant, and where the parts go depends on that choice; struck one after the other they would separate "
        "differently. Confirm this with 'simultaneous: {:g}', or leave gaps between the parts that are larger than "
        "that share of their "
        "size",
        t, striker, other.name(), tolerance_ * measure_of(other), unit, tolerance_);
  }
  return fmt::format(
      "at t = {:.6g} s '{}' strikes while '{}' is open or closed by less than {:.2g} {}: with 'simultaneous: 0' the "
      "rounding of that gap decides where the parts go. Use 'simultaneous: {:g}', or leave larger gaps between them",
      t, striker, other.name(), looked_at_ * measure_of(other), unit, looked_at_);
}

}  // namespace freeplay::integrators
