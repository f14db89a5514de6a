// Models from files, their members, and runs of both kinds.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "freeplay/compile/compiled_family.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "support/places.h"

namespace freeplay::test {

struct LoadedModel {
  ModelFile file;
  Model model;
};

inline LoadedModel load_example(const std::string& name, const std::vector<std::string>& overrides = {}) {
  LoadedModel loaded;
  loaded.file = load_model(examples_dir() + "/" + name + ".yaml", overrides);
  loaded.model = build_model(loaded.file);
  return loaded;
}

// A folder for compiled objects that goes away, so that tests leave nothing in the user's.
class CompiledTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "freeplay-compiled-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("FREEPLAY_CXX");
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path folder_;
};

}  // namespace freeplay::test
