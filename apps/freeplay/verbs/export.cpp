#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <iostream>
#include <optional>
#include <vector>

#include "freeplay/io/export/csv_export.h"
#include "freeplay/report/findings/blows_csv.h"
#include "freeplay/report/vtk/vtk_export.h"
#include "session/result_access.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

// A table that may be asked for, and how it is written to the standard output or to a file.
struct Table {
  const char* option;
  std::string file;
  std::function<void(std::ostream&)> print;
  std::function<void(const std::filesystem::path&)> write;

  bool is_printed() const { return file == "-"; }
};

void refuse_one_file_for_two(const std::vector<Table>& tables) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (std::size_t k = i + 1; k < tables.size(); ++k) {
      if (!tables[i].file.empty() && tables[i].file == tables[k].file)
        throw UsageError(fmt::format("{} and {} name the same file", tables[i].option, tables[k].option),
                         "give each table a file of its own");
    }
  }
}

// A table of names and nothing else would pass for a result.
void refuse_no_rows(const ResultReader& result) {
  if (result.rows() > 0) return;
  throw IoError(fmt::format("{} has the names of its channels and no rows: its run is {}, and came to none",
                            result.path().string(), result.status()));
}

}  // namespace

ExitCode export_result(const ExportArguments& arguments) {
  if (arguments.csv.empty() && arguments.impacts.empty() && arguments.blows.empty() && arguments.events.empty() &&
      arguments.vtk.empty())
    throw UsageError("--csv is required, unless --impacts, --blows, --events or --vtk is given",
                     "see freeplay export --help");
  if (arguments.frames && arguments.vtk.empty())
    throw UsageError("--frames says how many moments --vtk writes", "add --vtk DIR, or leave --frames out");
  if (arguments.deformation && arguments.vtk.empty())
    throw UsageError("--deformation says how much --vtk magnifies", "add --vtk DIR, or leave --deformation out");
  const std::filesystem::path file = result_file_of(arguments.result);
  std::optional<ResultReader> opened;
  const auto table = [&](const char* option, const std::string& name, auto write) {
    return Table{option, name, [&, write](std::ostream& out) { write(*opened, out); },
                 [&, write](const std::filesystem::path& path) { write(*opened, path); }};
  };
  const std::vector<Table> tables = {
      table("--csv", arguments.csv,
            [&](const ResultReader& result, auto&& to) { write_csv(result, arguments.channels, to); }),
      table("--impacts", arguments.impacts,
            [](const ResultReader& result, auto&& to) { write_impacts_csv(result, to); }),
      table("--blows", arguments.blows, [](const ResultReader& result, auto&& to) { write_blows_csv(result, to); }),
      table("--events", arguments.events, [](const ResultReader& result, auto&& to) { write_events_csv(result, to); })};
  for (const Table& wanted : tables) refuse_output_onto_input(wanted.file, file);
  refuse_one_file_for_two(tables);
  const ResultReader& result = opened.emplace(open_result(file));
  if (!arguments.csv.empty()) refuse_no_rows(result);
  bool is_stdout_taken = false;
  for (const Table& wanted : tables) {
    if (wanted.is_printed())
      wanted.print(std::cout);
    else if (!wanted.file.empty())
      wanted.write(wanted.file);
    is_stdout_taken = is_stdout_taken || wanted.is_printed();
  }
  if (!arguments.vtk.empty()) {
    constexpr int kFrames = 200;
    const VtkExport written =
        export_vtk(result, arguments.vtk, arguments.frames.value_or(kFrames), arguments.deformation.value_or(1));
    for (const std::string& note : written.notes) fmt::print(stderr, "note: {}\n", note);
    // To stderr where a table went to stdout.
    fmt::print(is_stdout_taken ? stderr : stdout, "{}  {}\n", printable(written.collection.string()),
               counted(written.frames, "frame"));
  }
  return ExitCode::kOk;
}

}  // namespace freeplay::app
