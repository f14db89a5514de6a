// What the tests of the model reader share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "freeplay/io/model/model_file.h"

namespace freeplay::test {

// The diagnostics of a text that must be refused; empty if it was accepted.
inline std::vector<Diagnostic> mistakes_in(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_model(text, "model.yaml", overrides);
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  ADD_FAILURE() << "the model was accepted";
  return {};
}

// A folder that is removed with its files.
class ScratchFolder {
 public:
  ScratchFolder() {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string("freeplay_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

 private:
  std::filesystem::path path_;
};

inline const std::string kSmallModel = R"(freeplay: 1
space: planar
parameters:
  l: 200 mm
  half: l/2
  law: {word: newton}
bodies:
  arm: {mass: 1 kg, inertia: 0.1 kg m^2}
joints:
  pin: {type: revolute, parent: ground, child: arm, at_child: [-half, 0]}
simulate: {duration: 1 s}
)";

}  // namespace freeplay::test
