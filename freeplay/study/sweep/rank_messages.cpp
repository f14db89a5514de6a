#include "freeplay/study/sweep/rank_messages.h"

#include <cstring>

#include "freeplay/core/error.h"

namespace freeplay::study {

namespace {

// All ranks are the same program on machines of one kind: numbers travel as they are.
template <class Value>
void put(std::vector<std::byte>& bytes, const Value* values, std::size_t count) {
  const auto* begin = reinterpret_cast<const std::byte*>(values);
  bytes.insert(bytes.end(), begin, begin + count * sizeof(Value));
}

template <class Value>
void get(std::span<const std::byte>& bytes, Value* values, std::size_t count) {
  FREEPLAY_ASSERT(count <= bytes.size() / sizeof(Value));
  if (count > 0) std::memcpy(values, bytes.data(), count * sizeof(Value));
  bytes = bytes.subspan(count * sizeof(Value));
}

template <class Value>
Value get_one(std::span<const std::byte>& bytes) {
  Value value{};
  get(bytes, &value, 1);
  return value;
}

}  // namespace

std::vector<std::byte> encode_rows(std::span<const SweepRow> rows) {
  std::vector<std::byte> bytes;
  for (const SweepRow& row : rows) {
    const std::int64_t values = static_cast<std::int64_t>(row.values.size());
    const std::int64_t letters = static_cast<std::int64_t>(row.message.size());
    put(bytes, &row.index, 1);
    put(bytes, &row.status, 1);
    put(bytes, &row.warnings, 1);
    put(bytes, &values, 1);
    put(bytes, row.values.data(), row.values.size());
    put(bytes, &letters, 1);
    put(bytes, row.message.data(), row.message.size());
  }
  return bytes;
}

std::vector<SweepRow> decode_rows(std::span<const std::byte> bytes) {
  std::vector<SweepRow> rows;
  while (!bytes.empty()) {
    SweepRow row;
    row.index = get_one<std::int64_t>(bytes);
    row.status = get_one<SweepStatus>(bytes);
    row.warnings = get_one<std::int32_t>(bytes);
    row.values.resize(static_cast<std::size_t>(get_one<std::int64_t>(bytes)));
    get(bytes, row.values.data(), row.values.size());
    row.message.resize(static_cast<std::size_t>(get_one<std::int64_t>(bytes)));
    get(bytes, row.message.data(), row.message.size());
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::byte> encode_tasks(std::span<const std::int64_t> tasks) {
  std::vector<std::byte> bytes;
  put(bytes, tasks.data(), tasks.size());
  return bytes;
}

std::vector<std::int64_t> decode_tasks(std::span<const std::byte> bytes) {
  std::vector<std::int64_t> tasks(bytes.size() / sizeof(std::int64_t));
  get(bytes, tasks.data(), tasks.size());
  return tasks;
}

}  // namespace freeplay::study
