#include "freeplay/simulation/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/core/error.h"

namespace freeplay::simulation {

Measures::Measures(const std::vector<MeasureSpec>& specs, const std::vector<NamedQuantity>& constants,
                   const std::vector<ChannelInfo>& channels, const std::vector<MeasuredContact>& contacts)
    : program_(parse_measures(specs, {constants, channels, contacts})), contacts_(contacts) {}

bool Measures::needs_impacts() const {
  return std::ranges::any_of(program_.reductions, [](const Reduction& reduction) {
    return reduction.spec().is_of_impacts || reduction.spec().kind == ReductionKind::kAtImpact;
  });
}

void Measures::begin(const std::vector<ChannelInfo>& columns) {
  columns_.clear();
  for (const std::string& channel : program_.channels) {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const ChannelInfo& info) { return info.name == channel; });
    FREEPLAY_ASSERT(found != columns.end());
    columns_.push_back(static_cast<std::size_t>(found - columns.begin()));
  }
  variables_.assign(program_.channels.size() + 1, 0);
  impact_.assign(impact_quantities().size() + 1, 0);
  for (Reduction& reduction : program_.reductions) reduction.begin();
}

void Measures::add_row(double time_s, std::span<const double> values) {
  if (program_.reductions.empty()) return;
  variables_[Expression::kTimeVariable] = time_s;
  for (std::size_t i = 0; i < columns_.size(); ++i) variables_[i + 1] = values[columns_[i]];
  for (Reduction& reduction : program_.reductions) reduction.add_row(variables_);
}

void Measures::add_impact(const ImpactRecord& record) {
  if (program_.reductions.empty()) return;
  const std::span<const ImpactQuantity> quantities = impact_quantities();
  impact_[Expression::kTimeVariable] = record.time_s;
  for (std::size_t i = 0; i < quantities.size(); ++i) impact_[i + 1] = record.*quantities[i].member;
  const auto contact = static_cast<std::size_t>(record.contact);
  const auto is_of = [&](const std::string& element) {
    return element.empty() || (contact < contacts_.size() &&
                               (contacts_[contact].element == element || contacts_[contact].point == element));
  };
  for (Reduction& reduction : program_.reductions) reduction.add_impact(impact_, is_of(reduction.spec().element));
}

std::vector<MeasuredValue> Measures::values() const {
  std::vector<double> results = {0};  // variable 0 is the time, which is not in a measure
  for (const Reduction& reduction : program_.reductions) results.push_back(reduction.result());
  std::vector<MeasuredValue> all;
  for (const ParsedMeasure& measure : program_.measures)
    all.push_back({measure.name, measure.of.evaluate(results), measure.of.dimension().si_unit()});
  return all;
}

std::vector<std::string> Measures::shortfalls() const {
  std::vector<std::string> all;
  const std::vector<MeasuredValue> known = values();
  for (std::size_t i = 0; i < known.size(); ++i) {
    std::string reasons;
    for (const int variable : program_.measures[i].of.variables()) {
      const std::string reason = program_.reductions[static_cast<std::size_t>(variable) - 1].shortfall();
      if (!reason.empty()) reasons += (reasons.empty() ? "" : "; ") + reason;
    }
    const bool has_value = std::isfinite(known[i].value), is_infinite = !reasons.empty() && std::isinf(known[i].value);
    if (!has_value && reasons.empty()) reasons = "its expression is not a finite number, as after a division by zero";
    const char* const what = has_value     ? "looks beyond the end of the run"
                             : is_infinite ? "is infinite"
                                           : "has no value";
    if (!reasons.empty()) all.push_back(fmt::format("the measure '{}' {}: {}", known[i].name, what, reasons));
  }
  return all;
}

std::vector<ChannelInfo> Measures::labels() const {
  std::vector<ChannelInfo> labels;
  for (const ParsedMeasure& measure : program_.measures)
    labels.push_back({measure.name, measure.of.dimension().si_unit()});
  return labels;
}

std::string Measures::text() const {
  std::string text;
  for (const ParsedMeasure& measure : program_.measures) text += measure.name + ": " + measure.text + "\n";
  return text;
}

Measures::Memory Measures::memory() const {
  Memory memory{text(), {}};
  for (const Reduction& reduction : program_.reductions) reduction.write(memory.numbers);
  return memory;
}

bool Measures::fits(const Memory& memory) const {
  if (program_.measures.empty()) return true;
  if (memory.text != text()) return false;
  std::span<const double> numbers = memory.numbers;
  for (Reduction trial : program_.reductions) {
    if (!trial.read(numbers)) return false;
  }
  return numbers.empty();
}

void Measures::go_on(const Memory& memory) {
  FREEPLAY_ASSERT(fits(memory));
  std::span<const double> numbers = memory.numbers;
  for (Reduction& reduction : program_.reductions) {
    const bool is_own = reduction.read(numbers);
    FREEPLAY_ASSERT(is_own);
  }
}

}  // namespace freeplay::simulation
