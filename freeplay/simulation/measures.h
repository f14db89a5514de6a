// Numbers that a model wants to know of a run, each by an expression of channels: the block `measure` of a model file.
//
//   transport_rate: (final(part.x) - at(part.x, 10 s))/150 s
//
// A channel changes in time, a measure is one number: so channels stand within a function of the whole run
// (measure/reduction.h; docs/reference/expressions.md says what each means).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "freeplay/simulation/measure/measure_parser.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::simulation {

class Measures {
 public:
  Measures() = default;
  // `channels`: all that the run can record. Throws ModelError with the paths "measure.NAME".
  Measures(const std::vector<MeasureSpec>& specs, const std::vector<NamedQuantity>& constants,
           const std::vector<ChannelInfo>& channels, const std::vector<MeasuredContact>& contacts = {});

  bool is_empty() const { return program_.measures.empty(); }
  // Whether rows alone are not enough.
  bool needs_impacts() const;
  // What the rows must hold, in the order of its first use.
  const std::vector<std::string>& channels() const { return program_.channels; }

  // `columns`: the channels of the rows to come.
  void begin(const std::vector<ChannelInfo>& columns);
  void add_row(double time_s, std::span<const double> values);
  void add_impact(const ImpactRecord& record);
  std::vector<MeasuredValue> values() const;
  // Of measures that ask for more than the rows have: a sentence each, with name and reason.
  std::vector<std::string> shortfalls() const;
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
  std::string text() const;

  MeasureProgram program_;
  std::vector<MeasuredContact> contacts_;
  std::vector<std::size_t> columns_;  // per channel
  std::vector<double> variables_;     // t and the channels of a row
  std::vector<double> impact_;        // t and the quantities of an impact
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
  void impact(const ImpactRecord& record) override {
    measures_.add_impact(record);
    sink_.impact(record);
  }
  void event(const EventRecord& record) override { sink_.event(record); }
  void contact_forces(std::span<const ContactForce> forces) override { sink_.contact_forces(forces); }
  void checkpoint(const Checkpoint& checkpoint) override { sink_.checkpoint(checkpoint); }
  void end(const RunSummary& summary) override { sink_.end(summary); }

 private:
  RecordSink& sink_;
  Measures& measures_;
};

}  // namespace freeplay::simulation
