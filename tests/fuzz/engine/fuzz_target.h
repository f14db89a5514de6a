// What can be fuzzed: functions in libFuzzer's form, the inputs to begin with, and how to change them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::test::fuzz {

enum class InputKind : std::uint8_t {
  kText,     // lines and words
  kRecords,  // bytes; fields of 1 to 8 bytes
  kResults,  // HDF5 in its latest format, whose headers have checksums that a crafted file gets right
};

struct FuzzTarget {
  std::string_view name;
  InputKind kind;
  // As LLVMFuzzerTestOneInput: returns 0 whatever the input is. What must not happen ends the process.
  int (*one)(const std::uint8_t* data, std::size_t size);
  std::vector<std::string> (*seeds)();  // beside the files of corpus/<name>; may be empty
  std::vector<std::string> (*words)();  // for texts: what the reader may know
  std::size_t most_bytes;
};

std::span<const FuzzTarget> fuzz_targets();
const FuzzTarget* find_fuzz_target(std::string_view name);  // nullptr if there is none

// The files of tests/fuzz/corpus/<name>, by name, and the target's own seeds.
struct Seed {
  std::string name, bytes;
};
std::vector<Seed> seeds_of(const FuzzTarget& target);

// Where the sources stand that seeds are read from: where this program was compiled, or FREEPLAY_FUZZ_SOURCES, for one
// that was carried to another machine (tests/fuzz/pack.sh).
std::filesystem::path sources_folder();

// Ends the process as a crash does, so that the driver keeps the input.
[[noreturn]] void report_finding(std::string_view what);

}  // namespace freeplay::test::fuzz
