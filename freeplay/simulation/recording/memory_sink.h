// A sink that keeps everything in memory: for tests, for short runs from C++, and for a run without a result file.
#pragma once

#include <optional>
#include <stdexcept>

#include "freeplay/simulation/checkpoint.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::simulation {

class MemorySink final : public RecordSink {
 public:
  void begin(const RecordLayout& given) override {
    layout = given;
    columns.assign(layout.channels.size(), {});
  }
  void row(double time_s, std::span<const double> values) override {
    time.push_back(time_s);
    for (std::size_t i = 0; i < values.size(); ++i) columns[i].push_back(values[i]);
  }
  void impact(const ImpactRecord& record) override { impacts.push_back(record); }
  void event(const EventRecord& record) override { events.push_back(record); }
  void contact_forces(std::span<const ContactForce> forces) override {
    forces_of_rows.resize(time.size() + 1);
    forces_of_rows.back().assign(forces.begin(), forces.end());
  }
  void checkpoint(const Checkpoint& given) override { last_checkpoint = given; }
  void end(const RunSummary& given) override { summary = given; }

  const std::vector<double>& channel(const std::string& name) const {
    for (std::size_t i = 0; i < layout.channels.size(); ++i) {
      if (layout.channels[i].name == name) return columns[i];
    }
    throw std::out_of_range("no channel " + name);
  }

  RecordLayout layout;
  std::vector<double> time;
  std::vector<std::vector<double>> columns;
  std::vector<ImpactRecord> impacts;
  std::vector<EventRecord> events;
  std::vector<std::vector<ContactForce>> forces_of_rows;  // where they were asked for
  std::optional<Checkpoint> last_checkpoint;
  RunSummary summary;
};

}  // namespace freeplay::simulation
