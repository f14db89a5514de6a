// A process that gets no more than so many further threads from the system, while this lives: their stacks are large,
// and the address space is not.
#pragma once

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace freeplay::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasFewThreads = false;  // the shadow of a sanitizer takes terabytes
#else
constexpr bool kHasFewThreads = true;
#endif

class FewThreads {
 public:
  explicit FewThreads(std::size_t count) {
    constexpr std::size_t kStack = std::size_t{1} << 30;
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_getstacksize(&attributes, &stack_);
    pthread_attr_setstacksize(&attributes, kStack);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    // A thread's allocations take some more room than its stack, up to 1/8 of it here.
    const rlimit few{pages * static_cast<std::size_t>(getpagesize()) + count * (kStack + kStack / 8) + kStack / 2,
                     before_.rlim_max};
    setrlimit(RLIMIT_AS, &few);
  }
  ~FewThreads() {
    setrlimit(RLIMIT_AS, &before_);
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_setstacksize(&attributes, stack_);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  FewThreads(const FewThreads&) = delete;
  FewThreads& operator=(const FewThreads&) = delete;

 private:
  std::size_t stack_ = 0;
  rlimit before_{};
};

}  // namespace freeplay::test
