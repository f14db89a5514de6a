// Contacts and clearance joints as plain data, in SI units. The laws are words here; the contact layer turns them into
// rows, sets and coefficients.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/mechanism/description/mechanism_spec.h"

namespace freeplay::contact {

// The compliant part of a contact:  F = K delta^n (1 + damping term of the law). What a law does not use is ignored, so
// that laws can be compared by changing one word.
struct ContactForceSpec {
  std::string law;                              // "lankarani-nikravesh", ...
  std::optional<double> exponent;               // n; otherwise 1 for kelvin-voigt and 1.5 for the other laws
  std::optional<double> stiffness_N_mn;         // K in N/m^n; otherwise from the material and the radii of the shapes
  std::optional<double> damping_Ns_m;           // kelvin-voigt only; otherwise from the restitution
  std::optional<double> young_Pa, poisson;      // material of both partners
  std::optional<double> young_b_Pa, poisson_b;  // of the second partner (the bearing), if it is another one
  std::optional<double> length_m;               // cylinder laws: of the line of contact

  std::string friction_law = "regularised-coulomb";  // or "stribeck"
  std::string friction_shape = "ambrosio";           // or "threlfall"
  double slip_speed_m_s = 1e-3;                      // full friction from here on
  double rest_speed_m_s = 0;                         // ambrosio: no friction below
  std::optional<double> static_friction;             // stribeck
  double stribeck_speed_m_s = 1e-2;                  // stribeck
};

// How the coefficient of friction depends on the sliding speed (laws/friction_law.h). What a law does not use is
// ignored.
struct FrictionLawSpec {
  std::string law = "coulomb";            // "stribeck", "table"
  std::optional<double> static_friction;  // stribeck: at rest; ContactLawSpec::friction is that of fast sliding
  double stribeck_speed_m_s = 1e-2;
  double stribeck_exponent = 2;
  double viscous_s_m = 0;   // stribeck: what every m/s adds
  std::vector<Vec2> table;  // table: (speed in m/s, coefficient), from speed 0 on
};

// What happens when two shapes touch. An integrator takes the part it needs: `impact` or `force`.
struct ContactLawSpec {
  std::optional<std::string> impact;             // "newton", "poisson"
  std::string tangential_law = "beitelschmidt";  // of the Poisson impact
  double restitution = 0;                        // normal, 0 to 1
  double tangential_restitution = 0;             // 0 to 1
  double friction = 0;                           // Coulomb's coefficient; of stribeck, that of fast sliding
  std::optional<ContactForceSpec> force;
  FrictionLawSpec friction_law;

  bool has_friction() const { return friction > 0 || friction_law.law != "coulomb"; }
};

struct ContactSpec {
  std::string name;
  std::string body_a, shape_a;
  std::string body_b, shape_b;
  ContactLawSpec law;
  int points = 0;  // of a pair of contours; 0: what its shapes suggest
};

// Shapes that may all touch each other, for models of many bodies: its pairs have no names and no channels of their
// own, and exist only while they are near.
struct ContactGroupSpec {
  struct Member {
    std::string body, shape;
  };
  std::string name;
  std::vector<Member> members;  // touch each other,
  std::vector<Member> against;  // and these
  ContactLawSpec law;
};

// A joint with play: the frames of an ideal joint, the play, and what happens when it is used up.
struct ClearanceJointSpec {
  JointSpec joint;
  double clearance_m = 0;                                    // per side: radial, or half of the total play
  std::optional<double> length_m;                            // along the axis: of the block, the sleeve or the prism
  std::optional<double> width_m;                             // planar prismatic: of the block in its guide
  std::optional<double> journal_radius_m, bearing_radius_m;  // all but prismatic; of a pin_in_slot the pin
  std::optional<double> axial_clearance_m;                   // spatial revolute; otherwise the radial one
  std::optional<double> slot_radius_m;                       // pin_in_slot: of a curved slot, to the middle of it
  enum class SlotSides : std::uint8_t { kBoth, kLeft, kRight };  // which walls there are, seen along the slot
  SlotSides slot_sides = SlotSides::kBoth;
  std::vector<Vec2> section_m;  // spatial prismatic: corners, in the joint's y and z axes
  ContactLawSpec law;
};

// What happens at the flanks of a coupling with play (mechanism/description/coupling_spec.h).
struct BacklashSpec {
  std::string coupling;
  ContactLawSpec law;
};

}  // namespace freeplay::contact
