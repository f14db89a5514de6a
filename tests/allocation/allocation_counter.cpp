#include "allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {
std::atomic<std::size_t> count{0};
}  // namespace

namespace freeplay::test {
std::size_t allocation_count() {
  return count.load();
}
}  // namespace freeplay::test

// The sanitizers bring a malloc of their own, so nothing is counted there.
#if !defined(__SANITIZE_ADDRESS__)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  ++count;
  return __libc_calloc(number, size);
}
void* realloc(void* block, std::size_t size) {
  ++count;
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  ++count;
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}
#endif
