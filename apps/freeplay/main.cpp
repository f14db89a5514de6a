#include "command_line.h"

int main(int argc, char** argv) {
  return freeplay::app::run_command_line(argc, argv);
}
