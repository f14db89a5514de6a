// A closed chain of links around two pulleys, driven by friction alone: what the scenes `roller_chain` and `belt_drive`
// are made of. Links are free planar bodies, pins between them elastic, and the start of each link is a point that may
// touch both rims. The driver is at the origin and turns counter-clockwise.
#pragma once

#include "freeplay/model/coded_scene.h"

namespace freeplay::model {

struct WoundChain {
  int links = 0;
  double pitch_m = 0, link_mass_kg = 0;  // of a link that nothing pulls at; its inertia is that of a rod
  double pin_stiffness_N_m = 0, pin_damping_Ns_m = 0;
  double driver_radius_m = 0, driven_radius_m = 0;  // of the circles that the pins lie on
  double pulley_mass_kg = 0;                        // of no effect: both turn about their centres
  double pulley_inertia_kg_m2 = 0;
  double centre_distance_m = 0;
  double speed = 0;                         // of the driver, rad/s
  double driven_speed = 0;                  // prescribed; 0: the driven pulley has its load
  double torque_Nm = 0, load_ramp_s = 0.1;  // against the rotation of the driven pulley, reached after the ramp
  double friction = 0;
  const char* group = "rollers";  // of the contacts

  // sin of the angle between the strands and the line of centres: positive where the driven pulley is the larger one.
  double strand_slope() const { return (driven_radius_m - driver_radius_m) / centre_distance_m; }
  double strand_m() const;
  double driver_arc_m() const;
  double driven_arc_m() const;
  double way_m() const { return 2 * strand_m() + (driver_arc_m() + driven_arc_m()); }
};

// Throws ModelError at `parameters.NAME` unless it is met.
void demand_of_parameter(bool is_met, const char* parameter, std::string message, std::string hint);
// What every such chain asks of its numbers; `links` as it was given.
void check_drive_numbers(const WoundChain& chain, double links, int fewest, int most);

// The pins start at equal distances along the way, tight or not, all at the speed of the driver's rim.
Scene make_wound_chain(const WoundChain& chain);

}  // namespace freeplay::model
