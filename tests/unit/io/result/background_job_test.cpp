// HDF5's work beside that of a run.
#include "freeplay/io/result/background_job.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <chrono>
#include <future>
#include <stdexcept>

namespace freeplay::test {
namespace {

using io::hdf5::BackgroundJob;

TEST(BackgroundJob, GoesOnBesideItsCaller) {
  hbool_t locks_itself = false;
  H5is_library_threadsafe(&locks_itself);
  if (!locks_itself) GTEST_SKIP() << "HDF5 was built without thread safety: jobs are done by their caller";
  std::promise<void> caller_is_back;
  bool is_done = false;
  BackgroundJob job;
  job.start([&] {
    const auto answer = caller_is_back.get_future().wait_for(std::chrono::seconds(20));
    is_done = answer == std::future_status::ready;
  });
  caller_is_back.set_value();
  job.wait();
  EXPECT_TRUE(is_done) << "start() waited for the job";
}

TEST(BackgroundJob, WaitThrowsWhatTheJobHasThrownAndOnlyOnce) {
  BackgroundJob job;
  job.start([] { throw std::runtime_error("no room"); });
  EXPECT_THROW(job.wait(), std::runtime_error);
  EXPECT_NO_THROW(job.wait());
  bool is_done = false;
  job.start([&] { is_done = true; });
  job.wait();
  EXPECT_TRUE(is_done);
}

}  // namespace
}  // namespace freeplay::test
