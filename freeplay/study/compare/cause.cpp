#include "freeplay/study/compare/cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace freeplay::study {

namespace {

constexpr double kRelevant = 0.003;      // a difference of responses that counts as a difference of laws
constexpr double kShrinks = 0.75;        // a disagreement that half of the step makes smaller than this part of it
constexpr double kOwnChange = 0.5;       // a disagreement that refining either run alone changes by this part of it
constexpr double kLeastChange = 0.1;     // a run that refining moves by less than this part of it is converged
constexpr double kUnresolvedSteps = 20;  // an interval of fewer steps is no longer resolved
constexpr double kEnded =
    0.1;  // of the first interval of a series: its last one is shorter where it has come to an end
constexpr double kStepErrors = 3;   // a difference of laws is larger than this many effects of the step
constexpr double kMagnified = 100;  // a motion that makes this of a difference up to the parting is sensitive

// Impulse per speed of approach: what a law makes of an impact, kg. Newton: m (1 + e).
double response(const ImpactRecord& impact) {
  return approach_speed(impact) > 0 ? impact.normal_impulse / approach_speed(impact) : 0;
}
double relative_difference(double a, double b) {
  const double scale = std::max(std::abs(a), std::abs(b));
  return scale > 0 ? std::abs(a - b) / scale : 0;
}

// The impact of `list` that is nearest in time.
const ImpactRecord* nearest(const ImpactSequence& list, double time_s) {
  const auto best = std::min_element(list.begin(), list.end(), [&](const ImpactRecord& x, const ImpactRecord& y) {
    return std::abs(x.time_s - time_s) < std::abs(y.time_s - time_s);
  });
  return best == list.end() ? nullptr : &*best;
}

std::string time_text(double seconds) {
  if (seconds >= 1 || seconds == 0) return fmt::format("{:.4g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.4g} ms", 1e3 * seconds) : fmt::format("{:.4g} us", 1e6 * seconds);
}

// Errors of size d part two runs after ln(1/d)/rate: why smaller steps help so little where differences grow. Empty
// where they do not.
std::string growth_words(const CauseInput& in, const Parting& parting) {
  if (in.twin == nullptr || !in.twin->differs || in.twin->rate_per_s.value_or(0) <= 0) return {};
  const PerturbationGrowth& twin = *in.twin;
  const auto after = std::upper_bound(twin.time.begin(), twin.time.end(), parting.time_s);
  if (after == twin.time.begin()) return {};
  const double there = twin.envelope[static_cast<std::size_t>(after - twin.time.begin()) - 1];
  if (there < kMagnified * twin.perturbation) return {};
  return fmt::format(
      "; the motion itself magnifies differences, tenfold in {} (a change of {} at the start has become {:.0e} of "
      "the "
      "motion there), so half the error delays the divergence by about {} only",
      time_text(std::log(10.0) / *twin.rate_per_s), perturbation_text(twin), there,
      time_text(std::log(2.0) / *twin.rate_per_s));
}

CauseTest chaos_test(const CauseInput& in, const Parting& parting) {
  CauseTest test{Cause::kChaos, false, {}};
  if (in.twin == nullptr || !in.twin->differs) {
    test.evidence = "no perturbed twin has been compared";
  } else if (in.twin->parted_at_s && *in.twin->parted_at_s <= parting.time_s) {
    test.holds = true;
    test.evidence = fmt::format(
        "a twin of the reference whose start differs by {} had drifted away by {:.0e} of the motion at t = {:.6g} s "
        "already: from there on no two runs agree, and a difference is not due to the formulations{}; what can still "
        "be "
        "compared are means, extremes and counts over the whole run",
        perturbation_text(*in.twin), kPartedDifference, *in.twin->parted_at_s, growth_words(in, parting));
  } else {
    test.evidence = fmt::format("the perturbed twin is still within {:.0e} of the motion at t = {:.6g} s",
                                kPartedDifference, parting.time_s);
  }
  return test;
}

// The pair that answers most differently up to the parting, and how much a smaller step changes the reference's answer.
struct LawDifference {
  double difference = 0, step_effect = 0;
  ImpactRecord reference, other;
  bool is_there = false;
};

LawDifference law_difference(const CauseInput& in, const Parting& parting) {
  LawDifference found;
  std::vector<std::pair<ImpactRecord, ImpactRecord>> pairs = in.match->pairs;
  if (parting.reference && parting.other) pairs.emplace_back(*parting.reference, *parting.other);
  for (const auto& [a, b] : pairs) {
    const double difference = relative_difference(response(a), response(b));
    if (found.is_there && difference <= found.difference) continue;
    found = {difference, 0, a, b, true};
  }
  if (!found.is_there) return found;
  const auto effect = [&](const StudyRun* refined, const ImpactRecord& impact) {
    if (refined == nullptr) return 0.0;
    const std::vector<ImpactSequence> sequences = impact_sequences(*refined);
    const ImpactRecord* same = nearest(sequences[static_cast<std::size_t>(impact.contact)], impact.time_s);
    return same == nullptr ? 0.0 : relative_difference(response(*same), response(impact));
  };
  found.step_effect = std::max(effect(in.refined_reference, found.reference), effect(in.refined_other, found.other));
  return found;
}

double delivered(const ImpactRecord& impact) {
  return approach_speed(impact) > 0 ? impact.normal_velocity_after / approach_speed(impact) : 0;
}

CauseTest law_test(const CauseInput& in, const Parting& parting) {
  CauseTest test{Cause::kLaw, false, {}};
  if (!laws_may_differ(*in.reference, *in.other)) {
    test.evidence = "both follow the same contact laws";
    return test;
  }
  const LawDifference law = law_difference(in, parting);
  if (!law.is_there) {
    test.evidence = "the laws differ, but the runs have no impact in common before they diverge";
    return test;
  }
  test.holds = law.difference > std::max(kRelevant, kStepErrors * law.step_effect);
  const double duration_a = contact_duration(*in.reference, law.reference.contact, law.reference.time_s);
  const double duration_b = contact_duration(*in.other, law.other.contact, law.other.time_s);
  test.evidence = fmt::format(
      "the impact of '{}' at t = {:.6g} s has an impulse of {:.4g} N s per m/s of approach in the reference and {:.4g} "
      "in the other run ({:.2g} % apart; refining changes it by {:.2g} %); delivered restitution {:.3f} and "
      "{:.3f}, duration {} and {}",
      in.reference->contacts[static_cast<std::size_t>(law.reference.contact)], law.reference.time_s,
      response(law.reference), response(law.other), 100 * law.difference, 100 * law.step_effect,
      delivered(law.reference), delivered(law.other), time_text(duration_a), time_text(duration_b));
  return test;
}

struct ZenoTest {
  CauseTest test;
  bool is_in_series = false;  // of impacts that accumulate, resolved or not
};

ZenoTest zeno_test(const CauseInput& in, const Parting& parting) {
  ZenoTest zeno{{Cause::kZeno, false, "the impacts of this contact do not accumulate there"}, false};
  CauseTest& test = zeno.test;
  for (const StudyRun* run : {in.reference, in.other}) {
    const double step_s = run->typical_step_s();
    for (const Accumulation& cluster : accumulations(impact_sequences(*run))) {
      if (cluster.contact != parting.contact) continue;
      // Of a geometric series all that is still to come after an interval d takes d r / (1 - r).
      const double margin = cluster.last_s - cluster.begin_s;
      if (parting.time_s < cluster.begin_s || parting.time_s > cluster.limit_s + 0.1 * margin) continue;
      const double interval = (cluster.limit_s - parting.time_s) * (1 - cluster.ratio);
      // Located impacts are resolved one by one; what follows the last one is a sum. A few impacts of which each came
      // somewhat sooner than the one before happen in any motion, and have no such end.
      const bool is_located = run->traits.locates_events();
      const bool has_ended = parting.time_s > cluster.last_s && std::pow(cluster.ratio, cluster.impacts - 2) < kEnded;
      test.holds = is_located ? has_ended : interval < kUnresolvedSteps * step_s;
      test.evidence = fmt::format(
          "{} impacts of '{}' accumulate from t = {:.6g} s towards {:.6g} s in '{}', each interval {:.2f} of the one "
          "before; where they diverge the next interval is {}, which is {}",
          cluster.impacts, run->contacts[static_cast<std::size_t>(cluster.contact)], cluster.begin_s, cluster.limit_s,
          run->label, cluster.ratio, time_text(std::max(interval, 0.0)),
          is_located ? fmt::format("{} that it locates (the last one at t = {:.6g} s)",
                                   parting.time_s > cluster.last_s ? "after all" : "among those", cluster.last_s)
                     : fmt::format("{:.3g} steps of {}", std::max(interval, 0.0) / step_s, time_text(step_s)));
      zeno.is_in_series = true;
      if (test.holds) return zeno;
    }
  }
  return zeno;
}

CauseTest solver_test(const CauseInput& in) {
  CauseTest test{Cause::kSolver, false, ""};
  const std::vector<std::string> settings = differing_settings(*in.reference, *in.other);
  if (settings != std::vector<std::string>{"solver"}) {
    test.evidence =
        settings.empty() ? "they have the same settings" : fmt::format("they differ in {}", fmt::join(settings, ", "));
    return test;
  }
  const StudyRun &a = *in.reference, &b = *in.other;
  test.holds = true;
  const double tolerance = std::max(a.options.solver_tolerance_m_s, b.options.solver_tolerance_m_s);
  const double worst = std::max(a.summary.worst_residual_m_s, b.summary.worst_residual_m_s);
  test.evidence = fmt::format(
      "same integrator and step, only the solver differs ('{}' and '{}'), worst residuals {:.2g} and {:.2g} m/s: ",
      a.options.solver, b.options.solver, a.summary.worst_residual_m_s, b.summary.worst_residual_m_s);
  if (worst > 10 * tolerance)
    test.evidence +=
        fmt::format("one of them misses the tolerance of {:.2g} m/s, which is a defect of that run", tolerance);
  else if (a.has_friction)
    test.evidence += "both answers are certified, so the contact problem with friction has more than one solution";
  else
    test.evidence += "both answers are certified; without friction this is a defect, or an amplified rounding";
  return test;
}

// What differs at the parting, of one run.
double measure(PartingKind kind, const ImpactRecord& impact) {
  if (kind == PartingKind::kTime) return impact.time_s;
  return kind == PartingKind::kSpeed ? approach_speed(impact) : impact.normal_impulse;
}

const char* unit_of(PartingKind kind) {
  if (kind == PartingKind::kTime) return "s";
  return kind == PartingKind::kSpeed ? "m/s" : "N s";
}

std::string resolution(const StudyRun& run) {
  return run.traits.step_rule == StepRule::kErrorControlled
             ? fmt::format("tolerance {:.2g}", run.options.relative_tolerance)
             : "step " + time_text(run.typical_step_s());
}

// What half of the step does to one of the two runs at the parting.
struct OwnChange {
  bool parts = false;  // it no longer has the impacts that it had up to there
  double change = 0;   // of that which differs
};

OwnChange own_change(const StudyRun& run, const StudyRun& refined, const std::optional<ImpactRecord>& impact,
                     const CauseInput& in, const Parting& parting) {
  OwnChange own;
  const MatchResult match = match_impacts(run, refined, in.options, in.from_s);
  const double latest_s = parting.time_s + std::max(parting.allowed, 2 * run.typical_step_s());
  own.parts = match.parting && match.parting->time_s <= latest_s;
  if (!impact) return own;
  const std::vector<ImpactSequence> impacts = impact_sequences(refined);
  const ImpactRecord* same = nearest(impacts[static_cast<std::size_t>(parting.contact)], impact->time_s);
  if (same != nullptr) own.change = std::abs(measure(parting.kind, *impact) - measure(parting.kind, *same));
  return own;
}

// Does the disagreement go away, move to another impact or shrink, or is it no larger than what half of the step
// changes in the two runs themselves?
CauseTest step_test(const CauseInput& in, const Parting& parting) {
  CauseTest test{Cause::kStep, false, "no refined runs are there to tell"};
  if (in.refined_reference == nullptr || in.refined_other == nullptr) return test;
  const std::string how =
      fmt::format("refined to {} and {}", resolution(*in.refined_reference), resolution(*in.refined_other));
  const MatchResult refined = match_impacts(*in.refined_reference, *in.refined_other, in.options, in.from_s);
  if (!refined.parting) {
    test.holds = true;
    test.evidence = fmt::format("{}, the two agree at this impact and up to t = {:.6g} s at least", how,
                                std::min(in.refined_reference->summary.time_s, in.refined_other->summary.time_s));
    return test;
  }
  const OwnChange a = own_change(*in.reference, *in.refined_reference, parting.reference, in, parting);
  const OwnChange b = own_change(*in.other, *in.refined_other, parting.other, in, parting);
  const Parting& then = *refined.parting;
  const std::string where =
      fmt::format("'{}' at t = {:.6g} s", in.reference->contacts[static_cast<std::size_t>(then.contact)], then.time_s);
  if (!parting.reference || !parting.other) {
    test.holds = a.parts || b.parts;
    test.evidence = fmt::format("{}, the two diverge at {}; by then {}", how, where,
                                a.parts && b.parts ? "each has other impacts than with its own step"
                                : a.parts          ? "the reference has other impacts than with its own step"
                                : b.parts          ? "the other run has other impacts than with its own step"
                                                   : "each has the impacts that it had with its own step");
    return test;
  }
  const double before = std::abs(measure(parting.kind, *parting.reference) - measure(parting.kind, *parting.other));
  const bool is_same_impact =
      then.contact == parting.contact && then.order == parting.order && then.reference && then.other;
  const double after =
      is_same_impact ? std::abs(measure(parting.kind, *then.reference) - measure(parting.kind, *then.other)) : before;
  const double own = a.change + b.change;
  const bool moves_or_shrinks = !is_same_impact || after < kShrinks * before;
  test.holds = own > kOwnChange * before || (moves_or_shrinks && own > kLeastChange * before);
  test.evidence = fmt::format(
      "{}, the two diverge at {}{}; the difference of {} at this impact is {:.3g} {}{}, and refining moves the "
      "reference "
      "by {:.3g} and the other run by {:.3g}",
      how, is_same_impact ? "the same impact, " : "another impact, ", where, to_string(parting.kind), before,
      unit_of(parting.kind), is_same_impact ? fmt::format(", then {:.3g}", after) : "", a.change, b.change);
  return test;
}

}  // namespace

CauseFinding find_cause(const CauseInput& in) {
  const Parting& parting = *in.match->parting;
  CauseFinding finding;
  const ZenoTest zeno = zeno_test(in, parting);
  finding.tests = {chaos_test(in, parting), law_test(in, parting), zeno.test, solver_test(in), step_test(in, parting)};
  for (const CauseTest& test : finding.tests) {
    if (!test.holds) continue;
    finding.cause = test.cause;
    finding.sentence = test.evidence;
    // In a series of shrinking intervals an error of the same size weighs ever more.
    if (test.cause == Cause::kStep && zeno.is_in_series) finding.sentence += "; in a series: " + zeno.test.evidence;
    if (test.cause == Cause::kStep) finding.sentence += growth_words(in, parting);
    return finding;
  }
  finding.sentence = "no test explains it: " + finding.tests.back().evidence;
  return finding;
}

}  // namespace freeplay::study
