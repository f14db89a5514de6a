#include "freeplay/math/expressions/expression_functions.h"

#include <algorithm>
#include <string>
#include <vector>

namespace freeplay::math {

namespace {

using Op = ExpressionOp;

// floor is for plain numbers only: that of 2.5 m would depend on whether one thinks in metres or in millimetres.
constexpr ExpressionFunction kFunctions[] = {
    {"sin", Op::kSin, DimensionRule::kPlain},        {"cos", Op::kCos, DimensionRule::kPlain},
    {"tan", Op::kTan, DimensionRule::kPlain},        {"asin", Op::kAsin, DimensionRule::kPlain},
    {"acos", Op::kAcos, DimensionRule::kPlain},      {"atan", Op::kAtan, DimensionRule::kPlain},
    {"atan2", Op::kAtan2, DimensionRule::kRatio},    {"sinh", Op::kSinh, DimensionRule::kPlain},
    {"cosh", Op::kCosh, DimensionRule::kPlain},      {"tanh", Op::kTanh, DimensionRule::kPlain},
    {"exp", Op::kExp, DimensionRule::kPlain},        {"log", Op::kLog, DimensionRule::kPlain},
    {"sqrt", Op::kSqrt, DimensionRule::kSquareRoot}, {"abs", Op::kAbs, DimensionRule::kKeeps},
    {"sign", Op::kSign, DimensionRule::kAnyToPlain}, {"step", Op::kStep, DimensionRule::kAnyToPlain},
    {"floor", Op::kFloor, DimensionRule::kPlain},    {"min", Op::kMin, DimensionRule::kKeeps},
    {"max", Op::kMax, DimensionRule::kKeeps},        {"hypot", Op::kHypot, DimensionRule::kKeeps},
    {"mod", Op::kMod, DimensionRule::kKeeps},
};

}  // namespace

std::span<const ExpressionFunction> expression_functions() {
  return kFunctions;
}

const ExpressionFunction* find_function(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &ExpressionFunction::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const ExpressionFunction& function : kFunctions) names.emplace_back(function.name);
  names.emplace_back(kPiName);
  return names;
}

}  // namespace freeplay::math
