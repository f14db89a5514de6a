#include "film/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "freeplay/core/error.h"

extern char** environ;

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

constexpr int kFirstFreeDescriptor = 10;  // above those that a child gets its pipes as

struct PipeEnds {
  int read = -1, write = -1;
};

PipeEnds open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw IoError(fmt::format("cannot open a pipe: {}", std::generic_category().message(errno)));
  // Out of the way of the numbers that the child wants.
  PipeEnds moved{::fcntl(ends[0], F_DUPFD_CLOEXEC, kFirstFreeDescriptor),
                 ::fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstFreeDescriptor)};
  ::close(ends[0]);
  ::close(ends[1]);
  if (moved.read < 0 || moved.write < 0) throw IoError("cannot open a pipe: too many open files");
  return moved;
}

}  // namespace

std::optional<fs::path> program_in_path(const std::vector<std::string>& names) {
  const char* variable = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): read once, nobody sets it
  const std::string path = variable != nullptr ? variable : "/usr/bin:/bin";
  for (const std::string& name : names) {
    for (std::size_t at = 0; at <= path.size();) {
      const std::size_t end = std::min(path.find(':', at), path.size());
      const fs::path candidate = fs::path(path.substr(at, end - at)) / name;
      if (end > at && ::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
      at = end + 1;
    }
  }
  return std::nullopt;
}

ChildProcess::ChildProcess(const std::vector<std::string>& words, ChildPipes pipes, const fs::path& log) {
  const PipeEnds down = open_pipe(), up = open_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, 2, 1);
  posix_spawn_file_actions_adddup2(&actions, down.read, pipes.to_child);
  if (pipes.from_child) posix_spawn_file_actions_adddup2(&actions, up.write, *pipes.from_child);
  // A group of its own: Ctrl-C reaches this program alone, which then ends the group.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t to_default;
  sigemptyset(&to_default);
  sigaddset(&to_default, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &to_default);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> arguments = words;
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& word : arguments) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int error = ::posix_spawn(&pid_, words.front().c_str(), &actions, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(down.read);
  ::close(up.write);
  to_child_ = down.write;
  from_child_ = up.read;
  if (error != 0) {
    pid_ = -1;
    ::close(to_child_);
    ::close(from_child_);
    throw IoError(fmt::format("cannot start {}: {}", words.front(), std::generic_category().message(error)));
  }
}

ChildProcess::~ChildProcess() {
  if (to_child_ >= 0) ::close(to_child_);
  ::close(from_child_);
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
}

bool ChildProcess::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to_child_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool ChildProcess::read_some(std::string& bytes, double patience_s) {
  pollfd entry{from_child_, POLLIN, 0};
  const int ready = ::poll(&entry, 1, static_cast<int>(1e3 * patience_s));
  if (ready < 0 && errno == EINTR) return true;  // a signal: the caller looks whether it is meant to stop
  if (ready <= 0) return false;
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::array<char, kPiece> piece{};
  const ssize_t count = ::read(from_child_, piece.data(), piece.size());
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  bytes.append(piece.data(), static_cast<std::size_t>(count));
  return true;
}

bool ChildProcess::is_running() const {
  siginfo_t state{};
  // Only looked at, not taken away: whoever waits for its end still finds it.
  return ::waitid(P_PID, static_cast<id_t>(pid_), &state, WEXITED | WNOHANG | WNOWAIT) == 0 && state.si_pid == 0;
}

int ChildProcess::finish() {
  ::close(to_child_);
  to_child_ = -1;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace freeplay::app
