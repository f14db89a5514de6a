// Takes columns out of rows. A source of its own, since it is optimised more than the rest of io.
#pragma once

#include <cstddef>

#include "freeplay/core/layers.h"

namespace freeplay::io {

// As many columns as one line of a processor's cache holds numbers: each line of the rows is then read once.
inline constexpr std::size_t kColumnsTogether = 8;

// Columns begin this much farther apart than they are long: rows come by powers of two, and columns that far apart
// would push each other out of the cache.
inline constexpr std::size_t kColumnPadding = 8;

// columns[c * (row_count + kColumnPadding) + r] = rows[r * width + first + c] for `count` columns, at most
// kColumnsTogether.
void gather_columns(const double* rows, std::size_t width, std::size_t row_count, std::size_t first, std::size_t count,
                    double* columns);

}  // namespace freeplay::io
