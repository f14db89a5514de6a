#include "freeplay/io/reader/model_reader.h"

#include <fmt/format.h>

#include "freeplay/io/model/model_parameters.h"

namespace freeplay::io {

void ModelReader::read(const YamlNode& root) {
  BlockReader top(values_, Space::kPlanar, root, root.at, "", block_table("model"));
  top.integer("freeplay");
  model_.reference = top.text("reference");
  if (top.has("name")) model_.name = top.text("name");
  top.entry("include");     // merged before
  top.entry("parameters");  // resolved before
  top.entry("variants");    // chosen before
  values_.set_table_reader(
      [this](const YamlNode& node, const std::string& path, Dimension expected, Dependence dependence) {
        return read_value_by_table(node, path, expected, dependence);
      });
  read_functions(top.entry("functions"));
  if (top.has("system")) {
    read_system(top);
  } else if (read_space(top)) {
    read_mechanism(top);
  }
  read_simulate(top);
  read_record(top.entry("record"));
  read_measures(top.entry("measure"));
}

bool ModelReader::read_space(BlockReader& top) {
  if (!top.has("space")) {
    values_.report(top.at(), "", "the key 'space' is missing", "add 'space: planar' or 'space: spatial'");
    return false;
  }
  const std::string space = top.word("space");
  model_.mechanism.space = space == "spatial" ? Space::kSpatial : Space::kPlanar;
  top.set_space(model_.mechanism.space);
  return !space.empty();
}

void ModelReader::read_system(BlockReader& top) {
  for (const char* key : {"space", "gravity", "materials", "bodies", "ground", "joints", "couplings", "contacts",
                          "groups", "forces", "drivers"}) {
    if (top.entry(key) != nullptr) {
      top.report(key, "cannot stand beside 'system'", "a built-in system brings its own bodies; delete one of the two");
    }
  }
  model_.system = SystemSpec{top.text("system"), model_.parameters};
}

void ModelReader::read_mechanism(BlockReader& top) {
  model_.mechanism.gravity_m_s2 = top.vector("gravity");
  read_materials(top.entry("materials"));
  read_bodies(top.entry("bodies"));
  if (std::optional<BlockReader> ground = top.block("ground")) {
    const int material = read_material(*ground, -1);
    read_shapes(ground->entry("shapes"), "ground", ground->path("shapes"), material);
  }
  read_joints(top.entry("joints"));
  read_couplings(top.entry("couplings"));
  read_contacts(top.entry("contacts"));
  read_groups(top.entry("groups"));
  read_forces(top.entry("forces"));
  read_drivers(top.entry("drivers"));
  read_coupling_stiffness(top.entry("couplings"));
  if (model_.mechanism.bodies.empty() && !top.has("bodies")) {
    values_.report(top.at(), "", "the model has no bodies",
                   "add a block 'bodies', or 'system: NAME' for a built-in system");
  }
}

void ModelReader::claim_name(const YamlEntry& entry, const std::string& path, std::string_view what) {
  if (!is_identifier(entry.key)) {
    values_.report(entry.key_at, path, fmt::format("{} cannot be the name of a {}", in_quotes(entry.key), what),
                   "use letters, digits and '_', and start with a letter: names stand in expressions and channels");
  } else if (is_reserved_name(entry.key)) {
    values_.report(entry.key_at, path, fmt::format("the name '{}' is reserved", entry.key), "choose another name");
  } else {
    claim(entry.key, entry.key_at, path, what);
  }
}

bool ModelReader::claim(const std::string& name, SourcePosition at, const std::string& path, std::string_view what) {
  const auto [claim, is_new] = names_.emplace(name, Claim{what, at});
  if (!is_new)
    values_.report(at, path, fmt::format("the name '{}' is already that of a {}", name, claim->second.what),
                   fmt::format("rename one of them; the {} is in line {}", claim->second.what, claim->second.at.line));
  return is_new;
}

}  // namespace freeplay::io
