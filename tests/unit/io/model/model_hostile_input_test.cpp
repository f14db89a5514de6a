// Files that are no models at all: too large, too deep, binary, damaged. Nothing may crash, hang or take much memory.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "freeplay/io/model/model_file.h"
#include "freeplay/io/schema/record_layout.h"
#include "support/places.h"
#include "unit/io/model/model_test_support.h"

namespace freeplay::test {
namespace {

using testing::HasSubstr;

std::string repeated(const std::string& part, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + part.size());
  while (text.size() < bytes) text += part;
  return text;
}

constexpr std::size_t kJustAllowed = 8'000'000;  // bytes, below the limit of a model file

class Repetition : public testing::TestWithParam<const char*> {};

// Patterns that make a naive reader recurse, multiply or take quadratic time.
TEST_P(Repetition, IsRefusedWithinSeconds) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Diagnostic> mistakes = mistakes_in(repeated(GetParam(), kJustAllowed));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  ASSERT_FALSE(mistakes.empty());
  EXPECT_GT(mistakes.front().mark.line, 0);
  EXPECT_FALSE(mistakes.front().hint.empty());
  EXPECT_LT(mistakes.front().excerpt.size(), 200U);
  EXPECT_LT(elapsed.count(), 30.0);  // a second or two; the bound only has to tell it from a hang
}

INSTANTIATE_TEST_SUITE_P(Patterns, Repetition,
                         testing::Values("[", "{", "- ", "? ", "[? ", "{a: ", "[a: ", "!a ", "&a ", "*a ", ": ",
                                         "a: ", "[a,", "'", "\"", "\"\\", "a\n", "- a\n", "a: |\n", "[\n", "&a [", "# ",
                                         "\n", "--- ", ",", "%a\n", "[]", "- - \n"));

// The values that aliases stand for are few, their bytes are not.
TEST(HostileInput, AliasesOfALongTextAreRefusedByTheirBytes) {
  const std::string text = "a: &a \"" + std::string(1'000'000, 'x') + "\"\nb: [" + repeated("*a, ", 4000) + "]\n";
  const std::vector<Diagnostic> mistakes = mistakes_in(text);
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_THAT(mistakes.front().message, HasSubstr("aliases multiply the text to more than 8 MB"));
  EXPECT_EQ(mistakes.front().mark.line, 2);
}

TEST(HostileInput, NestedAnchorsOfALongTextAreRefusedByTheirBytes) {
  std::string text = "a: ";
  for (int depth = 0; depth < 20; ++depth) text += "&a" + std::to_string(depth) + " [";
  text += std::string(1'000'000, 'x') + std::string(20, ']') + "\n";
  EXPECT_THAT(mistakes_in(text).front().message, HasSubstr("multiply the text"));
}

