#include "freeplay/io/result/background_job.h"

#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/io/hdf5/hdf5_handle.h"

namespace freeplay::io::hdf5 {

namespace {

bool locks_itself() {
  hbool_t is_safe = false;
  return H5is_library_threadsafe(&is_safe) >= 0 && is_safe;
}

}  // namespace

void BackgroundJob::start(std::function<void()> job) {
  FREEPLAY_ASSERT(!job_.valid());
  auto action = [work = std::move(job)] {
    const QuietErrors quiet;  // HDF5 has one such setting per thread
    work();
  };
  if (locks_itself()) {
    // Deferred, that is done in wait(), only where the system has no thread to give.
    job_ = std::async(std::launch::async | std::launch::deferred, std::move(action));
    return;
  }
  std::packaged_task<void()> task(std::move(action));
  job_ = task.get_future();
  task();
}

void BackgroundJob::wait() {
  if (job_.valid()) job_.get();
}

}  // namespace freeplay::io::hdf5
