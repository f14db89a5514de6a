// Lubricants of joints with play, and wear.
#include <fmt/format.h>

#include "freeplay/io/reader/model_reader.h"

namespace freeplay::io {

// Keys of the play may stay in the file when the joint is ideal; a joint that never had any can have no film.
std::optional<LubricantSpec> ModelReader::read_lubricant(BlockReader& block, const ClearanceJointSpec& play) {
  std::optional<BlockReader> inner = block.block("lubricant");
  if (!inner) return {};
  LubricantSpec oil;
  oil.viscosity_Pa_s = inner->quantity("viscosity");
  oil.length_m = inner->quantity("length");
  const std::string bearing = inner->word("bearing");
  if (bearing == "long") oil.bearing = LubricantSpec::Bearing::kLong;
  if (bearing == "dry") oil.bearing = LubricantSpec::Bearing::kDry;
  oil.roughness_m = inner->optional_quantity("roughness");
  inner->check_all_keys_were_read();
  const bool has_play = block.has("clearance") || (play.journal_radius_m && play.bearing_radius_m);
  if (!has_play && block.ok()) {
    block.report("lubricant", "the film fills the play of a joint, and this one has none",
                 "add 'model: clearance' and 'clearance: 0.1 mm', or delete the lubricant");
    return {};
  }
  return oil;
}

void ModelReader::check_lubricant(BlockReader& block, const ClearanceJointSpec& play) {
  if (!play.has_film()) return;
  if (space() != Space::kPlanar || play.joint.type != "revolute") {
    block.report("lubricant",
                 fmt::format("a {} {} joint takes no lubricant", space() == Space::kPlanar ? "planar" : "spatial",
                             play.joint.type),
                 "delete it; only planar revolute joints with play have a film");
    return;
  }
  if (!play.journal_radius_m && !block.has("journal_radius"))
    block.report("lubricant", "the film has the radius of the journal, which is not given",
                 "add 'journal_radius: 10 mm' to the joint");
  const std::optional<double>& roughness_m = play.lubricant->roughness_m;
  if (roughness_m && play.clearance_m > 0 && *roughness_m >= play.clearance_m) {
    block.report(
        "lubricant",
        fmt::format("its roughness is {:.6g} m, and the clearance only {:.6g} m", *roughness_m, play.clearance_m),
        "the thinnest film is a small part of the clearance: micrometres");
  }
}

std::optional<WearSpec> ModelReader::read_wear(BlockReader& block) {
  WearSpec wear;
  const std::optional<double> coefficient = block.optional_quantity("coefficient");
  const std::optional<double> coefficient_b = block.optional_quantity("coefficient_b");
  const std::optional<double> archard = block.optional_quantity("archard");
  const std::optional<double> hardness = block.optional_quantity("hardness");
  const std::optional<double> hardness_b = block.optional_quantity("hardness_b");
  wear.length_m = block.optional_quantity("length");
  wear.sectors = block.integer("sectors");
  wear.cell_m = block.optional_quantity("cell");
  block.check_all_keys_were_read();
  if (!block.ok()) return {};
  const bool has_hardness = archard && hardness;
  if (coefficient.has_value() == has_hardness || (coefficient && (archard || hardness || hardness_b))) {
    values_.report(block.at(), block.path(), coefficient ? "has the coefficient twice" : "has no coefficient of wear",
                   "give either 'coefficient: 1e-13/Pa', or 'archard: 1e-4' and 'hardness: 2 GPa'");
    return {};
  }
  wear.coefficient_1_Pa = coefficient ? *coefficient : *archard / *hardness;
  wear.coefficient_b_1_Pa = coefficient ? coefficient_b.value_or(*coefficient)
                                        : coefficient_b.value_or(*archard / hardness_b.value_or(*hardness));
  return wear;
}

}  // namespace freeplay::io
