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
    case ReductionKind::kCount:
      return 10;
    case ReductionKind::kAtImpact:
      return 11;
    default:
      return std::nullopt;
  }
}

// A bit for each point that is of the element of this name; empty: of any.
std::uint64_t points_of(const std::string& element, const ContactModel& contacts) {
  std::uint64_t bits = 0, bit = 1;
  FREEPLAY_ASSERT(contacts.descriptions().size() <= 64);
  for (const ContactPoint* point : contacts.descriptions()) {
    if (element.empty() || point->contact == element || point->name() == element) bits |= bit;
    bit <<= 1;
  }
  return bits;
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
    if (!kind_number(spec.kind))
      reason = "percentiles and spectra need all rows or impacts at once";
    else if (!spec.of.can_be_recorded() || !spec.crossing.can_be_recorded())
      reason = "a measure has a function given by more than 256 samples";
    else
      continue;
    return false;
  }
  return true;
}

std::vector<LaneMeasure> lane_measures(const MeasureProgram& measures, const ContactModel& contacts) {
  std::vector<LaneMeasure> lane;
  for (const Reduction& reduction : measures.reductions) {
    const ReductionSpec& spec = reduction.spec();
    const std::optional<int> kind = kind_number(spec.kind);
    FREEPLAY_ASSERT(kind.has_value());
    lane.push_back({*kind, spec.kind == ReductionKind::kAtCrossing, spec.is_of_impacts,
                    spec.is_of_impacts || spec.kind == ReductionKind::kAtImpact, points_of(spec.element, contacts)});
  }
  return lane;
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
