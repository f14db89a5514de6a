// HDF5 crashes on some damaged files; the command reads them in a child process first. A target does all its work in
// one, and tells crashes of HDF5 from those of freeplay.
#pragma once

#include <cstdint>
#include <functional>

#include "freeplay/core/layers.h"

namespace freeplay::test::fuzz {

enum class ChildEnd : std::uint8_t {
  kWell,
  kByHdf5,  // it crashed in there, or nobody knows where, or it went beyond a limit of time
};

// Runs `action` in a child process. A finding there is one here: a report of the sanitizers about our own code, an
// exception, report_finding().
ChildEnd run_contained(const std::function<void()>& action);

}  // namespace freeplay::test::fuzz
