// What the tests of result files share: a folder of their own, rows whose values are known, child processes.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"
#include "freeplay/io/result/result_writer.h"

namespace freeplay::test::result_test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "freeplay-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline RecordLayout layout_with_channels(int count) {
  RecordLayout layout;
  for (int c = 0; c < count; ++c) layout.channels.push_back({"body_" + std::to_string(c) + ".x", "m"});
  return layout;
}

// Exact in binary, and different in every place of the table.
inline double expected_time(std::int64_t row) {
  return static_cast<double>(row) / 1024;
}
inline double expected_value(std::int64_t row, std::size_t channel) {
  return static_cast<double>(row) + static_cast<double>(channel + 1) / 65536;
}

inline void write_rows(ResultWriter& writer, std::size_t channels, std::int64_t first, std::int64_t count) {
  std::vector<double> values(channels);
  for (std::int64_t row = first; row < first + count; ++row) {
    for (std::size_t c = 0; c < channels; ++c) values[c] = expected_value(row, c);
    writer.row(expected_time(row), values);
  }
}

inline void expect_known_rows(const ResultReader& reader) {
  const std::vector<double> time = reader.read_time();
  ASSERT_EQ(static_cast<std::int64_t>(time.size()), reader.rows());
  for (std::size_t row = 0; row < time.size(); ++row) {
    ASSERT_EQ(time[row], expected_time(static_cast<std::int64_t>(row)));
  }
  for (std::size_t c = 0; c < reader.channels().size(); ++c) {
    const std::vector<double> values = reader.read_channel(reader.channels()[c].name);
    ASSERT_EQ(values.size(), time.size());
    for (std::size_t row = 0; row < values.size(); ++row) {
      ASSERT_EQ(values[row], expected_value(static_cast<std::int64_t>(row), c)) << "channel " << c << ", row " << row;
    }
  }
}

// A child process that runs `work` and tells its parent things through a pipe.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<void(int pipe)>& work) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::fflush(nullptr);
    id_ = ::fork();
    if (id_ == 0) {
      ::close(ends[0]);
      int exit_code = 0;
      try {
        work(ends[1]);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "child: %s\n", error.what());
        exit_code = 1;
      }
      std::exit(exit_code);  // not _exit: HDF5's own clean-up at exit is part of what is tested
    }
    ::close(ends[1]);
    pipe_ = ends[0];
  }
  ~ChildProcess() {
    if (!waited_) wait();
    ::close(pipe_);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return id_; }
  int wait() {
    int status = 0;
    ::waitpid(id_, &status, 0);
    waited_ = true;
    return status;
  }
  // Everything that the child has told until it closed the pipe or died.
  std::string read_all() const {
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(pipe_, buffer, sizeof buffer)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  pid_t id_ = -1;
  int pipe_ = -1;
  bool waited_ = false;
};

inline void tell(int pipe, const std::string& text) {
  if (::write(pipe, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("no parent");
}

}  // namespace freeplay::test::result_test
