#include "freeplay/simulation/measure/measure_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "freeplay/core/error.h"
#include "freeplay/simulation/measure/measure_text.h"

namespace freeplay::simulation {

namespace {

constexpr std::string_view kHint =
    "write final(x), initial(x), at(x, time), min(x), max(x), mean(x), rms(x), percentile(x, 95), peak_frequency(x) or "
    "the like of a channel x, or count(impact)";
constexpr std::string_view kHistogramHint = "write histogram(x, low, high, 20) and nothing else";
constexpr std::string_view kResult = "measured.number_";

Dimension dimension_of(const ChannelInfo& channel) {
  const std::optional<Quantity> unit = find_unit(channel.unit);
  return unit ? unit->dimension : Dimension();  // "1"
}

// Takes the functions of the whole run out of a text, one by one; what is left is an expression of their results.
class MeasureParser {
 public:
  MeasureParser(const MeasureNames& names, MeasureProgram& program) : names_(names), program_(program) {}

  Expression parse(std::string_view given) {
    const std::string text_of_channels = with_sizes(given);
    const std::string_view text = text_of_channels;
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
        const auto part = [](char c) { return is_name_part(c) ? " " : ""; };
        if (!rest.empty()) rest += part(rest.back());
        rest += fmt::format("{}{}", kResult, program_.reductions.size());
        i = *close + 1;
        if (i < text.size()) rest += part(text[i]);
      } else {
        rest += text.substr(i, end - i);
        i = end;
      }
    }
    try {
      return Expression::parse(rest, scope(Within::kMeasure));
    } catch (const ExpressionError& error) {
      throw ExpressionError(error.offset(), as_written(error.what()), as_written(error.hint()));
    }
  }

 private:
  enum class Within : std::uint8_t { kMeasure, kReduction, kConstant };

  bool has_channel(const std::string& name) const {
    return std::ranges::any_of(names_.channels, [&](const ChannelInfo& channel) { return channel.name == name; });
  }

  // Which function of the whole run a name stands for, from 1; 0: none.
  std::size_t number_of_result(std::string_view name) const {
    for (std::size_t k = program_.reductions.size(); k > 0; --k) {
      if (name == fmt::format("{}{}", kResult, k)) return k;
    }
    return 0;
  }

