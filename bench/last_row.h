// A sink for runs of which only the end matters.
#pragma once

#include <vector>

#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::bench {

// Keeps only the last row, which every run writes.
class LastRow final : public RecordSink {
 public:
  void begin(const RecordLayout&) override {}
  void row(double, std::span<const double> given) override { values.assign(given.begin(), given.end()); }
  void impact(const ImpactRecord&) override {}
  void end(const RunSummary&) override {}

  std::vector<double> values;
};

}  // namespace freeplay::bench
