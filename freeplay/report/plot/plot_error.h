// A plot was asked for that the result cannot give: a mistake in the command, not in a file.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "freeplay/core/layers.h"

namespace freeplay::report {

class PlotError : public std::runtime_error {
 public:
  explicit PlotError(const std::string& message, std::string hint = {})
      : std::runtime_error(message), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }  // the cure; may be empty

 private:
  std::string hint_;
};

// The result lacks what was asked for, as that of an ideal joint lacks play; another run may have it.
class NotInRun : public PlotError {
 public:
  using PlotError::PlotError;
};

}  // namespace freeplay::report
