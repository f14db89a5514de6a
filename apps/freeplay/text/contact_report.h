// What `check` says about compliant contacts: how stiff they are, how far and how long an impact goes, and which
// restitution their law really delivers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "freeplay/contact/laws/impact_estimate.h"
#include "text/overview.h"

namespace freeplay::app {

struct ContactReport {
  std::string contact, law;
  std::string point;  // the one of its points that an impact presses in deepest: "guide_1"
  double stiffness = 0;
  std::string stiffness_unit;
  bool turns = false;               // the stop of a joint that turns: rad, N m and kg m^2 in place of m, N and kg
  bool stiffness_is_local = false;  // of a law that is no power law: at the expected depth
  ImpactEstimate impact;
  double largest_depth_m = 0;  // that the law takes; may be infinite
  double nominal_restitution = 0;
  std::vector<std::string> warnings;
};

// One entry for each contact, each joint with play and the stops of each joint that have a force law, in file order.
std::vector<ContactReport> contact_reports(const ModelFile& file, const Overview& view);

std::string text_of(const ContactReport& report);  // lines without warnings
nlohmann::ordered_json json_of(const ContactReport& report);

}  // namespace freeplay::app
