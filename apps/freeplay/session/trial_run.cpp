#include "session/trial_run.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace freeplay::app {

namespace {

[[noreturn]] void run_and_exit(const std::function<void()>& action, const TrialLimits& limits, pid_t parent) {
  // Without the command nobody waits for the answer.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  // A crash is expected: no core file, no report of a sanitizer, no handler of ours.
  const auto limit_of = [](auto value) { return rlimit{static_cast<rlim_t>(value), static_cast<rlim_t>(value)}; };
  const rlimit no_core = limit_of(0), cpu = limit_of(limits.cpu_seconds);
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &cpu);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose shadow counts as memory
  const rlimit memory = limit_of(limits.memory_bytes);
  setrlimit(RLIMIT_DATA, &memory);
#endif
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  try {
    action();
  } catch (...) {
    // The parent will meet it again, and report it. Unless it is the limit of memory that was met: the parent has none,
    // and would go on until the machine has none left.
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    constexpr std::uint64_t kUnit = 1024;  // ru_maxrss counts these
    if (static_cast<std::uint64_t>(used.ru_maxrss) * kUnit > limits.memory_bytes / 4 * 3) ::_exit(1);
  }
  ::_exit(0);  // without flushing what the parent has printed
}

}  // namespace

bool survives_trial(const std::function<void()>& action, const TrialLimits& limits) {
  const pid_t parent = ::getpid(), child = ::fork();
  if (child == 0) run_and_exit(action, limits, parent);
  if (child < 0) return true;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return true;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace freeplay::app
