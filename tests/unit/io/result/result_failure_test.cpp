// What goes wrong below the result file is reported in words, and costs no row that was flushed before.
#include <gmock/gmock.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <fstream>

#include "freeplay/core/error.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::result_failure_test {
namespace {

using namespace result_test;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr int kChannels = 6;

void limit_file_size(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

struct FailedRun {
  std::string message;  // empty: there was room for everything
  std::int64_t rows_flushed = 0;
};

FailedRun write_until_it_fails(const std::filesystem::path& path, std::int64_t max_rows, int rows_per_chunk) {
  ResultWriter writer(path, {.rows_per_chunk = rows_per_chunk});
  FailedRun run;
  try {
    writer.begin(layout_with_channels(kChannels));
    for (std::int64_t row = 0; row < max_rows; ++row) write_rows(writer, kChannels, row, 1);
    writer.end({});
  } catch (const IoError& error) {
    run.message = error.what();
    run.rows_flushed = writer.rows_flushed();
    EXPECT_THROW(writer.row(0, std::vector<double>(kChannels)), IoError);
    EXPECT_THROW(writer.impact({}), IoError);
    EXPECT_THROW(writer.event({}), IoError);
    EXPECT_NO_THROW(writer.end({}));
  }
  return run;
}

// The tests below change limits, users and mounts, so each runs in a process of its own. Nothing may appear on its
// stderr, not even when HDF5 cleans up at exit.
void expect_silent_success_in_child(const std::function<void()>& checks) {
  ChildProcess child([&](int pipe) {
    ::dup2(pipe, STDERR_FILENO);
    checks();
    if (testing::Test::HasFailure()) throw std::runtime_error("see above");
  });
  EXPECT_EQ(child.read_all(), "");
  EXPECT_EQ(child.wait(), 0);
}

TEST(ResultFailure, AtAnySizeLimitTheFlushedRowsStayReadable) {
  const TemporaryFolder folder;
  expect_silent_success_in_child([&] {
    int failures = 0, successes = 0;
    for (rlim_t limit = 0; limit < 120000; limit += 700) {
      const std::filesystem::path path = folder / ("limit_" + std::to_string(limit) + ".h5");
      limit_file_size(limit);
      const FailedRun run = write_until_it_fails(path, 1000, 64);
      limit_file_size(RLIM_INFINITY);
      run.message.empty() ? ++successes : ++failures;
      if (!std::filesystem::exists(path)) {
        EXPECT_EQ(run.rows_flushed, 0);
        continue;
      }
      const ResultReader reader(path);
      EXPECT_GE(reader.rows(), run.rows_flushed);
      if (run.message.empty()) {
        EXPECT_EQ(reader.rows(), 1000);
      }
      expect_known_rows(reader);
    }
    EXPECT_GT(failures, 50);
    EXPECT_GT(successes, 10);
  });
}

TEST(ResultFailure, AFullDiskIsNamedWithThePathAndTheRowsThatAreSafe) {
  const TemporaryFolder folder;
  expect_silent_success_in_child([&] {
    const bool own_mounts =
        ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    if (!own_mounts || ::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
      std::puts("no right to mount a small disk: not tested here");
      return;
    }
    const std::filesystem::path path = folder / "result.h5";
    const FailedRun run = write_until_it_fails(path, 1000000, 1024);
    EXPECT_THAT(run.message, AllOf(StartsWith("cannot write " + path.string() + ": No space left on device"),
                                   HasSubstr("first " + std::to_string(run.rows_flushed) + " rows")));
    EXPECT_GT(run.rows_flushed, 5000);
    {
      const ResultReader reader(path);
      EXPECT_EQ(reader.rows(), run.rows_flushed);
      EXPECT_EQ(reader.status(), "running or killed");
      expect_known_rows(reader);
    }

    // Not even room for the beginning: the earlier file stays, and nothing else.
    std::ofstream(folder / "filler") << std::string(1 << 20, 'x');
    EXPECT_THAT(write_until_it_fails(path, 10, 1024).message, HasSubstr("No space left on device"));
    EXPECT_EQ(ResultReader(path).rows(), run.rows_flushed);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      EXPECT_NE(entry.path().extension(), ".partial");
    }
  });
}

TEST(ResultFailure, AnUnwritableFolderIsNamedWithTheReason) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  expect_silent_success_in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) return;  // root may write everywhere
    const std::filesystem::path path = folder / "result.h5";
    EXPECT_EQ(write_until_it_fails(path, 1, 1).message, "cannot write " + path.string() + ": Permission denied");
    EXPECT_THAT(write_until_it_fails(folder / "new/result.h5", 1, 1).message, HasSubstr("Permission denied"));
  });
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
}

TEST(ResultFailure, AFolderInThePlaceOfTheFileIsNamed) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "result.h5");
  EXPECT_THAT(write_until_it_fails(folder / "result.h5", 1, 1).message, HasSubstr("Is a directory"));
  EXPECT_THAT(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "a partial file was left";
}

TEST(ResultFailure, AFileInThePlaceOfTheFolderIsNamed) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "text";
  EXPECT_THAT(write_until_it_fails(folder / "file/result.h5", 1, 1).message, HasSubstr("Not a directory"));
}

std::string reason_not_to_read(const std::filesystem::path& path) {
  try {
    const ResultReader reader(path);
    return "";
  } catch (const IoError& error) {
    return error.what();
  }
}

TEST(ResultFailure, AReaderSaysWhyItRefusesAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(reason_not_to_read(folder / "none.h5"),
            "cannot read " + (folder / "none.h5").string() + ": No such file or directory");
  EXPECT_THAT(reason_not_to_read(folder.path()), HasSubstr("it is a folder"));
  std::ofstream(folder / "text.h5") << "time,x\n0,1\n";
  EXPECT_THAT(reason_not_to_read(folder / "text.h5"), HasSubstr("not an HDF5 file"));
  std::ofstream(folder / "empty.h5");
  EXPECT_THAT(reason_not_to_read(folder / "empty.h5"), HasSubstr("not an HDF5 file"));
}

TEST(ResultFailure, ATruncatedCopyIsRefusedAndNotReadAsZeros) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout_with_channels(kChannels));
  write_rows(writer, kChannels, 0, 5000);
  writer.end({});
  std::filesystem::resize_file(folder / "result.h5", std::filesystem::file_size(folder / "result.h5") / 2);
  EXPECT_THAT(reason_not_to_read(folder / "result.h5"), HasSubstr("damaged"));
}

}  // namespace
}  // namespace freeplay::test::result_failure_test
