// Threads that run the points of a study and hand their rows to the one that started them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "freeplay/study/sweep/runs/sweep_runner.h"

namespace freeplay::study {

// What is left of a chain: its runs from `place` on, the first of which begins in the state `start`.
struct SweepTask {
  std::int64_t chain = 0, place = 0;
  std::vector<double> start;  // empty: that of the model
};

// The chains that are left, each given out once. Any thread may ask.
class SweepTasks {
 public:
  explicit SweepTasks(std::vector<SweepTask> tasks) : tasks_(std::move(tasks)) {}
  const SweepTask* take();  // null if there are no more
  std::vector<SweepTask> take_several(std::size_t most);
  std::size_t left() const;

 private:
  std::vector<SweepTask> tasks_;
  std::atomic<std::size_t> next_ = 0;
};

class WorkerPool {
 public:
  // Starts at once. They end when no task is left or a stop is requested. `ranks`: how many processes share the tasks.
  WorkerPool(const SweepRunner& runner, SweepTasks& tasks, int workers, const std::atomic<bool>* stop_requested,
             int ranks = 1);
  ~WorkerPool();  // gives the rest up, and waits for the runs under way to notice
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Rows that have come since the last call; waits for some, so long at most. Throws what a run has thrown, after all
  // rows that were done have been handed out.
  std::vector<SweepRow> wait_for_rows(double seconds);
  // No worker is left, and all rows have been handed out.
  bool is_finished() const;

 private:
  void work();
  // False if there is no more to do, or if it was stopped.
  [[nodiscard]] bool run_next_chain();
  [[nodiscard]] bool run_lanes();
  [[nodiscard]] bool run_chain(const SweepTask& task);  // false if it was stopped
  bool should_stop() const;

  const SweepRunner& runner_;
  SweepTasks& tasks_;
  std::size_t lanes_at_once_;  // of compiled runs
  const std::atomic<bool>* stop_requested_;
  std::atomic<bool> give_up_ = false;
  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::vector<SweepRow> rows_;
  std::exception_ptr failure_;
  int active_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace freeplay::study
