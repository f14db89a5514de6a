// The unit behind a number literal: "mm", "kg m^2", "N/m^1.5". Internal to freeplay/math.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "freeplay/math/expressions/expression_lexer.h"
#include "freeplay/math/quantities/units.h"

namespace freeplay::math {

// Tells whether a name means something in the model: it decides what `/name` is.
using NameTest = std::function<bool(std::string_view)>;

// Reads the unit at the cursor, which stands behind a number (the token at byte `number_offset`), and leaves the
// cursor behind it; nullopt, with the cursor where it was, if no unit follows. Throws ExpressionError.
//
//   unit     = [factor {[dot] factor}] {"/" factor}
//   factor   = name ["^" exponent]
//   exponent = [sign] number  |  "(" [sign] number ["/" number] ")"
//
// A factor behind a "/" factor is refused rather than read from left to right: `W/m K` is usually meant as W/(m K).
std::optional<UnitScale> parse_unit(TokenCursor& cursor, std::size_t number_offset, const NameTest& is_known_name);

}  // namespace freeplay::math
