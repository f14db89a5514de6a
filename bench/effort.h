// How much a benchmark does: `--quick` takes seconds and shows that it works; what it prints is no measurement.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string_view>

namespace freeplay::bench {

enum class Effort : std::uint8_t { kFull, kQuick };

inline Effort effort_of(int argc, char** argv) {
  if (argc == 1) return Effort::kFull;
  if (argc == 2 && std::string_view(argv[1]) == "--quick") return Effort::kQuick;
  throw std::invalid_argument(fmt::format("usage: {} [--quick]", argv[0]));
}

// main() of a benchmark.
template <class Compare>
int run_benchmark(int argc, char** argv, Compare&& compare) {
  try {
    return compare(effort_of(argc, argv));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace freeplay::bench
