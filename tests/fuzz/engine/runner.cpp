#include "fuzz/engine/runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <new>
#include <stdexcept>

#include "fuzz/engine/coverage.h"
#include "fuzz/engine/mutator.h"

#if defined(__SANITIZE_ADDRESS__)
// HDF5 1.10 loses memory of its own on damaged files. A request for more than this is a finding. Names in reports take
// seconds each: ASAN_OPTIONS=symbolize=1 gives them when a finding is run again.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:symbolize=0:max_allocation_size_mb=4096:allocator_may_return_null=0:hard_rss_limit_mb=8192";
}
#endif

namespace freeplay::test::fuzz {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostFindings = 20;  // of one kind usually; then it is time to look at them
constexpr std::size_t kMostInputs = 20'000;
constexpr auto kWatchInterval = std::chrono::milliseconds(20);
constexpr auto kLongestInput = std::chrono::minutes(5);  // by the wall clock, on a machine that does other things too

// What the worker tells: memory that outlives it.
struct Blackboard {
  std::atomic<std::int64_t> begun, ended;
  std::atomic<std::size_t> inputs, branches;
  std::size_t size;
  std::uint8_t input[1 << 20];
};

class SharedBlackboard {
 public:
  SharedBlackboard() {
    void* memory = ::mmap(nullptr, sizeof(Blackboard), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    board_ = new (memory) Blackboard{};
  }
  ~SharedBlackboard() { ::munmap(board_, sizeof(Blackboard)); }
  SharedBlackboard(const SharedBlackboard&) = delete;
  SharedBlackboard& operator=(const SharedBlackboard&) = delete;
  Blackboard& operator*() const { return *board_; }
  Blackboard* operator->() const { return board_; }

 private:
  Blackboard* board_;
};

void run_one(const FuzzTarget& target, const std::string& input, Blackboard& board) {
  board.size = std::min(input.size(), sizeof board.input);
  std::memcpy(board.input, input.data(), board.size);
  board.begun.fetch_add(1);
  forget_last_input();
  // A copy of the exact size, so that the sanitizer sees a byte too far.
  const std::vector<std::uint8_t> bytes(board.input, board.input + board.size);
  target.one(bytes.data(), bytes.size());
  board.ended.fetch_add(1);
}

// Never returns: ends by a finding, or when the parent says so.
[[noreturn]] void work(const FuzzTarget& target, std::uint64_t seed, const fs::path& report, Blackboard& board) {
  const int log = ::open(report.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(log, STDERR_FILENO);
  ::dup2(nowhere, STDOUT_FILENO);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  try {
    count_for_children_too();
    std::vector<std::string> inputs;
    for (Seed& seed_input : seeds_of(target)) inputs.push_back(std::move(seed_input.bytes));
    for (const std::string& input : inputs) {
      run_one(target, input, board);
      static_cast<void>(has_reached_something_new());
    }
    Mutator mutator(target, seed);
    while (true) {
      std::string input = mutator.next(inputs);
      run_one(target, input, board);
      if (has_reached_something_new() && inputs.size() < kMostInputs) inputs.push_back(std::move(input));
      if (board.ended % 256 == 0) board.branches = branches_reached();
      board.inputs = inputs.size();
    }
  } catch (const std::exception& error) {
    report_finding(fmt::format("an exception of a kind that no user should see: {}", error.what()));
  }
}

double cpu_seconds(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class Supervisor {
 public:
  Supervisor(const FuzzTarget& target, const FuzzPlan& plan) : target_(target), plan_(plan) {}

  FuzzOutcome run() {
    begin_ = next_word_ = Clock::now();
    while (!is_enough() && outcome_.findings.size() < kMostFindings) watch_one_worker();
    outcome_.inputs = board_->inputs;
    outcome_.branches = board_->branches;
    return outcome_;
  }

 private:
  bool is_enough() {
    outcome_.executions = board_->ended;
    if (plan_.executions > 0 && outcome_.executions >= plan_.executions) return true;
    return plan_.seconds > 0 && std::chrono::duration<double>(Clock::now() - begin_).count() >= plan_.seconds;
  }

  void watch_one_worker() {
    fs::create_directories(plan_.findings);
    const fs::path report = plan_.findings / fmt::format("{}-{}.report", target_.name, ::getpid());
    const pid_t worker = ::fork();
    if (worker < 0) throw std::runtime_error("cannot fork");
    if (worker == 0) {
      ::setpgid(0, 0);  // its own children end with it
      work(target_, plan_.seed + workers_, report, *board_);
    }
    ++workers_;
    const std::string failure = wait_for(worker);
    ::kill(-worker, SIGKILL);
    if (!failure.empty()) keep_finding(failure, report);
    std::error_code ignored;
    fs::remove(report, ignored);
  }

  // Until it is enough, or the worker ends or takes too long for one input. Returns what happened; empty if nothing.
  std::string wait_for(pid_t worker) {
    std::int64_t begun = -1;
    double cpu_at_begin = 0;
    Clock::time_point begin;
    while (true) {
      int status = 0;
      if (::waitpid(worker, &status, WNOHANG) == worker)
        return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                   : fmt::format("exit status {}", WEXITSTATUS(status));
      if (begun != board_->begun) {
        begun = board_->begun;
        cpu_at_begin = cpu_seconds(worker);
        begin = Clock::now();
      }
      const bool hangs =
          cpu_seconds(worker) - cpu_at_begin > plan_.most_cpu_seconds || Clock::now() - begin > kLongestInput;
      if (hangs || is_enough()) {
        ::kill(worker, SIGKILL);
        ::waitpid(worker, &status, 0);
        return hangs ? fmt::format("no end after {} s", plan_.most_cpu_seconds) : "";
      }
      tell_now_and_then();
      ::usleep(std::chrono::microseconds(kWatchInterval).count());
    }
  }

  void tell_now_and_then() {
    if (!plan_.tell || Clock::now() < next_word_) return;
    next_word_ = Clock::now() + std::chrono::seconds(10);
    plan_.tell(fmt::format("{}: {} executions, {} inputs, {} branches, {} findings", target_.name, board_->ended.load(),
                           board_->inputs.load(), board_->branches.load(), outcome_.findings.size()));
  }

  void keep_finding(const std::string& failure, const fs::path& report) {
    const fs::path input = plan_.findings / fmt::format("{}-{}-{}", target_.name, plan_.seed, board_->begun.load());
    std::ofstream(input, std::ios::binary)
        .write(reinterpret_cast<const char*>(board_->input), static_cast<std::streamsize>(board_->size));
    fs::path text = input;
    text += ".txt";
    fs::copy_file(report, text, fs::copy_options::overwrite_existing);
    std::ofstream(text, std::ios::app) << failure << "\n";
    outcome_.findings.push_back(input);
    board_->ended = board_->begun.load();  // it has been executed, if not to its end
  }

  const FuzzTarget& target_;
  const FuzzPlan& plan_;
  SharedBlackboard board_;
  FuzzOutcome outcome_;
  Clock::time_point begin_, next_word_;
  std::uint64_t workers_ = 0;
};

}  // namespace

FuzzOutcome fuzz(const FuzzTarget& target, const FuzzPlan& plan) {
  return Supervisor(target, plan).run();
}

}  // namespace freeplay::test::fuzz
