#include "freeplay/contact/play/worn_contacts.h"

#include <utility>

namespace freeplay::contact {

namespace {

constexpr double kCellsPerBlock = 50;

void require_for_depths(bool is_there, const ClearanceJointSpec& play, const char* key, std::string message,
                        std::string hint, std::vector<Diagnostic>& diagnostics) {
  if (is_there) return;
  diagnostics.push_back({{}, "joints." + play.joint.name + key, std::move(message), std::move(hint), {}});
}

void check_depths(const ClearanceJointSpec& play, bool is_round, std::vector<Diagnostic>& diagnostics) {
  require_for_depths(play.law.wear->length_m.has_value(), play, ".contact.wear",
                     "depths need the length of the worn surfaces across the plane", "add 'length: 20 mm' to the block",
                     diagnostics);
  if (!is_round) return;
  require_for_depths(play.journal_radius_m && play.bearing_radius_m, play, ".contact.wear",
                     "depths need the radius of the journal", "add 'journal_radius: 10 mm' to the joint", diagnostics);
}

}  // namespace

WornContact worn_pair(const std::string& name, const WearSpec& wear, int points) {
  WornContact worn{name, 0, points};
  worn.surfaces = {{.name = "a", .coefficient_1_Pa = wear.coefficient_1_Pa, .point_count = points},
                   {.name = "b", .coefficient_1_Pa = wear.coefficient_b_1_Pa, .point_count = points}};
  return worn;
}

WornContact worn_joint(const ClearanceJointSpec& play, Space space, int points, std::vector<Diagnostic>& diagnostics) {
  using Kind = WornSurface::Kind;
  const WearSpec& wear = *play.law.wear;
  WornContact worn = worn_pair(play.joint.name, wear, points);
  WornSurface &a = worn.surfaces[0], &b = worn.surfaces[1];
  a.name = "child";
  b.name = "parent";
  a.is_on_child = true;
  if (space != Space::kPlanar) return worn;
  if (play.joint.type == "revolute") {
    check_depths(play, true, diagnostics);
    a.name = "journal";
    b.name = "bearing";
    for (WornSurface* surface : {&a, &b}) {
      surface->kind = Kind::kRound;
      surface->length_m = wear.length_m.value_or(0);
      surface->sectors = wear.sectors;
    }
    a.radius_m = play.journal_radius_m.value_or(0);
    b.radius_m = play.bearing_radius_m.value_or(0);
  } else if (play.joint.type == "prismatic") {
    check_depths(play, false, diagnostics);
    a.name = "block";
    b.kind = Kind::kTrack;
    b.length_m = wear.length_m.value_or(0);
    b.cell_m = wear.cell_m.value_or(play.length_m.value_or(0) / kCellsPerBlock);
    // PrismaticPlay: the first two corners touch the upper wall, the others the lower one.
    b.name = "upper_wall";
    b.point_count = points / 2;
    WornSurface lower = b;
    lower.name = "lower_wall";
    lower.first_point = points / 2;
    worn.surfaces.push_back(lower);
  }
  return worn;
}

}  // namespace freeplay::contact
