// A model file, read and checked: everything in SI units, ready to be built. The format is described in
// docs/guide/model_file.md, every key in docs/reference/model_file.md (printed from field_table.h).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/core/error.h"
#include "freeplay/geometry/shapes/shape_spec.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/mechanism/description/mechanism_spec.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::io {

struct ModelParameter {
  std::string name;
  std::string text;                 // as written in the file or given by --set
  std::optional<std::string> word;  // {word: w}; then there is no value
  Quantity value;
  bool is_bare_zero = false;  // a 0 without unit, which fits every dimension
};

// A system that is built in as code. Its parameter table belongs to the system: whoever builds it checks names and
// dimensions and throws ModelError with the path "parameters.NAME".
struct SystemSpec {
  std::string name;
  std::vector<ModelParameter> parameters;
};

// Remembers where each element of a model was written.
class ModelSources;

struct ModelFile {
  std::filesystem::path path;
  std::string text;  // of the file itself, without included files
  std::string name;
  std::string reference;
  std::vector<ModelParameter> parameters;  // in file order
  std::vector<std::string> overrides;      // the texts of --set, as given

  std::optional<SystemSpec> system;  // equations given as code; then `mechanism` is empty
  std::string scene;                 // name of the code that gave `mechanism` and the contacts, if one did
  MechanismSpec mechanism;
  std::vector<ShapeSpec> shapes;  // of all bodies and of the ground
  std::vector<ContactSpec> contacts;
  std::vector<ClearanceJointSpec> clearance_joints;  // not among mechanism.joints
  SimulationOptions simulate;
  RecordOptions record;

  // Completes an error from a layer that knows element paths ("joints.pin.axis") but no files: each diagnostic without
  // a mark gets the place of that element, or of the longest part of the path that stands in the file, and its line.
  ModelError located(const ModelError& error) const;

  std::shared_ptr<const ModelSources> sources;  // never null after loading
};

// Reads a model. `overrides` are "key=value" texts: the key is a parameter's name or a dotted path
// (`simulate.step=1us`). Throws ModelError with every mistake that was found, IoError if the file cannot be read.
ModelFile load_model(const std::filesystem::path& path, std::span<const std::string> overrides = {});

// The same for a text in memory; `name` stands for the file in messages. The text must not include files.
ModelFile parse_model(std::string_view text, const std::string& name, std::span<const std::string> overrides = {});

}  // namespace freeplay::io
