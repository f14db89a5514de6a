# cmake -D BUILD_DIR=... -D WORK_DIR=... -D CXX_COMPILER=... -P find_package_test.cmake
# Installs the build into an empty prefix, then configures, builds and runs the project beside this file against it.
file(REMOVE_RECURSE "${WORK_DIR}")
set(prefix "${WORK_DIR}/prefix")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -G Ninja -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK_DIR}/build"
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" -DCMAKE_BUILD_TYPE=Release)
# Without this the test could pass with a freeplay that is installed elsewhere on the machine.
file(STRINGS "${WORK_DIR}/build/CMakeCache.txt" found REGEX "^freeplay_DIR:")
string(FIND "${found}" "${prefix}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "find_package took another freeplay: ${found}")
endif()
# The guide shows these programs, all but the comment at their top.
set(root "${CMAKE_CURRENT_LIST_DIR}/../..")
file(READ "${root}/docs/guide/library.md" guide)
string(FIND "${guide}" "-DCMAKE_PREFIX_PATH=" at)
if(at EQUAL -1)
  message(FATAL_ERROR "docs/guide/library.md does not say how CMake finds the folder, as is done above")
endif()
foreach(program main from_file)
  file(READ "${CMAKE_CURRENT_LIST_DIR}/${program}.cpp" text)
  string(FIND "${text}" "#include" start)
  string(SUBSTRING "${text}" ${start} -1 text)
  string(FIND "${guide}" "```cpp\n${text}```" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "docs/guide/library.md does not show ${program}.cpp as it is")
  endif()
endforeach()
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
run("${WORK_DIR}/build/consumer")
# A horizontal rod that is let go: its pin carries a quarter of the weight.
set(expected "completed: yes\nenergy drift below 1e-6 J: yes\nforce on the pin at the start: 2.4525 N\n")
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "The program printed '${output}' instead of '${expected}'")
endif()
# Steps of 0.1 ms, and a row for each and for the start.
run("${WORK_DIR}/build/from_file" "${root}/examples/bouncing_ball.yaml" "${WORK_DIR}/result.h5")
if(NOT output STREQUAL "t = 0.01 s after 101 rows\n")
  message(FATAL_ERROR "The program printed '${output}'")
endif()
# Whoever has built the command alone, as `./dev demo` does, can install it: all that is installed comes with it.
find_program(ninja ninja REQUIRED)
execute_process(COMMAND "${ninja}" -C "${BUILD_DIR}" -t commands freeplay_command OUTPUT_VARIABLE commands
  COMMAND_ERROR_IS_FATAL ANY)
foreach(file share/freeplay.1 share/freeplay.bash share/_freeplay share/freeplay.fish lib/core/libfreeplay_core.a
        lib/study/libfreeplay_study.a)
  string(FIND "${commands}" "${file}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the target freeplay_command does not make ${file}, which is installed")
  endif()
endforeach()
foreach(file share/man/man1/freeplay.1 share/bash-completion/completions/freeplay share/zsh/site-functions/_freeplay
        share/fish/vendor_completions.d/freeplay.fish)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
