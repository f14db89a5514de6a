// The blocks `bodies`, `bodies.NAME.initial`, `bodies.NAME.guess` and `bodies.NAME.elastic`.
#include <fmt/format.h>

#include "freeplay/io/model/model_reader.h"
#include "freeplay/math/eigenvalues.h"

namespace freeplay::io {

namespace {

// Round-off in inertias that were computed elsewhere and typed with a few digits.
constexpr double kTriangleTolerance = 1e-9;

}  // namespace

void ModelReader::read_bodies(const YamlEntry* bodies) {
  const std::vector<const YamlEntry*> entries = named_entries(values_, bodies, "bodies");
  // All names first: nothing below depends on the order of the file.
  for (const YamlEntry* entry : entries) body_names_.insert(entry->key);
  for (const YamlEntry* entry : entries) read_body(*entry);
}

void ModelReader::read_body(const YamlEntry& entry) {
  const std::string path = "bodies." + entry.key;
  claim_name(entry, path, "body");
  BlockReader block(values_, space(), entry.value, entry.key_at, path, block_table("body"));
  BodySpec body;
  body.name = entry.key;
  if (std::optional<BlockReader> initial = block.block("initial")) read_initial(*initial, body.initial);
  if (std::optional<BlockReader> guess = block.block("guess")) read_guess(*guess, body.guess);
  read_shapes(block.entry("shapes"), body.name, block.path("shapes"));
  if (std::optional<BlockReader> elastic = block.block("elastic")) {
    body.elastic = read_elastic(*elastic);
    body.mass_kg = body.elastic->mass_per_length_kg_m * body.elastic->length_m;
    refuse_rigid_keys(block);
  } else {
    read_mass(block, body);
  }
  block.check_all_keys_were_read();
  model_.mechanism.bodies.push_back(std::move(body));
}

// A rigid body's principal moments are not negative (a thin rod has a zero), and none exceeds the sum of the other two.
void ModelReader::check_inertia(BlockReader& block, const Mat3& inertia) {
  const Vec3 moments = symmetric_eigenvalues(inertia);  // ascending
  if (!(moments(0) >= -kTriangleTolerance * moments(2))) {
    block.report("inertia", fmt::format("a principal moment of inertia is negative: {:.6g} kg m^2", moments(0)),
                 "check the products of inertia; no principal moment of a body is below 0");
  } else if (moments(2) > (moments(0) + moments(1)) * (1 + kTriangleTolerance)) {
    block.report("inertia",
                 fmt::format("the principal moment {:.6g} kg m^2 exceeds the sum of the other two, {:.6g} kg m^2",
                             moments(2), moments(0) + moments(1)),
                 "no body has such an inertia (triangle inequality); check the values and their units");
  }
}

void ModelReader::read_initial(BlockReader& block, BodyInitialSpec& initial) {
  initial.position_m[0] = block.optional_quantity("x");
  initial.position_m[1] = block.optional_quantity("y");
  initial.velocity_m_s[0] = block.optional_quantity("vx");
  initial.velocity_m_s[1] = block.optional_quantity("vy");
  if (space() == Space::kPlanar) {
    initial.angle = block.optional_quantity("angle");
    initial.angular_velocity[2] = block.optional_quantity("omega");
  } else {
    initial.position_m[2] = block.optional_quantity("z");
    initial.velocity_m_s[2] = block.optional_quantity("vz");
    initial.angular_velocity[0] = block.optional_quantity("omega_x");
    initial.angular_velocity[1] = block.optional_quantity("omega_y");
    initial.angular_velocity[2] = block.optional_quantity("omega_z");
    if (const auto e = block.rotation("rotation")) initial.quaternion = Vec4(e->w(), e->x(), e->y(), e->z());
  }
  block.check_all_keys_were_read();
}

void ModelReader::read_guess(BlockReader& block, BodyInitialSpec& guess) {
  guess.position_m[0] = block.optional_quantity("x");
  guess.position_m[1] = block.optional_quantity("y");
  if (space() == Space::kPlanar) {
    guess.angle = block.optional_quantity("angle");
  } else {
    guess.position_m[2] = block.optional_quantity("z");
    if (const auto e = block.rotation("rotation")) guess.quaternion = Vec4(e->w(), e->x(), e->y(), e->z());
  }
  block.check_all_keys_were_read();
}

ElasticSpec ModelReader::read_elastic(BlockReader& block) {
  ElasticSpec beam;
  beam.length_m = block.quantity("length");
  beam.mass_per_length_kg_m = block.quantity("mass_per_length");
  beam.polar_inertia_per_length_kg_m = block.quantity("polar_inertia_per_length");
  const std::string bending = block.word("bending"), axial = block.word("axial");
  if (bending == "cantilever") beam.bending = BendingShapes::kCantilever;
  if (bending == "simply-supported") beam.bending = BendingShapes::kSimplySupported;
  if (bending == "clamped-clamped") beam.bending = BendingShapes::kClampedClamped;
  if (bending == "free-free") beam.bending = BendingShapes::kFreeFree;
  beam.bending_modes = block.integer("bending_modes");
  beam.bending_stiffness_Nm2 = block.optional_quantity("bending_stiffness").value_or(0);
  beam.bending_stiffness_xz_Nm2 = block.optional_quantity("bending_stiffness_xz").value_or(0);
  const auto along_axis = [](const std::string& word) {
    if (word == "fixed-free") return AxialShapes::kFixedFree;
    return word == "free-free" ? AxialShapes::kFreeFree : AxialShapes::kNone;
  };
  beam.axial = along_axis(axial);
  beam.axial_modes = block.integer("axial_modes");
  beam.axial_stiffness_N = block.optional_quantity("axial_stiffness").value_or(0);
  beam.torsion = along_axis(block.word("torsion"));
  beam.torsion_modes = block.integer("torsion_modes");
  beam.torsional_stiffness_Nm2 = block.optional_quantity("torsional_stiffness").value_or(0);
  beam.damping_ratio = block.quantity("damping_ratio");
  beam.foreshortening = block.boolean("foreshortening");
  if (block.has("start")) beam.start_m = block.vector("start");
  beam.stations_m = block.quantities("stations");
  beam.section_modulus_m3 = block.optional_quantity("section_modulus").value_or(0);
  beam.initial_q = block.quantities("initial_modes");
  beam.initial_u = block.quantities("initial_rates");
  block.check_all_keys_were_read();
  return beam;
}

// The mass of a beam is in its own block.
void ModelReader::refuse_rigid_keys(BlockReader& block) {
  for (const char* key : {"mass", "inertia", "density", "thickness"}) {
    if (block.entry(key) == nullptr) continue;
    block.report(key, "belongs to a rigid body, but this one is elastic",
                 "delete it: 'mass_per_length' in 'elastic' gives mass and inertia");
  }
}

}  // namespace freeplay::io
