#include "fuzz/targets/contained.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <sstream>
#include <string>

#include "fuzz/engine/fuzz_target.h"
#include "fuzz/targets/file_input.h"

namespace freeplay::test::fuzz {

namespace {

[[noreturn]] void run_and_exit(const std::function<void()>& action, const std::string& report) {
  constexpr rlim_t kCpuSeconds = 10;
  const rlimit cpu{kCpuSeconds, kCpuSeconds};
  ::setrlimit(RLIMIT_CPU, &cpu);
  ::dup2(::open(report.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
  try {
    action();
  } catch (const std::exception& error) {
    report_finding(std::string("an exception of a kind that no user should see: ") + error.what());
  }
  ::_exit(0);
}

// Reports of the address sanitizer name the module of every frame: "#1 0x... (/usr/lib/libhdf5_serial.so+0x...)".
bool is_about_hdf5(const std::string& report) {
  std::istringstream lines(report);
  int frames = 0;
  for (std::string line; std::getline(lines, line) && frames < 4;) {
    if (line.find(" #") == std::string::npos) continue;
    ++frames;
    if (line.find("libhdf5") != std::string::npos) return true;
    if (line.find("freeplay") != std::string::npos && line.find("intercept") == std::string::npos) return false;
  }
  return frames == 0;
}

}  // namespace

ChildEnd run_contained(const std::function<void()>& action) {
  const std::string report = (scratch_folder() / "report").string();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) run_and_exit(action, report);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) report_finding("no process can be made");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ChildEnd::kWell;
  const std::string text = bytes_of_file(report);
  if (text.find("finding: ") == std::string::npos && text.find("runtime error: ") == std::string::npos &&
      is_about_hdf5(text))
    return ChildEnd::kByHdf5;
  std::fputs(text.c_str(), stderr);
  report_finding("in a child process");
}

}  // namespace freeplay::test::fuzz
