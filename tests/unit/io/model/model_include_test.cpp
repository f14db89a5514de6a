// `include:` merges files, and never leaves the model's folder.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "freeplay/io/model/model_file.h"
#include "unit/io/model/model_test_support.h"

namespace freeplay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::vector<Diagnostic> mistakes_of(const fs::path& path) {
  try {
    load_model(path);
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  ADD_FAILURE() << "the model was accepted";
  return {Diagnostic{}};
}

TEST(Include, ManyTimesTheSameBigFileIsRefused) {
  const ScratchFolder folder;
  folder.write("big.yaml", "# " + std::string(3'000'000, 'x') + "\n" + kSmallModel);
  std::string list;
  for (int i = 0; i < 60; ++i) list += i == 0 ? "big.yaml" : ", big.yaml";
  const auto path = folder.write("many.yaml", "include: [" + list + "]\n");
  bool is_told = false;
  for (const Diagnostic& mistake : mistakes_of(path))
    is_told |= mistake.message == "the included files have more than 8 MB together";
  EXPECT_TRUE(is_told);
}

TEST(Include, MergesKeyByKeyAndTheIncludingFileWins) {
  const ScratchFolder folder;
  folder.write("parts/base.yaml", kSmallModel);
  const auto path = folder.write("variant.yaml", R"(
include: parts/base.yaml
parameters: {l: 1 m, extra: 2*l}
bodies:
  arm: {mass: 5 kg}
  leg: {mass: 2 kg, inertia: 0.2 kg m^2}
)");
  const ModelFile model = load_model(path);
  EXPECT_EQ(model.name, "variant");
  ASSERT_EQ(model.mechanism.bodies.size(), 2U);
  EXPECT_EQ(model.mechanism.bodies[0].name, "arm");
  EXPECT_EQ(model.mechanism.bodies[0].mass_kg, 5) << "from the including file";
  EXPECT_EQ(model.mechanism.bodies[0].inertia_kg_m2(2, 2), 0.1) << "from the included file";
  EXPECT_EQ(model.mechanism.joints[0].at_child_m.x(), -0.5) << "half follows the new l";
  std::vector<std::string> names;
  for (const ModelParameter& parameter : model.parameters) names.push_back(parameter.name);
  EXPECT_THAT(names, ElementsAre("l", "half", "law", "extra"));
}

TEST(Include, NestsRelativeToTheIncludingFile) {
  const ScratchFolder folder;
  folder.write("a/b/base.yaml", kSmallModel);
  folder.write("a/middle.yaml", "include: b/base.yaml\n");
  EXPECT_EQ(load_model(folder.write("top.yaml", "include: [a/middle.yaml]\n")).mechanism.bodies.size(), 1U);
}

TEST(Include, MistakesCarryTheIncludedFilesName) {
  const ScratchFolder folder;
  std::string text = kSmallModel;
  text.replace(text.find("mass"), 4, "mas ");
  folder.write("parts/base.yaml", text);
  const Diagnostic mistake = mistakes_of(folder.write("top.yaml", "include: parts/base.yaml\n")).front();
  EXPECT_EQ(mistake.mark.file, "parts/base.yaml");
  EXPECT_EQ(mistake.mark.line, 8);
  EXPECT_THAT(mistake.excerpt, HasSubstr("arm:"));
}

TEST(Include, SiblingsMustNotContradictEachOther) {
  const ScratchFolder folder;
  folder.write("a.yaml", kSmallModel);
  folder.write("b.yaml", "freeplay: 1\nbodies: {leg: {mass: 1 kg, inertia: 1 kg m^2}}\nparameters: {l: 3 m}\n");
  const std::vector<Diagnostic> mistakes = mistakes_of(folder.write("top.yaml", "include: [a.yaml, b.yaml]\n"));
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_EQ(mistakes[0].path, "parameters.l");
  EXPECT_THAT(mistakes[0].message, HasSubstr("also stands in a.yaml"));
}

TEST(Include, CannotLeaveTheFolderByAnyRoute) {
  const ScratchFolder folder;
  const auto outside = folder.write("secret.yaml", kSmallModel);
  folder.write("model/inner.yaml", kSmallModel);
  fs::create_symlink(outside, folder.path() / "model/link.yaml");
  fs::create_directory_symlink(folder.path(), folder.path() / "model/up");
  for (const std::string& name :
       {std::string("../secret.yaml"), std::string("./../secret.yaml"), outside.string(), std::string("link.yaml"),
        std::string("up/secret.yaml"), std::string("/dev/zero"), (folder.path() / "model/inner.yaml").string()}) {
    const Diagnostic mistake = mistakes_of(folder.write("model/top.yaml", fmt::format("include: {}\n", name))).front();
    EXPECT_THAT(mistake.message, HasSubstr("outside the model's folder")) << name;
    EXPECT_EQ(mistake.mark.line, 1);
  }
}

TEST(Include, ALinkInsideTheFolderIsFine) {
  const ScratchFolder folder;
  const auto base = folder.write("parts/base.yaml", kSmallModel);
  fs::create_symlink(base, folder.path() / "base.yaml");
  EXPECT_EQ(load_model(folder.write("top.yaml", "include: base.yaml\n")).mechanism.bodies.size(), 1U);
}

TEST(Include, CirclesAndFoldersAreRefused) {
  const ScratchFolder folder;
  folder.write("a.yaml", "include: b.yaml\n");
  folder.write("b.yaml", "include: a.yaml\n");
  const Diagnostic circle = mistakes_of(folder.path() / "a.yaml").front();
  EXPECT_THAT(circle.message, HasSubstr("includes itself"));
  EXPECT_EQ(circle.mark.file, "b.yaml");
  fs::create_directory(folder.path() / "parts");
  EXPECT_THAT(mistakes_of(folder.write("c.yaml", "include: parts\n")).front().message, HasSubstr("not a regular file"));
  EXPECT_THAT(mistakes_of(folder.write("d.yaml", "include: {file: a.yaml}\n")).front().message,
              HasSubstr("must be the name of a file"));
}

TEST(Include, DepthIsBounded) {
  const ScratchFolder folder;
  for (int i = 0; i < 20; ++i) {
    folder.write(fmt::format("f{}.yaml", i), fmt::format("include: f{}.yaml\n", i + 1));
  }
  EXPECT_THAT(mistakes_of(folder.path() / "f0.yaml").front().message, HasSubstr("too many included files"));
}

TEST(Include, AWideTreeOfIncludesIsBounded) {
  const ScratchFolder folder;
  folder.write("f7.yaml", "freeplay: 1\n");
  for (int i = 6; i >= 0; --i) {
    folder.write(fmt::format("f{}.yaml", i), fmt::format("include: [f{0}.yaml, f{0}.yaml, f{0}.yaml]\n", i + 1));
  }
  EXPECT_FALSE(mistakes_of(folder.path() / "f0.yaml").empty());
}

TEST(Include, ATextInMemoryHasNoFolder) {
  EXPECT_THAT(mistakes_in("include: a.yaml\n").front().message, HasSubstr("cannot include one"));
}

}  // namespace
}  // namespace freeplay::test
