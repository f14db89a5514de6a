// Texts of a figure. Names come from model files and may hold anything; a figure shows them as they are, never obeys
// them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::report {

// One line of valid UTF-8: control characters and line breaks become blanks, broken bytes U+FFFD.
std::string plain_text(std::string_view text);

// At most `most` characters of it, "..." at the end of what was cut.
std::string shortened(std::string_view text, std::size_t most);

// As a string of gnuplot's language, of plain text. Between single quotes nothing is special but the quote itself.
std::string gnuplot_quoted(std::string_view text);

// Characters, not bytes, of valid UTF-8.
std::size_t character_count(std::string_view text);

// About how wide it is in Helvetica, in units of the font's size.
double text_width(std::string_view text);

// Lines of at most `width` times the font's size, broken after `separator` only.
std::vector<std::string> wrapped(std::string_view text, std::string_view separator, double width);

}  // namespace freeplay::report
