// Joints with play in the block `joints`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "freeplay/io/reader/model_reader.h"
#include "freeplay/io/reader/outline_checks.h"

namespace freeplay::io {

namespace {

// Radii are typed with a few digits; a clearance given beside them may differ by round-off only.
constexpr double kClearanceTolerance = 1e-9;  // relative to the bearing's radius

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

// All corners turn the same way.
bool is_convex(const std::vector<Vec2>& corners) {
  const std::size_t n = corners.size();
  bool turns_left = false, turns_right = false;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2& corner = corners[(i + 1) % n];
    const double turn = cross(corner - corners[i], corners[(i + 2) % n] - corner);
    turns_left |= turn > 0;
    turns_right |= turn < 0;
  }
  return turns_left != turns_right;
}

// Over all edges: the distance of the farthest corner.
double smallest_width(const std::vector<Vec2>& corners) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 edge = (corners[(i + 1) % corners.size()] - corners[i]).normalized();
    double width = 0;
    for (const Vec2& corner : corners) width = std::max(width, std::abs(cross(edge, corner - corners[i])));
    smallest = std::min(smallest, width);
  }
  return smallest;
}

// The head of a pin lies on the plate with four points of its rim.
std::vector<Vec2> rim_of_head(double radius_m) {
  return {{radius_m, 0}, {0, radius_m}, {-radius_m, 0}, {0, -radius_m}};
}

void check_head(BlockReader& block, double head_m, double half_slot_m) {
  if (head_m > half_slot_m) return;
  block.report("head_radius",
               fmt::format("is {:.6g} m, and the slot is {:.6g} m to either side: the head would fall through", head_m,
                           half_slot_m),
               "make the heads wider than the slot; 'head_radius' is measured from the pin's axis");
}

}  // namespace

// Read whatever the model word is, so that a joint can be switched between its models by that word alone.
void ModelReader::read_play(BlockReader& block, JointSpec& joint, bool has_clearance) {
  ClearanceJointSpec play;
  play.joint = joint;
  const std::optional<double> clearance = block.optional_quantity("clearance");
  play.length_m = block.optional_quantity("length");
  play.width_m = block.optional_quantity("width");
  play.journal_radius_m = block.optional_quantity("journal_radius");
  play.bearing_radius_m = block.optional_quantity("bearing_radius");
  play.axial_clearance_m = block.optional_quantity("axial_clearance");
  play.section_m = read_section(block);
  const std::optional<double> head_radius = block.optional_quantity("head_radius");
  if (joint.type == "pin_in_slot") play.section_m = head_radius ? rim_of_head(*head_radius) : std::vector<Vec2>();
  const std::string sides = block.word("sides");
  if (sides != "both")
    play.slot_sides = sides == "left" ? ClearanceJointSpec::SlotSides::kLeft : ClearanceJointSpec::SlotSides::kRight;
  std::optional<BlockReader> law = block.block("contact");
  if (law) {
    play.law = read_law(*law);
    law->check_all_keys_were_read();
  }
  play.lubricant = read_lubricant(block, play);
  if (!has_clearance && joint.type == "pin_in_slot") read_ends_of_slot(block, play, joint);
  if (!fit_radii(block, clearance, play) || !has_clearance || joint.type.empty()) return;

  const bool is_prismatic = joint.type == "prismatic", is_spatial = space() == Space::kSpatial;
  const bool can_have_play = is_prismatic || joint.type == "revolute" || joint.type == "pin_in_slot" ||
                             (is_spatial && (joint.type == "spherical" || joint.type == "cylindrical"));
  if (!can_have_play) {
    block.report("model", fmt::format("a {} joint cannot have play", joint.type),
                 is_spatial
                     ? "use 'model: ideal', or a cylindrical, revolute, prismatic, spherical or pin_in_slot joint"
                     : "use 'model: ideal', or a revolute, prismatic or pin_in_slot joint");
    return;
  }
  if (clearance)
    play.clearance_m = *clearance;
  else if (play.journal_radius_m && play.bearing_radius_m)
    play.clearance_m = *play.bearing_radius_m - *play.journal_radius_m;
  else if (!block.has("clearance")) {
    block.report("model", "a joint with play needs its clearance",
                 is_prismatic ? "add 'clearance: 0.1 mm' (per side)"
                              : "add 'clearance: 0.1 mm' (radial), or journal_radius and bearing_radius");
  }
  if (!is_prismatic && play.law.has_friction() && !play.journal_radius_m && !block.has("journal_radius")) {
    block.report("journal_radius", "friction acts at the surface of the journal, whose radius is not given",
                 "add 'journal_radius: 10 mm', or take 'friction' out of the contact");
  }
  check_size_of_play(block, play);
  check_lubricant(block, play);
  if (!law)
    block.report("model", "a joint with play needs a contact law",
                 "add 'contact: {impact: newton, restitution: 0.5, friction: 0.1}'");
  model_.clearance_joints.push_back(std::move(play));
}

// The pin's centre does not leave the way, and meets its ends by the laws of the contact, without friction.
void ModelReader::read_ends_of_slot(BlockReader& block, const ClearanceJointSpec& slot, JointSpec& joint) {
  if (slot.slot_sides != ClearanceJointSpec::SlotSides::kBoth) {
    block.report("sides", "a slot with one wall holds its pin by contact alone",
                 "use 'model: clearance', or leave 'sides' out");
  }
  if (!slot.length_m) return;
  if (joint.slot_radius_m && *slot.length_m >= 2 * std::numbers::pi * *joint.slot_radius_m)
    block.report("length", "is more than the whole circle of the slot", "the two ends of the slot must not meet");
  joint.stops = {-*slot.length_m / 2, *slot.length_m / 2, slot.law.restitution};
  if (!slot.law.force) return;
  JointLawSpec& law = law_of_joint(joint.name);
  law.stop_force = slot.law.force;
  law.pin_radius_m = slot.journal_radius_m;
}

