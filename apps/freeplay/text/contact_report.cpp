#include "text/contact_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "terminal/text_table.h"

namespace freeplay::app {

namespace {

// A delivered restitution that differs more from the nominal one is worth a warning.
constexpr double kRestitutionTolerance = 0.05;

std::string restitution_warning(const ContactReport& report) {
  const double nominal = report.nominal_restitution, delivered = report.impact.delivered_restitution;
  if (!(std::abs(delivered - nominal) > kRestitutionTolerance)) return {};
  std::string cure = "'law: exact-restitution' delivers the nominal one";
  if (nominal == 0) cure = "no force law delivers 0; 'law: exact-restitution' takes any restitution above it";
  return fmt::format("'{}' delivers a restitution of {:.4f} instead of {:g}; {}", report.law, delivered, nominal, cure);
}

std::string depth_warning(const ContactReport& report) {
  // Of parts that the contact cannot move, no impact can be expected.
  if (!(report.impact.depth_m > report.largest_depth_m) || !std::isfinite(report.impact.depth_m)) return {};
  const char* unit = report.turns ? "rad" : "m";
  return fmt::format("an impact at {:.4g} {}/s goes {:.3g} {} deep, but '{}' holds up to {:.3g} {} only; beyond, {}",
                     report.impact.onset.speed_m_s, unit, report.impact.depth_m, unit, report.law,
                     report.largest_depth_m, unit,
                     report.stiffness_is_local ? "its tangent is taken" : "the contact is too wide for Hertz' theory");
}

bool is_stop(const ContactPoint& point) {
  return point.suffix == "_lower" || point.suffix == "_upper";
}

// The deepest impact of each contact, by its name, with stops apart from the play of the same joint; of several equal
// ones the first.
struct DeepestImpacts {
  std::map<std::string, ImpactEstimate> contacts, stops;
};
DeepestImpacts deepest_impacts(const System& system, const ContactModel& contacts) {
  DeepestImpacts deepest;
  for (const ImpactEstimate& estimate : estimate_impacts(system, contacts)) {
    const ContactPoint& point = contacts.points()[static_cast<std::size_t>(estimate.point)];
    std::map<std::string, ImpactEstimate>& kind = is_stop(point) ? deepest.stops : deepest.contacts;
    const auto [found, is_new] = kind.emplace(point.contact, estimate);
    if (!is_new && estimate.depth_m > found->second.depth_m) found->second = estimate;
  }
  return deepest;
}

ContactReport report_of(const std::string& name, const std::string& law_name, double restitution,
                        const ContactModel& contacts, const ImpactEstimate& impact) {
  ContactReport report;
  report.contact = name;
  report.law = law_name;
  report.nominal_restitution = restitution;
  report.impact = impact;
  const ContactPoint& point = contacts.points()[static_cast<std::size_t>(report.impact.point)];
  const NormalForceLaw& law = point.force_law->normal;
  report.point = point.name();
  report.turns = point.gap_dimension == dimensions::kAngle;
  report.largest_depth_m = law.largest_depth();
  report.stiffness_is_local = !law.elastic().is_power();
  if (report.stiffness_is_local) {
    report.stiffness = law.elastic().stiffness(report.impact.depth_m);
    report.stiffness_unit = report.turns ? "N m/rad" : "N/m";
  } else {
    report.stiffness = law.elastic().stiffness_N_mn();
    const std::optional<Dimension> length_power = dimensions::kLength.power(law.elastic().exponent());
    if (report.turns)
      report.stiffness_unit =
          law.elastic().exponent() == 1 ? "N m/rad" : fmt::format("N m/rad^{:g}", law.elastic().exponent());
    else
      report.stiffness_unit = length_power ? (dimensions::kForce / *length_power).si_unit()
                                           : fmt::format("N/m^{:g}", law.elastic().exponent());
  }
  for (std::string warning : {restitution_warning(report), depth_warning(report)}) {
    if (!warning.empty()) report.warnings.push_back(std::move(warning));
  }
  return report;
}

// JSON has no infinity.
nlohmann::ordered_json finite_or_null(double value) {
  if (std::isfinite(value)) return value;
  return nullptr;
}

}  // namespace

std::vector<ContactReport> contact_reports(const ModelFile& file, const Overview& view) {
  const ContactModel& contacts = *view.contact_model;
  const DeepestImpacts impacts = deepest_impacts(*view.system, contacts);
  std::vector<ContactReport> reports;
  const auto add = [&](const std::string& name, const ContactLawSpec& law) {
    const auto impact = impacts.contacts.find(name);
    if (law.force && impact != impacts.contacts.end())
      reports.push_back(report_of(name, law.force->law, law.restitution, contacts, impact->second));
  };
  for (const ContactSpec& contact : file.contacts) add(contact.name, contact.law);
  for (const ClearanceJointSpec& play : file.clearance_joints) add(play.joint.name, play.law);
  for (const JointSpec& joint : file.mechanism.joints) {
    const auto impact = impacts.stops.find(joint.name);
    const auto law = std::find_if(file.joint_laws.begin(), file.joint_laws.end(),
                                  [&](const JointLawSpec& spec) { return spec.joint == joint.name; });
    if (impact == impacts.stops.end() || law == file.joint_laws.end() || !law->stop_force || !joint.stops) continue;
    reports.push_back(
        report_of(joint.name + ", stops", law->stop_force->law, joint.stops->restitution, contacts, impact->second));
  }
  return reports;
}

std::string text_of(const ContactReport& report) {
  const ImpactEstimate& impact = report.impact;
  std::string text = fmt::format("{}: {}, K = {} {}{}\n", report.contact, report.law, short_number(report.stiffness),
                                 report.stiffness_unit, report.stiffness_is_local ? " at the depth below" : "");
  const std::string where = report.point == report.contact ? "" : fmt::format(" ({})", report.point);
  const std::string speed = fmt::format("{:.4g} {}/s{}", impact.onset.speed_m_s, report.turns ? "rad" : "m",
                                        impact.speed_is_assumed ? ", assumed," : " as in the initial state,");
  if (std::isfinite(impact.onset.mass_kg)) {
    text += fmt::format("  impact at {} of {:.4g} {}{}: penetration {:.4g} {}, contact time {:.4g} s\n", speed,
                        impact.onset.mass_kg, report.turns ? "kg m^2" : "kg", where, impact.depth_m,
                        report.turns ? "rad" : "m", impact.time_s);
  } else {
    text += fmt::format("  the joints do not let it move along its normal{}\n", where);
  }
  return text + fmt::format("  restitution: nominal {:g}, delivered {:.4f}\n", report.nominal_restitution,
                            impact.delivered_restitution);
}

nlohmann::ordered_json json_of(const ContactReport& report) {
  const ImpactEstimate& impact = report.impact;
  return {{"contact", report.contact},
          {"point", report.point},
          {"law", report.law},
          {"stiffness", finite_or_null(report.stiffness)},
          {"stiffness_unit", report.stiffness_unit},
          {"speed", impact.onset.speed_m_s},
          {"speed_is_assumed", impact.speed_is_assumed},
          {"mass", finite_or_null(impact.onset.mass_kg)},
          {"penetration", finite_or_null(impact.depth_m)},
          {"largest_penetration", finite_or_null(report.largest_depth_m)},
          {"contact_time", finite_or_null(impact.time_s)},
          {"nominal_restitution", report.nominal_restitution},
          {"delivered_restitution", impact.delivered_restitution},
          {"warnings", report.warnings}};
}

}  // namespace freeplay::app
