#include "freeplay/simulation/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "freeplay/core/error.h"

namespace freeplay::simulation {

namespace {

constexpr std::size_t kNumbersOfReduction = 6;  // in Memory::numbers
constexpr std::string_view kHint = "write final(x), initial(x), at(x, time), min(x), max(x) or mean(x) of a channel x";

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

// The arguments of a call whose bracket opens at `open`, and where it closes; nullopt if it does not.
struct Arguments {
  std::vector<std::string_view> texts;
  std::size_t close = 0;
};
std::optional<Arguments> arguments_at(std::string_view text, std::size_t open) {
  Arguments arguments;
  std::size_t begin = open + 1;
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth > 1 || (depth == 1 && text[i] != ',')) continue;
    arguments.texts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
    arguments.close = i;
    if (depth == 0) return arguments;
  }
  return std::nullopt;
}

Dimension dimension_of(const ChannelInfo& channel) {
  const std::optional<Quantity> unit = find_unit(channel.unit);
  return unit ? unit->dimension : Dimension();  // "1"
}

}  // namespace

// Takes the functions of the whole run out of a text, one by one; what is left is an expression of their results.
class Measures::Parser {
 public:
  Parser(Measures& measures, const std::vector<NamedQuantity>& constants, const std::vector<ChannelInfo>& channels)
      : measures_(measures), constants_(constants), channels_(channels) {}

  Expression parse(std::string_view text) {
    std::string rest;
    for (std::size_t i = 0; i < text.size();) {
      if (!is_name_start(text[i])) {
        const bool ends_number = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
        rest += text[i++];
        while (ends_number && i < text.size() && is_name_part(text[i])) rest += text[i++];  // 1e3, 10mm
        continue;
      }
      std::size_t end = i;
      while (end < text.size() && is_name_part(text[end])) ++end;
      std::size_t open = end;
      while (open < text.size() && text[open] == ' ') ++open;
      const bool is_call = open < text.size() && text[open] == '(';
      const std::optional<std::size_t> close = is_call ? reduce(text, i, end, open) : std::nullopt;
      if (close) {
        rest += fmt::format(" {}{} ", kResult, measures_.reductions_.size());
        i = *close + 1;
      } else {
        rest += text.substr(i, end - i);
        i = end;
      }
    }
    return Expression::parse(rest, scope(Within::kMeasure));
  }

 private:
  enum class Within : std::uint8_t { kMeasure, kReduction, kConstant };
  static constexpr std::string_view kResult = "measured.number_";

  // Of a function of the whole run: adds it, and says where its bracket closes.
  std::optional<std::size_t> reduce(std::string_view text, std::size_t begin, std::size_t end, std::size_t open) {
    static constexpr std::array<std::pair<std::string_view, Kind>, 6> kKinds = {{{"initial", Kind::kInitial},
                                                                                 {"final", Kind::kFinal},
                                                                                 {"at", Kind::kAt},
                                                                                 {"min", Kind::kMin},
                                                                                 {"max", Kind::kMax},
                                                                                 {"mean", Kind::kMean}}};
    const std::string_view name = text.substr(begin, end - begin);
    const auto* const found =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& known) { return known.first == name; });
    if (found == kKinds.end()) return std::nullopt;
    const std::optional<Arguments> arguments = arguments_at(text, open);
    if (!arguments) return std::nullopt;  // the parser of expressions says what is wrong with the brackets
    const std::size_t count = arguments->texts.size();
    const Kind kind = found->second;
    if ((kind == Kind::kMin || kind == Kind::kMax) && count != 1) return std::nullopt;
    const std::size_t least = kind == Kind::kAt ? 2 : 1, most = kind == Kind::kAt || kind == Kind::kMean ? 2 : 1;
    if (count < least || count > most)
      throw ExpressionError(begin, fmt::format("'{}' has {} arguments here", name, count), std::string(kHint));
    Reduction reduction;
    reduction.kind = kind;
    reduction.of = Expression::parse(arguments->texts[0], scope(Within::kReduction));
    if (count == 2) {
      const Expression time = Expression::parse(arguments->texts[1], scope(Within::kConstant));
      if (time.dimension() != dimensions::kTime && !time.is_bare_zero())
        throw ExpressionError(begin, fmt::format("the second argument of '{}' is not a time", name),
                              "give one, such as 10 s");
      reduction.from_s = time.constant_value();
    }
    measures_.reductions_.push_back(std::move(reduction));
    return arguments->close;
  }

  SymbolScope scope(Within within) {
    return {[this, within](std::string_view name) { return lookup(name, within); },
            [this, within] { return names(within); }};
  }

  std::optional<Symbol> lookup(std::string_view name, Within within) {
    Symbol symbol;
    for (const NamedQuantity& constant : constants_) {
      if (constant.name != name) continue;
      symbol.constant = constant.value;
      return symbol;
    }
    symbol.kind = Symbol::Kind::kVariable;
    if (within == Within::kMeasure && name.starts_with(kResult)) {
      symbol.variable = std::stoi(std::string(name.substr(kResult.size())));
      symbol.dimension = measures_.reductions_[static_cast<std::size_t>(symbol.variable) - 1].of.dimension();
      return symbol;
    }
    const auto channel =
        std::find_if(channels_.begin(), channels_.end(), [&](const ChannelInfo& known) { return known.name == name; });
    const bool is_time = name == "t";
    if (!is_time && channel == channels_.end()) return std::nullopt;
    if (within != Within::kReduction)
      throw ExpressionError(0, fmt::format("'{}' changes in time, a measure is one number", name), std::string(kHint));
    symbol.dimension = is_time ? dimensions::kTime : dimension_of(*channel);
    symbol.variable = is_time ? Expression::kTimeVariable : place_of(name) + 1;
    return symbol;
  }

  int place_of(std::string_view channel) {
    std::vector<std::string>& used = measures_.channels_;
    const auto known = std::find(used.begin(), used.end(), channel);
    const auto place = known - used.begin();
    if (known == used.end()) used.emplace_back(channel);
    return static_cast<int>(place);
  }

  std::vector<std::string> names(Within within) const {
    std::vector<std::string> all;
    for (const NamedQuantity& constant : constants_) all.push_back(constant.name);
    if (within != Within::kReduction) return all;
    for (const ChannelInfo& channel : channels_) all.push_back(channel.name);
    return all;
  }

  Measures& measures_;
  const std::vector<NamedQuantity>& constants_;
  const std::vector<ChannelInfo>& channels_;
};

