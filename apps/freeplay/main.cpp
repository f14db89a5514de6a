#include <fcntl.h>

#include <csignal>
#include <initializer_list>

#include "command_line.h"

#if defined(__SANITIZE_ADDRESS__)
// HDF5 1.10 loses a block of its own when it closes certain damaged files, which it reports itself ("infinite loop
// closing library"). Nobody outside of it can free that.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5_serial";
}
#endif

namespace freeplay::app {

namespace {

// A stream that the caller has closed (`2>&-`) leaves its number free, the next file to be opened gets it, and messages
// would be written into a result. The place of the input and of the output is taken by what cannot be read or written,
// so that errors stay errors; who closes the stream of the messages wants none.
void occupy_standard_streams() {
  for (const int stream : {0, 1, 2}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    if (::open("/dev/null", stream == 1 ? O_RDONLY : O_WRONLY) != stream) return;
  }
}

}  // namespace

int run_main(int argc, char** argv) {
  occupy_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit of its size is a failed write, which says so
  return run_command_line(argc, argv);
}

}  // namespace freeplay::app

int main(int argc, char** argv) {
  return freeplay::app::run_main(argc, argv);
}
