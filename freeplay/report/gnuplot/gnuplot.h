// Runs gnuplot as a child process: no shell, no files. It reads its script from a pipe and draws into another one.
#pragma once

#include <string>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::report {

struct GnuplotOutput {
  std::string picture;   // what it wrote to its standard output
  std::string warnings;  // what it said although it did not fail: missing fonts and the like
};

// The settings of the user (~/.gnuplot, LANG) do not count. Throws IoError if there is no `program` in PATH, or if it
// fails: then with its own words.
GnuplotOutput run_gnuplot(std::string_view script, const std::string& program = "gnuplot");

}  // namespace freeplay::report
