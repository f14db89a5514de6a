# Compiler settings of every target of the project, collected in one interface target.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(freeplay_options INTERFACE)
target_compile_options(freeplay_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  # False alarms of gcc 12: uninitialised strings in aggregates of strings and in Eigen's fixed-size temporaries, and
  # overlapping copies in the inlined std::string = "literal" (its bug 105651).
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-restrict>"
  # A fused multiply-add on one CPU and not on another would change the last bits of every result.
  -ffp-contract=off)
if(FREEPLAY_SANITIZE)
  target_compile_options(freeplay_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(freeplay_options INTERFACE -fsanitize=address,undefined)
endif()
if(FREEPLAY_NO_MALLOC)
  target_compile_definitions(freeplay_options INTERFACE EIGEN_RUNTIME_NO_MALLOC)
endif()
