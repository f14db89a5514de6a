// Numbers and sentences as people read them: 80 us and not 8e-05 s, lines that end between words.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::app {

// "8.75 um", "1.82 kN", "0.138 s", "3 rad/s": three digits, with the prefix that fits.
std::string with_unit(double value, std::string_view si_unit);
// A time of a run: "0.138 s", and prefixes only where that would be small.
std::string time_with_unit(double time_s);

// Lines of at most `width` columns, broken between words. The first one begins at column `first`, behind something
// else; the others begin with `hanging` blanks. A word that is longer stays whole.
std::string wrapped_words(std::string_view text, std::size_t width, std::size_t hanging, std::size_t first = 0);

// `lead` (which may be painted), then the text; on a terminal its lines are as long as that is wide, elsewhere there is
// one line, so that programs find the words.
std::string message_text(std::FILE* stream, const std::string& lead, std::string_view text, std::size_t indent = 0);

}  // namespace freeplay::app
