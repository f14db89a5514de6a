#include "freeplay/report/view/view_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "freeplay/core/error.h"
#include "freeplay/io/schema/record_fields.h"
#include "freeplay/report/draw/shape_turn.h"
#include "freeplay/report/findings/run_findings.h"
#include "freeplay/report/rows/channel_roles.h"
#include "freeplay/report/rows/contact_forces.h"
#include "freeplay/report/rows/event_choice.h"
#include "freeplay/report/rows/force_list.h"
#include "freeplay/report/rows/impact_choice.h"
#include "freeplay/report/rows/row_choice.h"
#include "freeplay/report/view/view_block.h"
#include "freeplay/report/view/view_header.h"

namespace freeplay::report {

namespace {

constexpr int kFirstChannel = 1;  // column 0 is the time

// A pose in single precision is off by 1e-6 m or rad at 16: less than a page can show, more beyond. An angle counts
// turns and may become large.
constexpr double kLargestFloatPose = 16;

class ViewDataMaker {
 public:
  ViewDataMaker(const ResultReader& result, const ViewDataOptions& options)
      : result_(result), options_(options), channels_(all_channels(result)), poses_(find_poses(channels_)) {}

  ViewData make() {
    header_ = view_header(result_);
    // Of the whole run, and so not again for each part of it that a page asks for.
    constexpr std::size_t kListedBlows = 200;
    const bool is_whole = !options_.from_s && !options_.to_s;
    header_["findings"] =
        is_whole && is_found_quickly(result_) ? findings_json(find_out(result_), kListedBlows) : ViewJson();
    impacts_ = choose_impacts(result_, options_.from_s.value_or(-kInfinity), options_.to_s.value_or(kInfinity),
                              options_.most_impacts);
    events_ = choose_events(result_, options_.from_s.value_or(-kInfinity), options_.to_s.value_or(kInfinity),
                            options_.most_events);
    const std::vector<std::int64_t> rows = chosen_rows();
    put_row_counts(rows);
    put_columns(rows);
    header_["poses"] = poses_json(poses_, kFirstChannel);
    header_["contact_points"] =
        contact_points_json(find_contact_points(result_.contacts(), channels_, joints_with_play(header_["geometry"])),
                            header_["geometry"], kFirstChannel);
    put_impacts();
    put_events();
    put_contact_forces(rows);
    // Names come from files, so a byte that is no UTF-8 is replaced instead of being an error.
    std::string header = header_.dump(-1, ' ', false, ViewJson::error_handler_t::replace);
    return {view_block(std::move(header), bytes_), static_cast<std::int64_t>(rows.size()), result_.rows(),
            static_cast<std::int64_t>(impacts_.shown.size()), impacts_.total};
  }

 private:
  // So many that the block stays within its size even if every column needs double precision.
  std::int64_t most_rows() const {
    constexpr std::size_t kTextPerColumn = 90, kBytesPerImpact = 64, kBytesPerEvent = 16, kPoints = 400;
    std::size_t used = header_.dump(-1, ' ', false, ViewJson::error_handler_t::replace).size();
    for (const ChannelInfo& channel : channels_) used += kTextPerColumn + channel.name.size();
    used += impacts_.shown.size() * kBytesPerImpact + events_.shown.size() * kBytesPerEvent;
    used += result_.contacts().size() * kPoints;
    const std::size_t row = sizeof(double) * (channels_.size() + kFirstChannel);
    const std::size_t fitting = used < options_.most_bytes ? (options_.most_bytes - used) / row : 0;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(fitting), 2,
                                    std::max<std::int64_t>(options_.most_rows, 2));
  }

