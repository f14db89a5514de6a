// Contacts and clearance joints as plain data, in SI units. The laws are words here; the contact layer turns them into
// rows, sets and coefficients.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "freeplay/contact/laws/law_functions.h"
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

  // In place of `law` and what belongs to it, of a program; a file has no functions. Damping may be left out.
  ElasticForceFunction elastic_function{};
  DampingForceFunction damping_function{};
};

// How the coefficient of friction depends on the sliding speed (laws/friction_law.h). What a law does not use is
// ignored.
struct FrictionLawSpec {
  std::string law = "coulomb";            // "stribeck", "table"
  std::optional<double> static_friction;  // stribeck: at rest; ContactLawSpec::friction is that of fast sliding
  double stribeck_speed_m_s = 1e-2;
  double stribeck_exponent = 2;
  double viscous_s_m = 0;       // stribeck: what every m/s adds
  std::vector<Vec2> table;      // table: (speed in m/s, coefficient), from speed 0 on
  FrictionFunction function{};  // in place of `law`, of a program
};

// Archard's law: surfaces lose the volume k F per way of sliding (points/worn_contact.h).
struct WearSpec {
  double coefficient_1_Pa = 0, coefficient_b_1_Pa = 0;  // k of both partners
  std::optional<double> length_m;  // of the worn surfaces across the plane; joints with depths need it
  int sectors = 72;                // of a journal and its bore
  std::optional<double> cell_m;    // along a guide; otherwise a fiftieth of the block
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
  std::optional<WearSpec> wear{};

  bool has_friction() const { return friction > 0 || friction_law.law != "coulomb" || friction_law.function; }
};

struct ContactSpec {
  std::string name;
  std::string body_a, shape_a;
  std::string body_b, shape_b;
  ContactLawSpec law;
  int points = 0;       // of a pair of contours; 0: what its shapes suggest
  std::string group{};  // a pair of this group that got a name of its own
};

// Shapes that may all touch each other, for models of many bodies: its pairs have no names and no channels of their
// own, and exist only while they are near.
struct ContactGroupSpec {
  struct Member {
    std::string body, shape;
    int material = -1;  // a number that stands for it in `material_laws`; -1: none
  };
  // What happens between two materials, in either order.
  struct MaterialLaw {
    int a = -1, b = -1;
    std::string name;  // "stone_steel"
    ContactLawSpec law;
  };
  std::string name;
  std::vector<Member> members;               // touch each other,
  std::vector<Member> against;               // and these
  ContactLawSpec law;                        // of every pair, unless there are
  std::vector<MaterialLaw> material_laws{};  // these: one for every two materials that can meet
};

// The materials, the smaller number first, of which two shapes of different bodies can meet in the group.
std::set<std::pair<int, int>> meeting_materials(const ContactGroupSpec& group);

// A film of oil in the play of a planar revolute joint (laws/journal_film.h).
struct LubricantSpec {
  double viscosity_Pa_s = 0;
  double length_m = 0;  // of the bearing along its axis
  enum class Bearing : std::uint8_t { kShort, kLong, kDry };
  Bearing bearing = Bearing::kShort;
  std::optional<double> roughness_m;  // thinnest film; otherwise a hundredth of the clearance
};

// A joint with play: the frames of an ideal joint, the play, and what happens when it is used up.
struct ClearanceJointSpec {
  JointSpec joint;
  double clearance_m = 0;                                    // per side: radial, or half of the total play
  std::optional<double> length_m;                            // along the axis: of the block, the sleeve or the prism
  std::optional<double> width_m;                             // planar prismatic: of the block in its guide
  std::optional<double> journal_radius_m, bearing_radius_m;  // all but prismatic; of a pin_in_slot the pin
  std::optional<double> axial_clearance_m;                   // spatial revolute; otherwise the radial one
  enum class SlotSides : std::uint8_t { kBoth, kLeft, kRight };  // which walls there are, seen along the slot
  SlotSides slot_sides = SlotSides::kBoth;
  std::vector<Vec2> section_m;  // spatial prismatic: corners, in the joint's y and z axes
  ContactLawSpec law;
  std::optional<LubricantSpec> lubricant{};

  bool has_film() const { return lubricant && lubricant->bearing != LubricantSpec::Bearing::kDry; }
};

// Coulomb's friction in an ideal joint by what the joint has to carry (laws/load_friction.h).
struct JointFrictionSpec {
  double friction = 0;                 // mu
  std::optional<double> pin_radius_m;  // of a joint that turns, at which friction acts
  std::optional<double> length_m;      // of a block in its guide; none: moments that it bears cause no friction
};

// What acts along the coordinate of a joint, beside JointSpec::stops and JointSpec::dry_friction.
struct JointLawSpec {
  std::string joint;
  std::optional<ContactForceSpec> stop_force;  // of all stops, for smooth integrators; per rad where the joint turns
  std::optional<JointFrictionSpec> friction;
  // Smooth integrators: the rate, m/s or rad/s, at which friction has come to its full value.
  std::optional<double> friction_velocity{};
  std::optional<double> second_friction_velocity{};  // of JointSpec::second_dry_friction
  std::optional<double> pin_radius_m{};              // of the pin that meets the ends of its slot

  static constexpr double kFrictionVelocity_m_s = 1e-3, kFrictionVelocity_rad_s = 1e-2;
};

// What happens at the flanks of a coupling with play (mechanism/description/coupling_spec.h).
struct BacklashSpec {
  std::string coupling;
  ContactLawSpec law;
};

}  // namespace freeplay::contact
