// The block `bodies.NAME.elastic`.
#include <fmt/format.h>

#include "freeplay/io/modes/modes_file.h"
#include "freeplay/io/reader/model_reader.h"
#include "freeplay/io/yaml/folder_file.h"

namespace freeplay::io {

namespace {

// A key of the section of a beam: one value, or one for each knot.
struct SectionKey {
  const char* key;
  double ElasticSpec::*constant;
  double BeamKnot::*at_knot;
};
constexpr SectionKey kSectionKeys[] = {
    {"mass_per_length", &ElasticSpec::mass_per_length_kg_m, &BeamKnot::mass_per_length_kg_m},
    {"polar_inertia_per_length", &ElasticSpec::polar_inertia_per_length_kg_m, &BeamKnot::polar_inertia_per_length_kg_m},
    {"rotary_inertia_per_length", &ElasticSpec::rotary_inertia_per_length_kg_m,
     &BeamKnot::rotary_inertia_per_length_kg_m},
    {"rotary_inertia_per_length_xz", &ElasticSpec::rotary_inertia_per_length_xz_kg_m,
     &BeamKnot::rotary_inertia_per_length_xz_kg_m},
    {"bending_stiffness", &ElasticSpec::bending_stiffness_Nm2, &BeamKnot::bending_stiffness_Nm2},
    {"bending_stiffness_xz", &ElasticSpec::bending_stiffness_xz_Nm2, &BeamKnot::bending_stiffness_xz_Nm2},
    {"axial_stiffness", &ElasticSpec::axial_stiffness_N, &BeamKnot::axial_stiffness_N},
    {"torsional_stiffness", &ElasticSpec::torsional_stiffness_Nm2, &BeamKnot::torsional_stiffness_Nm2}};

constexpr const char* kBeamKeys[] = {
    "length",      "start",   "knots",         "bending",         "bending_modes",      "axial",
    "axial_modes", "torsion", "torsion_modes", "section_modulus", "section_modulus_xz", "area",
    "height",      "width"};

}  // namespace

ElasticSpec ModelReader::read_elastic(BlockReader& block) {
  ElasticSpec body;
  read_elastic_shapes(block, body);
  read_elastic_section(block, body);
  body.damping_ratio = block.quantity("damping_ratio");
  if (std::optional<BlockReader> rayleigh = block.block("rayleigh")) {
    body.rayleigh = {rayleigh->quantity("alpha"), rayleigh->quantity("beta")};
    rayleigh->check_all_keys_were_read();
    if (block.has("damping_ratio"))
      block.report("rayleigh", "the damping is given twice", "give either 'damping_ratio' or 'rayleigh'");
  }
  body.foreshortening = block.boolean("foreshortening");
  body.initial_q = block.quantities("initial_modes");
  body.initial_u = block.quantities("initial_rates");
  read_elastic_file(block, body);
  block.check_all_keys_were_read();
  return body;
}

void ModelReader::read_elastic_shapes(BlockReader& block, ElasticSpec& beam) {
  beam.length_m = block.optional_quantity("length").value_or(0);
  const std::string bending = block.word("bending"), axial = block.word("axial");
  if (bending == "cantilever") beam.bending = BendingShapes::kCantilever;
  if (bending == "simply-supported") beam.bending = BendingShapes::kSimplySupported;
  if (bending == "clamped-clamped") beam.bending = BendingShapes::kClampedClamped;
  if (bending == "free-free") beam.bending = BendingShapes::kFreeFree;
  beam.bending_modes = block.integer("bending_modes");
  const auto along_axis = [](const std::string& word) {
    if (word == "fixed-free") return AxialShapes::kFixedFree;
    return word == "free-free" ? AxialShapes::kFreeFree : AxialShapes::kNone;
  };
  beam.axial = along_axis(axial);
  beam.axial_modes = block.integer("axial_modes");
  beam.torsion = along_axis(block.word("torsion"));
  beam.torsion_modes = block.integer("torsion_modes");
  if (block.has("start")) beam.start_m = block.vector("start");
  beam.stations_m = block.quantities("stations");
  beam.height_m = block.optional_quantity("height").value_or(0);
  beam.width_m = block.optional_quantity("width").value_or(0);
  beam.section_modulus_m3 = block.optional_quantity("section_modulus").value_or(0);
  beam.section_modulus_xz_m3 = block.optional_quantity("section_modulus_xz").value_or(0);
  beam.area_m2 = block.optional_quantity("area").value_or(0);
}

void ModelReader::read_elastic_section(BlockReader& block, ElasticSpec& beam) {
  for (const double s : block.quantities("knots")) {
    BeamKnot knot;
    knot.s_m = s;
    beam.knots.push_back(knot);
  }
  for (const SectionKey& section : kSectionKeys) {
    const std::vector<double> values = block.quantities(section.key);
    if (values.empty()) continue;
    if (values.size() != 1 && values.size() != beam.knots.size()) {
      block.report(section.key,
                   beam.knots.empty()
                       ? "a uniform beam has one value"
                       : fmt::format("there are {} values for {} knots", values.size(), beam.knots.size()),
                   beam.knots.empty() ? "give one value, or 'knots: [...]' with the places of these"
                                      : "give one value, or one for each knot");
      continue;
    }
    beam.*section.constant = values.front();
    for (std::size_t k = 0; k < beam.knots.size(); ++k) {
      beam.knots[k].*section.at_knot = values[values.size() == 1 ? 0 : k];
    }
  }
}

std::vector<std::string> ModelReader::read_node_names(BlockReader& block) {
  const YamlEntry* entry = block.entry("station_nodes");
  if (entry == nullptr) return {};
  const bool is_list = entry->value.kind == YamlNode::Kind::kList;
  const std::size_t count = is_list ? entry->value.items.size() : 1;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    const YamlNode& node = is_list ? entry->value.items[i] : entry->value;
    const std::string path =
        is_list ? fmt::format("{}[{}]", block.path("station_nodes"), i) : block.path("station_nodes");
    if (const std::optional<std::string> name = values_.word(node, path)) names.push_back(*name);
  }
  return names;
}

