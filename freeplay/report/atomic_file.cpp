#include "freeplay/report/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "freeplay/core/error.h"

namespace freeplay::report {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int reason) {
  throw IoError(fmt::format("cannot write {}{}", path.string(),
                            reason != 0 ? ": " + std::generic_category().message(reason) : ""));
}

// 0, or the reason of the failure.
int write_contents(const fs::path& path, std::string_view contents) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  if (out) return 0;
  return errno != 0 ? errno : EIO;
}

}  // namespace

void write_file_atomically(const fs::path& path, std::string_view contents) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool exists = fs::exists(status);
  if (exists && !fs::is_regular_file(status) && !fs::is_directory(status)) {
    // A device or a pipe takes what is written to it; a file in its place would be a surprise.
    if (const int reason = write_contents(path, contents); reason != 0) fail(path, reason);
    return;
  }
  // Behind a link it is the file that is replaced, not the link.
  const fs::path target = exists ? fs::canonical(path, error) : path;
  if (error && exists) fail(path, error.value());
  const fs::path partial = fmt::format("{}.{}.partial", target.string(), getpid());
  int reason = write_contents(partial, contents);
  if (reason == 0) {
    fs::rename(partial, target, error);
    if (!error) return;
    reason = error.value();
  }
  fs::remove(partial, error);
  fail(path, reason);
}

}  // namespace freeplay::report
