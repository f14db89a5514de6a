#include "freeplay/report/gnuplot/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "freeplay/core/error.h"

extern char** environ;

namespace freeplay::report {

namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { close(); }
  int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

[[noreturn]] void fail(const char* what, int error) {
  throw IoError(fmt::format("cannot run gnuplot: {}: {}", what, std::generic_category().message(error)));
}

// A pair of connected ends that the child does not inherit by accident. Sockets and no pipe: send() can be told not to
// raise SIGPIPE when the other side has gone.
struct Channel {
  FileDescriptor ours, theirs;
  Channel() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair", errno);
    ours = FileDescriptor(ends[0]);
    theirs = FileDescriptor(ends[1]);
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) fail("fcntl", errno);
  }
};

// The environment without what would make the picture depend on the user.
std::vector<std::string> fixed_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool is_ours = text.starts_with("GNUTERM=") || text.starts_with("GNUPLOT_") || text.starts_with("LC_") ||
                         text.starts_with("LANG=");
    if (!is_ours) entries.emplace_back(text);
  }
  entries.emplace_back("LC_ALL=C.UTF-8");
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

pid_t start(const std::string& program, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  std::vector<std::string> words = {program, "--default-settings"}, environment = fixed_environment();
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    throw IoError(
        fmt::format("plots are drawn by gnuplot, but there is no program '{}' in PATH; install it (Debian: apt install "
                    "gnuplot-nox)",
                    program));
  }
  if (error != 0) fail("posix_spawn", error);
  return child;
}

// Takes what there is; false at the end.
bool receive(const FileDescriptor& from, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(from.get(), buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

// False when all is sent, or when nobody listens any more: then the exit status says why.
bool send_some(const FileDescriptor& to, std::string_view& script) {
  const ssize_t count = send(to.get(), script.data(), script.size(), MSG_NOSIGNAL);
  if (count > 0) script.remove_prefix(static_cast<std::size_t>(count));
  return !script.empty() && (count > 0 || errno == EAGAIN || errno == EINTR);
}

int exit_status(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("waitpid", errno);
  }
  return status;
}

std::string as_message(std::string text) {
  constexpr const char* kBlanks = " \t\r\n";
  text.erase(text.find_last_not_of(kBlanks) + 1);
  text.erase(0, text.find_first_not_of(kBlanks));
  constexpr std::size_t kMostBytes = 2000;
  if (text.size() > kMostBytes) text = text.substr(0, kMostBytes) + " ...";
  return text;
}

}  // namespace

GnuplotOutput run_gnuplot(std::string_view script, const std::string& program) {
  Channel in, out, err;
  const pid_t child = start(program, in.theirs.get(), out.theirs.get(), err.theirs.get());
  in.theirs.close();
  out.theirs.close();
  err.theirs.close();

  std::string picture, complaints;
  // All three at once: gnuplot draws and complains before it has read everything.
  while (out.ours.get() >= 0 || err.ours.get() >= 0) {
    std::array<pollfd, 3> events = {pollfd{in.ours.get(), POLLOUT, 0}, pollfd{out.ours.get(), POLLIN, 0},
                                    pollfd{err.ours.get(), POLLIN, 0}};
    if (poll(events.data(), events.size(), -1) < 0 && errno != EINTR) fail("poll", errno);
    if (events[0].revents != 0 && !send_some(in.ours, script)) in.ours.close();
    if (events[1].revents != 0 && !receive(out.ours, picture)) out.ours.close();
    if (events[2].revents != 0 && !receive(err.ours, complaints)) err.ours.close();
  }
  const int status = exit_status(child);
  complaints = as_message(std::move(complaints));
  if (WIFSIGNALED(status)) throw IoError(fmt::format("gnuplot was ended by signal {}", WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0 || picture.empty()) {
    throw IoError(fmt::format("gnuplot failed (exit status {}){}{}", WEXITSTATUS(status),
                              complaints.empty() ? "" : ": ", complaints));
  }
  return {std::move(picture), std::move(complaints)};
}

}  // namespace freeplay::report
