#include "freeplay/study/sweep/workers/rank_messages.h"

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

void put_numbers(std::vector<std::byte>& bytes, const std::vector<double>& numbers) {
  const std::int64_t count = static_cast<std::int64_t>(numbers.size());
  put(bytes, &count, 1);
  put(bytes, numbers.data(), numbers.size());
}

std::vector<double> get_numbers(std::span<const std::byte>& bytes) {
  std::vector<double> numbers(static_cast<std::size_t>(get_one<std::int64_t>(bytes)));
  get(bytes, numbers.data(), numbers.size());
  return numbers;
}

void put_text(std::vector<std::byte>& bytes, const std::string& text) {
  const std::int64_t letters = static_cast<std::int64_t>(text.size());
  put(bytes, &letters, 1);
  put(bytes, text.data(), text.size());
}

std::string get_text(std::span<const std::byte>& bytes) {
  std::string text(static_cast<std::size_t>(get_one<std::int64_t>(bytes)), ' ');
  get(bytes, text.data(), text.size());
  return text;
}

}  // namespace

std::vector<std::byte> encode_report(const RankReport& report) {
  std::vector<std::byte> bytes;
  put_text(bytes, report.failure);
  put(bytes, &report.asks, 1);
  for (const SweepRow& row : report.rows) {
    put(bytes, &row.index, 1);
    put(bytes, &row.status, 1);
    put(bytes, &row.warnings, 1);
    put_numbers(bytes, row.values);
    put_numbers(bytes, row.crossings);
    put_text(bytes, row.message);
    put_text(bytes, row.left_because);
  }
  return bytes;
}

RankReport decode_report(std::span<const std::byte> bytes) {
  RankReport report;
  report.failure = get_text(bytes);
  report.asks = get_one<bool>(bytes);
  while (!bytes.empty()) {
    SweepRow row;
    row.index = get_one<std::int64_t>(bytes);
    row.status = get_one<SweepStatus>(bytes);
    row.warnings = get_one<std::int32_t>(bytes);
    row.values = get_numbers(bytes);
    row.crossings = get_numbers(bytes);
    row.message = get_text(bytes);
    row.left_because = get_text(bytes);
    report.rows.push_back(std::move(row));
  }
  return report;
}

std::vector<std::byte> encode_tasks(std::span<const SweepTask> tasks) {
  std::vector<std::byte> bytes;
  for (const SweepTask& task : tasks) {
    put(bytes, &task.chain, 1);
    put(bytes, &task.place, 1);
    put_numbers(bytes, task.start);
  }
  return bytes;
}

std::vector<SweepTask> decode_tasks(std::span<const std::byte> bytes) {
  std::vector<SweepTask> tasks;
  while (!bytes.empty()) {
    SweepTask task;
    task.chain = get_one<std::int64_t>(bytes);
    task.place = get_one<std::int64_t>(bytes);
    task.start = get_numbers(bytes);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

}  // namespace freeplay::study
