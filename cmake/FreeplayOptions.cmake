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
  # Without this permission ccache leaves alone whatever uses a precompiled header, that is nearly everything. Relative paths
  # let another clone find what this one has compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=yes "${CCACHE_PROGRAM}")
endif()

add_library(freeplay_options INTERFACE)
target_compile_options(freeplay_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  # False alarms of gcc 12: uninitialised strings in aggregates of strings and in Eigen's fixed-size temporaries, and
  # overlapping copies in the inlined std::string = "literal" (its bug 105651). The second line concerns inlined strings as
  # well: with precompiled headers it no longer knows that they come from a system header.
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-restrict>"
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>"
  # ccache asks for the first where headers are precompiled. The second lets gcc collect its garbage less often, which
  # takes it a tenth of the time and frees next to nothing.
  "$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess;--param=ggc-min-expand=300>"
  # Nobody replaces a function of the library by another one of that name when it is loaded: calls within a source may be
  # inlined, although its code is position independent.
  -fno-semantic-interposition
  # A precompiled header that ccache has kept is older than the files of a new build folder; clang would refuse it.
  "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>"
  # A fused multiply-add on one CPU and not on another would change the last bits of every result.
  -ffp-contract=off)
# freeplay_unity(TARGET MOST): compiles up to MOST sources as one, so that what they all read and instantiate is compiled
# once for them; more at a time would make a change of one source wait long. Not for the layers that compute: what gcc
# inlines there shall depend on the source alone.
function(freeplay_unity target most)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources count)
  math(EXPR batches "(${count} + ${most} - 1) / ${most}")
  math(EXPR batch "(${count} + ${batches} - 1) / ${batches}")  # of about the same size
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${FREEPLAY_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()
if(FREEPLAY_SANITIZE STREQUAL "threads")
  target_compile_options(freeplay_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer
    $<$<BOOL:$<TARGET_PROPERTY:FREEPLAY_IS_TEST>>:-Og>)
  target_link_options(freeplay_options INTERFACE -fsanitize=thread)
elseif(FREEPLAY_SANITIZE)
  # Checks of every pointer for null and alignment double the code and the time to compile it; the address sanitizer
  # reports an access to null as well, and Eigen asserts its alignments itself.
  # The tests' own code is watched for its memory only.
  set(is_test $<BOOL:$<TARGET_PROPERTY:FREEPLAY_IS_TEST>>)
  target_compile_options(freeplay_options INTERFACE -fsanitize=address -fno-sanitize-recover=all -fno-omit-frame-pointer
    "$<$<NOT:${is_test}>:-fsanitize=undefined;-fno-sanitize=null,alignment,object-size>" $<${is_test}:-Og>)
  target_link_options(freeplay_options INTERFACE -fsanitize=address,undefined)
endif()
if(FREEPLAY_FUZZ)
  # Each branch calls __sanitizer_cov_trace_pc, which is in tests/fuzz/coverage.cpp.
  target_compile_options(freeplay_options INTERFACE "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:FREEPLAY_IS_TEST>>>:-fsanitize-coverage=trace-pc>")
endif()
if(FREEPLAY_ONE_DEFINITION)  # -fno-fat-lto-objects, gcc-ar and the like come with the first line
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
  target_compile_options(freeplay_options INTERFACE -Wodr -Werror=odr -Werror=lto-type-mismatch)
  target_link_options(freeplay_options INTERFACE -Wodr -Werror=odr -Werror=lto-type-mismatch)
endif()
if(FREEPLAY_NO_MALLOC)
  target_compile_definitions(freeplay_options INTERFACE EIGEN_RUNTIME_NO_MALLOC)
endif()
