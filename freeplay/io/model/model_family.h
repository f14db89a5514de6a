// One model with many values of its parameters: its file is read once, and every member has values of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "freeplay/io/model/model_file.h"

namespace freeplay::io {

// Nothing of it changes after it was made: several threads may make members at the same time.
class ModelFamily {
 public:
  // `overrides` hold for all members; the rest as load_model().
  explicit ModelFamily(const std::filesystem::path& path, std::span<const std::string> overrides = {});
  // A text in memory, as parse_model().
  ModelFamily(std::string_view text, const std::string& name, std::span<const std::string> overrides = {});

  const ModelFile& base() const { return base_; }  // without values of its own
  // What load_model() gives with these overrides after those of the family. Throws ModelError.
  ModelFile member(std::span<const std::string> overrides) const;
  // Throws ModelError for overrides that are wrong whatever the model makes of their values: a name that does not
  // exist, another dimension.
  void check(std::span<const std::string> overrides) const;
  // A number that differs, as good as always, if any of the texts does that the model was read from.
  std::string fingerprint() const;

 private:
  void read(std::string text, const std::string& shown_name, const std::filesystem::path& file,
            std::span<const std::string> overrides);
  std::vector<std::string> all_overrides(std::span<const std::string> own) const;

  std::filesystem::path folder_;
  std::shared_ptr<const ModelSources> tree_;  // without overrides
  ModelFile base_;
};

}  // namespace freeplay::io
