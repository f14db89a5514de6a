#include <fmt/format.h>

#include <cstdio>
#include <iostream>

#include "freeplay/io/export/csv_export.h"
#include "freeplay/report/vtk/vtk_export.h"
#include "text/error_report.h"
#include "text/terminal.h"
#include "text/text_table.h"
#include "verbs/result_access.h"
#include "verbs/verbs.h"

namespace freeplay::app {

ExitCode export_result(const ExportArguments& arguments) {
  if (arguments.csv.empty() && arguments.impacts.empty() && arguments.vtk.empty())
    throw UsageError("--csv is required, unless --impacts or --vtk is given", "see freeplay export --help");
  if (arguments.frames && arguments.vtk.empty())
    throw UsageError("--frames says how many moments --vtk writes", "add --vtk DIR, or leave --frames out");
  const std::filesystem::path file = result_file_of(arguments.result);
  refuse_output_onto_input(arguments.csv, file);
  refuse_output_onto_input(arguments.impacts, file);
  if (!arguments.csv.empty() && arguments.csv == arguments.impacts)
    throw UsageError("--csv and --impacts name the same file", "give each table a file of its own");
  const ResultReader result = open_result(file);
  if (arguments.csv == "-")
    write_csv(result, arguments.channels, std::cout);
  else if (!arguments.csv.empty())
    write_csv(result, arguments.channels, std::filesystem::path(arguments.csv));
  if (arguments.impacts == "-")
    write_impacts_csv(result, std::cout);
  else if (!arguments.impacts.empty())
    write_impacts_csv(result, std::filesystem::path(arguments.impacts));
  if (!arguments.vtk.empty()) {
    constexpr int kFrames = 200;
    const VtkExport written = export_vtk(result, arguments.vtk, arguments.frames.value_or(kFrames));
    for (const std::string& note : written.notes) fmt::print(stderr, "note: {}\n", note);
    // To stderr where a table went to stdout.
    fmt::print(arguments.csv == "-" || arguments.impacts == "-" ? stderr : stdout, "{}  {}\n",
               printable(written.collection.string()), counted(written.frames, "frame"));
  }
  return ExitCode::kOk;
}

}  // namespace freeplay::app
