#include "freeplay/io/result/record_layout.h"

#include <nlohmann/json.hpp>

#include "freeplay/core/version.h"
#include "freeplay/io/result/model_geometry.h"

namespace freeplay::io {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order of the file

Json parameters_json(const std::vector<ModelParameter>& parameters) {
  Json all = Json::object();
  for (const ModelParameter& parameter : parameters) {
    Json& entry = all[parameter.name];
    entry["text"] = parameter.text;
    if (parameter.word) {
      entry["word"] = *parameter.word;
    } else {
      entry["value"] = parameter.value.value;
      entry["unit"] = parameter.value.dimension.si_unit();
    }
  }
  return all;
}

Json options_json(const ModelFile& file) {
  const SimulationOptions& simulate = file.simulate;
  Json options = {{"duration", simulate.duration_s},
                  {"relative_tolerance", simulate.relative_tolerance},
                  {"absolute_tolerance", simulate.absolute_tolerance}};
  if (simulate.step_s) options["step"] = *simulate.step_s;
  if (simulate.min_step_s) options["min_step"] = *simulate.min_step_s;
  if (simulate.max_step_s) options["max_step"] = *simulate.max_step_s;
  options["velocity_forces"] = simulate.velocity_forces;
  options["activation"] = simulate.activation;
  if (simulate.theta) options["theta"] = *simulate.theta;
  if (simulate.projection_m) options["projection"] = *simulate.projection_m;
  options["r_factor"] = simulate.r_factor;
  options["solver_tolerance"] = simulate.solver_tolerance_m_s;
  options["impact_threshold"] = simulate.impact_threshold_m_s;
  if (simulate.force_window_s) options["force_window"] = *simulate.force_window_s;
  options["record_every"] = file.record.every;
  return options;
}

// Bytes of a model that are not UTF-8 stand in comments at most; they must not stop a run.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

RecordLayout record_layout(const ModelFile& file) {
  RecordLayout layout;
  layout.attributes = {
      {"model", file.text},
      {"model_file", file.path.filename().string()},
      {"name", file.name},
      {"reference", file.reference},
      {"parameters", dumped(parameters_json(file.parameters))},
      {"overrides", dumped(Json(file.overrides))},
      {"version", std::string(version())},
      {"integrator", file.simulate.integrator},
      {"solver", file.simulate.solver},
      {"simulate", dumped(options_json(file))},
  };
  layout.geometry_json = geometry_json(file);
  return layout;
}

}  // namespace freeplay::io
