#include "freeplay/io/tables/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "freeplay/io/tables/csv_cells.h"

namespace freeplay::io {

namespace {

std::string_view unquoted(std::string_view cell) {
  const bool is_quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return is_quoted ? without_spaces(cell.substr(1, cell.size() - 2)) : cell;
}

std::vector<std::string_view> split_cells(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find(separator, begin);
    cells.push_back(unquoted(without_spaces(line.substr(begin, end - begin))));
    if (end == std::string_view::npos) return cells;
    begin = end + 1;
  }
}

// `torque [N m]` and `torque (N m)`: a name and its unit.
CsvColumn named_column(std::string_view head) {
  for (const std::string_view brackets : {"[]", "()"}) {
    const std::size_t open = head.find(brackets[0]);
    if (open != std::string_view::npos && head.back() == brackets[1]) {
      const std::string_view unit = head.substr(open + 1, head.size() - open - 2);
      return {std::string(without_spaces(head.substr(0, open))), std::string(without_spaces(unit)), {}};
    }
  }
  return {std::string(head), {}, {}};
}

char separator_of(std::string_view line) {
  for (const char candidate : {'\t', ';'}) {
    if (line.find(candidate) != std::string_view::npos) return candidate;
  }
  return ',';
}

std::string shown_cell(std::string_view cell) {
  std::string shown;
  for (const char c : cell.substr(0, 30)) shown += c < ' ' ? '?' : c;
  return shown;
}

class CsvLines {
 public:
  explicit CsvLines(std::string_view text) : rest_(without_byte_order_mark(text)) {}
  // The next line that says something; nothing at the end.
  std::optional<std::string_view> next() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      const std::string_view line = without_spaces(rest_.substr(0, end));
      rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
      ++number_;
      if (!line.empty() && line.front() != '#') return line;
    }
    return std::nullopt;
  }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

void add_row(CsvTable& table, const std::vector<std::string_view>& cells, int line) {
  if (cells.size() != table.columns.size()) {
    table.message =
        fmt::format("line {} has {} values, but there are {} columns", line, cells.size(), table.columns.size());
    table.hint = "decimals are written with a point; commas, semicolons or tabs separate";
    return;
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::optional<double> value = cell_number(cells[i]);
    if (!value) {
      table.message = fmt::format("line {}: '{}' is not a number", line, shown_cell(cells[i]));
      table.hint = "every line below the names holds one number per column, with a decimal point";
      return;
    }
    table.columns[i].values.push_back(*value);
  }
  table.lines.push_back(line);
}

}  // namespace

const CsvColumn* CsvTable::find(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &CsvColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

std::vector<std::string> CsvTable::names() const {
  std::vector<std::string> names;
  for (const CsvColumn& column : columns) names.push_back(column.name);
  return names;
}

CsvTable read_csv_table(std::string_view text) {
  CsvTable table;
  CsvLines lines(text);
  const std::optional<std::string_view> first = lines.next();
  if (!first) {
    table.message = "the file is empty";
    table.hint = "the first line names the columns, `time [s], torque [N m]`; one line per sample follows";
    return table;
  }
  const char separator = separator_of(*first);
  const std::vector<std::string_view> heads = split_cells(*first, separator);
  const bool has_names =
      !std::ranges::all_of(heads, [](std::string_view cell) { return cell_number(cell).has_value(); });
  for (std::size_t i = 0; i < heads.size(); ++i)
    table.columns.push_back(has_names ? named_column(heads[i]) : CsvColumn{std::to_string(i + 1), {}, {}});
  if (!has_names) add_row(table, heads, lines.number());
  while (table.ok()) {
    const std::optional<std::string_view> line = lines.next();
    if (!line) break;
    add_row(table, split_cells(*line, separator), lines.number());
  }
  return table;
}

}  // namespace freeplay::io
