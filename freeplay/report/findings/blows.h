// Impacts as people count them: one blow is one entry, whatever number of points and small hops it consists of.
//
// An impact belongs to the last blow of its joint or contact
// - if it comes at most one force window after its beginning: the corners of a guide strike together, and what is
// nearer than the
//   window cannot be told apart by forces either;
// - if its point was closed at all rows since its last impact: a contact that is held and pressed again;
// - if it is a small hop: at most `hop_share` of the hardest impact of its joint or contact within the last
//   `hop_windows` force windows.
// Runs without a force window (smooth integrators, event-driven) take a thousandth of their duration for it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

struct BlowRule {
  double window_s = 0;
  double hop_share = 0.1, hop_windows = 100;
};

struct Blow {
  std::size_t element = 0;       // Blows::elements
  double time_s = 0, end_s = 0;  // of its first and its last impact
  std::int64_t impacts = 0;
  double impulse = 0;                 // sum of the normal impulses
  double hardest = 0, hardest_s = 0;  // of a single impact, and when
  double approach_m_s = 0;            // fastest, positive
  double energy_lost_J = 0;           // sum; negative: the impacts have given more than they took
};

struct Blows {
  BlowRule rule;
  std::vector<std::string> elements, units;  // joints and contacts; units of their impulses
  std::vector<Blow> all;                     // in the order of their first impacts
  std::int64_t impacts = 0;
};

// Groups impacts that come in the order of time.
class BlowGrouper {
 public:
  using HeldTest = std::function<bool(std::size_t point, double from_s, double to_s)>;
  BlowGrouper(const BlowRule& rule, std::vector<std::size_t> element_of_point, HeldTest was_held);

  void add(const ImpactRecord& impact);
  std::vector<Blow> finish() { return std::move(blows_); }

 private:
  struct Strike {
    double time_s, impulse;
  };
  bool belongs_to(const Blow& blow, const ImpactRecord& impact, std::size_t point);
  double hardest_lately(std::size_t element, double time_s);

  BlowRule rule_;
  std::vector<std::size_t> element_of_point_;
  HeldTest was_held_;
  std::vector<std::int64_t> last_blow_;     // of each element; -1: none yet
  std::vector<double> last_impact_s_;       // of each point; not a number: none yet
  std::vector<std::deque<Strike>> lately_;  // of each element: later ones are softer, none is older than the hops
  std::vector<Blow> blows_;
};

// Of the run that wrote the result; 0 if it had none, or an earlier version wrote it.
double force_window_of(const ResultReader& result);

Blows find_blows(const ResultReader& result);

// Places in `blows.all`, the largest impulses first; at most `most`, of one unit if it is not empty.
std::vector<std::size_t> hardest_blows(const Blows& blows, std::size_t most, const std::string& unit = {});

}  // namespace freeplay::report
