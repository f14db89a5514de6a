// Every file of tests/models/broken is refused by the reader, and every file of tests/models/unbuildable, which is
// well-formed, when it is built: with a message that says where and how to cure it. A file's first lines say what to
// expect:
//   # expect: part of the message, or of the path in front of it
//   # expect-at: line:column   (optional) of a diagnostic that contains it
//   # expect-cure: part of the hint of such a diagnostic (optional)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "support/places.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;

struct Expectation {
  std::string message;
  std::string position;  // "line:column" or empty
  std::string cure;
};

Expectation read_expectation(const fs::path& path) {
  Expectation expectation;
  std::ifstream file(path);
  const std::string message_key = "# expect: ", position_key = "# expect-at: ", cure_key = "# expect-cure: ";
  for (std::string line; std::getline(file, line) && line.starts_with("#");) {
    if (line.starts_with(message_key)) expectation.message = line.substr(message_key.size());
    if (line.starts_with(position_key)) expectation.position = line.substr(position_key.size());
    if (line.starts_with(cure_key)) expectation.cure = line.substr(cure_key.size());
  }
  return expectation;
}

std::vector<fs::path> broken_models() {
  std::vector<fs::path> paths;
  for (const char* folder : {"broken", "unbuildable"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(test_dir()) / "models" / folder)) {
      if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class BrokenModel : public testing::TestWithParam<fs::path> {};

TEST_P(BrokenModel, IsRefusedWithPlaceAndCure) {
  const Expectation expected = read_expectation(GetParam());
  ASSERT_FALSE(expected.message.empty()) << "the first line must be '# expect: ...'";
  try {
    const ModelFile model = load_model(GetParam());
    EXPECT_EQ(GetParam().parent_path().filename(), "unbuildable") << "the reader accepted it";
    build_simulation(model, build_model(model));
    FAIL() << "was accepted";
  } catch (const ModelError& error) {
    std::vector<std::string> positions, cures;
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      EXPECT_GT(diagnostic.mark.line, 0) << format_diagnostic(diagnostic);
      EXPECT_GT(diagnostic.mark.column, 0) << format_diagnostic(diagnostic);
      EXPECT_FALSE(diagnostic.hint.empty()) << format_diagnostic(diagnostic);
      EXPECT_EQ(diagnostic.mark.file, GetParam().string());
      if ((diagnostic.path + ": " + diagnostic.message).find(expected.message) != std::string::npos) {
        positions.push_back(std::to_string(diagnostic.mark.line) + ":" + std::to_string(diagnostic.mark.column));
        cures.push_back(diagnostic.hint);
      }
    }
    EXPECT_FALSE(positions.empty()) << "expected: " << expected.message << "\ngot:\n" << error.what();
    if (!expected.position.empty()) {
      EXPECT_THAT(positions, testing::Contains(expected.position)) << error.what();
    }
    EXPECT_THAT(cures, testing::Contains(testing::HasSubstr(expected.cure))) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Files, BrokenModel, testing::ValuesIn(broken_models()),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(BrokenModels, AreManyEnoughToMean) {
  EXPECT_GE(broken_models().size(), 100U);
}

}  // namespace
}  // namespace freeplay::test
