#include "freeplay/report/plot/plot_geometry.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"

namespace freeplay::report {

bool has_round_play(std::string_view joint_type) {
  return joint_type != "prismatic" && joint_type != "pin_in_slot";
}

PlotGeometry plot_geometry(const ResultReader& result) {
  PlotGeometry geometry;
  const std::string text = result.geometry_json();
  if (text.empty()) return geometry;
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    geometry.space = json.value("space", "");
    if (!json.contains("joints")) return geometry;
    for (const nlohmann::json& entry : json["joints"]) {
      PlotJoint joint{entry.value("name", ""), entry.value("type", ""), entry.value("model", ""), std::nullopt};
      if (entry.contains("clearance")) joint.clearance_m = entry["clearance"].get<double>();
      geometry.joints.push_back(std::move(joint));
    }
  } catch (const nlohmann::json::exception&) {
    throw IoError(fmt::format("cannot read {}: its joints are not as freeplay writes them", result.path().string()));
  }
  return geometry;
}

}  // namespace freeplay::report