Measures::Measures(const std::vector<MeasureSpec>& specs, const std::vector<NamedQuantity>& constants,
                   const std::vector<ChannelInfo>& channels) {
  Parser parser(*this, constants, channels);
  std::vector<Diagnostic> mistakes;
  for (const MeasureSpec& spec : specs) {
    try {
      measures_.push_back({spec.name, spec.text, parser.parse(spec.text)});
    } catch (const ExpressionError& error) {
      mistakes.push_back({{}, "measure." + spec.name, error.what(), error.hint(), {}});
    }
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

void Measures::begin(const std::vector<ChannelInfo>& columns) {
  columns_.clear();
  for (const std::string& channel : channels_) {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const ChannelInfo& info) { return info.name == channel; });
    FREEPLAY_ASSERT(found != columns.end());
    columns_.push_back(static_cast<std::size_t>(found - columns.begin()));
  }
  variables_.assign(channels_.size() + 1, 0);
  for (Reduction& reduction : reductions_) {
    reduction.has_rows = reduction.is_done = false;
    reduction.value = 0;
  }
}

void Measures::add_row(double time_s, std::span<const double> values) {
  variables_[Expression::kTimeVariable] = time_s;
  for (std::size_t i = 0; i < columns_.size(); ++i) variables_[i + 1] = values[columns_[i]];
  for (Reduction& reduction : reductions_) reduction.add(time_s, reduction.of.evaluate(variables_));
}

void Measures::Reduction::add(double time_s, double x) {
  // What x was at `from_s`, where that lies between the last row and this one.
  const auto at_start = [&] { return time_s > last_s ? last + (x - last) * (from_s - last_s) / (time_s - last_s) : x; };
  switch (kind) {
    case Kind::kInitial:
      if (!has_rows) value = x;
      break;
    case Kind::kFinal:
      value = x;
      break;
    case Kind::kMin:
      value = has_rows ? std::min(value, x) : x;
      break;
    case Kind::kMax:
      value = has_rows ? std::max(value, x) : x;
      break;
    case Kind::kAt:
      if (!is_done && time_s >= from_s) {
        value = has_rows ? at_start() : x;
        is_done = true;
      }
      break;
    case Kind::kMean:  // the integral so far
      if (has_rows && time_s > from_s) {
        const double begin_s = std::max(from_s, last_s);
        const double x_begin = last_s < from_s ? at_start() : last;
        value += (x_begin + x) / 2 * (time_s - begin_s);
      }
      break;
  }
  last = x;
  last_s = time_s;
  has_rows = true;
}

double Measures::Reduction::result() const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (!has_rows || (kind == Kind::kAt && !is_done)) return kNone;
  if (kind != Kind::kMean) return value;
  return last_s > from_s ? value / (last_s - from_s) : kNone;
}

std::vector<MeasuredValue> Measures::values() const {
  std::vector<double> results = {0};  // variable 0 is the time, which is not in a measure
  for (const Reduction& reduction : reductions_) results.push_back(reduction.result());
  std::vector<MeasuredValue> all;
  for (const Measure& measure : measures_)
    all.push_back({measure.name, measure.of.evaluate(results), measure.of.dimension().si_unit()});
  return all;
}

std::vector<ChannelInfo> Measures::labels() const {
  std::vector<ChannelInfo> labels;
  for (const Measure& measure : measures_) labels.push_back({measure.name, measure.of.dimension().si_unit()});
  return labels;
}

std::string Measures::text() const {
  std::string text;
  for (const Measure& measure : measures_) text += measure.name + ": " + measure.text + "\n";
  return text;
}

Measures::Memory Measures::memory() const {
  Memory memory{text(), {}};
  for (const Reduction& r : reductions_) {
    const std::array numbers = {r.from_s, r.value, r.last, r.last_s, r.has_rows ? 1.0 : 0.0, r.is_done ? 1.0 : 0.0};
    memory.numbers.insert(memory.numbers.end(), numbers.begin(), numbers.end());
  }
  return memory;
}

bool Measures::fits(const Memory& memory) const {
  if (measures_.empty()) return true;
  if (memory.text != text() || memory.numbers.size() != kNumbersOfReduction * reductions_.size()) return false;
  // The same text may mean another time, if a parameter has changed.
  for (std::size_t i = 0; i < reductions_.size(); ++i) {
    if (memory.numbers[kNumbersOfReduction * i] != reductions_[i].from_s) return false;
  }
  return true;
}

void Measures::go_on(const Memory& memory) {
  FREEPLAY_ASSERT(fits(memory));
  const double* number = memory.numbers.data();
  for (Reduction& reduction : reductions_) {
    reduction.value = number[1];
    reduction.last = number[2];
    reduction.last_s = number[3];
    reduction.has_rows = number[4] != 0;
    reduction.is_done = number[5] != 0;
    number += kNumbersOfReduction;
  }
}

}  // namespace freeplay::simulation
