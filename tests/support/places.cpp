#include "support/places.h"

namespace freeplay::test {

// Inside functions: constants of other sources are made from them before main.
const std::string& test_dir() {
  static const std::string path = FREEPLAY_TEST_DIR;
  return path;
}

const std::string& examples_dir() {
  static const std::string path = FREEPLAY_EXAMPLES_DIR;
  return path;
}

const std::string& command_path() {
  static const std::string path = FREEPLAY_COMMAND;
  return path;
}

}  // namespace freeplay::test
