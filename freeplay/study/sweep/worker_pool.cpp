#include "freeplay/study/sweep/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace freeplay::study {

std::vector<std::int64_t> SweepTasks::take_several(std::size_t most) {
  const std::size_t begin = std::min(next_.fetch_add(most, std::memory_order_relaxed), indices_.size());
  const std::size_t end = std::min(begin + most, indices_.size());
  return {indices_.begin() + static_cast<std::ptrdiff_t>(begin), indices_.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::size_t SweepTasks::left() const {
  return indices_.size() - std::min(next_.load(std::memory_order_relaxed), indices_.size());
}

WorkerPool::WorkerPool(const SweepRunner& runner, SweepTasks& tasks, int workers,
                       const std::atomic<bool>* stop_requested)
    : runner_(runner), tasks_(tasks), stop_requested_(stop_requested) {
  const int count = std::min(std::max(1, workers), static_cast<int>(std::min<std::size_t>(tasks.left(), 1 << 16)));
  active_ = count;
  for (int i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
  give_up_ = true;
  for (std::thread& thread : threads_) thread.join();
}

bool WorkerPool::should_stop() const {
  return give_up_.load(std::memory_order_relaxed) ||
         (stop_requested_ != nullptr && stop_requested_->load(std::memory_order_relaxed));
}

void WorkerPool::work() {
  try {
    while (!should_stop()) {
      const std::vector<std::int64_t> tasks = tasks_.take_several(runner_.at_once());
      if (tasks.empty()) break;
      std::vector<SweepRow> rows = runner_.run_several(tasks, stop_requested_);
      const bool was_stopped = rows.size() < tasks.size();
      const std::lock_guard lock(mutex_);
      std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
      news_.notify_one();
      if (was_stopped) break;
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    give_up_ = true;
  }
  const std::lock_guard lock(mutex_);
  --active_;
  news_.notify_one();
}

std::vector<SweepRow> WorkerPool::wait_for_rows(double seconds) {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, std::chrono::duration<double>(seconds),
                 [&] { return !rows_.empty() || failure_ != nullptr || active_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
  return std::exchange(rows_, {});
}

bool WorkerPool::is_finished() const {
  const std::lock_guard lock(mutex_);
  return active_ == 0 && rows_.empty() && failure_ == nullptr;
}

}  // namespace freeplay::study
