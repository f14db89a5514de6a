// Another program beside this one: a browser, an encoder. It has its own process group and ends when this object does.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freeplay::app {

// The first of these programs that PATH has.
std::optional<std::filesystem::path> program_in_path(const std::vector<std::string>& names);

// Which numbers the child's ends of the two pipes have. Browsers take commands from 3 and answer on 4.
struct ChildPipes {
  int to_child = 0;
  std::optional<int> from_child;  // none: its output goes where its messages go
};

class ChildProcess {
 public:
  // Messages of the program go into the file `log`. Throws IoError if it cannot be started.
  ChildProcess(const std::vector<std::string>& words, ChildPipes pipes, const std::filesystem::path& log);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // False: it does not listen any more.
  [[nodiscard]] bool write(std::string_view bytes);
  // What has come within `patience_s`, appended to `bytes`; false: it has ended, or says nothing for so long.
  [[nodiscard]] bool read_some(std::string& bytes, double patience_s);
  bool is_running() const;
  // Closes the way to it and waits for its end: its exit status, or -1 where a signal ended it.
  int finish();

 private:
  pid_t pid_ = -1;
  int to_child_ = -1, from_child_ = -1;
};

}  // namespace freeplay::app
