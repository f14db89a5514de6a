#include "interruptible.h"

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace freeplay::app::python {

namespace {

namespace py = pybind11;

// A person does not notice this time, and a run does not notice the looks.
constexpr auto kLookInterval = std::chrono::milliseconds(50);

class Worker {
 public:
  explicit Worker(const std::function<void()>& work) : thread_([this, &work] { do_work(work); }) {}
  ~Worker() { thread_.join(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Without the interpreter's lock. True if the work has ended.
  bool ends_within(std::chrono::milliseconds time) {
    std::unique_lock<std::mutex> lock(mutex_);
    return ended_.wait_for(lock, time, [&] { return is_done_; });
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    ended_.wait(lock, [&] { return is_done_; });
  }
  const std::exception_ptr& failure() const { return failure_; }  // once it has ended

 private:
  void do_work(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    is_done_ = true;
    ended_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_done_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // the last one: it uses the others
};

// What Python has to say in between, if it is to end the work.
std::exception_ptr listen(const std::function<void()>& look) {
  try {
    if (look) look();
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  } catch (...) {
    return std::current_exception();
  }
  return {};
}

}  // namespace

void work_interruptibly(StopFlag& stop, const std::function<void()>& work, const std::function<void()>& look) {
  std::exception_ptr interruption, failure;
  {
    const py::gil_scoped_release released;
    Worker worker(work);
    while (!interruption && !worker.ends_within(kLookInterval)) {
      const py::gil_scoped_acquire acquired;
      interruption = listen(look);
    }
    if (interruption) stop.is_set = true;
    worker.wait();
    failure = worker.failure();
  }
  // A signal that came in the last moments.
  if (!interruption && PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (interruption) std::rethrow_exception(interruption);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace freeplay::app::python
