#include "freeplay/study/sweep/points/sweep_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/expression.h"

namespace freeplay::study {

namespace {

constexpr const char* kAxisHint = "write c=0.1mm:2mm:20, c=0.1mm:2mm:20:log, or a list: c=0.1mm,0.5mm,2mm";
constexpr std::int64_t kMostValues = 100'000'000;

[[noreturn]] void refuse_axis(const std::string& text, const std::string& message, const std::string& hint) {
  throw ModelError({Diagnostic{{"--over", 0, 0}, "", fmt::format("'{}': {}", text, message), hint, {}}});
}

std::string axis_word(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

// At separators outside of brackets: a value may be a list itself.
std::vector<std::string> axis_words(std::string_view text, char separator) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '(' || text[i] == '{') ++depth;
    if (text[i] == ']' || text[i] == ')' || text[i] == '}') --depth;
    if (text[i] != separator || depth > 0) continue;
    parts.push_back(axis_word(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(axis_word(text.substr(begin)));
  return parts;
}

class AxisParser {
 public:
  explicit AxisParser(const std::string& text) : text_(text) {}

  SweepAxis parse() {
    const std::size_t equals = text_.find('=');
    axis_.name = axis_word(std::string_view(text_).substr(0, equals));
    if (equals == std::string::npos || axis_.name.empty())
      refuse_axis(text_, "is not of the form NAME=VALUES", kAxisHint);
    const std::string values = axis_word(std::string_view(text_).substr(equals + 1));
    if (values.empty()) refuse_axis(text_, "gives no values", kAxisHint);
    const std::vector<std::string> parts = axis_words(values, ':');
    parts.size() > 1 ? read_range(parts) : read_list(axis_words(values, ','));
    return std::move(axis_);
  }

 private:
  std::optional<Quantity> quantity(const std::string& part, bool must_be_one) const {
    try {
      return parse_quantity(part);
    } catch (const ExpressionError& error) {
      if (must_be_one) refuse_axis(text_, fmt::format("'{}': {}", part, error.what()), error.hint());
    }
    return std::nullopt;
  }

  // A plain 0 fits every dimension.
  void take_dimension(const Quantity& a, const std::string& part) {
    if (a.value == 0 && a.dimension.is_dimensionless()) return;
    if (has_dimension_ && a.dimension != axis_.dimension)
      refuse_axis(
          text_,
          fmt::format("'{}' is {}, another value is {}", part, a.dimension.describe(), axis_.dimension.describe()),
          "give all values in units of one kind");
    axis_.dimension = a.dimension;
    has_dimension_ = true;
  }

  void read_range(std::vector<std::string> parts) {
    if (parts.back() == "log" || parts.back() == "lin") {
      axis_.is_logarithmic = parts.back() == "log";
      parts.pop_back();
    }
    if (parts.size() < 2 || parts.size() > 3) refuse_axis(text_, "is no range", kAxisHint);
    const Quantity from = *quantity(parts[0], true), to = *quantity(parts[1], true);
    take_dimension(from, parts[0]);
    take_dimension(to, parts[1]);
    axis_.from = from.value;
    axis_.to = to.value;
    if (axis_.is_logarithmic && !(axis_.from * axis_.to > 0))
      refuse_axis(text_, "has equal ratios only between two values of one sign", "leave out log, or 0 as an end");
    if (parts.size() == 3) read_count(parts[2]);
  }

  void read_count(const std::string& part) {
    const char* const end = part.data() + part.size();
    const std::from_chars_result result = std::from_chars(part.data(), end, axis_.count);
    if (result.ec != std::errc() || result.ptr != end)
      refuse_axis(text_, fmt::format("'{}' is no number of values", part), kAxisHint);
    if (axis_.count < 1) refuse_axis(text_, "the range is empty", "give a COUNT of at least 1");
    if (axis_.count > kMostValues) refuse_axis(text_, "has too many values", "give a smaller COUNT");
    if (axis_.count > 1 && axis_.from == axis_.to)
      refuse_axis(text_, "the range is empty: it ends where it begins", "give two ends, or a COUNT of 1");
  }

  void read_list(const std::vector<std::string>& parts) {
    axis_.is_list = true;
    axis_.texts = parts;
    bool are_words = false;
    for (const std::string& part : parts) {
      if (part.empty()) refuse_axis(text_, "one of its values is missing", kAxisHint);
      const std::optional<Quantity> value = quantity(part, false);
      are_words |= !value;
      axis_.numbers.push_back(value ? value->value : 0);
      if (value && !are_words) take_dimension(*value, part);
    }
    if (are_words) axis_.numbers.clear();
    if (are_words) axis_.dimension = {};
  }

  const std::string& text_;
  SweepAxis axis_;
  bool has_dimension_ = false;
};

}  // namespace

double SweepAxis::value(std::int64_t place) const {
  if (is_list) return numbers.empty() ? static_cast<double>(place) : numbers[static_cast<std::size_t>(place)];
  if (place == 0) return from;
  if (place == count - 1) return to;  // not by rounding
  const double part = static_cast<double>(place) / static_cast<double>(count - 1);
  return is_logarithmic ? from * std::pow(to / from, part) : from + (to - from) * part;
}

double SweepAxis::sampled_value(double u) const {
  if (is_list) return value(std::min(static_cast<std::int64_t>(u * static_cast<double>(size())), size() - 1));
  if (distribution) {
    constexpr double kLeast = 1e-12;  // the ends of a normal distribution are infinite
    return distribution->quantile(std::clamp(u, kLeast, 1 - kLeast));
  }
  return is_logarithmic ? from * std::pow(to / from, u) : from + (to - from) * u;
}

double SweepAxis::value_in_range(double z) const {
  if (z == 1) return to;  // not by rounding
  return is_logarithmic ? from * std::pow(to / from, z) : from + (to - from) * z;
}

double SweepAxis::place_in_range(double value) const {
  if (from == to || (is_logarithmic && !(value / from > 0))) return 0;
  const double z = is_logarithmic ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
  return std::clamp(z, 0.0, 1.0);
}

std::string SweepAxis::override_text(double value) const {
  if (has_words()) return fmt::format("{}={}", name, texts[static_cast<std::size_t>(value)]);
  // The shortest text that gives back the same bits; "5/s" where the unit is 1/s.
  const std::string unit = dimension.si_unit();
  if (dimension.is_dimensionless()) return fmt::format("{}={}", name, value);
  return unit.starts_with("1/") ? fmt::format("{}={}{}", name, value, unit.substr(1))
                                : fmt::format("{}={} {}", name, value, unit);
}

SweepAxis parse_sweep_axis(const std::string& text) {
  return AxisParser(text).parse();
}

}  // namespace freeplay::study
