#include <iostream>

#include "freeplay/io/csv_export.h"
#include "verbs.h"

namespace freeplay::app {

std::filesystem::path result_file_of(const std::filesystem::path& path) {
  return std::filesystem::is_directory(path) ? path / kResultFileName : path;
}

ExitCode export_result(const ExportArguments& arguments) {
  const ResultReader result(result_file_of(arguments.result));
  if (arguments.csv == "-")
    write_csv(result, arguments.channels, std::cout);
  else
    write_csv(result, arguments.channels, std::filesystem::path(arguments.csv));
  return ExitCode::kOk;
}

}  // namespace freeplay::app
