// Takes columns out of rows. A source of its own, since it is optimised more than the rest of io.
#pragma once

#include <cstddef>

namespace freeplay::io {

// As many columns as one line of a processor's cache holds numbers: each line of the rows is then read once.
inline constexpr std::size_t kColumnsTogether = 8;

// columns[c * row_count + r] = rows[r * width + first + c] for `count` columns, at most kColumnsTogether.
void gather_columns(const double* rows, std::size_t width, std::size_t row_count, std::size_t first, std::size_t count,
                    double* columns);

}  // namespace freeplay::io
