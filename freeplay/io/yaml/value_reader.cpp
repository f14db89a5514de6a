#include "freeplay/io/yaml/value_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numbers>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::io {

namespace {

// The spellings of YAML for numbers that are none; the expression parser would only see unknown names.
bool is_not_a_number(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c != '.' && c != '+' && c != '-') word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return word == "nan" || word == "inf" || word == "infinity";
}

constexpr std::string_view kCamAngleName = "phi", kCurveParameterName = "s";

// "20", "-1e3": no unit, no name, no formula.
bool is_number(std::string_view text) {
  return text.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
}

std::string unit_hint(const Dimension& expected, const Expression& given, Dependence dependence) {
  const bool may_depend_on_time = dependence == Dependence::kTime || dependence == Dependence::kTimeAndState;
  if (may_depend_on_time && given.dimension() * dimensions::kTime == expected) {
    // 3 rad/s for an angle
    const bool is_one_term = given.text().find_first_of("+-") == std::string::npos;
    return fmt::format("this is a rate: write the value over time, '{}*t'",
                       is_one_term ? given.text() : "(" + given.text() + ")");
  }
  // A unit follows a number only: `5` can become `5 s`, but `half` cannot become `half s`.
  if (given.dimension().is_dimensionless() && is_number(given.text())) {
    return fmt::format("add a unit, for example '{} {}'", given.text(), expected.si_unit());
  }
  if (expected.is_dimensionless()) return "write a number without unit (an angle may have rad or deg)";
  return fmt::format("write a value in {} or a unit of the same kind", expected.si_unit());
}

}  // namespace

ParameterScope::ParameterScope(const std::vector<ModelParameter>& parameters, std::vector<std::string> failed)
    : failed_(std::move(failed)) {
  for (const ModelParameter& parameter : parameters) parameters_.emplace(parameter.name, parameter);
}

const ModelParameter* ParameterScope::find(std::string_view name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? nullptr : &found->second;
}

bool ParameterScope::has_failed(std::string_view name) const {
  return std::find(failed_.begin(), failed_.end(), name) != failed_.end();
}

std::vector<std::string> ParameterScope::names() const {
  std::vector<std::string> names = failed_;
  for (const auto& [name, parameter] : parameters_) names.push_back(name);
  return names;
}

ValueReader::ValueReader(const SourceTexts& texts, MistakeList& mistakes, ParameterScope parameters,
                         MechanismSpec& mechanism)
    : texts_(texts), mistakes_(mistakes), parameters_(std::move(parameters)), mechanism_(mechanism) {}

const std::map<std::string, Dimension, std::less<>>& ValueReader::channels() {
  if (channels_.empty()) {
    for (const MechanismChannel& channel : mechanism_channels(mechanism_)) {
      const ChannelDescription& description = channel.description;
      if (usable_in_expressions(channel)) channels_.emplace(description.name, description.dimension);
    }
  }
  return channels_;
}

std::optional<Symbol> ValueReader::variable(std::string_view name) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::kVariable;
  if (name == "t") {
    symbol.variable = Expression::kTimeVariable;
    symbol.dimension = dimensions::kTime;
    return symbol;
  }
  const auto channel = channels().find(name);
  if (channel == channels_.end()) return std::nullopt;
  const auto [found, is_new] = variables_.emplace(name, static_cast<int>(mechanism_.variables.size()));
  if (is_new) mechanism_.variables.push_back({std::string(name)});
  symbol.variable = found->second;
  symbol.dimension = channel->second;
  return symbol;
}

std::optional<Expression> ValueReader::channel(std::string_view name) {
  const std::optional<Symbol> found = name == "t" ? std::nullopt : variable(name);
  return found ? std::optional(Expression::variable(found->variable, found->dimension)) : std::nullopt;
}

const NamedFunction* ValueReader::function(std::string_view name, LookupNotes& notes) const {
  if (std::ranges::find(failed_functions_, name) != failed_functions_.end()) notes.used_failed_parameter = true;
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

std::optional<Symbol> ValueReader::lookup(std::string_view name, Dependence dependence, LookupNotes& notes) {
  const bool is_phi = dependence == Dependence::kCamAngle && name == kCamAngleName;
  if (is_phi || (dependence == Dependence::kCurveParameter && name == kCurveParameterName)) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    symbol.variable = Expression::kTimeVariable;  // the one that derivatives are taken in
    symbol.dimension = is_phi ? dimensions::kAngle : dimensions::kNone;
    return symbol;
  }
  if (dependence == Dependence::kSurfaceParameters && (name == "u" || name == "v")) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    symbol.variable = name == "u" ? 0 : 1;
    return symbol;
  }
  if (parameters_.has_failed(name)) {
    notes.used_failed_parameter = true;
    return std::nullopt;
  }
  if (const ModelParameter* parameter = parameters_.find(name)) {
    if (parameter->word) {
      notes.word_parameter = name;
      return std::nullopt;
    }
    Symbol symbol;
    symbol.constant = parameter->value;
    symbol.bare_zero = parameter->is_bare_zero;
    return symbol;
  }
  const bool is_channel = name.find('.') != std::string_view::npos;
  if (dependence == Dependence::kConstant || dependence == Dependence::kCamAngle ||
      dependence == Dependence::kCurveParameter || dependence == Dependence::kSurfaceParameters) {
    if (name == "t" || is_channel) notes.varying = name;
    return std::nullopt;
  }
  if (dependence == Dependence::kTime && name != "t") {
    if (is_channel) notes.state = name;
    return std::nullopt;
  }
  std::optional<Symbol> symbol = variable(name);
  if (!symbol && is_force(name)) notes.force = name;
  return symbol;
}

