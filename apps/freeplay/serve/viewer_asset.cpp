#include "serve/viewer_asset.h"

// The assembler copies the file: an array in C++ would take the compiler seconds per megabyte. CMake compiles this anew
// when the file changes; ccache knows the directive and leaves such a source alone.
__asm__(
    ".pushsection .rodata\n"
    ".global freeplay_viewer_begin\n"
    ".global freeplay_viewer_end\n"
    ".hidden freeplay_viewer_begin\n"
    ".hidden freeplay_viewer_end\n"
    "freeplay_viewer_begin:\n"
    ".incbin \"" FREEPLAY_VIEWER_HTML
    "\"\n"
    "freeplay_viewer_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char freeplay_viewer_begin[];
extern const char freeplay_viewer_end[];
}

namespace freeplay::app {

std::string_view viewer_asset() {
  return {freeplay_viewer_begin, static_cast<std::size_t>(freeplay_viewer_end - freeplay_viewer_begin)};
}

}  // namespace freeplay::app
