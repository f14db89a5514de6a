#include "freeplay/report/view/view_block.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "freeplay/core/error.h"

namespace freeplay::report {

namespace {

// A page reads the bytes as they are, and every machine that shows pages is little-endian.
static_assert(std::endian::native == std::endian::little, "the columns would have to be turned round");

constexpr std::size_t kAlignment = 8;

template <class Number>
void append(std::string& bytes, Number value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

// A conversion beyond the range of float is undefined in C++.
float to_float(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  if (std::abs(value) > kLargest)
    return std::copysign(std::numeric_limits<float>::infinity(), static_cast<float>(value > 0 ? 1 : -1));
  return static_cast<float>(value);
}

}  // namespace

std::string_view column_type_name(ColumnType type) {
  switch (type) {
    case ColumnType::kFloat32:
      return "f32";
    case ColumnType::kFloat64:
      return "f64";
    case ColumnType::kInt32:
      break;
  }
  return "i32";
}

bool needs_double(std::span<const double> values) {
  constexpr double kVisible = 1e-4;  // of the height of a curve
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double rounding = std::numeric_limits<float>::epsilon() * std::max(std::abs(low), std::abs(high));
  // A constant is shown by its digits, and a height of rounding errors of a double is none.
  const double noise = 1e3 * std::numeric_limits<double>::epsilon() * std::max(std::abs(low), std::abs(high));
  return high - low > noise && rounding > kVisible * (high - low);
}

std::size_t ColumnBytes::add(std::span<const double> values, ColumnType type) {
  const std::size_t offset = bytes_.size();
  for (const double value : values) {
    if (type == ColumnType::kFloat64)
      append(bytes_, value);
    else if (type == ColumnType::kFloat32)
      append(bytes_, to_float(value));
    else
      append(bytes_, static_cast<std::int32_t>(value));
  }
  bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
  return offset;
}

std::string view_block(std::string header, const ColumnBytes& columns) {
  constexpr std::size_t kLengthBytes = sizeof(std::uint32_t);
  while ((kLengthBytes + header.size()) % kAlignment != 0) header += ' ';
  if (header.size() > std::numeric_limits<std::uint32_t>::max()) throw IoError("the header of the page is too long");
  std::string block;
  block.reserve(kLengthBytes + header.size() + columns.bytes().size());
  append(block, static_cast<std::uint32_t>(header.size()));
  return block.append(header).append(columns.bytes());
}

}  // namespace freeplay::report
