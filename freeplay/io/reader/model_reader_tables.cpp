// Functions given by samples: the block `functions`, and tables in the place of an expression.
#include <fmt/format.h>

#include <algorithm>

#include "freeplay/io/reader/model_reader.h"
#include "freeplay/io/tables/csv_table.h"
#include "freeplay/io/yaml/folder_file.h"

namespace freeplay::io {

namespace {

using Interpolation = SampledFunction::Interpolation;
using Outside = SampledFunction::Outside;

constexpr std::uintmax_t kMostTableBytes = std::uintmax_t{256} << 20U;

Interpolation interpolation_of(std::string_view word) {
  if (word == "cubic") return Interpolation::kCubic;
  return word == "hold" ? Interpolation::kHold : Interpolation::kLinear;
}

Outside outside_of(std::string_view word) {
  if (word == "repeat") return Outside::kRepeat;
  return word == "stop" ? Outside::kStop : Outside::kHold;
}

// What a table is a function of where nothing else is said: the variable that derivatives are taken in.
Dimension own_variable(Dependence dependence) {
  if (dependence == Dependence::kCamAngle) return dimensions::kAngle;
  return dependence == Dependence::kCurveParameter ? dimensions::kNone : dimensions::kTime;
}

}  // namespace

void ModelReader::read_functions(const YamlEntry* functions) {
  for (const YamlEntry* entry : named_entries(values_, functions, "functions")) {
    const std::string path = "functions." + entry->key;
    const std::vector<std::string> built_in = math::function_names();
    if (!is_identifier(entry->key)) {
      values_.report(entry->key_at, path, fmt::format("{} cannot be the name of a function", in_quotes(entry->key)),
                     "use letters, digits and '_', and start with a letter");
    } else if (std::ranges::find(built_in, entry->key) != built_in.end()) {
      values_.report(entry->key_at, path, fmt::format("there is a function '{}' already", entry->key),
                     "choose another name");
    }
    BlockReader block(values_, space(), entry->value, entry->key_at, path, block_table("function"));
    if (std::optional<BlockReader> table = block.block("table")) {
      if (std::optional<NamedFunction> function = read_table(*table, std::nullopt, std::nullopt))
        values_.add_function(entry->key, std::move(*function));
      else
        values_.add_failed_function(entry->key);
    }
    block.check_all_keys_were_read();
  }
}

std::optional<Expression> ModelReader::read_value_by_table(const YamlNode& node, const std::string& path,
                                                           Dimension expected, Dependence dependence) {
  BlockReader block(values_, space(), node, node.at, path, block_table("value_by_table"));
  std::optional<BlockReader> table = block.block("table");
  const Dimension variable = own_variable(dependence);
  const bool says_of = block.has("of");
  const std::optional<NamedFunction> function =
      table ? read_table(*table, says_of ? std::nullopt : std::optional(variable), expected) : std::nullopt;
  if (!function) return std::nullopt;
  if (function->value != expected) {
    table->report(
        "y",
        fmt::format("the table gives {}, but {} is expected here", function->value.describe(), expected.describe()),
        fmt::format("its values must have a unit such as {}", expected.si_unit()));
    return std::nullopt;
  }
  if (says_of) {
    const std::optional<Expression> argument = block.expression("of", dependence, function->argument);
    return argument ? std::optional(Expression::call(*function, *argument)) : std::nullopt;
  }
  if (function->argument != variable) {
    table->report(
        "x",
        fmt::format("the table is a function of {}, not of {}", function->argument.describe(), variable.describe()),
        "say what it depends on: '{table: {...}, of: crank.angle}'");
    return std::nullopt;
  }
  return Expression::call(*function, Expression::variable(Expression::kTimeVariable, variable));
}

// One column of samples in SI units; its dimension is that of its unit, or else `otherwise`.
std::optional<ModelReader::TableColumn> ModelReader::read_table_column(BlockReader& block, const CsvTable& file,
                                                                       std::string_view key, std::string_view unit_key,
                                                                       std::optional<Dimension> otherwise) {
  const std::size_t own_place = key == "x" ? 0 : 1;
  const bool takes_own_place = !block.has(key) && own_place < file.columns.size();
  const std::string name = takes_own_place ? file.columns[own_place].name : block.text(key);
  const std::string own_unit = block.text(unit_key);
  const CsvColumn* column = takes_own_place ? &file.columns[own_place] : file.find(name);
  if (column == nullptr) {
    block.report(key, fmt::format("the file has no column '{}'", name), suggestion(name, file.names()));
    return std::nullopt;
  }
  if (!takes_own_place && std::ranges::count(file.columns, name, &CsvColumn::name) > 1) {
    block.report(key, fmt::format("the file has several columns '{}'", name), "give one of them another name");
    return std::nullopt;
  }
  const std::string unit_text = own_unit.empty() ? column->unit : own_unit;
  if (unit_text.empty() && !otherwise) {
    block.report(
        key, fmt::format("the column '{}' has no unit", name),
        fmt::format("write it into the file's first line, '{} [UNIT]', or add '{}: UNIT' here; '{}: 1' for numbers",
                    name, unit_key, unit_key));
    return std::nullopt;
  }
  TableColumn result{column->values, otherwise.value_or(Dimension())};
  if (unit_text.empty() || unit_text == "1") {
    if (unit_text == "1") result.dimension = dimensions::kNone;
    return result;
  }
  const std::optional<Quantity> unit = math::find_unit(unit_text);
  if (!unit) {
    block.report(own_unit.empty() ? key : unit_key, fmt::format("'{}' is not a unit", unit_text),
                 "write a unit such as s, ms, N m or mm; docs/reference/expressions.md lists them");
    return std::nullopt;
  }
  for (double& value : result.values) value *= unit->value;
  result.dimension = unit->dimension;
  return result;
}

std::optional<NamedFunction> ModelReader::read_table(BlockReader& block, std::optional<Dimension> argument,
                                                     std::optional<Dimension> value) {
  const Interpolation interpolation = interpolation_of(block.word("interpolation"));
  const Outside outside = outside_of(block.word("outside"));
  if (!block.ok()) return std::nullopt;
  std::optional<TableColumn> x, y;
  std::vector<int> lines;
  if (block.has("points") == block.has("file")) {
    values_.report(block.at(), block.path(), "needs either 'file' or 'points'",
                   "write {file: drive.csv, x: time, y: torque}, or {points: [[0 s, 0 N], [1 s, 5 N]]}");
    return std::nullopt;
  }
  if (block.has("points")) {
    const BlockReader::Samples samples = block.samples("points");
    if (!block.ok()) return std::nullopt;
    x = TableColumn{samples.x, samples.x_dimension};
    y = TableColumn{samples.y, samples.y_dimension};
  } else {
    const std::string name = block.text("file");
    const FolderFile found = find_folder_file(folder_, name, "tables", "a file of columns (CSV)");
    const bool is_found = found.problem.empty();
    if (!is_found || found.size > kMostTableBytes) {
      block.report(
          "file",
          is_found ? fmt::format("the file has more than {} MB", kMostTableBytes >> 20U) : found.problem.message,
          is_found ? "keep fewer samples" : found.problem.hint);
      return std::nullopt;
    }
    const std::optional<std::string> text = bytes_of(found.path, found.size);
    const CsvTable file =
        text ? read_csv_table(*text) : CsvTable{{}, {}, "the file cannot be read", "look at its permissions"};
    if (!file.ok()) {
      block.report("file", fmt::format("'{}': {}", name, file.message), file.hint);
      return std::nullopt;
    }
    lines = file.lines;
    x = read_table_column(block, file, "x", "x_unit", argument);
    y = read_table_column(block, file, "y", "y_unit", value);
  }
  if (!x || !y) return std::nullopt;
  const SampledFunction::Problem problem = SampledFunction::problem_of(x->values, y->values, interpolation, outside);
  if (!problem.empty()) {
    const std::string place = problem.at < lines.size() ? fmt::format(" (line {} of the file)", lines[problem.at]) : "";
    block.report(block.has("points") ? "points" : "file", problem.message + place, problem.hint);
    return std::nullopt;
  }
  return NamedFunction{
      std::make_shared<const SampledFunction>(std::move(x->values), std::move(y->values), interpolation, outside),
      x->dimension, y->dimension};
}

}  // namespace freeplay::io
