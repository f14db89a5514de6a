// What the tests of reports share: result files whose values are known, and a reader of the viewer's block that knows
// nothing but its description.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "unit/io/result/result_test_support.h"

namespace freeplay::test::report_test {

using Json = nlohmann::ordered_json;

// A planar crank on the ground with a contact point: x = cos t, y = sin t, angle = t at t = row / 100.
inline RecordLayout crank_layout() {
  RecordLayout layout;
  for (const auto& [name, unit] : std::vector<std::pair<const char*, const char*>>{{"crank.x", "m"},
                                                                                   {"crank.y", "m"},
                                                                                   {"crank.vx", "m/s"},
                                                                                   {"crank.vy", "m/s"},
                                                                                   {"crank.angle", "rad"},
                                                                                   {"guide.gap_2", "m"},
                                                                                   {"guide.mode_2", "1"},
                                                                                   {"guide.normal_force_2", "N"},
                                                                                   {"guide.tangential_force_2", "N"},
                                                                                   {"guide.point_x_2", "m"},
                                                                                   {"guide.point_y_2", "m"},
                                                                                   {"guide.normal_x_2", "1"},
                                                                                   {"guide.normal_y_2", "1"}})
    layout.channels.push_back({name, unit});
  layout.contacts = {"guide_1", "guide_2"};
  layout.attributes = {{"name", "Crank <script>alert(1)</script>"},
                       {"model", "freeplay: 1\n"},
                       {"model_file", "crank.yaml"},
                       {"parameters", R"({"speed": {"text": "2 rad/s", "value": 2.0, "unit": "rad/s"}})"},
                       {"overrides", R"(["c=1 mm"])"},
                       {"integrator", "moreau-midpoint"}};
  layout.geometry_json = R"({"space": "planar", "gravity": [0, -9.81, 0],
    "bodies": [{"name": "ground"}, {"name": "crank", "mass": 1.0}],
    "joints": [{"name": "bearing", "type": "revolute", "model": "ideal", "parent": "ground", "child": "crank",
                "at_parent": [0, 0, 0], "at_child": [-1, 0, 0], "axis": [0, 0, 1], "rotation": [1, 0, 0, 0]},
               {"name": "guide", "type": "prismatic", "model": "clearance", "parent": "ground", "child": "crank",
                "at_parent": [0, 0, 0], "at_child": [0, 0, 0], "axis": [1, 0, 0], "rotation": [1, 0, 0, 0],
                "clearance": 0.5, "length": 0.4, "width": 0.2}],
    "springs": [],
    "shapes": [{"body": "ground", "name": "cam", "type": "cam", "at": [3, 0, 0],
                "outline": [[4, 0, 0], [3, 1, 0], [2, 0, 0], [3, -1, 0]], "turn": "speed*t + 90 deg"},
               {"body": "ground", "name": "floor", "type": "line", "at": [0, -2, 0], "normal": [0, 1, 0]}]})";
  return layout;
}

inline double crank_time(std::int64_t row) {
  return static_cast<double>(row) / 100;
}
inline std::vector<double> crank_values(std::int64_t row) {
  const double t = crank_time(row), x = std::cos(t), y = std::sin(t);
  return {x, y, -y, x, t, 0.25, row % 3 == 0 ? 1.0 : 0.0, 10, 2, x, 0.5, 0, -1};
}

// Impacts at half a row before each `impact_rows`, the later the harder.
inline void write_crank(const std::filesystem::path& path, std::int64_t rows,
                        const std::vector<std::int64_t>& impact_rows = {}, RecordLayout layout = crank_layout()) {
  ResultWriter writer(path);
  writer.begin(layout);
  std::size_t next = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (; next < impact_rows.size() && impact_rows[next] == row; ++next) {
      ImpactRecord impact;
      impact.time_s = crank_time(row) - 0.005;
      impact.contact = static_cast<std::int32_t>(next % 2);
      impact.normal_impulse = static_cast<double>(next + 1);
      impact.energy_lost_J = 0.5;
      writer.impact(impact);
    }
    writer.row(crank_time(row), crank_values(row));
  }
  RunSummary summary;
  summary.steps = rows;
  summary.max_penetration_m = 0.125;
  writer.end(summary);
}

// The block of docs/reference/view_data.md.
class DecodedBlock {
 public:
  explicit DecodedBlock(std::string block) : block_(std::move(block)) {
    std::uint32_t length = 0;
    std::memcpy(&length, block_.data(), sizeof length);
    EXPECT_EQ((4 + length) % 8, 0u);
    EXPECT_LE(4 + std::size_t{length}, block_.size());
    header_ = Json::parse(block_.substr(4, length));
    base_ = 4 + length;
  }
  const Json& header() const { return header_; }
  std::size_t bytes() const { return block_.size(); }

  std::vector<double> column(std::size_t index) const {
    return values(header_["columns"].at(index), header_["rows"].get<std::size_t>());
  }
  std::vector<double> column(const std::string& name) const {
    return values(named(header_["columns"], name), header_["rows"].get<std::size_t>());
  }
  std::vector<double> impact_column(const std::string& name) const {
    return values(named(header_["impacts"]["columns"], name), header_["impacts"]["shown"].get<std::size_t>());
  }
  std::vector<double> event_column(const std::string& name) const {
    return values(named(header_["events"]["columns"], name), header_["events"]["shown"].get<std::size_t>());
  }
  static const Json& named(const Json& columns, const std::string& name) {
    for (const Json& column : columns) {
      if (column["name"] == name) return column;
    }
    throw std::runtime_error("no column " + name);
  }

 private:
  template <class Number>
  std::vector<double> numbers(std::size_t offset, std::size_t count) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) {
      Number value{};
      if (base_ + offset + (i + 1) * sizeof value > block_.size()) throw std::runtime_error("the block is too short");
      std::memcpy(&value, block_.data() + base_ + offset + i * sizeof value, sizeof value);
      result.push_back(static_cast<double>(value));
    }
    return result;
  }
  std::vector<double> values(const Json& column, std::size_t count) const {
    const auto offset = column["offset"].get<std::size_t>();
    EXPECT_EQ(offset % 8, 0u);
    if (column["type"] == "f64") return numbers<double>(offset, count);
    if (column["type"] == "i32") return numbers<std::int32_t>(offset, count);
    EXPECT_EQ(column["type"], "f32");
    return numbers<float>(offset, count);
  }

  std::string block_;
  Json header_;
  std::size_t base_ = 0;
};

}  // namespace freeplay::test::report_test