// Two numbers per corner, in a spatial model too.
std::vector<Vec2> ModelReader::read_section(BlockReader& block) {
  const Space of_model = space();
  block.set_space(Space::kPlanar);
  const std::vector<Vec3> corners = block.points("section");
  block.set_space(of_model);
  if (corners.empty() || !block.ok()) return {};
  const std::string problem = outline_problem("section", "corner", corners, true);
  if (!problem.empty()) {
    block.report("section", problem, "list the corners in turn around the section");
    return {};
  }
  std::vector<Vec2> section;
  for (const Vec3& corner : corners) section.emplace_back(corner.x(), corner.y());
  if (!is_convex(section)) {
    block.report("section", "must be convex", "leave out the corners that point inwards");
    return {};
  }
  return section;
}

void ModelReader::check_size_of_play(BlockReader& block, const ClearanceJointSpec& play) {
  const std::string& type = play.joint.type;
  const auto need = [&](const char* key, const char* what, const char* example) {
    if (block.has(key)) return;
    block.report("model", fmt::format("a {} joint with play needs the {}", type, what),
                 fmt::format("add '{}: {}'", key, example));
  };
  const auto fit = [&](const char* key, const std::optional<double>& size_m) {
    if (!size_m || play.clearance_m < *size_m) return;
    block.report("clearance",
                 fmt::format("is {:.6g} m, larger than the part itself ({}: {:.6g} m)", play.clearance_m, key, *size_m),
                 "the clearance is the play per side: fractions of a millimetre are usual");
  };
  if (type == "pin_in_slot") {
    need("length", "length of the slot, from end to end of the pin's way", "50 mm");
    need("journal_radius", "radius of the pin", "5 mm");
    check_curve_of_slot(block, play);
    if (space() == Space::kPlanar) return;
    need("width", "width of the slotted plate, along the pin", "10 mm");
    need("head_radius", "radius of the pin's heads, which lie on the plate", "10 mm");
    fit("width", play.width_m);
    if (!play.section_m.empty() && play.journal_radius_m)
      check_head(block, play.section_m.front().norm(), *play.journal_radius_m + play.clearance_m);
    return;
  }
  if (space() == Space::kPlanar) {
    if (type != "prismatic") return;
    need("length", "length of the block", "50 mm");
    need("width", "width of the block", "50 mm");
    return;
  }
  if (type != "spherical") {
    need("length", type == "prismatic" ? "length of the prism" : "length of the sleeve", "20 mm");
    fit("length", play.length_m);
  }
  if (type == "prismatic") {
    need("section", "section of the prism", "[[-5 mm, -5 mm], [5 mm, -5 mm], [5 mm, 5 mm], [-5 mm, 5 mm]]");
    if (!play.section_m.empty()) fit("section, its smallest width", smallest_width(play.section_m));
  } else {
    fit("journal_radius", play.journal_radius_m);
  }
}

void ModelReader::check_curve_of_slot(BlockReader& block, const ClearanceJointSpec& play) {
  if (!play.joint.slot_radius_m || !play.journal_radius_m || !play.length_m) return;
  if (*play.joint.slot_radius_m <= *play.journal_radius_m + play.clearance_m) {
    block.report("slot_radius", "is smaller than the pin with its play, so the inner wall would turn inside out",
                 "give the radius of the line on which the pin's centre runs");
  } else if (*play.length_m + 2 * (*play.journal_radius_m + play.clearance_m) >=
             2 * std::numbers::pi * *play.joint.slot_radius_m) {
    block.report("length", "is more than the whole circle of the slot", "the two ends of the slot must not meet");
  }
}

bool ModelReader::fit_radii(BlockReader& block, std::optional<double> clearance_m, ClearanceJointSpec& play) {
  std::optional<double>&journal_m = play.journal_radius_m, &bearing_m = play.bearing_radius_m;
  if (journal_m && bearing_m) {
    if (*journal_m >= *bearing_m) {
      block.report(
          "journal_radius",
          fmt::format("must be smaller than bearing_radius ({:.6g} m), but is {:.6g} m", *bearing_m, *journal_m),
          "the pin must fit into the bore");
      return false;
    }
    if (clearance_m && std::abs(*bearing_m - *journal_m - *clearance_m) > kClearanceTolerance * *bearing_m) {
      block.report("clearance",
                   fmt::format("is {:.6g} m, but bearing_radius - journal_radius is {:.6g} m", *clearance_m,
                               *bearing_m - *journal_m),
                   "delete one of the three; the clearance follows from the radii");
    }
  } else if (bearing_m && clearance_m && !block.has("journal_radius")) {
    if (*clearance_m >= *bearing_m) {
      block.report(
          "clearance",
          fmt::format("must be smaller than bearing_radius ({:.6g} m), but is {:.6g} m", *bearing_m, *clearance_m),
          "the clearance is radial: bearing_radius - journal_radius");
      return false;
    }
    journal_m = *bearing_m - *clearance_m;
  } else if (journal_m && clearance_m && !block.has("bearing_radius")) {
    bearing_m = *journal_m + *clearance_m;
  }
  return true;
}

}  // namespace freeplay::io