  // The rows before and after an impact show its jump; the hardest impacts come first.
  std::vector<std::int64_t> chosen_rows() const {
    const RowRange range =
        options_.from_s || options_.to_s
            ? rows_between(result_, options_.from_s.value_or(-kInfinity), options_.to_s.value_or(kInfinity))
            : RowRange{0, result_.rows()};
    const std::int64_t most = most_rows();
    if (range.count <= most) return choose_rows(range, {}, most);
    std::vector<double> times;
    for (const ImpactRecord& impact : impacts_.shown) times.push_back(impact.time_s);
    const std::vector<std::int64_t> after = rows_at(result_, range, times);
    std::vector<std::int64_t> of_interest;
    for (const std::size_t i : hardest_first(impacts_.shown)) {
      of_interest.push_back(after[i] - 1);
      of_interest.push_back(after[i]);
    }
    return choose_rows(range, of_interest, most);
  }

  void put_row_counts(const std::vector<std::int64_t>& rows) {
    double from = 0, to = 0;
    if (result_.rows() > 0) {
      result_.read_time(0, {&from, 1});
      result_.read_time(result_.rows() - 1, {&to, 1});
    }
    header_["total_rows"] = result_.rows();
    header_["rows"] = rows.size();
    header_["time_from"] = from;
    header_["time_to"] = to;
  }

  void put_columns(const std::vector<std::int64_t>& rows) {
    ViewJson columns = ViewJson::array();
    const auto add = [&](const std::string& name, const std::string& unit, const std::vector<double>& values,
                         ColumnType type) {
      const std::size_t offset = bytes_.add(values, type);
      columns.push_back({{"name", name}, {"unit", unit}, {"type", column_type_name(type)}, {"offset", offset}});
    };
    const std::vector<double> time = read_time_at(result_, rows);
    add("time", "s", time, ColumnType::kFloat64);
    const std::vector<bool> is_pose = pose_channels();
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const std::vector<double> values = read_channel_at(result_, channels_[c].name, rows);
      const bool is_far = is_pose[c] && std::any_of(values.begin(), values.end(),
                                                    [](double value) { return std::abs(value) > kLargestFloatPose; });
      add(channels_[c].name, channels_[c].unit, values,
          is_far || needs_double(values) ? ColumnType::kFloat64 : ColumnType::kFloat32);
    }
    // A page cannot evaluate the expression of a turn, so it gets the angles.
    header_["turns"] = ViewJson::object();
    for (const ViewJson& shape : header_["geometry"]["shapes"]) {
      if (!shape.is_object() || !shape.contains("turn") || !shape["turn"].is_string()) continue;
      const std::optional<Expression> turn =
          parse_turn(shape["turn"].get<std::string>(), attribute_of(result_, "parameters"));
      if (!turn) continue;
      std::vector<double> angles;
      for (const double t : time) angles.push_back(turn_at(*turn, t));
      const std::string name = shape.value("body", "") + "." + shape.value("name", "");
      header_["turns"][name] = columns.size();
      add(name + ".turn", "rad", angles, ColumnType::kFloat64);
    }
    header_["columns"] = std::move(columns);
  }

  std::vector<bool> pose_channels() const {
    std::vector<bool> is_pose(channels_.size(), false);
    for (const PoseChannels& pose : poses_) {
      for (const int channel : {pose.position[0], pose.position[1], pose.position[2], pose.angle}) {
        if (channel != kNoChannel) is_pose[static_cast<std::size_t>(channel)] = true;
      }
    }
    return is_pose;
  }

  void put_impacts() {
    ViewJson columns = ViewJson::array();
    for (const RecordField& field : impact_fields()) {
      std::vector<double> values;
      for (const ImpactRecord& impact : impacts_.shown) {
        const char* place = reinterpret_cast<const char*>(&impact) + field.offset;
        std::int32_t index = 0;
        double number = 0;
        if (field.is_index)
          std::memcpy(&index, place, sizeof index);
        else
          std::memcpy(&number, place, sizeof number);
        values.push_back(field.is_index ? static_cast<double>(index) : number);
      }
      const ColumnType type = field.is_index      ? ColumnType::kInt32
                              : field.offset == 0 ? ColumnType::kFloat64  // the time
                                                  : ColumnType::kFloat32;
      const std::size_t offset = bytes_.add(values, type);
      columns.push_back(
          {{"name", field.name}, {"unit", field.unit}, {"type", column_type_name(type)}, {"offset", offset}});
    }
    header_["impacts"] = {{"total", impacts_.total}, {"shown", impacts_.shown.size()}, {"columns", std::move(columns)}};
  }