// A channel that follows from the accelerations: what joints carry, and what contacts do.
bool ValueReader::is_force(std::string_view name) const {
  const std::vector<MechanismChannel> all = mechanism_channels(mechanism_);
  if (std::ranges::any_of(all, [&](const MechanismChannel& channel) { return channel.description.name == name; }))
    return true;
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view what = name.substr(dot + 1);
  return what.starts_with("normal_force") || what.starts_with("tangential_force") ||
         what.starts_with("normal_impulse") || what.starts_with("tangential_impulse");
}

std::vector<std::string> ValueReader::known_names(Dependence dependence) {
  if (mistakes_.is_full()) return {};
  std::vector<std::string> names = parameters_.names();
  if (dependence == Dependence::kCamAngle) names.emplace_back(kCamAngleName);
  if (dependence == Dependence::kCurveParameter) names.emplace_back(kCurveParameterName);
  if (dependence == Dependence::kSurfaceParameters) names.insert(names.end(), {"u", "v"});
  if (dependence == Dependence::kTime || dependence == Dependence::kTimeAndState) names.emplace_back("t");
  if (dependence == Dependence::kTimeAndState) {
    for (const auto& [channel, dimension] : channels()) names.push_back(channel);
  }
  return names;
}

void ValueReader::report_unparsed(const YamlNode& node, const std::string& path, Dependence dependence,
                                  const LookupNotes& notes, const ExpressionError& error) {
  const SourcePosition at = position_in_scalar(texts_, node, error.offset());
  if (notes.used_failed_parameter) {  // reported where the parameter is defined
    ++uses_of_failed_parameters_;
  } else if (!notes.word_parameter.empty()) {
    report(at, path, fmt::format("the parameter '{}' is a word, not a number", notes.word_parameter),
           "use it only where a name is expected, such as 'law' or 'model'");
  } else if (!notes.varying.empty()) {
    const bool is_law = dependence == Dependence::kCamAngle, is_curve = dependence == Dependence::kCurveParameter;
    const bool is_surface = dependence == Dependence::kSurfaceParameters;
    report(at, path,
           fmt::format("'{}' changes with time, but this {}", notes.varying,
                       is_law       ? "law may depend on the angle phi only"
                       : is_curve   ? "curve may depend on its parameter s only"
                       : is_surface ? "surface may depend on its parameters u and v only"
                                    : "value must be constant"),
           is_law       ? "use phi, numbers and parameters only; the motion of a cam is its 'turn'"
           : is_curve   ? "use s, numbers and parameters only"
           : is_surface ? "use u, v, numbers and parameters only"
                        : "use numbers and parameters only");
  } else if (!notes.force.empty()) {
    report(at, path,
           fmt::format("'{}' follows from the accelerations, and these follow from this expression", notes.force),
           "use positions and velocities; the force of a spring is a function of them");
  } else if (!notes.state.empty()) {
    report(at, path,
           fmt::format("'{}' depends on the motion, but this expression may depend on time only", notes.state),
           "use t, numbers and parameters only");
  } else {
    report(at, path, error.what(),
           error.hint().empty() ? "see docs/reference/expressions.md for what an expression may hold" : error.hint());
  }
}

std::optional<Expression> ValueReader::expression(const YamlNode& node, const std::string& path, Dimension expected,
                                                  Dependence dependence) {
  const bool may_be_table = dependence != Dependence::kConstant && dependence != Dependence::kSurfaceParameters;
  if (node.kind == YamlNode::Kind::kMap && may_be_table && table_reader_)
    return table_reader_(node, path, expected, dependence);
  if (!is_scalar(node, path, fmt::format("1 {}", expected.si_unit()))) return std::nullopt;
  if (is_not_a_number(node.text)) {
    report(node.at, path, fmt::format("{} is not a finite number", in_quotes(node.text)), "give a number");
    return std::nullopt;
  }
  LookupNotes notes;
  const SymbolScope scope{[&](std::string_view name) { return lookup(name, dependence, notes); },
                          [&] { return known_names(dependence); },
                          [&](std::string_view name) { return function(name, notes); }};
  try {
    Expression result = Expression::parse(node.text, scope);
    if (result.dimension() == expected || result.is_bare_zero()) return result;
    report(node.at, path,
           fmt::format("{} is {}, but {} is expected here", in_quotes(node.text), result.dimension().describe(),
                       expected.describe()),
           unit_hint(expected, result, dependence));
  } catch (const ExpressionError& error) {
    report_unparsed(node, path, dependence, notes, error);
  }
  return std::nullopt;
}

