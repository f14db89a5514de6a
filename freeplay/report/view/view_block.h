// Columns of numbers behind a JSON header, as bytes that a page reads without copying: little-endian, each column at a
// multiple of 8 bytes. For the pages of results, and of studies in freeplay/study.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::report {

enum class ColumnType { kFloat32, kFloat64, kInt32 };
std::string_view column_type_name(ColumnType type);

// Whether single precision would be seen: steps of more than a ten-thousandth of the height of the curve.
bool needs_double(std::span<const double> values);

class ColumnBytes {
 public:
  // Appends a column and returns its offset.
  std::size_t add(std::span<const double> values, ColumnType type);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// uint32 H | H bytes of the header, padded with blanks so that the columns start at a multiple of 8 | columns
std::string view_block(std::string header, const ColumnBytes& columns);

}  // namespace freeplay::report
