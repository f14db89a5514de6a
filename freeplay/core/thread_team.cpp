#include "freeplay/core/thread_team.h"

#include <algorithm>
#include <system_error>

namespace freeplay::core {
namespace {

// Looks at a number that another thread is about to change before this one lies down: waking up takes longer than most
// waits. Not much longer, since there may be more threads than cores.
constexpr int kLooks = 2000;

void wait_while(const std::atomic<unsigned>& number, unsigned value) {
  for (int look = 0; look < kLooks; ++look) {
    if (number.load(std::memory_order_acquire) != value) return;
  }
  number.wait(value, std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(int members)
    : size_(members > 0 ? members : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {}

ThreadTeam::~ThreadTeam() {
  if (threads_.empty()) return;
  is_over_ = true;
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::run(const std::function<void(int member)>& work) {
  if (size_ > 1 && threads_.empty()) {
    start_threads();
  }
  work_ = &work;
  if (size_ > 1) {
    job_.fetch_add(1, std::memory_order_release);
    job_.notify_all();
  }
  work(0);
  meet();
}

// As many as the system gives: the work is cut in the same way for any number.
void ThreadTeam::start_threads() {
  try {
    for (int member = 1; member < size_; ++member) threads_.emplace_back([this, member] { serve(member); });
  } catch (const std::system_error&) {
    size_ = 1 + static_cast<int>(threads_.size());
  }
}

void ThreadTeam::serve(int member) {
  for (unsigned seen = 0;; ++seen) {
    wait_while(job_, seen);
    if (is_over_) return;
    (*work_)(member);
    meet();
  }
}

void ThreadTeam::meet() {
  if (size_ == 1) return;
  const unsigned meeting = meeting_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < size_) {
    wait_while(meeting_, meeting);
    return;
  }
  arrived_.store(0, std::memory_order_relaxed);
  meeting_.fetch_add(1, std::memory_order_release);
  meeting_.notify_all();
}

}  // namespace freeplay::core
