#include "freeplay/compile/measured_lane.h"

#include <fmt/format.h>

#include <optional>

#include "freeplay/core/error.h"
#include "freeplay/simulation/recording/row_recorder.h"

namespace freeplay::compile {

namespace {

// Reduction::write() begins with the number of its samples, which lanes do not have.
constexpr std::size_t kMeasureNumbers = 9;

std::optional<int> kind_number(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::kInitial:
      return 0;
    case ReductionKind::kFinal:
      return 1;
    case ReductionKind::kAt:
      return 2;
    case ReductionKind::kMin:
      return 3;
    case ReductionKind::kMax:
      return 4;
    case ReductionKind::kMean:
      return 5;
    case ReductionKind::kRms:
      return 6;
    case ReductionKind::kSum:
      return 7;
    case ReductionKind::kAtCrossing:
      return 8;
    case ReductionKind::kShare:
      return 9;
    default:
      return std::nullopt;
  }
}

}  // namespace

MeasureProgram measure_program_of(const ModelSpec& spec, const Model& model) {
  std::vector<NamedQuantity> constants;
  for (const ModelParameter& parameter : spec.parameters) {
    if (!parameter.word) constants.push_back({parameter.name, parameter.value});
  }
  std::vector<MeasuredContact> contacts;
  for (const ContactPoint* point : model.contacts->descriptions()) contacts.push_back({point->contact, point->name()});
  const std::vector<ChannelInfo> channels =
      available_channels(*model.system, *model.contacts, spec.simulate.integrator);
  return parse_measures(spec.measures, {constants, channels, contacts});
}

bool are_lane_measures(const MeasureProgram& measures, std::string& reason) {
  for (const Reduction& reduction : measures.reductions) {
    const ReductionSpec& spec = reduction.spec();
    if (spec.is_of_impacts || spec.kind == ReductionKind::kCount || spec.kind == ReductionKind::kAtImpact)
      reason = "a measure asks for impacts, which compiled runs do not list";
    else if (!kind_number(spec.kind))
      reason = "percentiles and spectra need all rows at once";
    else if (!spec.of.can_be_recorded() || !spec.crossing.can_be_recorded())
      reason = "a measure has a function given by samples";
    else
      continue;
    return false;
  }
  return true;
}

int lane_measure_kind(ReductionKind kind) {
  const std::optional<int> number = kind_number(kind);
  FREEPLAY_ASSERT(number.has_value());
  return *number;
}

std::vector<double> first_measured(const MeasureProgram& measures) {
  std::vector<double> all;
  for (Reduction reduction : measures.reductions) {
    std::vector<double> numbers;
    reduction.begin();
    reduction.write(numbers);
    FREEPLAY_ASSERT(numbers.size() == kMeasureNumbers + 1);
    all.insert(all.end(), numbers.begin() + 1, numbers.end());
  }
  return all;
}

std::vector<double> measured_values(const MeasureProgram& measures, const LaneData& lane) {
  std::vector<double> results = {0};  // variable 0 is the time, which is not in a measure
  for (std::size_t r = 0; r < measures.reductions.size(); ++r) {
    Reduction reduction = measures.reductions[r];
    std::vector<double> numbers = {0};
    const auto first = lane.measured.begin() + static_cast<std::ptrdiff_t>(r * kMeasureNumbers);
    numbers.insert(numbers.end(), first, first + kMeasureNumbers);
    std::span<const double> rest = numbers;
    const bool is_own = reduction.read(rest);
    FREEPLAY_ASSERT(is_own);
    results.push_back(reduction.result());
  }
  std::vector<double> values;
  for (const ParsedMeasure& measure : measures.measures) values.push_back(measure.of.evaluate(results));
  return values;
}

}  // namespace freeplay::compile
