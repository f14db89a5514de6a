// The command line as plain data, taken from the parser itself: the manual page and the completions of the shells are
// printed from it, so that they cannot say anything else than the command does.
#pragma once

#include <string>
#include <vector>

namespace freeplay::app {

struct CommandOption {
  std::vector<std::string> names;  // "-h", "--help"; none: a positional argument
  std::string value;               // what stands for its value in the help (FILE, KEY=VALUE); empty: a flag
  std::string description;
  bool is_required = false, is_hidden = false;
  bool is_value_optional = false;  // --name or --name=VALUE, but not --name VALUE
  std::vector<std::string> words;  // the values that there are, where that is known

  bool is_positional() const { return names.empty(); }
};

struct CommandVerb {
  std::string name, summary, footer;
  std::vector<CommandOption> options;  // in the order of the help, positional ones first
};

struct CommandTable {
  std::string name, summary, footer, version;
  std::vector<CommandOption> options;  // those without a verb
  std::vector<CommandVerb> verbs;
};

// What a value is, by its name in the help: which files a shell offers for it.
enum class ValueKind { kModel, kResult, kFile, kFolder, kOther };
ValueKind kind_of_value(const std::string& value);

// A page for `man`, in roff.
std::string man_page(const CommandTable& table);

// `shell` is one of completion_shells().
std::string completion_script(const CommandTable& table, const std::string& shell);
const std::vector<std::string>& completion_shells();

}  // namespace freeplay::app
