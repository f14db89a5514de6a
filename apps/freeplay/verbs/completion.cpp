// Completions for bash, zsh and fish. Each script is a table written out in the shell's own language: pressing the tab
// key runs no freeplay.
#include <fmt/format.h>

#include <iterator>

#include "text/error_report.h"
#include "verbs/command_table.h"

namespace freeplay::app {

ValueKind kind_of_value(const std::string& value) {
  if (value.starts_with("MODEL")) return ValueKind::kModel;
  if (value.starts_with("RESULT")) return ValueKind::kResult;
  if (value.starts_with("DIR") || value.starts_with("FOLDER")) return ValueKind::kFolder;
  if (value.starts_with("FILE") || value.starts_with("PROBLEM") || value.starts_with("PAGE")) return ValueKind::kFile;
  return ValueKind::kOther;
}

namespace {

constexpr const char* kShells[] = {"bash", "zsh", "fish"};

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<const CommandOption*> visible(const CommandVerb& verb, bool positional) {
  std::vector<const CommandOption*> options;
  for (const CommandOption& option : verb.options) {
    if (!option.is_hidden && option.is_positional() == positional) options.push_back(&option);
  }
  return options;
}

std::vector<std::string> verb_names(const CommandTable& table) {
  std::vector<std::string> names;
  for (const CommandVerb& verb : table.verbs) names.push_back(verb.name);
  return names;
}

std::vector<std::string> option_names(const std::vector<CommandOption>& options) {
  std::vector<std::string> names;
  for (const CommandOption& option : options) {
    if (!option.is_hidden) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// ---- bash --------------------------------------------------------------------------------------------------------

// What fills COMPREPLY for a value.
std::string bash_values(const CommandOption& option) {
  if (!option.words.empty()) return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", joined(option.words));
  switch (kind_of_value(option.value)) {
    case ValueKind::kModel:
      return "_freeplay_files '@(yaml|yml)'";
    case ValueKind::kResult:
      return "_freeplay_files 'h5'";
    case ValueKind::kFile:
      return "_freeplay_files '*'";
    case ValueKind::kFolder:
      return "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$cur\"))";
    case ValueKind::kOther:
      break;
  }
  return "COMPREPLY=()";
}

constexpr const char* kBashHead = R"(# bash completion for freeplay; printed by `freeplay completion bash`

# Folders, and files whose names end as wanted.
_freeplay_files() {
  local IFS=$'\n' extended=$(shopt -p extglob)
  shopt -s extglob
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$cur"))
  if [[ $1 == '*' ]]; then COMPREPLY=($(compgen -f -- "$cur"))
  else COMPREPLY+=($(compgen -f -X "!*.$1" -- "$cur")); fi
  eval "$extended"
}

_freeplay() {
  local cur=${COMP_WORDS[COMP_CWORD]} previous= verb= i
  COMPREPLY=()
  ((COMP_CWORD > 0)) && previous=${COMP_WORDS[COMP_CWORD - 1]}
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then verb=${COMP_WORDS[i]}; break; fi
  done
)";

std::string bash_script(const CommandTable& table) {
  std::string script = kBashHead;
  script += "  case $verb in\n";
  std::vector<std::string> first = verb_names(table);
  for (const std::string& name : option_names(table.options)) first.push_back(name);
  script += fmt::format("    '') COMPREPLY=($(compgen -W '{}' -- \"$cur\")) ;;\n", joined(first));
  for (const CommandVerb& verb : table.verbs) {
    script += fmt::format("    {})\n      case $previous in\n", verb.name);
    for (const CommandOption* option : visible(verb, false)) {
      if (option->value.empty() || option->is_value_optional) continue;
      script += fmt::format("        {}) {}; return ;;\n", fmt::join(option->names, "|"), bash_values(*option));
    }
    script += fmt::format("      esac\n      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$cur\"))\n",
                          joined(option_names(verb.options)));
    // The first positional stands for all: a verb that takes several takes several of a kind, or words of its own.
    const std::vector<const CommandOption*> positionals = visible(verb, true);
    if (!positionals.empty()) script += fmt::format("      else {}\n", bash_values(*positionals.front()));
    script += "      fi ;;\n";
  }
  script += "  esac\n}\ncomplete -F _freeplay freeplay\n";
  return script;
}

// ---- zsh ---------------------------------------------------------------------------------------------------------

// Inside single quotes of an _arguments specification, where brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'')
      escaped += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      escaped += std::string("\\") + c;
    else
      escaped += c;
  }
  return escaped;
}

std::string zsh_values(const CommandOption& option) {
  if (!option.words.empty()) return fmt::format("({})", joined(option.words));
  switch (kind_of_value(option.value)) {
    case ValueKind::kModel:
      return "_files -g \"*.(yaml|yml)(-.)\"";
    case ValueKind::kResult:
      return "_files -g \"*.h5(-.)\"";
    case ValueKind::kFile:
      return "_files";
    case ValueKind::kFolder:
      return "_files -/";
    case ValueKind::kOther:
      break;
  }
  return " ";
}

std::string zsh_option(const CommandOption& option) {
  const std::string text = zsh_text(option.description);
  std::string lines;
  for (const std::string& name : option.names) {
    std::string line = fmt::format("'*{}", name);  // '*': an option may be repeated
    if (option.value.empty())
      line += fmt::format("[{}]'", text);
    else if (option.is_value_optional)
      line += fmt::format("=-[{}]::{}:{}'", text, zsh_text(option.value), zsh_values(option));
    else  // '=': --name VALUE or --name=VALUE; '+': -n VALUE or -nVALUE
      line += fmt::format("{}[{}]:{}:{}'", name.starts_with("--") ? "=" : "+", text, zsh_text(option.value),
                          zsh_values(option));
    lines += " \\\n        " + line;
  }
  return lines;
}

std::string zsh_script(const CommandTable& table) {
  std::string script =
      "#compdef freeplay\n# zsh completion for freeplay; printed by `freeplay completion zsh`\n\n"
      "_freeplay() {\n  local curcontext=\"$curcontext\" state line\n  local -a verbs\n  verbs=(\n";
  for (const CommandVerb& verb : table.verbs) script += fmt::format("    '{}:{}'\n", verb.name, zsh_text(verb.summary));
  script += "  )\n  _arguments -C";
  for (const CommandOption& option : table.options) script += zsh_option(option);
  script += " \\\n        '1:verb:->verb' '*::argument:->argument' && return\n";
  script += "  if [[ $state == verb ]]; then _describe -t verbs verb verbs; return; fi\n  case $line[1] in\n";
  for (const CommandVerb& verb : table.verbs) {
    script += fmt::format("    {})\n      _arguments", verb.name);
    for (const CommandOption* option : visible(verb, false)) script += zsh_option(*option);
    const std::vector<const CommandOption*> positionals = visible(verb, true);
    if (!positionals.empty())
      script +=
          fmt::format(" \\\n        '*:{}:{}'", zsh_text(positionals.front()->value), zsh_values(*positionals.front()));
    script += " ;;\n";
  }
  // The file is run by `autoload` of zsh, or read by `source`.
  script +=
      "  esac\n}\n\nif [[ $funcstack[1] == _freeplay ]]; then _freeplay \"$@\"; else compdef _freeplay freeplay; fi\n";
  return script;
}

// ---- fish --------------------------------------------------------------------------------------------------------

std::string fish_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// -f: no files, -F: files, -a: these.
std::string fish_values(const CommandOption& option) {
  if (!option.words.empty()) return fmt::format(" -f -a '{}'", joined(option.words));
  switch (kind_of_value(option.value)) {
    case ValueKind::kModel:
      return " -k -f -a '(__fish_complete_suffix .yaml; __fish_complete_suffix .yml)'";
    case ValueKind::kResult:
      return " -k -f -a '(__fish_complete_suffix .h5)'";
    case ValueKind::kFile:
      return " -F";
    case ValueKind::kFolder:
      return " -f -a '(__fish_complete_directories)'";
    case ValueKind::kOther:
      break;
  }
  return " -f";
}

std::string fish_option(const CommandOption& option, const std::string& condition) {
  std::string line = fmt::format("complete -c freeplay -n '{}'", condition);
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) line += (option.is_value_optional ? "" : " -r") + fish_values(option);
  return line + fmt::format(" -d '{}'\n", fish_text(option.description));
}

std::string fish_script(const CommandTable& table) {
  std::string script =
      "# fish completion for freeplay; printed by `freeplay completion fish`\n\ncomplete -c freeplay -f\n";
  for (const CommandOption& option : table.options) script += fish_option(option, "__fish_use_subcommand");
  for (const CommandVerb& verb : table.verbs) {
    script += fmt::format("\ncomplete -c freeplay -n __fish_use_subcommand -a {} -d '{}'\n", verb.name,
                          fish_text(verb.summary));
    const std::string condition = "__fish_seen_subcommand_from " + verb.name;
    for (const CommandOption* option : visible(verb, false)) script += fish_option(*option, condition);
    const std::vector<const CommandOption*> positionals = visible(verb, true);
    if (!positionals.empty())
      script += fmt::format("complete -c freeplay -n '{}'{}\n", condition, fish_values(*positionals.front()));
  }
  return script;
}

}  // namespace

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> shells(std::begin(kShells), std::end(kShells));
  return shells;
}

std::string completion_script(const CommandTable& table, const std::string& shell) {
  if (shell == "bash") return bash_script(table);
  if (shell == "zsh") return zsh_script(table);
  if (shell == "fish") return fish_script(table);
  throw UsageError::unknown("shell", shell, completion_shells());
}

}  // namespace freeplay::app
