#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "verbs/command_table.h"

namespace freeplay::app {

namespace {

// Text for roff: a backslash begins an escape, a plain '-' becomes a hyphen that nobody can copy into a shell, and a
// line that begins with '.' or ' is a request.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (escaped.empty() || escaped.back() == '\n') {
      if (c == '.' || c == '\'') escaped += "\\&";
    }
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if (c == '`')
      escaped += "\\(ga";
    else
      escaped += c;
  }
  return escaped;
}

std::string bold(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}
std::string italic(const std::string& text) {
  return "\\fI" + roff(text) + "\\fR";
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string value_of(const CommandOption& option) {
  if (option.value.empty()) return "";
  return option.is_value_optional ? "[=" + italic(option.value) + "]" : " " + italic(option.value);
}

std::string synopsis(const CommandTable& table, const CommandVerb& verb) {
  std::string line = bold(table.name) + " " + bold(verb.name);
  for (const CommandOption& option : verb.options) {
    if (!option.is_positional() || option.is_hidden) continue;
    line += " " + (option.is_required ? italic(option.value) : "[" + italic(option.value) + "]");
  }
  for (const CommandOption& option : verb.options) {
    if (option.is_positional() || option.is_hidden || option.names.front() == "-h") continue;
    line += " [" + bold(option.names.back()) + value_of(option) + "]";
  }
  return line;
}

std::string described(const CommandOption& option) {
  std::string head;
  if (option.is_positional()) head = italic(option.value);
  for (const std::string& name : option.names) head += (head.empty() ? "" : ", ") + bold(name);
  if (!option.is_positional()) head += value_of(option);
  std::string words;
  for (const std::string& word : option.words) words += (words.empty() ? "" : ", ") + roff(word);
  // Descriptions that name the words already say "One of".
  if (!words.empty() && option.description.rfind("One of", 0) != 0)
    words = "\n.br\nOne of " + words + ".";
  else
    words.clear();
  return ".TP\n" + head + "\n" + roff(option.description) + "." + words + "\n";
}

// Lines stay lines.
std::string with_line_breaks(const std::string& text) {
  std::string page;
  for (const char c : roff(text)) page += c == '\n' ? std::string("\n.br\n") : std::string(1, c);
  return ".PP\n" + page + "\n";
}

// The footer of the command: aligned examples, an empty line, and what else is to be said.
std::string examples(const std::string& footer) {
  const std::size_t end = std::min(footer.find("\n\n"), footer.size());
  const std::size_t begin = footer.starts_with("Examples:\n") ? footer.find('\n') + 1 : 0;
  std::string page = ".SH EXAMPLES\n.nf\n" + roff(footer.substr(begin, end - begin)) + "\n.fi\n";
  if (end < footer.size()) page += ".SH NOTES\n" + roff(footer.substr(end + 2)) + "\n";
  return page;
}

}  // namespace

std::string man_page(const CommandTable& table) {
  // No date: the same command prints the same page.
  std::string page = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", upper_case(table.name), table.name,
                                 roff(table.version));
  const std::size_t colon = table.summary.find(": ");
  const std::string summary = colon == std::string::npos ? table.summary : table.summary.substr(colon + 2);
  page += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.nh\n.ad l\n", table.name, roff(summary));
  for (const CommandVerb& verb : table.verbs) page += ".HP\n" + synopsis(table, verb) + "\n";
  for (const CommandOption& option : table.options)
    page += ".HP\n" + bold(table.name) + " " + bold(option.names.back()) + "\n";
  page += ".ad b\n.SH DESCRIPTION\n";
  page += roff(
              "A model file (YAML, with units) describes a mechanism: bodies, joints with or without play, contacts, "
              "drives. The "
              "command runs it, writes one result file (HDF5) and shows what is in it.") +
          "\n";
  page += ".SH VERBS\n";
  for (const CommandVerb& verb : table.verbs) {
    page += fmt::format(".SS {}\n{}.\n", roff(verb.name), roff(verb.summary));
    for (const CommandOption& option : verb.options) {
      const bool is_help = !option.is_positional() && option.names.front() == "-h";  // below, once for all
      if (!option.is_hidden && !is_help) page += described(option);
    }
    if (!verb.footer.empty()) page += with_line_breaks(verb.footer);
  }
  page += ".SH OPTIONS\n";
  for (const CommandOption& option : table.options) page += described(option);
  page += examples(table.footer);
  page += fmt::format(".SH ENVIRONMENT\n.TP\n{}\n{}\n", bold("NO_COLOR"),
                      roff("If set, no colours, not even on a terminal."));
  return page;
}

}  // namespace freeplay::app