  // With the functions in the place of the names of their results.
  std::string as_written(std::string_view text) const {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && is_name_part(text[end])) ++end;
      const std::string_view name = text.substr(i, std::max<std::size_t>(1, end - i));
      const std::size_t number = number_of_result(name);
      out += number > 0 ? program_.reductions[number - 1].spec().text : std::string(name);
      i += name.size();
    }
    return out;
  }

  // "bearing.force", of which there are only components, as its size: hypot(bearing.force_x, bearing.force_y).
  std::string size_of_vector(const std::string& name) const {
    if (has_channel(name) || !has_channel(name + "_x") || !has_channel(name + "_y")) return name;
    const std::string in_plane = fmt::format("hypot({0}_x, {0}_y)", name);
    return has_channel(name + "_z") ? fmt::format("hypot({}, {}_z)", in_plane, name) : in_plane;
  }

  std::string with_sizes(std::string_view text) const {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && is_name_part(text[end])) ++end;
      if (end == i) {
        out += text[i++];
        continue;
      }
      const std::string word(text.substr(i, end - i));
      out += is_name_start(word.front()) ? size_of_vector(word) : word;
      i = end;
    }
    return out;
  }

  // Of a function of the whole run: adds it, and says where its bracket closes.
  std::optional<std::size_t> reduce(std::string_view text, std::size_t begin, std::size_t end, std::size_t open) {
    const std::string_view name = text.substr(begin, end - begin);
    const std::span<const ReductionFunction> functions = reduction_functions();
    const auto function =
        std::find_if(functions.begin(), functions.end(), [&](const ReductionFunction& f) { return f.name == name; });
    if (name == kHistogram)
      throw ExpressionError(
          begin,
          fmt::format("'histogram' is a whole measure, with four arguments or five, of up to {} parts", kMostBins),
          std::string(kHistogramHint));
    if (function == functions.end()) return std::nullopt;
    const std::optional<CallArguments> arguments = arguments_at(text, open);
    if (!arguments) throw ExpressionError(open, fmt::format("the bracket of '{}' does not close", name), "add ')'");
    const std::size_t count = arguments->texts.size(), most = function->arguments.size();
    if ((name == "min" || name == "max") && count != 1) return std::nullopt;  // of several numbers
    const std::size_t least = most - (function->arguments.ends_with('T') ? 1 : 0);
    if (count < least || count > most)
      throw ExpressionError(begin, fmt::format("'{}' has {} arguments here", name, count), std::string(kHint));
    spec_ = {};
    parts_ = 1;
    spec_.kind = function->kind;
    reads_channels_ = false;
    for (std::size_t k = 0; k < count; ++k)
      take_argument(function->arguments[k], arguments->texts[k], fmt::format("'{}'", name), begin);
    if (spec_.kind == ReductionKind::kShare) take_share(arguments->texts, fmt::format("'{}'", name), begin);
    check_source(*function, begin);
    spec_.text = text.substr(begin, arguments->close + 1 - begin);
    program_.reductions.emplace_back(spec_);
    return arguments->close;
  }

  void take_argument(char kind, std::string_view text, const std::string& function, std::size_t at) {
    switch (kind) {
      case 'x':
        spec_.of = Expression::parse(text, scope(Within::kReduction));
        break;
      case 'y':
        spec_.crossing = Expression::parse(text, scope(Within::kReduction));
        break;
      case 'i':
        take_impacts(without_blanks(text), function, at);
        break;
      case 'p':
        spec_.number = number_of(text, function, at);
        if (!(spec_.number >= 0) || spec_.number > 100)
          throw ExpressionError(at, fmt::format("the second argument of {} is {}", function, spec_.number),
                                "give a number of percent, from 0 to 100");
        break;
      case 'l':  // take_share() needs these three together
      case 'h':
        break;
      case 'b':
        parts_ = whole_number(text, function, at);
        break;
      case 'k':
        spec_.number = whole_number(text, function, at) - 1;
        break;
      case 'n':
        spec_.number = whole_number(text, function, at);
        break;
      default: {
        const Expression time = Expression::parse(text, scope(Within::kConstant));
        if (time.dimension() != dimensions::kTime && !time.is_bare_zero())
          throw ExpressionError(
              at, fmt::format("the {} argument of {} is not a time", kind == 'T' ? "last" : "second", function),
              "give one, such as 10 s");
        spec_.from_s = time.constant_value();
      }
    }
  }

  // x as a number of equal parts of [low, high) from low on: whole numbers are their limits. One expression for all
  // parts, so that no value falls between two of them.
  void take_share(const std::vector<std::string_view>& texts, const std::string& function, std::size_t at) {
    const std::string_view x = texts[0], low = texts[1], high = texts[2];
    const std::string span = fmt::format("(({}) - ({}))", high, low);
    if (!(Expression::parse(span, scope(Within::kConstant)).constant_value() > 0))
      throw ExpressionError(at, fmt::format("the limits of {} do not grow", function), "give the lower one first");
    if (!(spec_.number < parts_))
      throw ExpressionError(at, fmt::format("{} asks for part {} of {}", function, spec_.number + 1, parts_),
                            "the last argument but the time counts from 1");
    spec_.of = Expression::parse(fmt::format("(({}) - ({}))/{}*{}", x, low, span, parts_), scope(Within::kReduction));
    if (!spec_.of.dimension().is_dimensionless())
      throw ExpressionError(at, fmt::format("the limits of {} have another dimension than what they limit", function),
                            "give them units");
  }

  double number_of(std::string_view text, const std::string& function, std::size_t at) {
    const Expression number = Expression::parse(text, scope(Within::kConstant));
    if (!number.dimension().is_dimensionless())
      throw ExpressionError(at, fmt::format("{} needs a number without unit", function), std::string(kHint));
    return number.constant_value();
  }

  double whole_number(std::string_view text, const std::string& function, std::size_t at) {
    const double number = number_of(text, function, at);
    if (!(number >= 1) || number != std::floor(number))
      throw ExpressionError(at, fmt::format("the last argument of {} is {}", function, number),
                            "say which one: 1 is the first");
    return number;
  }

  void take_impacts(std::string_view text, const std::string& function, std::size_t at) {
    const std::optional<ImpactName> impact = impact_name(text);
    if (!impact || !impact->quantity.empty())
      throw ExpressionError(at, fmt::format("{} counts impacts, but '{}' is something else", function, text),
                            "write count(impact), or count(guide.impact) for those of one joint or contact");
    take_element(impact->element);
  }

  void take_element(std::string_view element) {
    if (spec_.is_of_impacts && spec_.element != element)
      throw ExpressionError(0, "one function tells of the impacts of two elements", "use two functions");
    spec_.is_of_impacts = true;
    spec_.element = element;
    if (element.empty()) return;
    std::vector<std::string> known;
    for (const MeasuredContact& contact : names_.contacts) {
      if (contact.element == element || contact.point == element) return;
      if (known.empty() || known.back() != contact.element) known.push_back(contact.element);
    }
    throw ExpressionError(0, fmt::format("'{}' has no impacts", element),
                          known.empty() ? "the model has no contacts" : did_you_mean(element, known));
  }

  void check_source(const ReductionFunction& function, std::size_t at) const {
    if (!spec_.is_of_impacts) {
      if (function.kind == ReductionKind::kSum)
        throw ExpressionError(at,
                              "'sum' adds quantities of impacts, and a channel has as many values as there are rows",
                              "write sum(impact.energy_lost), or mean(x) of a channel");
      return;
    }
    if (!function.takes_impacts)
      throw ExpressionError(at, fmt::format("'{}' is a function of the rows, not of impacts", function.name),
                            "use min, max, mean, rms, sum, percentile, initial, final or count");
    if (reads_channels_)
      throw ExpressionError(at, "one function reads channels, which rows have, and impacts",
                            "use two functions, or at_impact(x, 1)");
  }

  SymbolScope scope(Within within) {
    return {[this, within](std::string_view name) { return lookup(name, within); },
            [this, within] { return names(within); }};
  }

  std::optional<Symbol> lookup(std::string_view name, Within within) {
    Symbol symbol;
    for (const NamedQuantity& constant : names_.constants) {
      if (constant.name != name) continue;
      symbol.constant = constant.value;
      return symbol;
    }
    symbol.kind = Symbol::Kind::kVariable;
    if (const std::size_t number = number_of_result(name); within == Within::kMeasure && number > 0) {
      symbol.variable = static_cast<int>(number);
      symbol.dimension = program_.reductions[number - 1].dimension();
      return symbol;
    }
    const auto channel = std::find_if(names_.channels.begin(), names_.channels.end(),
                                      [&](const ChannelInfo& known) { return known.name == name; });
    const bool is_time = name == "t";
    if (!is_time && channel == names_.channels.end()) return lookup_impact(name, within);
    if (within != Within::kReduction)
      throw ExpressionError(0, fmt::format("'{}' changes in time, a measure is one number", name), std::string(kHint));
    symbol.dimension = is_time ? dimensions::kTime : dimension_of(*channel);
    symbol.variable = is_time ? Expression::kTimeVariable : place_of(name) + 1;
    reads_channels_ |= !is_time;
    return symbol;
  }

  std::optional<Symbol> lookup_impact(std::string_view name, Within within) {
    const std::optional<ImpactName> impact = impact_name(name);
    if (!impact) return std::nullopt;
    const std::span<const ImpactQuantity> quantities = impact_quantities();
    const auto found = std::find_if(quantities.begin(), quantities.end(),
                                    [&](const ImpactQuantity& known) { return known.name == impact->quantity; });
    if (found == quantities.end()) {
      std::vector<std::string> known;
      for (const ImpactQuantity& quantity : quantities) known.push_back(fmt::format("impact.{}", quantity.name));
      throw ExpressionError(0, fmt::format("an impact has no '{}'", impact->quantity),
                            did_you_mean(fmt::format("impact.{}", impact->quantity), known));
    }
    if (within != Within::kReduction)
      throw ExpressionError(0, fmt::format("'{}' differs from impact to impact, a measure is one number", name),
                            "write max(...), mean(...) or sum(...) of it");
    take_element(impact->element);
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    symbol.dimension = found->dimension;
    symbol.variable = static_cast<int>(found - quantities.begin()) + 1;
    return symbol;
  }

  int place_of(std::string_view channel) {
    std::vector<std::string>& used = program_.channels;
    const auto known = std::find(used.begin(), used.end(), channel);
    const auto place = known - used.begin();
    if (known == used.end()) used.emplace_back(channel);
    return static_cast<int>(place);
  }

  std::vector<std::string> names(Within within) const {
    std::vector<std::string> all;
    for (const NamedQuantity& constant : names_.constants) all.push_back(constant.name);
    if (within != Within::kReduction) return all;
    for (const ChannelInfo& channel : names_.channels) all.push_back(channel.name);
    return all;
  }

  const MeasureNames& names_;
  MeasureProgram& program_;
  // Of the function that is being read.
  ReductionSpec spec_;
  double parts_ = 1;  // of the range of a share
  bool reads_channels_ = false;
};

}  // namespace

MeasureProgram parse_measures(const std::vector<MeasureSpec>& specs, const MeasureNames& names) {
  MeasureProgram program;
  MeasureParser parser(names, program);
  std::vector<Diagnostic> mistakes;
  for (const MeasureSpec& spec : expanded_measures(specs)) {
    const auto has_its_name = [&](const ParsedMeasure& known) { return known.name == spec.name; };
    if (std::any_of(program.measures.begin(), program.measures.end(), has_its_name))
      mistakes.push_back({{}, "measure." + spec.name, "there are two measures of this name", "rename one of them", {}});
    try {
      program.measures.push_back({spec.name, spec.text, parser.parse(spec.text)});
    } catch (const ExpressionError& error) {
      mistakes.push_back({{}, "measure." + spec.name, error.what(), error.hint(), {}});
    }
  }
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return program;
}

}  // namespace freeplay::simulation
