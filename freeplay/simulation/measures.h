// Numbers that a model wants to know of a run, each by an expression of channels: the block `measure` of a model file.
//
//   transport_rate: (final(part.x) - at(part.x, 10 s))/150 s
//
// A channel changes in time, a measure is one number: so channels stand within a function of the whole run.
//
//   initial(x), final(x)      at the first and at the last row
//   at(x, time)               between two rows along a straight line; not a number if the run does not get there
//   min(x), max(x)            over all rows; with two arguments they are what they are elsewhere
//   mean(x), mean(x, time)    over time, by trapezoids; from a time on
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/simulation/recorder.h"

namespace freeplay::simulation {

struct MeasureSpec {
  std::string name;
  std::string text;
};

// A constant that measures may name: a parameter of the model.
struct NamedQuantity {
  std::string name;
  Quantity value;
};

class Measures {
 public:
  Measures() = default;
  // `channels`: all that the run can record. Throws ModelError with the paths "measure.NAME".
  Measures(const std::vector<MeasureSpec>& specs, const std::vector<NamedQuantity>& constants,
           const std::vector<ChannelInfo>& channels);

  bool is_empty() const { return measures_.empty(); }
  // What the rows must hold, in the order of its first use.
  const std::vector<std::string>& channels() const { return channels_; }

  // `columns`: the channels of the rows to come.
  void begin(const std::vector<ChannelInfo>& columns);
  void add_row(double time_s, std::span<const double> values);
  std::vector<MeasuredValue> values() const;
  // Names and units of values(), known before any row.
  std::vector<ChannelInfo> labels() const;

  // What the rows so far have left, for a run that goes on from there: after begin(), in the place of those rows.
  struct Memory {
    std::string text;             // names and expressions of the measures that have left it
    std::vector<double> numbers;  // of their functions
  };
  Memory memory() const;
  // Whether it is that of these measures, or there are none.
  bool fits(const Memory& memory) const;
  void go_on(const Memory& memory);  // that fits

 private:
  enum class Kind : std::uint8_t { kInitial, kFinal, kAt, kMin, kMax, kMean };
  // A function of the whole run, and how far it has got.
  struct Reduction {
    Kind kind = Kind::kFinal;
    Expression of;  // of t and the channels, variables 0, 1, ...
    double from_s = 0;
    double value = 0, last = 0, last_s = 0;
    bool has_rows = false, is_done = false;

    void add(double time_s, double x);
    double result() const;
  };
  struct Measure {
    std::string name, text;
    Expression of;  // of the reductions, variables 1, 2, ...
  };
  class Parser;

  std::string text() const;

  std::vector<Measure> measures_;
  std::vector<Reduction> reductions_;
  std::vector<std::string> channels_;
  std::vector<std::size_t> columns_;  // per channel
  std::vector<double> variables_;     // t and the channels of a row
};

// Passes a run on to another sink, and measures it.
class MeasuringSink final : public RecordSink {
 public:
  MeasuringSink(RecordSink& sink, Measures& measures) : sink_(sink), measures_(measures) {}

  void begin(const RecordLayout& layout) override {
    measures_.begin(layout.channels);
    sink_.begin(layout);
  }
  void row(double time_s, std::span<const double> values) override {
    measures_.add_row(time_s, values);
    sink_.row(time_s, values);
  }
  void impact(const ImpactRecord& record) override { sink_.impact(record); }
  void event(const EventRecord& record) override { sink_.event(record); }
  void checkpoint(const Checkpoint& checkpoint) override { sink_.checkpoint(checkpoint); }
  void end(const RunSummary& summary) override { sink_.end(summary); }

 private:
  RecordSink& sink_;
  Measures& measures_;
};

}  // namespace freeplay::simulation
