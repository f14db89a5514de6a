#include "freeplay/report/plot/plot_quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/report/plot/plot_error.h"

namespace freeplay::report {

namespace {

const ChannelInfo* find_channel(const ResultReader& result, std::string_view name) {
  const auto& channels = result.channels();
  const auto found =
      std::find_if(channels.begin(), channels.end(), [&](const ChannelInfo& c) { return c.name == name; });
  return found == channels.end() ? nullptr : &*found;
}

Dimension dimension_of(const std::string& unit) {
  const std::optional<Quantity> found = find_unit(unit);
  return found ? found->dimension : Dimension();  // "1"
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

// Channels become variables, in the order in which they are met; parameters are constants.
class Scope {
 public:
  explicit Scope(const ResultReader& result) : result_(result) {
    const auto text = result.attributes().find("parameters");
    if (text != result.attributes().end()) parameters_ = nlohmann::json::parse(text->second, nullptr, false);
  }
  SymbolScope symbols() {
    return {[this](std::string_view name) { return lookup(name); }, [this] { return names(); }};
  }
  std::vector<std::string> channels;

 private:
  std::optional<Symbol> lookup(std::string_view name) {
    Symbol symbol;
    if (name == "t") {
      symbol.kind = Symbol::Kind::kVariable;
      symbol.variable = Expression::kTimeVariable;
      symbol.dimension = dimensions::kTime;
      return symbol;
    }
    if (const ChannelInfo* channel = find_channel(result_, name)) {
      const auto known = std::find(channels.begin(), channels.end(), name);
      symbol.kind = Symbol::Kind::kVariable;
      symbol.variable = static_cast<int>(known - channels.begin()) + 1;
      symbol.dimension = dimension_of(channel->unit);
      if (known == channels.end()) channels.emplace_back(name);
      return symbol;
    }
    const auto parameter = parameters_.is_object() ? parameters_.find(std::string(name)) : parameters_.end();
    if (parameter == parameters_.end() || !parameter->contains("value")) return std::nullopt;
    try {
      symbol.constant = {parameter->at("value").get<double>(), dimension_of(parameter->at("unit").get<std::string>())};
    } catch (const nlohmann::json::exception&) {
      throw IoError(fmt::format("cannot read {}: its parameter '{}' is not as freeplay writes it",
                                result_.path().string(), name));
    }
    return symbol;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all = {"t"};
    for (const ChannelInfo& channel : result_.channels()) all.push_back(channel.name);
    if (parameters_.is_object()) {
      for (const auto& [name, value] : parameters_.items()) all.push_back(name);
    }
    return all;
  }

  const ResultReader& result_;
  nlohmann::json parameters_;
};

}  // namespace

PlotQuantity PlotQuantity::time() {
  return {};
}

PlotQuantity PlotQuantity::parse(const ResultReader& result, const std::string& text) {
  if (find_channel(result, text) != nullptr) return of_values(result, text, text);
  std::string label, body = text, unit_text;
  if (const std::size_t equals = text.find('='); equals != std::string::npos) {
    label = trimmed(text.substr(0, equals));
    body = trimmed(text.substr(equals + 1));
    if (label.empty()) throw PlotError(fmt::format("\"{}\": there is no name before the '='", text));
  }
  if (const std::size_t in = body.rfind(" in "); in != std::string::npos) {
    unit_text = trimmed(body.substr(in + 4));
    body = trimmed(body.substr(0, in));
  }
  if (label.empty()) label = body;
  // Of alternatives the first that this result has; the last one gets to say what is wrong.
  for (std::size_t bar = 0; (bar = body.find(" | ")) != std::string::npos; body = trimmed(body.substr(bar + 3))) {
    try {
      of_values(result, trimmed(body.substr(0, bar)), text);
      body.resize(bar);
      break;
    } catch (const PlotError&) {
    } catch (const UnknownChannel&) {
    }
  }
  PlotQuantity quantity = of_values(result, trimmed(body), text);
  quantity.label_ = label == "t" ? "time" : label;
  if (!unit_text.empty()) quantity.ask_for(unit_text, text);
  return quantity;
}

PlotQuantity PlotQuantity::of_values(const ResultReader& result, const std::string& body, const std::string& text) {
  PlotQuantity quantity;
  quantity.label_ = body;
  if (const ChannelInfo* channel = find_channel(result, body)) {
    quantity.channels_ = {channel->name};
    quantity.si_unit_ = channel->unit;
    return quantity;
  }
  if (body == "time" || body == "t") return quantity;
  if (body.find_first_of("+-*/^()") == std::string::npos) result.read_channel(body, 0, {});  // throws: there is none
  Scope scope(result);
  try {
    quantity.expression_ = Expression::parse(body, scope.symbols());
  } catch (const ExpressionError& error) {
    throw PlotError(fmt::format("\"{}\": {}", text, error.what()), error.hint());
  }
  quantity.channels_ = std::move(scope.channels);
  quantity.si_unit_ = quantity.expression_->dimension().si_unit();
  return quantity;
}

void PlotQuantity::ask_for(const std::string& unit_text, const std::string& text) {
  const std::optional<Quantity> unit = find_unit(unit_text);
  if (!unit) throw PlotError(fmt::format("\"{}\": there is no unit '{}'", text, unit_text), "see freeplay list units");
  if (!(unit->dimension == dimension_of(si_unit_))) {
    throw PlotError(fmt::format("\"{}\": '{}' is the unit of {}, but {} is in {}", text, unit_text,
                                unit->dimension.describe(), label_, si_unit_));
  }
  asked_unit_ = AxisUnit{unit_text, unit->value};
}

void PlotQuantity::read(const ResultReader& result, std::int64_t first, std::span<double> out) const {
  if (is_time()) return result.read_time(first, out);
  if (!expression_) return result.read_channel(channels_.front(), first, out);
  std::vector<std::vector<double>> columns(channels_.size() + 1, std::vector<double>(out.size()));
  result.read_time(first, columns[0]);
  for (std::size_t c = 0; c < channels_.size(); ++c) result.read_channel(channels_[c], first, columns[c + 1]);
  std::vector<double> variables(columns.size());
  for (std::size_t row = 0; row < out.size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) variables[c] = columns[c][row];
    out[row] = expression_->evaluate(variables);
  }
}

}  // namespace freeplay::report
