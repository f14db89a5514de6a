// Columns of numbers from a text file, as loggers and spreadsheets write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::io {

struct CsvColumn {
  std::string name;  // "1", "2", ... in a file without names
  std::string unit;  // of a head such as `torque [N m]`; empty if there is none
  std::vector<double> values;
};

struct CsvTable {
  std::vector<CsvColumn> columns;
  std::vector<int> lines;     // where each row stands in the file
  std::string message, hint;  // what is wrong, and its cure

  bool ok() const { return message.empty(); }
  const CsvColumn* find(std::string_view name) const;
  std::vector<std::string> names() const;
};

// Commas, semicolons or tabs separate, as the first line does; lines that are empty or begin with # are passed over.
CsvTable read_csv_table(std::string_view text);

}  // namespace freeplay::io
