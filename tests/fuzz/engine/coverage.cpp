#include "fuzz/engine/coverage.h"

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <new>

namespace {

constexpr std::size_t kPlaces = std::size_t{1} << 16;
std::array<std::uint8_t, kPlaces> early_counts;  // before anybody asks
std::uint8_t* counts = early_counts.data();      // of the present input
std::array<std::uint8_t, kPlaces> seen;          // bits, one per class of counts
std::uint32_t last_place = 0;

// 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more: a loop that runs once more is nothing new each time.
std::uint8_t class_of(std::uint8_t count) {
  constexpr std::uint8_t kBegins[] = {1, 2, 3, 4, 8, 16, 32, 128};
  std::uint8_t bit = 0;
  for (std::size_t i = 0; i < std::size(kBegins) && count >= kBegins[i]; ++i) bit = static_cast<std::uint8_t>(1U << i);
  return bit;
}

}  // namespace

// gcc calls this in every block of code (-fsanitize-coverage=trace-pc). The pair of this place and the one before it is
// counted: it is the way through the code that tells inputs apart.
extern "C" void __sanitizer_cov_trace_pc() {
  const auto address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  const auto place = static_cast<std::uint32_t>((address * 0x9E3779B97F4A7C15U) >> 48U);
  ++counts[(place ^ last_place) % kPlaces];
  last_place = place >> 1U;
}

namespace freeplay::test::fuzz {

void count_for_children_too() {
  void* shared = ::mmap(nullptr, kPlaces, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  counts = static_cast<std::uint8_t*>(shared);  // for good
}

void forget_last_input() {
  std::memset(counts, 0, kPlaces);
  last_place = 0;
}

bool has_reached_something_new() {
  bool is_new = false;
  for (std::size_t first = 0; first < kPlaces; first += sizeof(std::uint64_t)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, counts + first, sizeof eight);
    if (eight == 0) continue;
    for (std::size_t i = first; i < first + sizeof eight; ++i) {
      const std::uint8_t bit = class_of(counts[i]);
      if ((seen[i] & bit) == bit) continue;
      seen[i] |= bit;
      is_new = true;
    }
  }
  return is_new;
}

std::size_t branches_reached() {
  std::size_t count = 0;
  for (const std::uint8_t bits : seen) count += bits != 0 ? 1 : 0;
  return count;
}

}  // namespace freeplay::test::fuzz
