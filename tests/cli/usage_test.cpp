#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/command_test.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class Usage : public CommandTest {};

TEST_F(Usage, HelpAndVersionGoToStdout) {
  const CommandResult help = freeplay({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* text : {"run", "check", "info", "export", "list", "Examples:", "Exit codes:"})
    EXPECT_THAT(help.out, HasSubstr(text));
  EXPECT_EQ(help.err, "");
  const CommandResult version = freeplay({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, testing::MatchesRegex("freeplay [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(freeplay({"run", "--help"}).out, HasSubstr("--set"));
}

TEST_F(Usage, MistakesInTheCommandLineGive2) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {}, {""}, {"--json"}, {"run"}, {"rnu", "x"}, {"run", "a", "b"}, {"run", "a", "--set"}, {"export", "a"}}) {
    const CommandResult result = freeplay(arguments);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_NE(result.err, "") << testing::PrintToString(arguments);
  }
}

TEST_F(Usage, HintsNameTheVerbWhoseHelpTheyPointTo) {
  EXPECT_THAT(freeplay({"run", "a", "b"}).err, HasSubstr("hint: see freeplay run --help"));
  EXPECT_THAT(freeplay({"export"}).err, HasSubstr("hint: see freeplay export --help"));
  EXPECT_THAT(freeplay({"--json"}).err, testing::Not(HasSubstr("VERB --help")));
}

TEST_F(Usage, MistypedWordsGetASuggestion) {
  EXPECT_THAT(freeplay({"exprot", "x"}).err, HasSubstr("did you mean 'export'?"));
  EXPECT_THAT(freeplay({"run", "x", "--ouput=y"}).err, HasSubstr("there is no option '--ouput'"));
  const CommandResult result = freeplay({"run", "x", "--jsno", "--json"});
  EXPECT_EQ(json::parse(result.out)["errors"][0]["hint"], "did you mean '--json'?");
}

TEST_F(Usage, AnOverrideWithoutKeyOrValueGives2) {
  write("links.yaml", kPendulum);
  for (const char* verb : {"run", "check", "info"}) {
    for (const char* text : {"l", "=1m"}) {
      const CommandResult result = freeplay({verb, "links.yaml", "--set", text});
      EXPECT_EQ(result.exit_code, 2) << verb << " --set " << text;
      EXPECT_THAT(result.err, HasSubstr("is not of the form KEY=VALUE"));
      EXPECT_THAT(result.err, HasSubstr("hint: write --set c=0.5mm"));
    }
    const CommandResult result = freeplay({verb, "links.yaml", "--set", "l="});
    EXPECT_EQ(result.exit_code, 2) << verb;
    EXPECT_THAT(result.err, HasSubstr("--set 'l=' has no value"));
    EXPECT_THAT(result.err, HasSubstr("--unset l"));
  }
  EXPECT_EQ(freeplay({"check", "links.yaml", "--set", "ll=1m"}).exit_code, 3) << "the model has no such parameter";
}

TEST_F(Usage, UnsetTakesAKeyOfTheFileAway) {
  std::string text = kPendulum;
  const std::string duration = "duration: 2 s";
  text.replace(text.find(duration), duration.size(), duration + ", theta: 0.7");
  write("unused.yaml", text);
  EXPECT_THAT(freeplay({"check", "unused.yaml"}).out, HasSubstr("does not use 'simulate.theta'"));
  const CommandResult result = freeplay({"run", "unused.yaml", "--unset", "simulate.theta", "--strict", "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(freeplay({"run", "unused.yaml", "--strict", "--quiet", "--out", "b"}).exit_code, 5);
  // --set comes after, whatever the order of the words.
  EXPECT_EQ(
      freeplay({"check", "unused.yaml", "--set", "simulate.duration=1s", "--unset", "simulate.duration"}).exit_code, 0);
  for (const char* key : {"simulate.thta", "simulate", "l"}) {
    const CommandResult wrong = freeplay({"check", "unused.yaml", "--unset", key});
    EXPECT_EQ(wrong.exit_code, 3) << key << " " << wrong.out << wrong.err;
  }
  for (const std::string part : {"simulate.thet", "simulate.th", "theta", "the"}) {
    EXPECT_THAT(freeplay({"check", "unused.yaml", "--unset", part}).err, HasSubstr("did you mean 'simulate.theta'?"));
  }
  EXPECT_EQ(freeplay({"check", "unused.yaml", "--unset", "simulate.theta=1"}).exit_code, 2);
  EXPECT_EQ(freeplay({"check", "unused.yaml", "--unset", ""}).exit_code, 2);
}

TEST_F(Usage, AnOverrideThatTheShellSplitGetsTheHintToQuote) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"run", "m.yaml", "--set", "torque=3", "N", "m"}, {"run", "--set", "torque=3", "N", "m", "m.yaml"}}) {
    const CommandResult result = freeplay(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("hint: a value with blanks needs quotes: --set \"torque=3 N m\""));
  }
  EXPECT_THAT(freeplay({"run", "--set", "a=1", "m.yaml", "n.yaml"}).err, testing::Not(HasSubstr("quotes")));
}

}  // namespace

}  // namespace freeplay::test
