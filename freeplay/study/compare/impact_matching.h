// Where the impacts of two runs stop being the same ones.
//
// Impacts are matched contact by contact, in order. Records that follow each other at every step are one impact: a
// contact that is held by a time-stepping rule approaches anew in every step. Very slow impacts may be without partner:
// the tail of an accumulation ends somewhere else at every step size.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "freeplay/study/trace.h"

namespace freeplay::study {

// What counts as the same impact.
struct MatchOptions {
  double relative = 0.01;           // of approach speed and impulse
  double slow = 0.005;              // of the fastest impact: slower ones are left out,
  double skippable = 2;             // and up to this multiple they may lack a partner
  double steps = 2;                 // time: this many steps,
  double relative_interval = 0.01;  // or this part of the longest interval so far between impacts of the contact
  // What is slow and what is small, where a run is shorter than the one that it stands for; 0: as in the reference.
  double fastest_m_s = 0, hardest_N_s = 0;
};

double approach_speed(const ImpactRecord& impact);

// The impacts of one run, cleaned: without held contacts, by contact point and in order.
using ImpactSequence = std::vector<ImpactRecord>;
std::vector<ImpactSequence> impact_sequences(const StudyRun& run);

enum class PartingKind { kTime, kSpeed, kImpulse, kMissing };
const char* to_string(PartingKind kind);

struct Parting {
  PartingKind kind{};
  int contact = 0;
  int order = 0;      // counts from 1 among the impacts of the contact in the reference
  double time_s = 0;  // of the earlier one
  std::optional<ImpactRecord> reference, other;
  double difference = 0, allowed = 0;  // of that which differs: s, m/s, N s
};

struct MatchResult {
  std::optional<Parting> parting;
  int matched = 0;                                                         // pairs before it
  std::vector<std::pair<ImpactRecord, ImpactRecord>> pairs;                // by time, reference first
  double largest_time_difference_s = 0, largest_speed_difference_m_s = 0;  // of these pairs
};

// Fastest approach and hardest impulse of a run as options.
MatchOptions options_for(const StudyRun& run);

// Impacts before `from_s` and after the end of the shorter run are not looked at.
MatchResult match_impacts(const StudyRun& reference, const StudyRun& other, const MatchOptions& options = {},
                          double from_s = 0);

// Impacts that come ever faster: intervals that shrink by about the same factor.
struct Accumulation {
  int contact = 0;
  double begin_s = 0, last_s = 0;  // first and last impact
  int impacts = 0;
  double ratio = 0;    // mean of successive intervals
  double limit_s = 0;  // where the series ends
};
std::vector<Accumulation> accumulations(const std::vector<ImpactSequence>& sequences);

}  // namespace freeplay::study
