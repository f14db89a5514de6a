#include "freeplay/core/version.h"

namespace freeplay::core {

std::string_view version() {
  return FREEPLAY_VERSION;
}

}  // namespace freeplay::core
