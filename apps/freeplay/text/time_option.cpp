#include "text/time_option.h"

#include <fmt/format.h>

#include "freeplay/math/expressions/expression.h"
#include "text/error_report.h"

namespace freeplay::app {

double time_of_option(const std::string& option, const std::string& text) {
  try {
    const Quantity time = parse_quantity(text);
    if (time.dimension == dimensions::kTime || time.dimension.is_dimensionless()) return time.value;
  } catch (const ExpressionError&) {
    // told below
  }
  throw UsageError(fmt::format("{} '{}' is not a time", option, text),
                   fmt::format("write {} 20ms, or a number of seconds", option));
}

}  // namespace freeplay::app
