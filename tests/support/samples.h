// How many random cases a test looks at. Under the sanitizers a tenth: they look at memory, and each case takes ten
// times as long.
#pragma once

#include <algorithm>

namespace freeplay::test {

constexpr int samples(int full) {
#if defined(__SANITIZE_ADDRESS__)
  return std::max(full / 10, 1);
#else
  return full;
#endif
}

}  // namespace freeplay::test
