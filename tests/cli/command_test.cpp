#include "cli/command_test.h"
#include "support/places.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

namespace freeplay::test {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Commands may run beside each other in one folder.
fs::path next_file(const fs::path& folder) {
  static int count = 0;
  return folder / (".stream" + std::to_string(++count));
}

int open_for_writing(const fs::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

// In the child: only calls that are safe after fork().
[[noreturn]] void become_command(const fs::path& folder, char* const* argv, int out, int err) {
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (::chdir(folder.c_str()) == 0) ::execv(command_path().c_str(), argv);
  ::_exit(127);
}

}  // namespace

RunningCommand::RunningCommand(const fs::path& folder, const std::vector<std::string>& arguments, Stderr kind)
    : out_(next_file(folder)), err_(next_file(folder)) {
  const int out = open_for_writing(out_);
  int err = -1;
  if (kind == Stderr::kTerminal) {
    winsize size{};
    size.ws_col = 80;
    size.ws_row = 24;
    if (::openpty(&terminal_, &err, nullptr, nullptr, &size) != 0) throw std::runtime_error("no pseudo-terminal");
    ::fcntl(terminal_, F_SETFL, O_NONBLOCK);
    ::fcntl(terminal_, F_SETFD, FD_CLOEXEC);
  } else {
    err = open_for_writing(err_);
  }
  std::vector<std::string> words = {"freeplay"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  pid_ = ::fork();
  if (pid_ == 0) become_command(folder, argv.data(), out, err);
  ::close(out);
  ::close(err);
  if (pid_ < 0) throw std::runtime_error("cannot fork");
}

RunningCommand::~RunningCommand() {
  if (is_running()) {
    send(SIGKILL);
    wait();
  }
  if (terminal_ >= 0) ::close(terminal_);
}

void RunningCommand::send(int signal) const {
  ::kill(pid_, signal);
}

double RunningCommand::cpu_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return -1;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

const std::string& RunningCommand::terminal_text() {
  char bytes[4096];
  ssize_t count = 0;
  while (terminal_ >= 0 && (count = ::read(terminal_, bytes, sizeof bytes)) > 0) {
    terminal_text_.append(bytes, static_cast<std::size_t>(count));
  }
  return terminal_text_;
}

bool RunningCommand::is_running() {
  terminal_text();  // a full terminal would hold the command up
  if (!has_ended_) has_ended_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
  return !has_ended_;
}

CommandResult RunningCommand::wait() {
  while (is_running()) sleep_briefly();
  CommandResult result;
  if (WIFEXITED(status_)) result.exit_code = WEXITSTATUS(status_);
  if (WIFSIGNALED(status_)) result.signal = WTERMSIG(status_);
  result.out = text_of(out_);
  result.err = terminal_ >= 0 ? terminal_text() : text_of(err_);
  return result;
}

void CommandTest::SetUp() {
  std::string name = (fs::temp_directory_path() / "freeplay-cli-XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  folder_ = name;
}

void CommandTest::TearDown() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

CommandResult CommandTest::freeplay(const std::vector<std::string>& arguments) const {
  return RunningCommand(folder_, arguments).wait();
}

void CommandTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::string CommandTest::read(const std::string& name) const {
  return text_of(folder_ / name);
}

void sleep_briefly() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

bool is_patient(int rounds) {
  return rounds < 30'000;
}

}  // namespace freeplay::test
