// One pi for all tests of this folder: sources that are compiled together must not each have their own.
#pragma once

#include <numbers>

namespace freeplay::test {

constexpr double kPi = std::numbers::pi;

}  // namespace freeplay::test
