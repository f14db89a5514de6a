// Reference impacts of an independent implementation, as numbers.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "freeplay/math/types.h"
#include "support/places.h"

namespace freeplay::test::impacts {

// Lines of numbers of a reference file; words become 0.
inline std::vector<std::vector<double>> reference_rows(const std::string& name) {
  std::ifstream file(test_dir() + "/reference/unilateral/" + name);
  EXPECT_TRUE(file.is_open()) << name;
  std::vector<std::vector<double>> rows;
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    rows.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      rows.back().push_back(std::isalpha(static_cast<unsigned char>(cell[0])) != 0 ? 0 : std::stod(cell));
  }
  return rows;
}

// The file has normals first and tangents behind them; here rows stand contact by contact.
inline constexpr std::array<int, 4> kPlace = {0, 2, 1, 3};

// A line of impact_two_contact_cases.csv.
struct TwoContactCase {
  MatX G = MatX::Zero(4, 4);
  VecX before = VecX::Zero(4), compression = VecX::Zero(4), expansion = VecX::Zero(4), after = VecX::Zero(4);
  std::array<double, 2> mu{}, e_N{}, e_T{};
};

inline TwoContactCase two_contact_case(const std::vector<double>& row) {
  TwoContactCase one;
  std::size_t next = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i; j < 4; ++j, ++next) one.G(kPlace[i], kPlace[j]) = one.G(kPlace[j], kPlace[i]) = row[next];
    one.before[kPlace[i]] = row[10 + i];
    one.compression[kPlace[i]] = row[20 + i];
    one.expansion[kPlace[i]] = row[24 + i];
    one.after[kPlace[i]] = row[28 + i];
  }
  for (std::size_t k = 0; k < 2; ++k) {
    one.mu[k] = row[14 + k];
    one.e_N[k] = row[16 + k];
    one.e_T[k] = row[18 + k];
  }
  return one;
}

}  // namespace freeplay::test::impacts
