#include "freeplay/io/schema/record_layout.h"

#include <nlohmann/json.hpp>

#include "freeplay/core/version.h"
#include "freeplay/io/model/resolved_text.h"
#include "freeplay/io/result/tables/model_geometry.h"
#include "freeplay/simulation/option_table.h"

namespace freeplay::io {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order of the file

Json parameters_json(const std::vector<ModelParameter>& parameters) {
  Json all = Json::object();
  // Names are different from each other: the object, a list of pairs, need not be searched for each of them.
  std::vector<Json::object_t::value_type>& list = all.get_ref<Json::object_t&>();
  list.reserve(parameters.size());
  for (const ModelParameter& parameter : parameters) {
    Json& entry = list.emplace_back(parameter.name, Json::object()).second;
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

// Every option of the run; one that was not given and has no default is left out.
Json options_json(const ModelFile& file) {
  Json options = Json::object();
  for (const Option& option : option_table()) {
    if (option.is_shorthand()) continue;
    const OptionValue value = option.value(file.simulate);
    if (const auto* number = std::get_if<double>(&value)) options[std::string(option.key)] = *number;
    if (const auto* word = std::get_if<std::string>(&value)) options[std::string(option.key)] = *word;
  }
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
  if (!resolved_text(file).empty()) layout.attributes[kResolvedModelAttribute] = resolved_text(file);
  layout.geometry_json = geometry_json(file);
  return layout;
}

}  // namespace freeplay::io
