// The numbers of a table in the documentation, so that a test can hold the page against what is computed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "support/places.h"

namespace freeplay::test {

// The rows of the table whose header line begins with `header`, in the file docs/`page`. Of every cell the number that
// it begins with, NaN if there is none; units and words behind it are left out.
inline std::vector<std::vector<double>> doc_table(const std::string& page, const std::string& header) {
  std::ifstream file(test_dir() + "/../docs/" + page);
  EXPECT_TRUE(file.good()) << page;
  std::vector<std::vector<double>> rows;
  std::string line, cell;
  while (std::getline(file, line) && !line.starts_with(header)) {
  }
  std::getline(file, line);  // the line of dashes
  while (std::getline(file, line) && line.starts_with('|')) {
    std::istringstream cells(line.substr(1));
    std::vector<double>& row = rows.emplace_back();
    while (std::getline(cells, cell, '|')) {
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      row.push_back(end == cell.c_str() ? std::numeric_limits<double>::quiet_NaN() : value);
    }
  }
  EXPECT_FALSE(rows.empty()) << page << ": no table '" << header << "'";
  return rows;
}

}  // namespace freeplay::test
