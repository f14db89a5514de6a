// Runs gnuplot as a child process: no shell, no files. It reads its script from a pipe and draws into another one.
#pragma once

#include <string>
#include <string_view>

namespace freeplay {

// What gnuplot wrote to its standard output for `script`. The settings of the user (~/.gnuplot, LANG) do not count.
// Throws IoError if there is no `program` in PATH, or if it fails or complains: then with its own words.
std::string run_gnuplot(std::string_view script, const std::string& program = "gnuplot");

}  // namespace freeplay