  // Times are exact: a page draws modes from event to event.
  void put_events() {
    ViewJson words = ViewJson::array(), columns = ViewJson::array();
    for (const ContactEventKind kind : kContactEventKinds) words.push_back(event_word(kind));
    std::vector<double> times, contacts, kinds;
    for (const EventRecord& event : events_.shown) {
      const auto* const kind = std::find(std::begin(kContactEventKinds), std::end(kContactEventKinds), event.kind);
      times.push_back(event.time_s);
      contacts.push_back(event.contact);
      kinds.push_back(static_cast<double>(kind - std::begin(kContactEventKinds)));
    }
    const auto add = [&](const char* name, const char* unit, const std::vector<double>& values, ColumnType type) {
      const std::size_t offset = bytes_.add(values, type);
      columns.push_back({{"name", name}, {"unit", unit}, {"type", column_type_name(type)}, {"offset", offset}});
    };
    add("time", "s", times, ColumnType::kFloat64);
    add("contact", "1", contacts, ColumnType::kInt32);
    add("kind", "1", kinds, ColumnType::kInt32);
    header_["events"] = {{"total", events_.total},
                         {"shown", events_.shown.size()},
                         {"kinds", std::move(words)},
                         {"columns", std::move(columns)}};
  }

  // Of the rows of the page, one after the other; `begins` says where those of a row begin.
  void put_contact_forces(const std::vector<std::int64_t>& rows) {
    if (result_.contact_force_count() == 0) return;
    constexpr std::size_t kMostForcesOfPage = 50000;  // 1.6 MB
    const ForceList list = forces_at(result_, rows, kMostForcesOfPage);
    ViewJson columns = ViewJson::array();
    const auto add = [&](const char* name, const char* unit, ColumnType type, auto&& value_of) {
      std::vector<double> values;
      for (const ContactForce& force : list.forces) values.push_back(value_of(force));
      const std::size_t offset = bytes_.add(values, type);
      columns.push_back({{"name", name}, {"unit", unit}, {"type", column_type_name(type)}, {"offset", offset}});
    };
    add("first", "1", ColumnType::kInt32, [](const ContactForce& f) { return f.first; });
    add("second", "1", ColumnType::kInt32, [](const ContactForce& f) { return f.second; });
    add("x", "m", ColumnType::kFloat32, [](const ContactForce& f) { return f.x_m; });
    add("y", "m", ColumnType::kFloat32, [](const ContactForce& f) { return f.y_m; });
    add("z", "m", ColumnType::kFloat32, [](const ContactForce& f) { return f.z_m; });
    add("force", "N", ColumnType::kFloat32, [](const ContactForce& f) { return size_of(f); });
    const std::vector<double> begins(list.begins.begin(), list.begins.end());
    const std::size_t offset = bytes_.add(begins, ColumnType::kInt32);
    header_["contact_forces"] = {{"shown", list.forces.size()},
                                 {"is_cut", list.is_cut},
                                 {"begins", {{"type", column_type_name(ColumnType::kInt32)}, {"offset", offset}}},
                                 {"columns", std::move(columns)}};
  }

  const ResultReader& result_;
  const ViewDataOptions& options_;
  std::vector<ChannelInfo> channels_;
  std::vector<PoseChannels> poses_;
  ImpactChoice impacts_;
  EventChoice events_;
  ViewJson header_;
  ColumnBytes bytes_;
};

}  // namespace

ViewData make_view_data(const ResultReader& result, const ViewDataOptions& options) {
  try {
    return ViewDataMaker(result, options).make();
  } catch (const nlohmann::json::exception&) {
    throw IoError(
        fmt::format("cannot read {}: its bodies and shapes are not as freeplay writes them", result.path().string()));
  }
}

}  // namespace freeplay::report
