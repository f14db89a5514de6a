#include "verbs/info/info.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_file.h"
#include "session/result_access.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

// A result is recognised by its content, not by its name.
bool is_hdf5(const std::filesystem::path& path) {
  constexpr std::array<char, 8> kSignature = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  if (!std::filesystem::is_regular_file(path)) return false;  // a pipe is read once, by whoever reads models
  std::array<char, 8> start{};
  std::ifstream file(path, std::ios::binary);
  // Not "no": a result would be taken for a model with strange letters.
  if (!file) throw IoError(fmt::format("cannot read {}: {}", path.string(), std::generic_category().message(errno)));
  return file.read(start.data(), start.size()) && start == kSignature;
}

}  // namespace

ExitCode info(const InfoArguments& arguments) {
  if (const std::optional<std::filesystem::path> study = study_file_of(arguments.file)) {
    print_study_info(*study, arguments.json);
    return ExitCode::kOk;
  }
  const std::filesystem::path path = result_file_of(arguments.file);
  if (is_hdf5(path)) {
    print_result_info(open_result(path), arguments.json);
  } else {
    print_model_info(load_model(path, arguments.overrides), arguments.json);
  }
  return ExitCode::kOk;
}

}  // namespace freeplay::app
