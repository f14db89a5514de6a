// The blocks `bodies`, `bodies.NAME.initial` and `bodies.NAME.guess`.
#include <fmt/format.h>

#include "freeplay/io/reader/model_reader.h"
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
  const std::size_t first_shape = model_.shapes.size();
  read_shapes(block.entry("shapes"), body.name, block.path("shapes"), read_material(block, -1));
  if (std::optional<BlockReader> elastic = block.block("elastic")) {
    body.elastic = read_elastic(*elastic);
    body.mass_kg = body.elastic->mass_kg();
    refuse_rigid_keys(block);
  } else {
    read_mass(block, body);
  }
  const bool is_copied = add_copies(block, body, first_shape);
  block.check_all_keys_were_read();
  if (!is_copied) model_.mechanism.bodies.push_back(std::move(body));
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

}  // namespace freeplay::io
