#include <charconv>
#include <cmath>
#include <span>

#include "freeplay/study/sweep/sweep.h"

namespace freeplay::study {

namespace {

void append_csv_number(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "nan";
    return;
  }
  char digits[32];
  const std::to_chars_result result = std::to_chars(std::begin(digits), std::end(digits), value);
  text.append(digits, result.ptr);
}

std::string csv_word(const std::string& word) {
  if (word.find_first_of(",\"\r\n") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char c : word) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

// Who has done a run of a study by compiled code, at the end of its lines: where motions are chaotic the two differ.
void append_csv_backend_name(std::string& text, const SweepTable& table) {
  if (table.header.is_compiled()) text += ",backend";
  text += '\n';
}
void append_csv_backend(std::string& text, const SweepTable& table, const SweepRow& row) {
  if (table.header.is_compiled()) {
    text += ',';
    if (row.is_left_to_engine())
      text += "engine";
    else if (row.status != SweepStatus::kRefused)  // which nobody has run
      text += table.header.attributes.at("backend");
  }
  text += '\n';
}

void append_csv_names(std::string& text, const std::vector<SweepColumn>& columns) {
  for (const SweepColumn& column : columns) text += (text.empty() ? "" : ",") + csv_word(column.name);
}

void append_csv_parameters(std::string& text, const SweepTable& table, const SweepRow& row) {
  for (std::size_t i = 0; i < table.header.parameters.size(); ++i) {
    const SweepColumn& column = table.header.parameters[i];
    if (i > 0) text += ',';
    if (column.words.empty())
      append_csv_number(text, row.values[i]);
    else
      text += csv_word(column.words.at(static_cast<std::size_t>(row.values[i])));
  }
}

void append_csv_numbers(std::string& text, std::span<const double> numbers) {
  for (const double number : numbers) {
    text += ',';
    append_csv_number(text, number);
  }
}

// A line per crossing.
std::string section_csv(const SweepTable& table) {
  std::string text;
  append_csv_names(text, table.header.parameters);
  append_csv_names(text, table.header.section);
  append_csv_backend_name(text, table);
  const std::size_t width = table.header.section.size();
  for (const SweepRow& row : table.rows) {
    for (std::size_t k = 0; k < table.crossing_count(row); ++k) {
      append_csv_parameters(text, table, row);
      append_csv_numbers(text, std::span(row.crossings).subspan(k * width, width));
      append_csv_backend(text, table, row);
    }
  }
  return text;
}

}  // namespace

std::string sweep_csv(const SweepTable& table) {
  if (!table.header.section.empty()) return section_csv(table);
  std::string text;
  append_csv_names(text, table.header.parameters);
  append_csv_names(text, table.header.measures);
  append_csv_backend_name(text, table);
  for (const SweepRow& row : table.rows) {
    append_csv_parameters(text, table, row);
    append_csv_numbers(text,
                       std::span(row.values).subspan(table.header.parameters.size(), table.header.measures.size()));
    append_csv_backend(text, table, row);
  }
  return text;
}

}  // namespace freeplay::study
