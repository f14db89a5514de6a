#include "freeplay/compile/recording/recorded_outputs.h"

#include <algorithm>

#include "freeplay/core/error.h"

namespace freeplay::compile {

namespace {

// `variables`: t and the channels that the measures name.
void record_measures(const MeasureProgram& measures, const std::vector<Recorded>& variables,
                     ModelRecording& recording) {
  for (const Reduction& reduction : measures.reductions) {
    if (reduction.spec().is_of_impacts) continue;
    recording.channels.push_back(recording.tape->place_of(reduction.spec().of.record(variables)));
    if (reduction.spec().kind == ReductionKind::kAtCrossing)
      recording.channels.push_back(recording.tape->place_of(reduction.spec().crossing.record(variables)));
  }
}

void record_impacts(const MeasureProgram& measures, const Recorded& t, ModelRecording& recording) {
  const auto is_of_impacts = [](const Reduction& reduction) { return reduction.spec().is_of_impacts; };
  if (std::ranges::none_of(measures.reductions, is_of_impacts)) return;
  std::vector<Recorded> quantities{t};
  for (std::size_t i = 0; i < impact_quantities().size(); ++i)
    quantities.push_back(recording.tape->input(odd_number(static_cast<int>(i))));
  for (const Reduction& reduction : measures.reductions) {
    if (is_of_impacts(reduction))
      recording.impacts.push_back(recording.tape->place_of(reduction.spec().of.record(quantities)));
  }
}

// As record_measures(); of the first function only what crosses zero.
void record_section(const MeasureProgram& section, const std::vector<Recorded>& variables, ModelRecording& recording) {
  Tape& tape = *recording.tape;
  for (std::size_t i = 0; i < section.reductions.size(); ++i) {
    const ReductionSpec& spec = section.reductions[i].spec();
    const bool crosses = spec.kind == ReductionKind::kAtCrossing;
    const Recorded value = i > 0 ? spec.of.record(variables) : crosses ? spec.crossing.record(variables) : Recorded(0);
    recording.channels.push_back(tape.place_of(value));
  }
}

}  // namespace

// b <- M^-1 b with M = L^T D L (Featherstone 2008, section 6.5): no fill-in outside of the branches, and what is zero
// by structure falls away when the tape is simplified. A guard says that the pivots are positive.
void solve_in_place(RecordedMass& M, RecordedVector& b) {
  const int n = static_cast<int>(b.size());
  std::vector<Recorded> D_inverse(static_cast<std::size_t>(n));
  for (int k = n - 1; k >= 0; --k) {
    const Recorded D = M.row(k)[k];
    FREEPLAY_ASSERT(D > 0);
    D_inverse[static_cast<std::size_t>(k)] = 1 / D;
    for (int i = 0; i < k; ++i) {
      const Recorded factor = M.row(k)[i] * D_inverse[static_cast<std::size_t>(k)];
      for (int j = 0; j <= i; ++j) M.row(i)[j] -= factor * M.row(k)[j];
    }
    for (int i = 0; i < k; ++i) M.row(k)[i] *= D_inverse[static_cast<std::size_t>(k)];
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int i = 0; i < k; ++i) b[i] -= M.row(k)[i] * b[k];
  }
  for (int k = 0; k < n; ++k) {
    b[k] *= D_inverse[static_cast<std::size_t>(k)];
    for (int i = 0; i < k; ++i) b[k] -= M.row(k)[i] * b[i];
  }
}

void record_outputs(const WantedOutputs& wanted, const Recorded& t,
                    const std::function<std::optional<Recorded>(const std::string&)>& read, ModelRecording& recording) {
  const auto variables_of = [&](const std::vector<std::string>& names) {
    std::vector<Recorded> variables = {t};
    for (const std::string& name : names) {
      const std::optional<Recorded> value = read(name);
      if (!value) recording.unknown_channels.push_back(name);
      variables.push_back(value.value_or(Recorded(0)));
    }
    return variables;
  };
  if (wanted.measures != nullptr) record_measures(*wanted.measures, variables_of(wanted.measures->channels), recording);
  if (wanted.measures != nullptr) record_impacts(*wanted.measures, t, recording);
  if (wanted.section != nullptr) record_section(*wanted.section, variables_of(wanted.section->channels), recording);
  if (wanted.measures != nullptr || wanted.section != nullptr) return;
  const std::vector<Recorded> values = variables_of(wanted.channels);
  for (std::size_t i = 1; i < values.size(); ++i) recording.channels.push_back(recording.tape->place_of(values[i]));
}

}  // namespace freeplay::compile
