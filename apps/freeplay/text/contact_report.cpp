#include "text/contact_report.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "text/text_table.h"

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
  return fmt::format("an impact at {:.4g} m/s goes {:.3g} m deep, but '{}' holds up to {:.3g} m only; beyond, {}",
                     report.impact.onset.speed_m_s, report.impact.depth_m, report.law, report.largest_depth_m,
                     report.stiffness_is_local ? "its tangent is taken" : "the contact is too wide for Hertz' theory");
}

// The deepest impact of each contact, by its name; of several equal ones the first.
std::map<std::string, ImpactEstimate> deepest_impacts(const System& system, const ContactModel& contacts) {
  std::map<std::string, ImpactEstimate> deepest;
  for (const ImpactEstimate& estimate : estimate_impacts(system, contacts)) {
    const std::string& name = contacts.points()[static_cast<std::size_t>(estimate.point)].contact;
    const auto [found, is_new] = deepest.emplace(name, estimate);
    if (!is_new && estimate.depth_m > found->second.depth_m) found->second = estimate;
  }
  return deepest;
}

ContactReport report_of(const std::string& name, const ContactLawSpec& spec, const ContactModel& contacts,
                        const ImpactEstimate& impact) {
  ContactReport report;
  report.contact = name;
  report.law = spec.force->law;
  report.nominal_restitution = spec.restitution;
  report.impact = impact;
  const ContactPoint& point = contacts.points()[static_cast<std::size_t>(report.impact.point)];
  const NormalForceLaw& law = point.force_law->normal;
  report.point = point.name();
  report.largest_depth_m = law.largest_depth();
  report.stiffness_is_local = !law.elastic().is_power();
  if (report.stiffness_is_local) {
    report.stiffness = law.elastic().stiffness(report.impact.depth_m);
    report.stiffness_unit = "N/m";
  } else {
    report.stiffness = law.elastic().stiffness_N_mn();
    const std::optional<Dimension> length_power = dimensions::kLength.power(law.elastic().exponent());
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
  const std::map<std::string, ImpactEstimate> impacts = deepest_impacts(*view.system, contacts);
  std::vector<ContactReport> reports;
  if (impacts.empty()) return reports;
  for (const ContactSpec& contact : file.contacts) {
    if (contact.law.force) reports.push_back(report_of(contact.name, contact.law, contacts, impacts.at(contact.name)));
  }
  for (const ClearanceJointSpec& play : file.clearance_joints) {
    if (play.law.force) reports.push_back(report_of(play.joint.name, play.law, contacts, impacts.at(play.joint.name)));
  }
  return reports;
}

std::string text_of(const ContactReport& report) {
  const ImpactEstimate& impact = report.impact;
  std::string text = fmt::format("{}: {}, K = {} {}{}\n", report.contact, report.law, short_number(report.stiffness),
                                 report.stiffness_unit, report.stiffness_is_local ? " at the depth below" : "");
  const std::string where = report.point == report.contact ? "" : fmt::format(" ({})", report.point);
  const std::string speed = fmt::format("{:.4g} m/s{}", impact.onset.speed_m_s,
                                        impact.speed_is_assumed ? ", assumed," : " as in the initial state,");
  if (std::isfinite(impact.onset.mass_kg)) {
    text += fmt::format("  impact at {} of {:.4g} kg{}: penetration {:.4g} m, contact time {:.4g} s\n", speed,
                        impact.onset.mass_kg, where, impact.depth_m, impact.time_s);
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
