// What the readers of files of modes share. Private to this folder.
#pragma once

#include <stdexcept>
#include <string>

#include "freeplay/io/modes/modes_file.h"

namespace freeplay::io {

// Never leaves this folder.
class ModesMistake : public std::runtime_error {
 public:
  ModesMistake(const std::string& message, std::string cure) : std::runtime_error(message), hint(std::move(cure)) {}
  std::string hint;
};

inline constexpr double kRadiansPerTurn = 6.283185307179586;
inline constexpr const char* kLeaveOutRigidModes =
    "leave rigid-body modes out: the floating frame has these motions already";

// The body with its first `modes` modes; 0: all of them.
ModesFile with_first_modes(ElasticNodes body, const std::string& name, int modes);

}  // namespace freeplay::io