// A beam, or what the file says: never both.
void ModelReader::read_elastic_file(BlockReader& block, ElasticSpec& body) {
  const std::string file = block.text("file");
  const int modes = block.has("modes") ? block.integer("modes") : 0;
  body.station_nodes = read_node_names(block);
  if (!block.has("file")) {
    for (const char* key : {"length", "mass_per_length"}) {
      if (block.has(key) || !block.ok()) continue;
      values_.report(block.at(), block.path(), fmt::format("the key '{}' is missing", key),
                     fmt::format("add '{}: ...' of the beam, or 'file: modes.csv'", key));
    }
    if (block.has("modes"))
      block.report("modes", "is the number of modes of a file", "give 'bending_modes' or 'axial_modes'");
    if (block.has("station_nodes"))
      block.report("station_nodes", "are nodes of a file", "give 'stations: [...]' with places along the axis");
    return;
  }
  const auto refuse = [&](const char* key) {
    if (block.has(key)) block.report(key, "belongs to a beam, but this body is in a file", "delete it");
  };
  for (const char* key : kBeamKeys) refuse(key);
  if (block.has("stations"))
    block.report("stations", "belongs to a beam, but this body is in a file",
                 "name nodes of it: 'station_nodes: [...]'");
  for (const SectionKey& section : kSectionKeys) refuse(section.key);
  if (block.has("modes") && modes < 1) block.report("modes", "must be 1 or more", "leave it out to take all modes");
  if (!block.ok()) return;
  if (folder_.empty()) {
    block.report("file", fmt::format("{} cannot name one", kNotFromFile), "save the model in the folder of the modes");
    return;
  }
  const ModesFile read = read_modes_file(folder_, file, space(), modes);
  if (!read.problem.empty()) return block.report(read.problem.key, read.problem.message, read.problem.hint);
  body.nodes = read.body;
  if (block.has("foreshortening") && body.foreshortening && !body.nodes->is_on_a_line()) {
    block.report("foreshortening", "is known only of bodies whose nodes lie on a line along x",
                 "leave it out: such a body must not turn as fast as it vibrates");
  }
}

// The mass of an elastic body is in its own block.
void ModelReader::refuse_rigid_keys(BlockReader& block) {
  for (const char* key : {"mass", "inertia", "density", "thickness"}) {
    if (block.entry(key) == nullptr) continue;
    block.report(key, "belongs to a rigid body, but this one is elastic",
                 "delete it: 'mass_per_length' in 'elastic' gives mass and inertia");
  }
}

}  // namespace freeplay::io
