// A model file, read and checked: everything in SI units, ready to be built. The format is described in
// docs/guide/model_file.md, every key in docs/reference/model_file.md (printed from field_table.h).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/model/model_spec.h"

namespace freeplay::io {

// Remembers where each element of a model was written.
class ModelSources;

// A model, and where it came from.
struct ModelFile : ModelSpec {
  std::filesystem::path path;
  std::string text;                    // of the file itself, without included files
  std::vector<std::string> overrides;  // the texts of --set, as given

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
