// From the file on disk to one tree of nodes: included files merged, overrides applied. Private to freeplay/io.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/io/model/model_file.h"
#include "freeplay/io/yaml/source_text.h"
#include "freeplay/io/yaml/yaml_document.h"

namespace freeplay::io {

// The texts of a model and the tree that was made of them; answers where an element was written.
class ModelSources {
 public:
  SourceTexts texts;
  YamlNode root;
  std::string resolved;  // of models that include others: one text for all (resolved_text.h)

  // The place of the element with this path ("joints.pin.axis", "gravity[1]"), or of the longest part of it that
  // exists.
  SourcePosition find(std::string_view path) const;
};

// Reads the tree of `root_source` (the text of `file`, already among the texts) and of what it includes. Includes are
// allowed below `folder` only; an empty folder allows none. Both paths are canonical. False: a file could not be read
// or parsed, and what follows from the missing part is not worth a report.
bool load_tree(ModelSources& sources, int root_source, const std::filesystem::path& file,
               const std::filesystem::path& folder, MistakeList& mistakes);

// Puts `base` below `over`: blocks are joined key by key, everything else of `over` stays.
void merge_below(YamlNode& over, YamlNode base);

// Puts the variants that parameters choose over the rest of the tree; `overrides` may give another word to such a
// parameter.
void choose_variants(ModelSources& sources, std::span<const std::string> overrides, MistakeList& mistakes);

// After the variants have been chosen: puts the overrides ("key=value") into the tree, each as a source with the name
// "--set": values of parameters are replaced, values at dotted paths replaced or added. Reports malformed texts,
// unknown names and parameters whose dimension would change.
void apply_overrides(ModelSources& sources, std::span<const std::string> overrides, MistakeList& mistakes);

// The model of a tree with these overrides; `folder` is where it may name files. Throws ModelError with `mistakes` and
// all that it finds.
ModelFile read_tree(std::shared_ptr<ModelSources> sources, const std::filesystem::path& folder,
                    std::span<const std::string> overrides, MistakeList mistakes);

}  // namespace freeplay::io
