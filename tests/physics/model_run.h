// Runs a model in memory and hands out its channels.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/math/types.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::test {

struct ModelRun {
  std::shared_ptr<const System> system;
  std::shared_ptr<const ContactModel> contacts;
  MemorySink record;
  RunSummary summary;

  const std::vector<double>& time() const { return record.time; }
  const std::vector<double>& operator[](const std::string& channel) const { return record.channel(channel); }
  std::size_t rows() const { return record.time.size(); }
  const Mechanism& mechanism() const { return dynamic_cast<const Mechanism&>(*system); }

  // Three channels NAME_x, NAME_y, NAME_z in one row; `separator` is "_" or "" ("top.x", "top.vx").
  Vec3 vector(const std::string& prefix, std::size_t row, const std::string& separator = "_") const;
  // Rotation of a spatial body, body to world.
  Mat3 rotation(const std::string& body, std::size_t row) const;
};

ModelRun run_model(const ModelFile& file, const RecordOptions& record = {});

using Overrides = std::vector<std::string>;

ModelFile load_example(const std::string& name, const Overrides& overrides = {});

// All channels, unless `channels` names some: for long runs.
ModelRun run_example(const std::string& name, const Overrides& overrides = {},
                     const std::vector<std::string>& channels = {});

// Keeps the value of largest size, and a NaN for good: `EXPECT_LT(worst.value, ...)` then fails.
struct Worst {
  double value = 0;
  void operator()(double x) {
    if (!std::isnan(value) && !(std::abs(x) <= value)) value = std::abs(x);
  }
};

double largest(const std::vector<double>& values);

double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

// Times at which x(t) passes through zero upwards, by the cubic through values and rates at both ends of a row; its
// error is step^4/384 of the fourth derivative of x over the rate at the crossing.
std::vector<double> upward_crossings(const std::vector<double>& time, const std::vector<double>& x,
                                     const std::vector<double>& rate);

}  // namespace freeplay::test
