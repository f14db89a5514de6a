// A table of numbers with a header line, as the reference files are.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/places.h"

namespace freeplay::test {

using CsvTable = std::map<std::string, std::vector<double>>;  // column by column

inline CsvTable read_csv(const std::string& path) {
  std::ifstream file(test_dir() + "/reference/" + path);
  EXPECT_TRUE(file.good()) << path;
  CsvTable table;
  std::vector<std::string> names;
  std::string line, cell;
  const auto next_line = [&] {
    const bool has_line = static_cast<bool>(std::getline(file, line));
    if (line.ends_with('\r')) line.pop_back();
    return has_line;
  };
  next_line();
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  while (next_line()) {
    std::istringstream cells(line);
    for (const std::string& name : names) {
      std::getline(cells, cell, ',');
      table[name].push_back(std::stod(cell));
    }
  }
  return table;
}

}  // namespace freeplay::test