TEST(HostileInput, LikenessOfVeryLongWordsIsNotSearched) {
  const auto start = std::chrono::steady_clock::now();
  const std::string word(3'000'000, 'a');
  EXPECT_EQ(closest_match(word, {word + "b"}), "");
  const std::vector<std::string> many(100'000, std::string(150, 'a'));
  EXPECT_EQ(closest_match(std::string(149, 'b'), many), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << "a fraction of a second";
  EXPECT_LT(did_you_mean("zzzzzz", many).size(), 3000U);
  EXPECT_EQ(closest_match("shoulder.forcex", {"elbow.force_x", "shoulder.force_x"}), "shoulder.force_x");
}

// A list that is searched for every name takes a minute and a half.
TEST(HostileInput, TwoHundredThousandParametersAreReadAndListedWithinSeconds) {
  constexpr int kCount = 200'000;
  std::string text =
      "freeplay: 1\nspace: planar\nbodies: {arm: {mass: 1 kg, inertia: 0.1 kg m^2}}\n"
      "simulate: {duration: 1 s}\nparameters:\n";
  for (int i = 0; i < kCount; ++i) text += fmt::format("  p{}: {} mm\n", i, i);
  const ScratchFolder folder;
  const auto start = std::chrono::steady_clock::now();
  const ModelFile file = load_model(folder.write("many.yaml", text));
  const std::string listed = record_layout(file).attributes.at("parameters");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << "two seconds";
  EXPECT_EQ(file.parameters.size(), static_cast<std::size_t>(kCount));
  EXPECT_THAT(listed, HasSubstr(R"("p199999":{"text":"199999 mm","value":199.999)"));
  EXPECT_LT(listed.find("\"p7\":"), listed.find("\"p10\":")) << "in the order of the file";
}

TEST(HostileInput, AHundredMegabytesOfNestingIsRefusedWithoutReadingThem) {
  const ScratchFolder folder;
  const auto path = folder.write("deep.yaml", "");
  {
    std::ofstream file(path, std::ios::binary);
    const std::string part = repeated("[", 1'000'000);
    for (int i = 0; i < 100; ++i) file << part;
  }
  try {
    load_model(path);
    FAIL() << "was accepted";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the file has 100 MB, the limit is 8 MB"));
    EXPECT_EQ(error.diagnostics().front().mark.line, 1);
  }
}

TEST(HostileInput, IndentationMayNotGoDeep) {
  std::string text;
  for (std::size_t depth = 0; depth < 3000; ++depth) text += std::string(depth, ' ') + "a:\n";
  EXPECT_THAT(mistakes_in(text).front().message, HasSubstr("nesting is deeper than 32"));
}

TEST(HostileInput, AliasesMayNotBuildDepth) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 60; ++i) {
    text += fmt::format("a{0}: &a{0} [*a{1}]\n", i, i - 1);
  }
  EXPECT_THAT(mistakes_in(text).front().message, HasSubstr("nesting is deeper than 32"));
}

TEST(HostileInput, AnEmptyFileIsNamedAsSuch) {
  for (const char* text : {"", "\n", "   \n\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF"}) {
    const std::vector<Diagnostic> mistakes = mistakes_in(text);
    ASSERT_EQ(mistakes.size(), 1U) << text;
    EXPECT_EQ(mistakes.front().message, "the file holds no model");
    EXPECT_GT(mistakes.front().mark.line, 0);
  }
}

TEST(HostileInput, BinaryDataIsRefusedWhereItStarts) {
  std::string text = kSmallModel;
  text[text.find("bodies")] = '\0';
  const Diagnostic mistake = mistakes_in(text).front();
  EXPECT_THAT(mistake.hint, HasSubstr("binary file"));
  EXPECT_EQ(mistake.mark.line, 7);
  EXPECT_EQ(mistake.mark.column, 1);

  std::string noise(100'000, ' ');
  std::mt19937 random(1);
  for (char& c : noise) c = static_cast<char>(random());
  EXPECT_FALSE(mistakes_in(noise).empty());
}

TEST(HostileInput, OtherEncodingsAreNamed) {
  EXPECT_THAT(mistakes_in("\xFF\xFE"
                          "f\0r\0")
                  .front()
                  .message,
              HasSubstr("UTF-16"));
  EXPECT_THAT(mistakes_in("name: M\xFCller\n").front().message, HasSubstr("not valid UTF-8"));     // Latin-1
  EXPECT_THAT(mistakes_in("name: \xC0\xAF\n").front().message, HasSubstr("not valid UTF-8"));      // overlong
  EXPECT_THAT(mistakes_in("name: \xED\xA0\x80\n").front().message, HasSubstr("not valid UTF-8"));  // surrogate
  EXPECT_THAT(mistakes_in("name: \x1B[31m\n").front().message, HasSubstr("control character"));
}

TEST(HostileInput, MessagesDoNotCarryEscapeSequencesOfTheFile) {
  const std::vector<Diagnostic> mistakes = mistakes_in(kSmallModel + "\"\\e[31mred\": 1\n");
  for (const Diagnostic& mistake : mistakes) EXPECT_EQ(format_diagnostic(mistake).find('\x1B'), std::string::npos);
}

TEST(HostileInput, UnicodeAndWindowsLineEndsAreWelcome) {
  const std::string text = fmt::format("name: Kurbeltrieb für Müller – 曲柄\n{}", kSmallModel);
  EXPECT_EQ(parse_model(text, "model.yaml").name, "Kurbeltrieb für Müller – 曲柄");
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : text) {
    if (c == '\n') windows += '\r';
    windows += c;
  }
  EXPECT_EQ(parse_model(windows, "model.yaml").mechanism.bodies.size(), 1U);
}

