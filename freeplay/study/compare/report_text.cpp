#include "freeplay/study/compare/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace freeplay::study {

namespace {

std::string difference_text(const Parting& parting) {
  const auto& [kind, contact, order, time_s, a, b, difference, allowed] = parting;
  if (!a) return fmt::format("the reference has no such impact; approach at {:.4g} m/s", -b->normal_velocity_before);
  if (!b) return fmt::format("it has no such impact; approach at {:.4g} m/s", -a->normal_velocity_before);
  switch (kind) {
    case PartingKind::kTime:
      return fmt::format("it comes at {:.6g} s instead of {:.6g} s, {:.3g} us apart", b->time_s, a->time_s,
                         1e6 * difference);
    case PartingKind::kSpeed:
      return fmt::format("approach at {:.4g} m/s instead of {:.4g} m/s", -b->normal_velocity_before,
                         -a->normal_velocity_before);
    case PartingKind::kImpulse:
    case PartingKind::kMissing:
      break;
  }
  return fmt::format("impulse {:.4g} N s instead of {:.4g} N s", b->normal_impulse, a->normal_impulse);
}

// Of runs without impacts: which motion leaves that of the reference first.
std::string motion_headline(const Comparison& comparison) {
  const PairReport* first = nullptr;
  for (const PairReport& pair : comparison.pairs) {
    if (pair.motion_parted_at_s && (first == nullptr || *pair.motion_parted_at_s < *first->motion_parted_at_s))
      first = &pair;
  }
  if (first == nullptr)
    return fmt::format("There are no impacts, and all motions agree within {:.0e}.", kPartedDifference);
  return fmt::format(
      "There are no impacts. The motion of '{}' is the first to leave that of '{}', by {:.0e} at t = {:.6g} s.",
      comparison.runs[first->run].label, comparison.runs[*comparison.reference].label, kPartedDifference,
      *first->motion_parted_at_s);
}

}  // namespace

const char* status_text(const StudyRun& run) {
  switch (run.end) {
    case StudyRun::End::kCompleted:
      return "completed";
    case StudyRun::End::kRefused:
      return "cannot run";
    case StudyRun::End::kFailed:
      return "failed";
    case StudyRun::End::kInterrupted:
      return "interrupted";
    case StudyRun::End::kNotStarted:
      break;
  }
  return "not started";
}

std::string cause_words(Cause cause) {
  switch (cause) {
    case Cause::kChaos:
      return "chaos";
    case Cause::kLaw:
      return "contact law";
    case Cause::kZeno:
      return "accumulation of impacts (Zeno)";
    case Cause::kSolver:
      return "solver";
    case Cause::kStep:
      return "step size";
    case Cause::kUndecided:
      break;
  }
  return "undecided";
}

std::string parting_sentence(const Comparison& comparison, const PairReport& pair, const PartingReport& report) {
  const StudyRun& reference = comparison.runs[*comparison.reference];
  const Parting& parting = report.parting;
  return fmt::format("'{}' diverges from '{}' at impact {} of '{}', t = {:.6g} s ({}). Cause: {}",
                     comparison.runs[pair.run].label, reference.label, parting.order,
                     reference.contacts[static_cast<std::size_t>(parting.contact)], parting.time_s,
                     difference_text(parting), cause_words(report.finding.cause));
}

std::string agreement_sentence(const Comparison& comparison, const PairReport& pair) {
  const StudyRun& run = comparison.runs[pair.run];
  std::string text = fmt::format("'{}' agrees in no impact", run.label);
  if (pair.match.matched == 0 && !pair.match.parting)
    text = fmt::format("'{}' has no impact to compare up to t = {:.6g} s", run.label, pair.agrees_until_s);
  if (pair.match.matched > 0)
    text =
        fmt::format("'{}' agrees in {} impacts up to t = {:.6g} s (times within {:.3g} us, speeds within {:.3g} m/s)",
                    run.label, pair.match.matched, pair.agrees_until_s, 1e6 * pair.match.largest_time_difference_s,
                    pair.match.largest_speed_difference_m_s);
  if (pair.motion_parted_at_s)
    return text + fmt::format("; its motion is within {:.0e} up to t = {:.6g} s.", kPartedDifference,
                              *pair.motion_parted_at_s);
  return text + fmt::format("; its motion stays within {:.1e}.", pair.largest_motion_difference);
}

std::string twin_sentence(const PerturbationGrowth& twin) {
  if (!twin.differs)
    return fmt::format("A start that differs by {} gives the same run: drivers or stops leave nothing free to differ.",
                       perturbation_text(twin));
  std::string text = fmt::format("A start that differs by {} ends up {:.2g} of the motion away",
                                 perturbation_text(twin), twin.largest);
  if (twin.rate_per_s && *twin.rate_per_s > 0)
    text += fmt::format(", growing at {:.3g} 1/s (tenfold in {:.3g} s)", *twin.rate_per_s,
                        std::log(10.0) / *twin.rate_per_s);
  if (twin.parted_at_s)
    return text +
           fmt::format(". It reaches {:.0e} at t = {:.6g} s: later differences are not to be read as disagreement.",
                       kPartedDifference, *twin.parted_at_s);
  return text + fmt::format(". It stays below {:.0e}: the run can be predicted to its end.", kPartedDifference);
}

std::string headline(const Comparison& comparison) {
  if (const std::optional<Comparison::First> first = comparison.first_parting())
    return parting_sentence(comparison, *first->pair, *first->report);
  if (comparison.pairs.empty()) return "There are no two runs to compare.";
  const bool has_impacts = std::any_of(comparison.pairs.begin(), comparison.pairs.end(),
                                       [](const PairReport& pair) { return pair.match.matched > 0; });
  if (!has_impacts) return motion_headline(comparison);
  return "All formulations agree at every impact that they have in common.";
}

}  // namespace freeplay::study
