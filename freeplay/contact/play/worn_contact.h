// Which surfaces wear, by Archard's law dV = k F ds, and how finely that is told: a journal and its bore by sectors, a
// guide by cells along it, every other surface as a whole. Theory: docs/theory/wear.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::contact {

struct WornSurface {
  enum class Kind : std::uint8_t {
    kWhole,  // a volume, and no depth
    kRound,  // sectors about the joint's axis; the middle of the first one is the x axis of the joint on this body
    kTrack   // cells along the joint's axis
  };
  std::string name;  // "journal", "bearing", "upper_wall", "a": channels are CONTACT.wear_volume_NAME
  Kind kind = Kind::kWhole;
  double coefficient_1_Pa = 0;           // k
  int first_point = 0, point_count = 0;  // of the contact's points, those that wear it; counted within the contact
  bool is_on_child = false;
  double length_m = 0;  // across the plane
  double radius_m = 0;  // of a round one
  int sectors = 0;      // of a round one
  double cell_m = 0;    // of a track
};

struct WornContact {
  std::string contact;
  int first_point = 0, point_count = 0;  // among the named points
  int sides = -1;                        // of a joint: into MechanismContacts::eccentricities
  std::vector<WornSurface> surfaces{};
};

}  // namespace freeplay::contact
