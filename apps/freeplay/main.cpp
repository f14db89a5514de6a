#include "command_line.h"

#if defined(__SANITIZE_ADDRESS__)
// HDF5 1.10 loses a block of its own when it closes certain damaged files, which it reports itself ("infinite loop
// closing library"). Nobody outside of it can free that.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5_serial";
}
#endif

int main(int argc, char** argv) {
  return freeplay::app::run_command_line(argc, argv);
}
