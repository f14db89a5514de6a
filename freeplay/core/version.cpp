#include "freeplay/core/version.h"

namespace freeplay {

std::string_view version() {
  return FREEPLAY_VERSION;
}

}  // namespace freeplay