std::optional<Dimension> ValueReader::dimension_of(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar) return std::nullopt;
  LookupNotes notes;
  const SymbolScope scope{[&](std::string_view name) { return lookup(name, Dependence::kConstant, notes); }, nullptr};
  try {
    const Expression value = Expression::parse(node.text, scope);
    return value.is_bare_zero() ? std::nullopt : std::optional(value.dimension());
  } catch (const ExpressionError&) {
    return std::nullopt;  // reported when it is read
  }
}

std::optional<double> ValueReader::number(const YamlNode& node, const std::string& path, Dimension expected,
                                          const Range& range, bool is_angle) {
  const std::optional<Expression> value = expression(node, path, expected, Dependence::kConstant);
  if (!value) return std::nullopt;
  const double number = value->constant_value();
  if (range.contains(number)) return number;
  const std::string unit = is_angle                      ? " rad"
                           : expected.is_dimensionless() ? ""
                                                         : fmt::format(" {}", expected.si_unit());
  const bool is_meant_in_degrees = is_angle && is_number(node.text) && range.contains(number * std::numbers::pi / 180);
  report(node.at, path, fmt::format("must be {}, but is {:.6g}{}", range.describe(), number, unit),
         is_meant_in_degrees ? fmt::format("an angle without a unit is in rad; write '{:.6g} deg'", number)
                             : fmt::format("write for example '{}{}'", range.contains(1) ? "1" : "0.5", unit));
  return std::nullopt;
}

std::optional<std::string> ValueReader::text(const YamlNode& node, const std::string& path) {
  if (!is_scalar(node, path, "a text")) return std::nullopt;
  return node.text;
}

std::optional<std::string> ValueReader::word(const YamlNode& node, const std::string& path) {
  if (!is_scalar(node, path, "a word")) return std::nullopt;
  if (parameters_.has_failed(node.text)) {
    ++uses_of_failed_parameters_;
    return std::nullopt;
  }
  const ModelParameter* parameter = parameters_.find(node.text);
  return parameter != nullptr && parameter->word ? *parameter->word : node.text;
}

bool ValueReader::is_scalar(const YamlNode& node, const std::string& path, std::string_view example) {
  if (node.kind == YamlNode::Kind::kScalar) return true;
  const bool missing = node.kind == YamlNode::Kind::kNull;
  report(node.at, path,
         missing ? "has no value" : fmt::format("must be a single value, but is {}", describe(node.kind)),
         fmt::format("write a value here, such as {}", example));
  return false;
}

void ValueReader::report_unknown(SourcePosition at, const std::string& path, std::string_view what,
                                 std::string_view given, const std::function<std::vector<std::string>()>& allowed) {
  const std::string hint = mistakes_.is_full() ? "" : suggestion(given, allowed());
  report(at, path, fmt::format("{} {}", what, in_quotes(given)), hint);
}

void ValueReader::report(SourcePosition at, std::string path, std::string message, std::string hint) {
  mistakes_.add(at, std::move(path), std::move(message), std::move(hint));
}

SourcePosition position_in_scalar(const SourceTexts& texts, const YamlNode& scalar, std::size_t offset) {
  const std::string_view line = texts.line_at(scalar.at);
  std::size_t begin = static_cast<std::size_t>(std::max(1, scalar.at.column)) - 1;
  if (scalar.is_quoted) ++begin;
  const bool as_written = begin <= line.size() && line.substr(begin, scalar.text.size()) == scalar.text;
  if (!as_written) return scalar.at;  // escapes, several lines, an anchor in front
  SourcePosition at = scalar.at;
  at.column = static_cast<int>(begin + std::min(offset, scalar.text.size())) + 1;
  return at;
}

std::string suggestion(std::string_view given, const std::vector<std::string>& allowed) {
  constexpr std::size_t kMaxListed = 16;
  if (const std::string match = closest_match(given, allowed); !match.empty())
    return fmt::format("did you mean '{}'?", match);
  if (allowed.empty()) return "nothing is defined that could stand here";
  if (allowed.size() <= kMaxListed) return "possible: " + listed(allowed, "or");
  const auto end = allowed.begin() + static_cast<std::ptrdiff_t>(kMaxListed);
  return fmt::format("possible: {} and {} more", fmt::join(allowed.begin(), end, ", "), allowed.size() - kMaxListed);
}

bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty() || is_digit(name.front())) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace freeplay::io
