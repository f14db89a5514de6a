#include <fmt/format.h>

#include <algorithm>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/io/model/model_build.h"
#include "terminal/json_output.h"
#include "terminal/text_table.h"
#include "text/channel_text.h"
#include "text/error_report.h"
#include "verbs/info/info.h"

namespace freeplay::app {

namespace {

using Json = nlohmann::ordered_json;

// Values of the channels that need no accelerations, in the initial state.
struct InitialState {
  std::vector<ChannelInfo> channels;
  std::vector<double> values;
};

InitialState initial_state_of(const System& system) {
  InitialState initial;
  std::vector<int> indices;
  for (std::size_t i = 0; i < system.channels().size(); ++i) {
    const ChannelDescription& channel = system.channels()[i];
    if (channel.needs_accelerations) continue;
    indices.push_back(static_cast<int>(i));
    initial.channels.push_back({channel.name, channel.unit()});
  }
  initial.values.resize(indices.size());
  const State state = system.initial_state();
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  dynamics->set_position(state.t, state.q);
  dynamics->set_velocity(state.u);
  dynamics->read_channels(indices, initial.values);
  return initial;
}

// ---- text --------------------------------------------------------------------------------------------------------

void print_heading(const Painter& paint, const std::string& heading) {
  fmt::print("\n{}\n", paint.bold(heading));
}

void print_parameters(const ModelFile& file, const Painter& paint) {
  if (file.parameters.empty()) return;
  print_heading(paint, "Parameters");
  TextTable table("lrll");
  for (const ModelParameter& parameter : file.parameters) {
    const bool is_word = parameter.word.has_value();
    const std::string unit = is_word ? "" : parameter.value.dimension.si_unit();
    table.add({parameter.name, is_word ? *parameter.word : fmt::format("{:.10g}", parameter.value.value),
               unit == "1" ? "" : unit, is_word ? "" : paint.dim(parameter.text)});
  }
  fmt::print("{}", table.text());
}

// A scene has thousands of contacts: enough is shown to see what there is, --json has all.
void print_some(const std::string& text) {
  constexpr std::ptrdiff_t kMostLines = 120;
  const std::ptrdiff_t lines = std::count(text.begin(), text.end(), '\n');
  if (lines <= kMostLines) {
    fmt::print("{}", text);
    return;
  }
  std::size_t end = 0;
  for (std::ptrdiff_t i = 0; i < kMostLines; ++i) end = text.find('\n', end) + 1;
  fmt::print("{}  ... and {} more lines: freeplay info --json has them\n", text.substr(0, end), lines - kMostLines);
}

void print_joints_with_play(const ModelFile& file, const Painter& paint) {
  if (file.clearance_joints.empty()) return;
  print_heading(paint, "Joints with play (their directions are free in the tree)");
  TextTable table("lllrl");
  for (const ClearanceJointSpec& play : file.clearance_joints) {
    table.add({play.joint.name, play.joint.type, fmt::format("{} ─ {}", play.joint.parent, play.joint.child),
               short_number(play.clearance_m), "m per side"});
  }
  fmt::print("{}", table.text());
}

// The stiffness in each direction, N/m or N m per rad: "1e+06 1e+06".
std::string directions(const Vec3& values, int first, int count) {
  std::string text;
  for (int k = first; k < first + count; ++k) text += (text.empty() ? "" : " ") + short_number(values[k]);
  return text;
}

void print_bushings(const ModelFile& file, const Painter& paint) {
  const bool planar = file.mechanism.space == Space::kPlanar;
  TextTable table("lllll");
  for (const JointSpec& joint : file.mechanism.joints) {
    if (!joint.bushing) continue;
    const BushingSpec& law = *joint.bushing;
    const bool is_cubic = !law.cubic_stiffness_N_m3.isZero(0) || !law.torsional_cubic_stiffness_Nm_rad3.isZero(0);
    table.add({joint.name, joint.type, fmt::format("{} ─ {}", joint.parent, joint.child),
               fmt::format("{} N/m, {} N m", directions(law.stiffness_N_m, 0, planar ? 2 : 3),
                           directions(law.torsional_stiffness_Nm_rad, planar ? 2 : 0, planar ? 1 : 3)),
               is_cubic ? "and cubic terms" : ""});
  }
  if (table.empty()) return;
  print_heading(paint, "Bushings (their directions are free in the tree; stiffness along and about the axes)");
  fmt::print("{}", table.text());
}

// "0.04 shaft_1 + 0.06 shaft_2", in m or rad.
std::string relation_of(const CouplingSpec& coupling) {
  std::string text = coupling.offset == 0 ? "" : short_number(coupling.offset);
  for (const CouplingTerm& term : coupling.terms) {
    const std::string factor = short_number(std::abs(term.factor));
    const char* sign = text.empty() ? (term.factor < 0 ? "-" : "") : (term.factor < 0 ? " - " : " + ");
    text += sign + (factor == "1" ? "" : factor + " ") + term.joint;
    if (term.coordinate > 0) text += fmt::format(".q_{}", term.coordinate + 1);
  }
  return text;
}

void print_couplings(const ModelFile& file, const Painter& paint) {
  if (file.mechanism.couplings.empty()) return;
  print_heading(paint, "Couplings (their positions as sums of joint coordinates)");
  TextTable table("llll");
  for (const CouplingSpec& coupling : file.mechanism.couplings) {
    using Model = CouplingSpec::Model;
    const char* model = coupling.model == Model::kIdeal      ? "ideal"
                        : coupling.model == Model::kBacklash ? "backlash"
                                                             : "compliant";
    const char* unit = coupling.is_angle ? "rad" : "m";
    table.add({coupling.name, model, fmt::format("{} in {}", relation_of(coupling), unit),
               coupling.play > 0 ? fmt::format("{} {} of play", short_number(coupling.play), unit) : ""});
  }
  fmt::print("{}", table.text());
}

// What is not usual about a contact: a friction law that is not Coulomb's, surfaces that run along themselves.
std::string remark_on(const ContactSpec& contact, const std::vector<ShapeSpec>& shapes) {
  std::string remark;
  if (contact.law.friction_law.law != "coulomb")
    remark += fmt::format(", friction_law: {}", contact.law.friction_law.law);
  for (const ShapeSpec& shape : shapes) {
    const bool is_partner = (shape.body == contact.body_a && shape.name == contact.shape_a) ||
                            (shape.body == contact.body_b && shape.name == contact.shape_b);
    if (is_partner && !shape.surface_velocity.empty())
      remark += fmt::format(", {}.{} runs along itself", shape.body, shape.name);
  }
  return remark;
}

void print_contacts(const ModelFile& file, const Painter& paint) {
  if (file.contacts.empty()) return;
  print_heading(paint, "Contacts");
  TextTable table("ll");
  for (const ContactSpec& contact : file.contacts) {
    table.add({contact.name, fmt::format("{}.{} ─ {}.{}{}", contact.body_a, contact.shape_a, contact.body_b,
                                         contact.shape_b, remark_on(contact, file.shapes))});
  }
  print_some(table.text());
}

void print_structure(const Overview& view, const Painter& paint) {
  if (view.mechanism != nullptr) {
    print_heading(paint, "Tree");
    print_some(tree_text(*view.mechanism, paint));
    const std::string constraints = constraints_text(*view.mechanism);
    if (!constraints.empty()) {
      print_heading(paint, "Bilateral rows");
      fmt::print("{}", constraints);
    }
  }
  print_heading(paint, "Degrees of freedom");
  fmt::print("  {} = {} - rank {} of {}\n", view.degrees_of_freedom(),
             counted(view.velocities, "velocity", "velocities"), view.row_rank, counted(view.rows, "bilateral row"));
  if (!view.redundant.empty()) {
    print_heading(paint, "Redundant rows in the initial position (the rows' reactions are those of minimum norm)");
    TextTable table("ll");
    for (const RedundantRow& row : view.redundant) table.add({paint.yellow(row.name), row.explanation});
    fmt::print("{}", table.text());
  }
}

void print_text(const ModelFile& file, const Overview& view, const std::vector<Diagnostic>& obstacles) {
  const Painter paint(stdout);
  fmt::print("{}\n", paint.bold(printable(file.name)));
  if (!file.reference.empty()) fmt::print("{}\n", paint.dim(file.reference));
  if (file.system) fmt::print("system '{}', given as code\n", file.system->name);
  if (!file.scene.empty()) fmt::print("scene '{}', given as code\n", file.scene);
  print_parameters(file, paint);
  print_structure(view, paint);
  print_joints_with_play(file, paint);
  print_bushings(file, paint);
  print_couplings(file, paint);
  print_contacts(file, paint);

  print_heading(paint, "Initial state");
  const InitialState initial = initial_state_of(*view.system);
  print_some(value_table(initial.channels, without_noise(initial.channels, initial.values), paint));
  for (const std::string& note : view.assembly_notes) fmt::print("  {} {}\n", paint.cyan("note:"), note);

  print_heading(paint, "Channels");
  const int width = is_terminal(stdout) ? terminal_width(stdout) : 100;
  print_some(
      channel_list(available_channels(*view.system, *view.contact_model, file.simulate.integrator), width, paint));
  for (const Diagnostic& obstacle : obstacles)
    fmt::print("\n{} the model cannot be run: {}: {}", paint.yellow("note:"), obstacle.path, obstacle.message);
  if (!obstacles.empty()) fmt::print("\n");
}

// ---- JSON --------------------------------------------------------------------------------------------------------

Json parameters_json(const ModelFile& file) {
  Json list = Json::array();
  for (const ModelParameter& parameter : file.parameters) {
    Json entry = {{"name", parameter.name}, {"text", parameter.text}};
    if (parameter.word) {
      entry["word"] = *parameter.word;
    } else {
      entry["value"] = parameter.value.value;
      entry["unit"] = parameter.value.dimension.si_unit();
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json tree_json(const Mechanism& mechanism) {
  Json nodes = Json::array();
  for (const Mechanism::Node& node : mechanism.nodes) {
    // The ground, a section of an elastic body, or the integral of a controller.
    if (node.type == nullptr || node.is_memory) continue;
    Json entry = {
        {"body", mechanism.bodies[to_size(node.body)].name},
        {"parent", mechanism.bodies[to_size(mechanism.nodes[static_cast<std::size_t>(node.parent)].body)].name},
        {"joint", nullptr},
        {"type", node.type->name},
        {"coordinates", node.type->q_count()},
        {"velocities", node.type->u_count()},
        {"reversed", node.sign < 0}};
    if (node.elastic >= 0) {
      entry["modes"] = mechanism.elastic_bodies[static_cast<std::size_t>(node.elastic)].count;
    }
    if (node.joint >= 0) entry["joint"] = mechanism.joints[static_cast<std::size_t>(node.joint)].name;
    nodes.push_back(std::move(entry));
  }
  return nodes;
}

Json constraints_json(const Mechanism& mechanism) {
  Json list = Json::array();
  for (const Mechanism::Joint& joint : mechanism.joints) {
    if (joint.role != Mechanism::JointRole::kConstraint) continue;
    list.push_back({{"joint", joint.name},
                    {"type", joint.type->name},
                    {"parent", mechanism.bodies[to_size(joint.parent)].name},
                    {"child", mechanism.bodies[to_size(joint.child)].name},
                    {"rows", joint.type->locked.size()},
                    {"closes_loop", joint.closes_loop}});
  }
  return list;
}

Json bushings_json(const Mechanism& mechanism) {
  const auto list_of = [](const Vec3& values) { return Json{values.x(), values.y(), values.z()}; };
  Json list = Json::array();
  for (const Mechanism::Bushing& bushing : mechanism.bushings) {
    const Mechanism::Joint& joint = mechanism.joints[static_cast<std::size_t>(bushing.joint)];
    const BushingSpec& law = bushing.law;
    list.push_back({{"joint", joint.name},
                    {"type", joint.type->name},
                    {"parent", mechanism.bodies[to_size(joint.parent)].name},
                    {"child", mechanism.bodies[to_size(joint.child)].name},
                    {"stiffness", list_of(law.stiffness_N_m)},
                    {"cubic_stiffness", list_of(law.cubic_stiffness_N_m3)},
                    {"damping", list_of(law.damping_Ns_m)},
                    {"torsional_stiffness", list_of(law.torsional_stiffness_Nm_rad)},
                    {"torsional_cubic_stiffness", list_of(law.torsional_cubic_stiffness_Nm_rad3)},
                    {"torsional_damping", list_of(law.torsional_damping_Nms_rad)}});
  }
  return list;
}

void print_json_text(const ModelFile& file, const Overview& view, const std::vector<Diagnostic>& obstacles) {
  Json redundant = Json::array(), state = Json::object(), channels = Json::array();
  for (const RedundantRow& row : view.redundant)
    redundant.push_back({{"name", row.name}, {"explanation", row.explanation}});
  const InitialState initial = initial_state_of(*view.system);
  // Not by `state[name]`, which looks through all names that are there already. Names of channels are unique.
  Json::object_t& values = state.get_ref<Json::object_t&>();
  for (std::size_t i = 0; i < initial.values.size(); ++i)
    values.emplace_back(initial.channels[i].name, initial.values[i]);
  for (const ChannelInfo& channel : available_channels(*view.system, *view.contact_model, file.simulate.integrator))
    channels.push_back({{"name", channel.name}, {"unit", channel.unit}});

  Json json = {{"kind", "model"}, {"name", file.name}, {"reference", file.reference}};
  if (file.system) json["system"] = file.system->name;
  if (!file.scene.empty()) json["scene"] = file.scene;
  json["parameters"] = parameters_json(file);
  if (view.mechanism != nullptr) {
    json["tree"] = tree_json(*view.mechanism);
    json["constraints"] = constraints_json(*view.mechanism);
    json["bushings"] = bushings_json(*view.mechanism);
  }
  json["velocities"] = view.velocities;
  json["rows"] = view.rows;
  json["row_rank"] = view.row_rank;
  json["degrees_of_freedom"] = view.degrees_of_freedom();
  json["redundant_rows"] = std::move(redundant);
  json["initial_state"] = std::move(state);
  json["notes"] = view.assembly_notes;
  json["channels"] = std::move(channels);
  json["can_run"] = obstacles.empty();
  json["obstacles"] = diagnostics_json(obstacles);
  print_json(json);
}

// What `run` would refuse; empty if it would run the model.
std::vector<Diagnostic> obstacles_to_a_run(const ModelFile& file, const Overview& view) {
  try {
    build_simulation(file, view.model());
    return {};
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
}

}  // namespace

void print_model_info(const ModelFile& file, bool json) {
  const Overview view = overview_of(file);
  const std::vector<Diagnostic> obstacles = obstacles_to_a_run(file, view);
  if (json)
    print_json_text(file, view, obstacles);
  else
    print_text(file, view, obstacles);
}

}  // namespace freeplay::app
