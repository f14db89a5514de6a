#include "freeplay/study/sweep/workers/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <system_error>
#include <utility>

namespace freeplay::study {

const SweepTask* SweepTasks::take() {
  const std::size_t place = next_.fetch_add(1, std::memory_order_relaxed);
  return place < tasks_.size() ? &tasks_[place] : nullptr;
}

std::vector<SweepTask> SweepTasks::take_several(std::size_t most) {
  const std::size_t begin = std::min(next_.fetch_add(most, std::memory_order_relaxed), tasks_.size());
  const std::size_t end = std::min(begin + most, tasks_.size());
  return {tasks_.begin() + static_cast<std::ptrdiff_t>(begin), tasks_.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::size_t SweepTasks::left() const {
  return tasks_.size() - std::min(next_.load(std::memory_order_relaxed), tasks_.size());
}

WorkerPool::WorkerPool(const SweepRunner& runner, SweepTasks& tasks, int workers,
                       const std::atomic<bool>* stop_requested, int ranks)
    : runner_(runner), tasks_(tasks), lanes_at_once_(runner.at_once()), stop_requested_(stop_requested) {
  // So that all workers of all ranks have some; whole packs of eight lanes.
  const std::size_t sharers = static_cast<std::size_t>(std::max(1, workers)) * static_cast<std::size_t>(ranks);
  const std::size_t fair = tasks.left() / sharers / 8 * 8 + 8;
  lanes_at_once_ = std::min(lanes_at_once_, fair);
  const int count = std::min(std::max(1, workers), static_cast<int>(std::min<std::size_t>(tasks.left(), 1 << 16)));
  active_ = count;
  try {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {  // as many as the system gives
    if (threads_.empty()) throw;
    const std::lock_guard lock(mutex_);
    active_ -= count - static_cast<int>(threads_.size());
  }
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
      if (runner_.is_compiled() ? !run_lanes() : !run_next_chain()) break;
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

bool WorkerPool::run_next_chain() {
  const SweepTask* const task = tasks_.take();
  return task != nullptr && run_chain(*task);
}

// Compiled runs follow no others: each is a chain of its own, and several go side by side.
bool WorkerPool::run_lanes() {
  std::vector<std::int64_t> indices;
  for (const SweepTask& task : tasks_.take_several(lanes_at_once_))
    indices.push_back(runner_.chains().index(task.chain, task.place));
  if (indices.empty()) return false;
  return runner_.run_several(indices, stop_requested_, [&](std::vector<SweepRow> rows) {
    const std::lock_guard lock(mutex_);
    std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
    news_.notify_one();
  });
}

// A run that does not end well hands on the state that it began with.
bool WorkerPool::run_chain(const SweepTask& task) {
  const SweepChains& chains = runner_.chains();
  std::vector<double> start = task.start;
  for (std::int64_t place = task.place; place < chains.length(); ++place) {
    if (should_stop()) return false;
    std::optional<SweepRow> row = runner_.run(chains.index(task.chain, place), start, stop_requested_);
    if (!row) return false;
    if (std::vector<double> end = runner_.final_state(*row); !end.empty()) start = std::move(end);
    const std::lock_guard lock(mutex_);
    rows_.push_back(std::move(*row));
    news_.notify_one();
  }
  return true;
}

std::vector<SweepRow> WorkerPool::wait_for_rows(double seconds) {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return !rows_.empty() || active_ == 0; });
  // What others have done, or are about to end, is kept before the failure is told.
  if (failure_ && rows_.empty() && active_ == 0) std::rethrow_exception(failure_);
  return std::exchange(rows_, {});
}

bool WorkerPool::is_finished() const {
  const std::lock_guard lock(mutex_);
  return active_ == 0 && rows_.empty() && failure_ == nullptr;
}

}  // namespace freeplay::study
