// What a curve shows over the rows of a result: a channel, or an expression of channels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/report/plot/plot_units.h"

namespace freeplay::report {

class PlotQuantity {
 public:
  static PlotQuantity time();
  // A channel of the result, or "[LABEL =] EXPRESSION [| EXPRESSION]... [in UNIT]" of its channels, the parameters of
  // its model and t; the first of the alternatives that the result has the channels for. Throws UnknownChannel for a
  // name alone that is no channel, PlotError for an expression with a mistake.
  static PlotQuantity parse(const ResultReader& result, const std::string& text);

  const std::string& label() const { return label_; }
  const std::string& si_unit() const { return si_unit_; }
  const std::optional<AxisUnit>& asked_unit() const { return asked_unit_; }
  bool is_time() const { return channels_.empty() && !expression_; }

  // Values in SI of out.size() rows from row `first` on.
  void read(const ResultReader& result, std::int64_t first, std::span<double> out) const;

 private:
  static PlotQuantity of_values(const ResultReader& result, const std::string& body, const std::string& text);
  void ask_for(const std::string& unit_text, const std::string& text);

  std::string label_ = "time", si_unit_ = "s";
  std::optional<AxisUnit> asked_unit_;
  std::optional<Expression> expression_;  // empty: the only channel, or time
  std::vector<std::string> channels_;     // variables 1, 2, ... of the expression; variable 0 is t
};

}  // namespace freeplay::report
