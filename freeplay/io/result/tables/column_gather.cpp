#include "freeplay/io/result/tables/column_gather.h"

namespace freeplay::io {

namespace {

constexpr std::size_t kRowsAhead = 16;

}  // namespace

void gather_columns(const double* rows, std::size_t width, std::size_t row_count, std::size_t first, std::size_t count,
                    double* columns) {
  const double* row = rows + first;
  double* column = columns;
  const std::size_t stride = row_count + kColumnPadding;
  if (count == kColumnsTogether) {  // a number that the compiler knows
    for (std::size_t r = 0; r < row_count; ++r, row += width, ++column) {
      // Rows are as far apart as they are wide, which the processor does not foresee. (What is behind the last row is
      // not read by this, whatever may be there.)
      __builtin_prefetch(row + kRowsAhead * width);
      __builtin_prefetch(row + kRowsAhead * width + kColumnsTogether - 1);
      for (std::size_t c = 0; c < kColumnsTogether; ++c) column[c * stride] = row[c];
    }
    return;
  }
  for (std::size_t r = 0; r < row_count; ++r, row += width, ++column) {
    for (std::size_t c = 0; c < count; ++c) column[c * stride] = row[c];
  }
}

}  // namespace freeplay::io
