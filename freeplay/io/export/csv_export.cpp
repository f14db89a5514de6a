#include "freeplay/io/export/csv_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <ostream>
#include <system_error>

#include "freeplay/core/error.h"

namespace freeplay::io {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{8} << 20;
constexpr std::size_t kMaxBlockRows = 16384;
constexpr std::size_t kMinBlockRows = 64;
constexpr std::int64_t kBlockRecords = 8192;

std::string quoted_if_needed(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

void append_number(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "nan";  // never "-nan", which some readers do not know
    return;
  }
  char digits[32];
  const std::to_chars_result result = std::to_chars(std::begin(digits), std::end(digits), value);
  text.append(digits, result.ptr);
}

[[noreturn]] void fail(const std::string& target, int error) {
  const std::string reason = error != 0 ? ": " + std::generic_category().message(error) : "";
  throw IoError(fmt::format("cannot write {}{}", target, reason));
}

// The names asked for, or all; an unknown one throws before any output is touched.
std::vector<std::string> known_channels(const ResultReader& result, const std::vector<std::string>& asked) {
  for (const std::string& name : asked) result.read_channel(name, 0, {});
  if (!asked.empty()) return asked;
  std::vector<std::string> names;
  for (const ChannelInfo& channel : result.channels()) names.push_back(channel.name);
  return names;
}

void write_rows(const ResultReader& result, const std::vector<std::string>& channels, std::ostream& out) {
  const std::size_t width = channels.size() + 1;
  const std::size_t rows = static_cast<std::size_t>(result.rows());
  const std::size_t block_rows = std::clamp(kBlockBytes / (width * sizeof(double)), kMinBlockRows, kMaxBlockRows);
  std::vector<double> block(width * std::min(block_rows, rows));  // column by column
  std::string text;
  for (std::size_t first = 0; first < rows && out; first += block_rows) {
    const std::size_t count = std::min(block_rows, rows - first);
    const auto column = [&](std::size_t c) { return std::span(block).subspan(c * count, count); };
    result.read_time(static_cast<std::int64_t>(first), column(0));
    for (std::size_t c = 1; c < width; ++c) {
      result.read_channel(channels[c - 1], static_cast<std::int64_t>(first), column(c));
    }
    text.clear();
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t c = 0; c < width; ++c) {
        append_number(text, block[c * count + row]);
        text += c + 1 < width ? ',' : '\n';
      }
    }
    errno = 0;
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

void finish(std::ostream& out, const std::string& target) {
  if (out) errno = 0;  // or else it is the reason of the write that failed
  out.flush();
  if (!out) fail(target, errno);
}

std::ofstream open_file(const std::filesystem::path& path) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  if (!out) fail(path.string(), errno);
  return out;
}

void write_table(const ResultReader& result, const std::vector<std::string>& channels, std::ostream& out,
                 const std::string& target) {
  std::string header = "time";
  for (const std::string& name : channels) header += ',' + quoted_if_needed(name);
  out << header << '\n';
  write_rows(result, channels, out);
  finish(out, target);
}

// A table of records, block by block: each line has the time, the contact's name and what `append_rest` adds.
template <class Record, class AppendRest>
void write_records(const ResultReader& result, std::int64_t total,
                   void (ResultReader::*read)(std::int64_t, std::span<Record>) const, AppendRest append_rest,
                   std::ostream& out, const std::string& target) {
  std::string text;
  std::vector<Record> block;
  for (std::int64_t first = 0; first < total && out; first += kBlockRecords) {
    block.resize(static_cast<std::size_t>(std::min(kBlockRecords, total - first)));
    (result.*read)(first, block);
    text.clear();
    for (const Record& record : block) {
      append_number(text, record.time_s);
      text += ',' + quoted_if_needed(result.contacts().at(static_cast<std::size_t>(record.contact)));
      append_rest(record, text);
      text += '\n';
    }
    errno = 0;
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  finish(out, target);
}

void write_impacts(const ResultReader& result, std::ostream& out, const std::string& target) {
  out << "time,contact,normal_impulse,tangential_impulse,normal_velocity_before,normal_velocity_after,"
         "tangential_velocity_before,tangential_velocity_after,energy_lost\n";
  const auto append_rest = [](const ImpactRecord& impact, std::string& text) {
    for (const double value : {impact.normal_impulse, impact.tangential_impulse_1, impact.normal_velocity_before,
                               impact.normal_velocity_after, impact.tangential_velocity_before,
                               impact.tangential_velocity_after, impact.energy_lost_J}) {
      text += ',';
      append_number(text, value);
    }
  };
  write_records(result, result.impact_count(), &ResultReader::read_impacts, append_rest, out, target);
}

void write_events(const ResultReader& result, std::ostream& out, const std::string& target) {
  out << "time,contact,kind\n";
  const auto append_rest = [](const EventRecord& event, std::string& text) { (text += ',') += event_word(event.kind); };
  write_records(result, result.event_count(), &ResultReader::read_events, append_rest, out, target);
}

}  // namespace

void write_csv(const ResultReader& result, const std::vector<std::string>& channels, std::ostream& out) {
  write_table(result, known_channels(result, channels), out, "the CSV text");
}

void write_csv(const ResultReader& result, const std::vector<std::string>& channels,
               const std::filesystem::path& path) {
  const std::vector<std::string> names = known_channels(result, channels);
  std::ofstream out = open_file(path);
  write_table(result, names, out, path.string());
}

void write_impacts_csv(const ResultReader& result, std::ostream& out) {
  write_impacts(result, out, "the CSV text");
}

void write_impacts_csv(const ResultReader& result, const std::filesystem::path& path) {
  std::ofstream out = open_file(path);
  write_impacts(result, out, path.string());
}

void write_events_csv(const ResultReader& result, std::ostream& out) {
  write_events(result, out, "the CSV text");
}

void write_events_csv(const ResultReader& result, const std::filesystem::path& path) {
  std::ofstream out = open_file(path);
  write_events(result, out, path.string());
}

}  // namespace freeplay::io
