// The data of a viewer page: a header in JSON and columns of numbers, in one block of bytes
// (docs/reference/view_data.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

struct ViewDataOptions {
  std::optional<double> from_s, to_s;  // a part of the time; default: all of it
  std::int64_t most_rows = 6000;
  std::size_t most_bytes = std::size_t{24} << 20;  // of the block; many channels leave room for fewer rows
  std::size_t most_impacts = 5000;
  std::size_t most_events = 20000;
};

struct ViewData {
  std::string block;
  std::int64_t rows = 0, total_rows = 0;
  std::int64_t impacts = 0, total_impacts = 0;
};

// Reads the file in pieces: the memory that it takes is a few times that of the block, however large the file is.
// Throws IoError.
ViewData make_view_data(const ResultReader& result, const ViewDataOptions& options = {});

}  // namespace freeplay::report
