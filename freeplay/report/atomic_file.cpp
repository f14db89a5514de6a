#include "freeplay/report/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "freeplay/core/error.h"

namespace freeplay::report {

void write_file_atomically(const std::filesystem::path& path, std::string_view contents) {
  const std::filesystem::path partial = fmt::format("{}.{}.partial", path.string(), getpid());
  const auto fail = [&](int reason) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw IoError(fmt::format("cannot write {}{}", path.string(),
                              reason != 0 ? ": " + std::generic_category().message(reason) : ""));
  };
  errno = 0;
  std::ofstream out(partial, std::ios::binary);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  if (!out) fail(errno);
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  if (error) fail(error.value());
}

}  // namespace freeplay::report
