// What a run comes to, for people: the end of `run`, and a part of `info`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "freeplay/report/findings/run_findings.h"
#include "terminal/terminal.h"

namespace freeplay::app {

// A line each: peak force, blows, contact, losses, drift; as far as there are any.
std::string findings_text(const RunFindings& findings, const Painter& paint);
// The hardest blows, one per line, under a line of names; "" without impacts.
std::string blow_table(const Blows& blows, std::size_t most, const Painter& paint);
// What to type next.
std::string next_commands(const std::filesystem::path& result, const Painter& paint);
// A path as a shell takes it for one word.
std::string command_word(const std::filesystem::path& path);
// A model as it was given with --set, likewise: "crank.yaml --set c=1mm".
std::string model_words(const std::filesystem::path& model, const std::vector<std::string>& overrides);

}  // namespace freeplay::app