// The caret must stand below the mistake, whatever stands before it in the line.
TEST(HostileInput, ColumnsCountCharactersNotBytes) {
  const std::vector<Diagnostic> mistakes = mistakes_in(kSmallModel + "record: {ä: 1, ö: 2}\n");
  ASSERT_EQ(mistakes.size(), 2U);
  EXPECT_EQ(mistakes[0].mark.column, 10);
  EXPECT_EQ(mistakes[1].mark.column, 16);
}

TEST(HostileInput, ManyMistakesAreCutOffWithTheirNumber) {
  std::string text = kSmallModel + "record: [";
  for (int i = 0; i < 500; ++i) text += fmt::format("x{}, ", i);
  const std::vector<Diagnostic> mistakes = mistakes_in(text + "x]\n");
  ASSERT_EQ(mistakes.size(), 21U);
  EXPECT_EQ(mistakes.back().message, "and 481 more");
}

// Every line is wrong, and every wrong name could be compared with thousands of right ones.
TEST(HostileInput, ThousandsOfMistakesDoNotTakeForever) {
  constexpr int kCount = 3'000;
  std::string text = "freeplay: 1\nspace: planar\nsimulate: {duration: 1 s}\nbodies:\n";
  for (int i = 0; i < kCount; ++i) text += fmt::format("  b{}: {{mas: 1 kg, inertia: foo}}\n", i);
  text += "joints:\n";
  for (int i = 0; i < kCount; ++i) text += fmt::format("  j{}: {{type: revolute, parent: c{}, child: b0}}\n", i, i);
  text += "forces:\n";
  for (int i = 0; i < kCount; ++i) text += fmt::format("  f{}: {{type: torque, on: d{}, value: b0.omga}}\n", i, i);
  const std::vector<Diagnostic> mistakes = mistakes_in(text);
  ASSERT_EQ(mistakes.size(), 21U);
  EXPECT_THAT(mistakes.front().hint, HasSubstr("did you mean 'mass'"));
}

TEST(HostileInput, AMissingFileOrAFolderIsAnInputOutputError) {
  const ScratchFolder folder;
  EXPECT_THROW(load_model(folder.path() / "none.yaml"), IoError);
  EXPECT_THROW(load_model(folder.path()), IoError);
}

// Ten thousand parameters that build on each other, the deepest first: no recursion may follow them.
TEST(HostileInput, ALongChainOfParametersIsResolved) {
  constexpr int kCount = 10'000;
  std::string text = "freeplay: 1\nspace: planar\nparameters:\n";
  for (int i = kCount; i > 0; --i) text += fmt::format("  p{}: p{} + 1 mm\n", i, i - 1);
  text += "  p0: 0 mm\nbodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}\nsimulate: {duration: 1 s}\n";
  const ModelFile model = parse_model(text, "model.yaml");
  EXPECT_EQ(model.parameters.front().name, "p10000");
  EXPECT_NEAR(model.parameters.front().value.value, 10.0, 1e-9);
}

// Bytes of a good model are changed, removed and doubled at random. Whatever comes out is accepted or refused cleanly.
TEST(HostileInput, RandomDamageIsAcceptedOrRefusedButNeverCrashes) {
  std::vector<std::string> originals = {kSmallModel};
  for (const auto& entry : std::filesystem::directory_iterator(test_dir() + "/models/examples")) {
    std::ifstream file(entry.path());
    originals.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::mt19937 random(20240607);
  const std::string alphabet = "{}[]:,-?&*!|>'\"%@#\n \t.0123456789aeklmsx=<\\";
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = originals[random() % originals.size()];
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < changes; ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 5);
          break;
        case 2:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
      }
      if (text.empty()) text.push_back('x');
    }
    try {
      parse_model(text, "model.yaml");
    } catch (const ModelError& error) {
      ++refused;
      ASSERT_FALSE(error.diagnostics().empty());
      for (const Diagnostic& diagnostic : error.diagnostics()) {
        ASSERT_GT(diagnostic.mark.line, 0) << error.what() << "\n" << text;
        ASSERT_FALSE(diagnostic.hint.empty()) << error.what() << "\n" << text;
      }
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace freeplay::test
