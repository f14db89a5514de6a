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
    ".global freeplay_compare_begin\n"
    ".global freeplay_compare_end\n"
    ".hidden freeplay_compare_begin\n"
    ".hidden freeplay_compare_end\n"
    "freeplay_compare_begin:\n"
    ".incbin \"" FREEPLAY_COMPARE_JS
    "\"\n"
    "freeplay_compare_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char freeplay_viewer_begin[];
extern const char freeplay_viewer_end[];
extern const char freeplay_compare_begin[];
extern const char freeplay_compare_end[];
}

namespace freeplay::app {

std::string_view viewer_asset() {
  return {freeplay_viewer_begin, static_cast<std::size_t>(freeplay_viewer_end - freeplay_viewer_begin)};
}

std::string_view compare_script() {
  return {freeplay_compare_begin, static_cast<std::size_t>(freeplay_compare_end - freeplay_compare_begin)};
}

}  // namespace freeplay::app
