// Runs a model in memory and hands out its channels.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "freeplay/io/model_build.h"
#include "freeplay/io/model_file.h"
#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/simulation/memory_sink.h"
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
  Vec3 vector(const std::string& prefix, std::size_t row, const std::string& separator = "_") const {
    Vec3 value;
    for (int k = 0; k < 3; ++k) value[k] = (*this)[prefix + separator + std::string(1, "xyz"[k])][row];
    return value;
  }
  // Rotation of a spatial body, body to world.
  Mat3 rotation(const std::string& body, std::size_t row) const {
    Vec4 e;
    for (int k = 0; k < 4; ++k) e[k] = (*this)[body + ".e" + std::to_string(k)][row];
    return rotation_from_quaternion(e);
  }
};

inline ModelRun run_model(const ModelFile& file, const RecordOptions& record = {}) {
  ModelRun run;
  const Model model = build_model(file);
  run.system = model.system;
  run.contacts = model.contacts;
  Simulation simulation(*run.system, *run.contacts, file.simulate, record);
  run.summary = simulation.run(run.record, {});
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  return run;
}

using Overrides = std::vector<std::string>;

inline ModelFile load_example(const std::string& name, const Overrides& overrides = {}) {
  return load_model(std::string(FREEPLAY_EXAMPLES_DIR) + "/" + name + ".yaml", overrides);
}

// All channels, unless `channels` names some: for long runs.
inline ModelRun run_example(const std::string& name, const Overrides& overrides = {},
                            const std::vector<std::string>& channels = {}) {
  return run_model(load_example(name, overrides), {channels, 1});
}

// Keeps the value of largest size, and a NaN for good: `EXPECT_LT(worst.value, ...)` then fails.
struct Worst {
  double value = 0;
  void operator()(double x) {
    if (!std::isnan(value) && !(std::abs(x) <= value)) value = std::abs(x);
  }
};

inline double largest(const std::vector<double>& values) {
  Worst worst;
  for (const double value : values) worst(value);
  return worst.value;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  Worst worst;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) worst(a[i] - b[i]);
  return worst.value;
}

// Times at which x(t) passes through zero upwards, by the cubic through values and rates at both ends of a row; its
// error is step^4/384 of the fourth derivative of x over the rate at the crossing.
inline std::vector<double> upward_crossings(const std::vector<double>& time, const std::vector<double>& x,
                                            const std::vector<double>& rate) {
  std::vector<double> crossings;
  for (std::size_t i = 0; i + 1 < time.size(); ++i) {
    if (!(x[i] < 0 && x[i + 1] >= 0)) continue;
    const double h = time[i + 1] - time[i];
    const auto hermite = [&](double s) {
      const double r = 1 - s;
      return r * r * ((1 + 2 * s) * x[i] + s * h * rate[i]) + s * s * ((1 + 2 * r) * x[i + 1] - r * h * rate[i + 1]);
    };
    double low = 0, high = 1;
    for (int k = 0; k < 60; ++k) (hermite((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    crossings.push_back(time[i] + (low + high) / 2 * h);
  }
  return crossings;
}

}  // namespace freeplay::test
