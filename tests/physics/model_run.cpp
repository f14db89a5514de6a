#include "physics/model_run.h"

#include <algorithm>

#include "freeplay/math/rotation.h"
#include "support/places.h"

namespace freeplay::test {

Vec3 ModelRun::vector(const std::string& prefix, std::size_t row, const std::string& separator) const {
  Vec3 value;
  for (int k = 0; k < 3; ++k) value[k] = (*this)[prefix + separator + std::string(1, "xyz"[k])][row];
  return value;
}

Mat3 ModelRun::rotation(const std::string& body, std::size_t row) const {
  Vec4 e;
  for (int k = 0; k < 4; ++k) e[k] = (*this)[body + ".e" + std::to_string(k)][row];
  return rotation_from_quaternion(e);
}

ModelRun run_model(const ModelFile& file, const RecordOptions& record) {
  ModelRun run;
  const Model model = build_model(file);
  run.system = model.system;
  run.contacts = model.contacts;
  Simulation simulation(*run.system, *run.contacts, file.simulate, record);
  run.summary = simulation.run(run.record, {});
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  return run;
}

ModelFile load_example(const std::string& name, const Overrides& overrides) {
  return load_model(examples_dir() + "/" + name + ".yaml", overrides);
}

ModelRun run_example(const std::string& name, const Overrides& overrides, const std::vector<std::string>& channels) {
  return run_model(load_example(name, overrides), {channels, 1});
}

double largest(const std::vector<double>& values) {
  Worst worst;
  for (const double value : values) worst(value);
  return worst.value;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  Worst worst;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) worst(a[i] - b[i]);
  return worst.value;
}

std::vector<double> upward_crossings(const std::vector<double>& time, const std::vector<double>& x,
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
