#include "python_laws.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "text/error_report.h"

namespace freeplay::app::python {

namespace {

ContactLawSpec& law_named(ModelSpec& spec, const std::string& name) {
  std::vector<std::string> known;
  for (ContactSpec& contact : spec.contacts) {
    if (contact.name == name) return contact.law;
    known.push_back(contact.name);
  }
  for (ClearanceJointSpec& joint : spec.clearance_joints) {
    if (joint.joint.name == name) return joint.law;
    known.push_back(joint.joint.name);
  }
  for (ContactGroupSpec& group : spec.groups) {
    if (group.name == name && group.material_laws.empty()) return group.law;
    known.push_back(group.name);
  }
  throw UsageError::unknown("contact", name, known);
}

}  // namespace

double ask_number(const py::function& function, std::initializer_list<double> arguments, double least) {
  const py::gil_scoped_acquire acquired;
  py::tuple given(arguments.size());
  std::size_t i = 0;
  for (const double argument : arguments) given[i++] = argument;
  const double value = py::float_(function(*given)).cast<double>();
  if (!std::isfinite(value)) throw py::value_error(fmt::format("the function of a law gave {}", value));
  if (value < least) throw py::value_error(fmt::format("the function of a law gave {}, which is negative", value));
  return value;
}

void put_law(ModelSpec& spec, const PythonLaw& law, const Asker& ask) {
  ContactLawSpec& of = law_named(spec, law.contact);
  if (law.friction) {
    of.friction_law.function = [&law, ask](double speed_m_s) { return ask(*law.friction, {speed_m_s}, 0); };
    of.friction_law.law = "coulomb";  // what the file says of it no longer counts
    return;
  }
  if (!of.force) of.force.emplace();
  of.force->elastic_function = [&law, ask](double delta_m) { return ask(*law.elastic, {delta_m}, 0); };
  of.force->damping_function = nullptr;
  if (!law.damping) return;
  of.force->damping_function = [&law, ask](double delta_m, double rate_m_s, double speed_m_s) {
    return ask(*law.damping, {delta_m, rate_m_s, speed_m_s}, -std::numeric_limits<double>::infinity());
  };
}

}  // namespace freeplay::app::python
