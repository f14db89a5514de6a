#include "freeplay/math/expressions/weighted_sum.h"

#include <fmt/format.h>

#include <string>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/expression_builder.h"

namespace freeplay::math {

Expression weighted_sum(std::span<const double> factors, std::span<const Expression> terms, Quantity constant) {
  FREEPLAY_ASSERT(!terms.empty() && factors.size() == terms.size());
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i)
    text += fmt::format("{}{:.17g}*({})", i == 0 ? "" : " + ", factors[i], terms[i].text());
  text += fmt::format(" + {:.17g} {}", constant.value, constant.dimension.si_unit());
  ExpressionBuilder builder(text);
  const auto weighted = [&](std::size_t i) {
    const Operand term = builder.expression(terms[i], constant.dimension);
    return builder.product('*', 0, term, builder.constant({factors[i], {}}, false, {}));
  };
  Operand sum = weighted(0);
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const Operand next = weighted(i);
    sum = builder.sum('+', 0, sum, next);
  }
  const Operand last = builder.constant(constant, false, {});
  const Operand whole = builder.sum('+', 0, sum, last);
  return std::move(builder).finish(whole);
}

}  // namespace freeplay::math
