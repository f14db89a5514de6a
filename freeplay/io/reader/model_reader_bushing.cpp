// The block `bushing` of a joint.
#include <fmt/format.h>

#include <array>

#include "freeplay/io/reader/model_reader.h"
#include "freeplay/mechanism/description/joint_table.h"

namespace freeplay::io {

namespace {

// A list names every direction. One value stands for those that the joint holds, so that a guide stays free along its
// axis; where it holds none of them, a value can only be meant for all.
Vec3 spread(const std::vector<double>& values, const std::array<bool, 3>& held) {
  if (values.size() == 1) {
    const bool holds_any = held[0] || held[1] || held[2];
    const auto at = [&](std::size_t k) { return !holds_any || held[k] ? values[0] : 0; };
    return {at(0), at(1), at(2)};
  }
  Vec3 result = Vec3::Zero();
  for (std::size_t k = 0; k < values.size(); ++k) result[static_cast<Eigen::Index>(k)] = values[k];
  return result;
}

}  // namespace

void ModelReader::read_bushing(BlockReader& block, bool is_bushing, JointSpec& joint) {
  const JointType* type = find_joint_type(joint.type, space());
  std::optional<BlockReader> keys = block.block("bushing");
  if (is_bushing && type != nullptr && type->locked.empty()) {
    block.report("model", fmt::format("a {} joint holds nothing that a bushing could hold elastically", joint.type),
                 "use 'type: fixed' for a bushing in all directions, or 'model: ideal'");
    is_bushing = false;
  }
  if (is_bushing && !keys && !block.has("bushing")) {
    block.report(
        "model", "a bushing needs its stiffness",
        "add 'bushing: {stiffness: 1e6 N/m, damping: 100 N s/m}'; also 'torsional_stiffness: 10 N m' where the "
        "joint keeps from turning");
  }
  if (!keys) return;

  const std::size_t axes = space() == Space::kPlanar ? 2 : 3, turns = space() == Space::kPlanar ? 1 : 3;
  std::array<bool, 3> along{}, about{};
  for (int k = 0; k < 3 && type != nullptr; ++k) {
    along[static_cast<std::size_t>(k)] = type->holds_along(k);
    about[static_cast<std::size_t>(k)] = type->holds_about(k);
  }
  BushingSpec law;
  const auto read = [&](const char* key, std::size_t count, const std::array<bool, 3>& held, Vec3& values) {
    const std::vector<double> given = keys->per_direction(key, count);
    if (given.empty()) return;
    values = count == 1 ? Vec3(0, 0, given[0]) : spread(given, held);  // a planar joint turns about z
  };
  read("stiffness", axes, along, law.stiffness_N_m);
  read("cubic_stiffness", axes, along, law.cubic_stiffness_N_m3);
  read("damping", axes, along, law.damping_Ns_m);
  read("torsional_stiffness", turns, about, law.torsional_stiffness_Nm_rad);
  read("torsional_cubic_stiffness", turns, about, law.torsional_cubic_stiffness_Nm_rad3);
  read("torsional_damping", turns, about, law.torsional_damping_Nms_rad);
  keys->check_all_keys_were_read();
  if (!is_bushing || type == nullptr || !keys->ok()) return;

  const auto require = [&](const char* key, const char* cubic_key, const std::array<bool, 3>& held, std::string message,
                           const char* cure) {
    if (!(held[0] || held[1] || held[2]) || keys->has(key) || keys->has(cubic_key)) return;
    values_.report(keys->at(), keys->path(), std::move(message), cure);
  };
  require("stiffness", "cubic_stiffness", along,
          fmt::format("a {} joint holds its point, but the bushing has no stiffness for it", joint.type),
          "add 'stiffness: 1e6 N/m'");
  require("torsional_stiffness", "torsional_cubic_stiffness", about,
          fmt::format("a {} joint keeps from turning, but the bushing has no stiffness for it", joint.type),
          "add 'torsional_stiffness: 1e3 N m' (per rad)");
  joint.bushing = law;
}

}  // namespace freeplay::io
