// A reference file of tests/reference/compliant: a line of names, then lines of numbers.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/places.h"

namespace freeplay::test {

struct ReferenceTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;

  // The first column whose name starts like this.
  std::size_t column(const std::string& start) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].starts_with(start)) return i;
    }
    ADD_FAILURE() << "no column '" << start << "'";
    return 0;
  }
};

inline ReferenceTable read_reference_table(const std::string& name) {
  ReferenceTable table;
  std::ifstream file(test_dir() + "/reference/compliant/" + name);
  EXPECT_TRUE(file.is_open()) << name;
  std::string line, cell;
  std::getline(file, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) table.names.push_back(cell);
  while (std::getline(file, line)) {
    table.rows.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) table.rows.back().push_back(std::stod(cell));
  }
  return table;
}

}  // namespace freeplay::test
