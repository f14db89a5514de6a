#include "stop_signal.h"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <string_view>

#include "exit_code.h"

namespace freeplay::app {

namespace {

// A signal handler can reach nothing but globals; everything else gets the flag by reference.
std::atomic<bool> stop_requested{false};
std::atomic<bool> has_patience_timer{false};
timer_t patience_timer;
static_assert(std::atomic<bool>::is_always_lock_free, "only then may a signal handler write it");

void start_patience(long nanoseconds) {
  const itimerspec once{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = nanoseconds}};
  timer_settime(patience_timer, 0, &once, nullptr);
}

void request_stop(int) {
  stop_requested.store(true, std::memory_order_relaxed);
  constexpr long kPatience_ns = 800'000'000;
  if (has_patience_timer.load(std::memory_order_relaxed)) start_patience(kPatience_ns);
}

void stop_here(int) {
  if (!has_patience_timer.load(std::memory_order_relaxed)) return;  // followed meanwhile
  constexpr std::string_view kText =
      "\ninterrupted within a step that takes long: what was written before it is there, as after a kill\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
  _exit(static_cast<int>(ExitCode::kInterrupted));
}

[[noreturn]] void leave_with(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(static_cast<int>(ExitCode::kInterrupted));  // without the destructors of what other threads are using
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& stop_flag() {
  return stop_requested;
}

const std::atomic<bool>& stop_on_signals() {
  // RESETHAND: the second signal has its usual effect. RESTART: writing the file is not cut short.
  constexpr int kOnce = static_cast<int>(SA_RESETHAND | SA_RESTART);
  handle(SIGINT, &request_stop, kOnce);
  handle(SIGTERM, &request_stop, kOnce);
  return stop_requested;
}

const std::atomic<bool>& stop_soon_on_signals() {
  handle(SIGALRM, &stop_here, static_cast<int>(SA_RESTART));
  struct sigevent event {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  // Time of the processor, of the thread that runs: on a busy machine, and with others that help, a run that would
  // follow soon is not cut short.
  has_patience_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &patience_timer) == 0;
  return stop_on_signals();
}

void leave_study() {
  leave_with(  // a step that takes long, or a rank that does not answer since it was killed
      "\ninterrupted before the runs under way had ended: what the study has of its runs is in its file; the same "
      "command goes on from there\n");
}

void leave_fit() {
  leave_with("\ninterrupted within a step that takes long: a fit that has not ended leaves nothing\n");
}

void follow_stop() {
  if (has_patience_timer.exchange(false)) start_patience(0);
}

}  // namespace freeplay::app
