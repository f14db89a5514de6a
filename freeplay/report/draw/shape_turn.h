// The prescribed turn of a shape against its body (a cam's `turn`), as the result file has it: the text of the model.
#pragma once

#include <optional>
#include <string>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::report {

// The angle in rad as an expression of t. `parameters_json` is the attribute `parameters` of the result. nullopt if the
// text cannot be understood, as in a file of another version: such a shape is drawn without its turn.
std::optional<Expression> parse_turn(const std::string& text, const std::string& parameters_json);
double turn_at(const Expression& turn, double time_s);

}  // namespace freeplay::report
