// The manual page and the completions of the shells, read by the programs that they are for.
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <regex>
#include <set>
#include <sstream>

#include "cli/command_test.h"

namespace freeplay::test::shell_help {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

using Words = std::vector<std::string>;

struct ShellResult {
  int status = -1;
  std::string out;  // both streams
};

class ShellHelp : public CommandTest {
 protected:
  // In the folder of the test.
  ShellResult shell(const std::string& script) const {
    write("script.sh", script);
    const std::string command = "cd '" + folder_.string() + "' && bash script.sh 2>&1";
    ShellResult result;
    std::FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      result.out.append(buffer.data(), n);
    result.status = pclose(pipe);
    return result;
  }

  void print_completion(const std::string& name) const {
    const CommandResult result = freeplay({"completion", name});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    write("completion." + name, result.out);
  }

  // What bash offers for the last of `words`.
  Words bash_offers(const std::string& words) const {
    print_completion("bash");
    const ShellResult result = shell("source completion.bash\nCOMP_WORDS=(freeplay " + words +
                                     ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_freeplay\n"
                                     "for word in \"${COMPREPLY[@]}\"; do echo \"$word\"; done\n");
    EXPECT_EQ(result.status, 0) << result.out;
    return lines(result.out);
  }
  // The same of fish, without its descriptions.
  Words fish_offers(const std::string& line) const {
    print_completion("fish");
    const ShellResult result =
        shell("fish --no-config -c 'source completion.fish; complete -C \"freeplay " + line + "\"'");
    EXPECT_EQ(result.status, 0) << result.out;
    Words offers = lines(result.out);
    for (std::string& offer : offers) offer = offer.substr(0, offer.find('\t'));
    return offers;
  }

  static Words lines(const std::string& text) {
    Words result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) result.push_back(line);
    return result;
  }

  // As the help shows them: the words in the first column below `heading`.
  Words first_column(const Words& arguments, const std::string& heading) const {
    Words names;
    bool is_inside = false;
    for (const std::string& line : lines(freeplay(arguments).out)) {
      if (line == heading)
        is_inside = true;
      else if (line.empty())
        is_inside = false;
      else if (is_inside && line.starts_with("  ") && line[2] != ' ')
        names.push_back(line.substr(2, line.find_first_of(" [{", 2) - 2));
    }
    return names;
  }
  Words verbs() const { return first_column({"--help"}, "Verbs:"); }
  std::set<std::string> long_options() const {
    std::set<std::string> names;
    for (const std::string& verb : verbs()) {
      for (const std::string& name : first_column({verb, "--help"}, "Options:"))
        names.insert(name.substr(name.find("--")));
    }
    return names;
  }
};

TEST_F(ShellHelp, TheManualPageNamesEveryVerbAndOptionOfTheHelp) {
  const std::string page = freeplay({"list", "--man"}).out;
  EXPECT_THAT(verbs(), IsSupersetOf({"run", "check", "info", "export", "solve", "list", "completion"}));
  for (const std::string& verb : verbs()) EXPECT_THAT(page, HasSubstr("\n.SS " + verb + "\n"));
  EXPECT_THAT(long_options(), IsSupersetOf({"--set", "--out", "--dump-problems", "--csv", "--tol"}));
  for (const std::string& option : long_options())
    EXPECT_THAT(page, HasSubstr("\\fB" + std::regex_replace(option, std::regex("-"), "\\-") + "\\fR"));
  EXPECT_THAT(page, Not(HasSubstr("schema")));  // hidden options stay hidden
}

TEST_F(ShellHelp, TheManualPageIsSoundForMandocAndGroff) {
  write("freeplay.1", freeplay({"list", "--man"}).out);
  // There is no date, on purpose; `style` would complain about the length of lines.
  EXPECT_EQ(shell("mandoc -T lint -W warning freeplay.1 | grep -v 'missing date'").out, "");
  EXPECT_EQ(shell("groff -man -ww -z freeplay.1").out, "");
  const ShellResult text = shell("mandoc -T ascii freeplay.1 | sed 's/.\\x08//g'");
  EXPECT_THAT(text.out, HasSubstr("freeplay run MODEL [--set KEY=VALUE] [--unset KEY] [--out DIR]"));
  EXPECT_THAT(text.out, HasSubstr("--dump-problems[="));
}

TEST_F(ShellHelp, BashOffersVerbsOptionsWordsAndFiles) {
  for (const char* name : {"crank.yaml", "a b.yml", "notes.txt", "result.h5"}) write(name, "");
  EXPECT_THAT(bash_offers("''"), IsSupersetOf(verbs()));
  EXPECT_THAT(bash_offers("ru"), ElementsAre("run"));
  EXPECT_THAT(bash_offers("run --se"), ElementsAre("--set"));
  EXPECT_THAT(bash_offers("list --"), UnorderedElementsAre("--help", "--json"));
  EXPECT_THAT(bash_offers("run ''"), UnorderedElementsAre("crank.yaml", "a b.yml"));
  EXPECT_THAT(bash_offers("export ''"), ElementsAre("result.h5"));
  EXPECT_THAT(bash_offers("solve --solver prox-"), UnorderedElementsAre("prox-jacobi", "prox-gauss-seidel"));
  EXPECT_THAT(bash_offers("list un"), ElementsAre("units"));
  EXPECT_THAT(bash_offers("--version x"), ElementsAre());
}

TEST_F(ShellHelp, EveryVerbAndOptionIsOfferedByBash) {
  for (const std::string& verb : verbs()) {
    Words options = first_column({verb, "--help"}, "Options:");
    for (std::string& option : options) option = option.substr(option.find("--"));
    EXPECT_THAT(bash_offers(verb + " --"), IsSupersetOf(options)) << verb;
  }
}

TEST_F(ShellHelp, FishOffersVerbsOptionsWordsAndFiles) {
  write("crank.yaml", "");
  EXPECT_THAT(fish_offers(""), IsSupersetOf(verbs()));
  EXPECT_THAT(fish_offers("run --se"), ElementsAre("--set"));
  EXPECT_THAT(fish_offers("list uni"), ElementsAre("units"));
  EXPECT_THAT(fish_offers("solve --solver lem"), ElementsAre("lemke"));
  EXPECT_THAT(fish_offers("run cr"), Contains("crank.yaml"));
}

TEST_F(ShellHelp, ZshReadsItsScriptAndKnowsTheCommand) {
  print_completion("zsh");
  const ShellResult result = shell(
      "zsh -f -c 'autoload -U compinit; compinit -u -D; source ./completion.zsh; echo \"$_comps[freeplay]\"; "
      "whence -w _freeplay'");
  EXPECT_EQ(result.out, "_freeplay\n_freeplay: function\n");
}

TEST_F(ShellHelp, AnUnknownShellIsAUsageError) {
  const CommandResult result = freeplay({"completion", "fisch"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'fish'?"));
  EXPECT_EQ(freeplay({"completion"}).exit_code, 2);
}

}  // namespace

}  // namespace freeplay::test::shell_help
