// Why a model cannot be built, in one line: for tables and notes. Private to study/sweep/runs.
#pragma once

#include <string>

#include "freeplay/core/error.h"

namespace freeplay::study {

inline std::string refusal_text(const ModelError& error) {
  std::string text;
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    if (!text.empty()) text += "; ";
    if (!diagnostic.path.empty()) text += diagnostic.path + ": ";
    text += diagnostic.message;
  }
  return text;
}

}  // namespace freeplay::study
