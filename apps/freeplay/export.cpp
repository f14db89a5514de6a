#include <iostream>

#include "error_report.h"
#include "freeplay/io/csv_export.h"
#include "verbs.h"

namespace freeplay::app {

std::filesystem::path result_file_of(const std::filesystem::path& path) {
  return std::filesystem::is_directory(path) ? path / kResultFileName : path;
}

ExitCode export_result(const ExportArguments& arguments) {
  if (arguments.csv.empty() && arguments.impacts.empty()) {
    throw UsageError("--csv is required, unless --impacts is given", "see freeplay export --help");
  }
  const ResultReader result(result_file_of(arguments.result));
  if (arguments.csv == "-")
    write_csv(result, arguments.channels, std::cout);
  else if (!arguments.csv.empty())
    write_csv(result, arguments.channels, std::filesystem::path(arguments.csv));
  if (arguments.impacts == "-")
    write_impacts_csv(result, std::cout);
  else if (!arguments.impacts.empty())
    write_impacts_csv(result, std::filesystem::path(arguments.impacts));
  return ExitCode::kOk;
}

}  // namespace freeplay::app
