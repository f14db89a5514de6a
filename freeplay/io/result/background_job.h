// Work with HDF5 on a second thread, one job at a time, while the caller goes on.
#pragma once

#include <functional>
#include <future>

#include "freeplay/core/layers.h"

namespace freeplay::io::hdf5 {

// What a job uses belongs to it from start() to wait(). Nobody else may call HDF5 on the same file in between; other
// files are free, as HDF5 locks itself. Where HDF5 was built without its lock, start() does the job before it returns.
// Destruction waits, and forgets what went wrong.
class BackgroundJob {
 public:
  // After wait() or the first time.
  void start(std::function<void()> job);
  // Returns at once if there is no job. Throws what the job has thrown.
  void wait();

 private:
  std::future<void> job_;
};

}  // namespace freeplay::io::hdf5
