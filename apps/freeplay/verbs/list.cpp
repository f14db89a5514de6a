#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/geometry/shapes/shape_spec.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/io/fields/field_table.h"
#include "freeplay/io/fields/model_reference.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/mechanism/description/joint_table.h"
#include "freeplay/mechanism/systems/system_registry.h"
#include "freeplay/model/coded_scene.h"
#include "terminal/json_output.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/descriptions.h"
#include "text/error_report.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

struct Entry {
  std::string name, description;
  std::vector<std::string> details = {};
};

std::vector<Entry> integrators() {
  std::vector<Entry> entries;
  for (const IntegratorEntry& entry : integrator_registry()) entries.push_back({entry.name, entry.description});
  return entries;
}

std::vector<Entry> solvers() {
  std::vector<Entry> entries;
  for (const SolverEntry& entry : solver_registry()) {
    entries.push_back({entry.name, entry.description});
    if (entry.make()->traits().is_relaxed) entries.back().details.emplace_back("relaxed: not Coulomb's law");
  }
  return entries;
}

std::vector<Entry> systems() {
  std::vector<Entry> entries;
  const auto add = [&](const auto& system) {
    Entry entry{system.name, system.description};
    for (const SystemParameter& parameter : system.parameters) {
      const std::string unit = parameter.dimension.si_unit();
      entry.details.push_back(fmt::format("{}: {:.6g}{}, {}", parameter.name, parameter.default_value,
                                          unit == "1" ? "" : " " + unit, parameter.description));
    }
    entries.push_back(std::move(entry));
  };
  for (const SystemEntry& system : system_registry()) add(system);
  for (const SceneEntry& scene : scene_registry()) add(scene);
  return entries;
}

// The words of a model file that are laws, in the order of the field table.
std::vector<Entry> laws() {
  std::vector<Entry> entries;
  const auto add = [&](std::string_view block, std::string_view key) {
    for (const std::string& word : block_table(block).find(key)->words()) {
      const bool is_known = std::ranges::any_of(entries, [&](const Entry& entry) { return entry.name == word; });
      if (!is_known) entries.push_back({word, std::string(law_description(word))});
    }
  };
  add("contact", "impact");
  add("contact", "tangential_law");
  add("contact", "friction_law");
  add("contact_force", "law");
  add("contact_force", "friction_law");
  return entries;
}

std::vector<Entry> joints() {
  std::vector<Entry> entries;
  for (const JointType& type : joint_types(Space::kSpatial)) {
    const JointType* planar = find_joint_type(type.name, Space::kPlanar);
    const std::string in_the_plane = planar == nullptr ? "" : fmt::format("{} in the plane, ", planar->u_count());
    entries.push_back(
        {std::string(type.name), fmt::format("{} (degrees of freedom: {}{} in space{})", joint_description(type.name),
                                             in_the_plane, type.u_count(), planar == nullptr ? " only" : "")});
  }
  return entries;
}

std::vector<Entry> shapes() {
  std::vector<Entry> entries;
  for (const BlockTable* block : typed_blocks("shape")) {
    const BlockTable& table = *block;
    const std::string type(type_of_block(table.name));
    const bool is_planar = table.where.find("(planar)") != std::string_view::npos;
    // `parametric` is a shape of the plane and one of space.
    const std::vector<std::string> of_space = is_planar ? planar_shape_names() : spatial_shape_names();
    std::vector<std::string> partners = shape_partners(type);
    std::erase_if(partners, [&](const std::string& other) {
      return std::find(of_space.begin(), of_space.end(), other) == of_space.end();
    });
    const std::string touches = partners.empty() ? "Read and checked; touches nothing in this version."
                                                 : fmt::format("Touches {}.", fmt::join(partners, ", "));
    entries.push_back({type, fmt::format("{}: {} {}", is_planar ? "planar" : "spatial", table.doc, touches)});
  }
  return entries;
}

std::vector<Entry> units() {
  std::vector<Entry> entries;
  for (const std::string& name : unit_names()) {
    const Quantity unit = find_unit(name).value();
    const std::string si = unit.dimension.is_dimensionless() ? "rad" : unit.dimension.si_unit();
    entries.push_back({name, fmt::format("{} {}", unit.value, si)});
  }
  return entries;
}

std::vector<Entry> functions() {
  std::vector<Entry> entries;
  for (const std::string& name : function_names()) entries.push_back({name, std::string(function_description(name))});
  return entries;
}

struct Topic {
  std::string name;
  std::vector<Entry> (*entries)();
  std::string remark;  // what a user must know about all of them; may be empty
};

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {
      {"integrators", &integrators, ""},
      {"solvers", &solvers, "Of the contact problem of a step."},
      {"laws", &laws, "`poisson` is for `moreau-midpoint`, `moreau-jean` and `event-driven`."},
      {"joints", &joints, ""},
      {"shapes", &shapes, ""},
      {"systems", &systems, "`system: NAME`, with `parameters:`; their defaults are shown."},
      {"units", &units, ""},
      {"functions", &functions, ""},
  };
  return all;
}

void print_topic(const Topic& topic, const Painter& paint) {
  fmt::print("{}\n", paint.bold(topic.name));
  if (!topic.remark.empty()) fmt::print("  {}\n", paint.dim(topic.remark));
  TextTable table("ll");
  for (const Entry& entry : topic.entries()) {
    table.add({paint.cyan(entry.name), entry.description});
    for (const std::string& detail : entry.details) table.add({"", paint.dim(detail)});
  }
  fmt::print("{}", table.text());
}

}  // namespace

std::vector<std::string> list_topics() {
  std::vector<std::string> names;
  for (const Topic& topic : topics()) names.push_back(topic.name);
  return names;
}

ExitCode list(const ListArguments& arguments) {
  if (arguments.model_reference || arguments.json_schema) {
    fmt::print("{}", arguments.model_reference ? model_reference_markdown() : model_json_schema());
    return ExitCode::kOk;
  }
  const std::vector<std::string> known = list_topics();
  if (!arguments.topic.empty() && std::find(known.begin(), known.end(), arguments.topic) == known.end())
    throw UsageError::unknown("topic", arguments.topic, known);

  const Painter paint(stdout);
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  bool is_first = true;
  for (const Topic& topic : topics()) {
    if (!arguments.topic.empty() && arguments.topic != topic.name) continue;
    if (arguments.json) {
      nlohmann::ordered_json& list = json[topic.name] = nlohmann::ordered_json::array();
      for (const Entry& entry : topic.entries()) {
        list.push_back({{"name", entry.name}, {"description", entry.description}});
        if (!entry.details.empty()) list.back()["details"] = entry.details;
      }
    } else {
      if (!is_first) fmt::print("\n");
      print_topic(topic, paint);
      is_first = false;
    }
  }
  if (arguments.json) print_json(json);
  return ExitCode::kOk;
}

}  // namespace freeplay::app
