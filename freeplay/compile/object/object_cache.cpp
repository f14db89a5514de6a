#include "freeplay/compile/object/object_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "freeplay/compile/object/shared_object.h"
#include "freeplay/core/version.h"

extern char** environ;

namespace freeplay::compile {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNewPrefix = "new-";  // of files that are being made

// FNV-1a, twice with different starts: a name, not a seal; the folder is the user's own.
std::string fingerprint(std::string_view text) {
  std::uint64_t a = 14695981039346656037ULL, b = 1099511628211ULL;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    b = (b ^ static_cast<unsigned char>(c)) * 14029467366897019727ULL;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

void require_own(const fs::path& path, mode_t forbidden) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0)
    throw CompileError(fmt::format("'{}' cannot be looked at: {}", path.string(), std::strerror(errno)));
  if (S_ISLNK(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & forbidden) != 0) {
    throw CompileError(
        fmt::format("'{}' is not yours alone: compiled code from there will not be run. Remove it, or set "
                    "XDG_CACHE_HOME to another folder",
                    path.string()));
  }
}

std::string read_end(const fs::path& file) {
  std::ifstream in(file);
  std::string line, first;
  while (std::getline(in, line)) {
    if (line.find("error") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

// A file that goes away with it.
struct TemporaryFile {
  explicit TemporaryFile(fs::path at) : path(std::move(at)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  fs::path path;
};

// What compilations that were killed have left behind. Others may be under way, and none takes as long.
void remove_leftovers(const fs::path& folder) {
  constexpr auto kLongest = std::chrono::hours(1);
  std::error_code ignored;
  // The loop of a range would throw where a folder cannot be read on.
  for (fs::directory_iterator at(folder, ignored); !ignored && at != fs::directory_iterator(); at.increment(ignored)) {
    const fs::directory_entry& entry = *at;
    std::error_code is_unknown;
    const fs::file_time_type written = entry.last_write_time(is_unknown);
    if (!is_unknown && entry.path().filename().string().starts_with(kNewPrefix) &&
        fs::file_time_type::clock::now() - written > kLongest)
      fs::remove(entry.path(), is_unknown);
  }
}

int run_compiler(const fs::path& compiler, const std::vector<std::string>& arguments, const fs::path& messages) {
  std::vector<char*> argv;
  std::string name = compiler.string();
  argv.push_back(name.data());
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failure = posix_spawn(&child, name.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    throw CompileError(fmt::format("the compiler '{}' cannot be run: {}", name, std::strerror(failure)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw CompileError("the compiler's end was not seen");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

fs::path object_folder() {
  fs::path folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/')
    folder = cache;
  else if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
    folder = fs::path(home) / ".cache";
  else
    throw CompileError("there is no folder for compiled models: neither XDG_CACHE_HOME nor HOME is set");
  folder = folder / "freeplay" / "compiled";
  std::error_code failure;
  fs::create_directories(folder.parent_path().parent_path(), failure);
  // Who can write to the folder above could put another one in its place.
  for (const fs::path& level : {folder.parent_path(), folder}) {
    if (mkdir(level.c_str(), 0700) != 0 && errno != EEXIST)
      throw CompileError(fmt::format("the folder for compiled models, '{}', cannot be made: {}", level.string(),
                                     std::strerror(errno)));
  }
  require_own(folder.parent_path(), S_IWGRP | S_IWOTH);
  require_own(folder, S_IRWXG | S_IRWXO);
  return folder;
}

void refuse_object(const fs::path& file, const std::string& reason) {
  std::error_code ignored;
  const bool is_gone = fs::remove(file, ignored);
  throw CompileError(fmt::format("'{}' {}; {}", file.string(), reason,
                                 is_gone ? "it was removed, the next try compiles it again" : "remove it"));
}

CachedObject compile_object(const std::string& source, const Toolchain& toolchain) {
  const auto begin = std::chrono::steady_clock::now();
  const fs::path folder = object_folder();
  const fs::path& compiler = toolchain.compiler;
  std::error_code ignored;
  const fs::path real_compiler = fs::canonical(compiler, ignored);
  std::string identity = fmt::format("{}\n{}\n{}\n{}\n", source, version(), real_compiler.string(), toolchain.target);
  struct stat status {};
  if (stat(compiler.c_str(), &status) == 0) identity += fmt::format("{} {}\n", status.st_size, status.st_mtime);
  for (const std::string& flag : toolchain.flags) identity += flag + "\n";
  CachedObject object;
  object.file = folder / (fingerprint(identity) + ".so");
  const auto take_time = [&] {
    object.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  if (fs::exists(object.file, ignored)) {
    require_own(object.file, S_IWGRP | S_IWOTH);
    object.was_there = is_whole_object(object.file);
    take_time();
    if (object.was_there) return object;
  }
  remove_leftovers(folder);
  std::string pattern = (folder / fmt::format("{}XXXXXX", kNewPrefix)).string();
  const int file = mkstemp(pattern.data());
  if (file < 0)
    throw CompileError(fmt::format("nothing can be written to '{}': {}", folder.string(), std::strerror(errno)));
  const TemporaryFile claim(pattern), text(pattern + toolchain.suffix), built(pattern + ".so"),
      messages(pattern + ".txt");
  close(file);
  {
    std::ofstream out(text.path);
    out << source;
    out.close();
    if (!out) throw CompileError(fmt::format("'{}' cannot be written; is the disk full?", text.path.string()));
  }
  std::vector<std::string> arguments = toolchain.flags;
  arguments.insert(arguments.end(), {"-o", built.path.string(), text.path.string()});
  const int code = run_compiler(compiler, arguments, messages.path);
  if (code != 0 || !fs::exists(built.path, ignored)) {
    const std::string said = read_end(messages.path);
    throw CompileError(fmt::format("the compiler '{}' failed with the code {}{}{}", compiler.string(), code,
                                   said.empty() ? " and said nothing" : ": ", said));
  }
  chmod(built.path.c_str(), 0600);
  std::error_code failure;
  fs::rename(built.path, object.file, failure);
  if (failure) throw CompileError(fmt::format("'{}' cannot be written: {}", object.file.string(), failure.message()));
  take_time();
  return object;
}

}  // namespace freeplay::compile
