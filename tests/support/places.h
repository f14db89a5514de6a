// Where the files are that tests read. Only places.cpp knows their paths: all else compiles to the same in every clone.
#pragma once

#include <string>

namespace freeplay::test {

const std::string& test_dir();      // tests/ of the sources
const std::string& examples_dir();  // examples/ of the sources
const std::string& command_path();  // the program freeplay of this build

}  // namespace freeplay::test
