#include "freeplay/study/sweep/workers/parallel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace freeplay::study {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::milliseconds(800);
constexpr auto kLook = std::chrono::milliseconds(50);  // how often a request to stop is looked for

class PlacesInParallel {
 public:
  PlacesInParallel(std::size_t count, const std::atomic<bool>* stop_requested,
                   const std::function<bool(std::size_t place)>& work)
      : work_(work), stop_requested_(stop_requested), is_done_(count) {}

  void run(int workers, const LeaveAtOnce& leave) {
    const std::size_t wanted = std::min(is_done_.size(), static_cast<std::size_t>(std::max(1, workers)));
    // Who is to leave must not be in the work itself.
    const std::size_t beside = leave ? wanted : wanted - std::min<std::size_t>(1, wanted);
    std::vector<std::thread> threads;
    try {
      for (std::size_t i = 0; i < beside; ++i) {
        begin_one();
        threads.emplace_back([this] {
          take_places();
          end_one();
        });
      }
    } catch (const std::system_error&) {  // as many as the system gives: this one alone would do
      end_one();
    }
    if (!leave || threads.empty()) take_places();
    if (leave) wait(leave);
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

  // From the first one on without a gap.
  std::size_t done() const {
    const auto gap = std::find_if(is_done_.begin(), is_done_.end(), [](const std::atomic<bool>& is) { return !is; });
    return static_cast<std::size_t>(gap - is_done_.begin());
  }

 private:
  bool should_stop() const { return stop_requested_ != nullptr && stop_requested_->load(std::memory_order_relaxed); }

  void take_places() {
    try {
      for (std::size_t place = next_++; place < is_done_.size(); place = next_++) {
        if (should_stop() || gives_up_ || !work_(place)) {
          gives_up_ = true;
          return;
        }
        is_done_[place] = true;
      }
    } catch (...) {
      gives_up_ = true;
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void begin_one() {
    const std::lock_guard lock(mutex_);
    ++active_;
  }
  void end_one() {
    const std::lock_guard lock(mutex_);
    --active_;
    news_.notify_one();
  }

  void wait(const LeaveAtOnce& leave) {
    std::optional<Clock::time_point> stop_seen;
    std::unique_lock lock(mutex_);
    while (!news_.wait_for(lock, kLook, [&] { return active_ == 0; })) {
      if (!should_stop()) continue;
      if (!stop_seen) stop_seen = Clock::now();
      if (Clock::now() - *stop_seen <= kPatience) continue;
      leave(done());  // which ends the process, or is content to wait
      news_.wait(lock, [&] { return active_ == 0; });
      return;
    }
  }

  const std::function<bool(std::size_t place)>& work_;
  const std::atomic<bool>* stop_requested_;
  std::vector<std::atomic<bool>> is_done_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> gives_up_ = false;
  std::mutex mutex_;
  std::condition_variable news_;
  int active_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::size_t work_in_parallel(std::size_t count, int workers, const std::atomic<bool>* stop_requested,
                             const std::function<bool(std::size_t place)>& work, const LeaveAtOnce& leave) {
  PlacesInParallel places(count, stop_requested, work);
  places.run(workers, leave);
  return places.done();
}

int worker_count(int given) {
  return given > 0 ? given : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace freeplay::study
