// Counts heap allocations of the whole program, operator new and Eigen's own alike, by standing in front of malloc.
#pragma once

#include <cstddef>

namespace freeplay::test {

// Allocations since the program began.
std::size_t allocation_count();

// Allocations while `work` runs. In a build with EIGEN_RUNTIME_NO_MALLOC Eigen also aborts at its own ones.
template <class Work>
std::size_t allocations_during(Work&& work);

}  // namespace freeplay::test

#include <Eigen/Core>

namespace freeplay::test {

template <class Work>
std::size_t allocations_during(Work&& work) {
#ifdef EIGEN_RUNTIME_NO_MALLOC
  Eigen::internal::set_is_malloc_allowed(false);
#endif
  const std::size_t before = allocation_count();
  work();
  const std::size_t after = allocation_count();
#ifdef EIGEN_RUNTIME_NO_MALLOC
  Eigen::internal::set_is_malloc_allowed(true);
#endif
  return after - before;
}

}  // namespace freeplay::test
