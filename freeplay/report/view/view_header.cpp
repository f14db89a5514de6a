#include "freeplay/report/view/view_header.h"

#include <fmt/format.h>

#include "freeplay/core/error.h"
#include "freeplay/io/schema/record_fields.h"
#include "freeplay/report/rows/contact_forces.h"

namespace freeplay::report {

namespace {

ViewJson parsed(const ResultReader& result, const std::string& text, ViewJson otherwise, const char* what) {
  if (text.empty()) return otherwise;
  ViewJson json = ViewJson::parse(text, nullptr, false);
  if (json.type() != otherwise.type())
    throw IoError(fmt::format("cannot read {}: its {} are not JSON written by freeplay", result.path().string(), what));
  return json;
}

ViewJson summary_json(const RunSummary& summary, std::string_view status) {
  ViewJson json = {{"status", status}};
  for (const SummaryField& field : summary_fields()) {
    std::visit([&](auto member) { json[field.name] = summary.*member; }, field.member);
  }
  json["message"] = summary.message;
  json["warnings"] = summary.warnings;
  json["peak_forces"] = ViewJson::array();
  for (const PeakForce& force : summary.peak_forces) {
    json["peak_forces"].push_back({{"name", force.name},
                                   {"unit", force.unit},
                                   {"value", force.value},
                                   {"window", force.window_s},
                                   {"time", force.time_s}});
  }
  json["measures"] = ViewJson::array();
  for (const MeasuredValue& measure : summary.measures)
    json["measures"].push_back({{"name", measure.name}, {"value", measure.value}, {"unit", measure.unit}});
  return json;
}

ViewJson column_json(int channel, int first_channel) {
  return channel == kNoChannel ? ViewJson() : ViewJson(channel + first_channel);
}

ViewJson triple_json(const ChannelTriple& triple, int first_channel) {
  if (!has_any(triple)) return nullptr;
  ViewJson list = ViewJson::array();
  for (const int channel : triple) list.push_back(column_json(channel, first_channel));
  return list;
}

}  // namespace

std::string attribute_of(const ResultReader& result, const std::string& name) {
  const auto found = result.attributes().find(name);
  return found == result.attributes().end() ? "" : found->second;
}

ViewJson geometry_of(const ResultReader& result) {
  ViewJson geometry = parsed(result, result.geometry_json(), ViewJson::object(), "bodies and shapes");
  for (const char* list : {"bodies", "joints", "springs", "shapes", "contacts"}) {
    if (!geometry.contains(list)) geometry[list] = ViewJson::array();
    if (!geometry[list].is_array())
      throw IoError(fmt::format("cannot read {}: its {} are not a list", result.path().string(), list));
  }
  return geometry;
}

ViewJson view_header(const ResultReader& result) {
  ViewJson header = {{"freeplay_view", 1}};
  for (const auto& [key, attribute] :
       {std::pair{"title", "name"}, std::pair{"model_file", "model_file"}, std::pair{"reference", "reference"},
        std::pair{"model_text", "model"}, std::pair{"version", "version"}, std::pair{"integrator", "integrator"},
        std::pair{"solver", "solver"}, std::pair{"force_window", "force_window"}}) {
    header[key] = attribute_of(result, attribute);
  }
  header["parameters"] = parsed(result, attribute_of(result, "parameters"), ViewJson::object(), "parameters");
  header["overrides"] = parsed(result, attribute_of(result, "overrides"), ViewJson::array(), "overrides");
  header["status"] = result.status();
  header["summary"] = nullptr;
  if (result.summary()) header["summary"] = summary_json(*result.summary(), result.status());
  ViewJson units = ViewJson::object();
  for (const SummaryField& field : summary_fields()) units[field.name] = field.unit;
  header["summary_units"] = std::move(units);
  header["geometry"] = geometry_of(result);
  header["contacts"] = result.contacts();
  header["modes"] = mode_meaning(result) == ModeMeaning::kContact ? "contact" : "set_valued";
  return header;
}

ViewJson poses_json(const std::vector<PoseChannels>& poses, int first_channel) {
  ViewJson all = ViewJson::object();
  for (const PoseChannels& pose : poses) {
    ViewJson json;
    const auto put = [&](const char* name, int channel) { json[name] = channel + first_channel; };
    put("x", pose.position[0]);
    put("y", pose.position[1]);
    if (pose.is_planar) {
      put("angle", pose.angle);
    } else {
      put("z", pose.position[2]);
      put("e0", pose.quaternion[0]);
      put("e1", pose.quaternion[1]);
      put("e2", pose.quaternion[2]);
      put("e3", pose.quaternion[3]);
    }
    all[pose.body] = std::move(json);
  }
  return all;
}

ViewJson contact_points_json(const std::vector<ContactPointChannels>& points, const ViewJson& geometry,
                             int first_channel) {
  ViewJson list = ViewJson::array();
  for (const ContactPointChannels& point : points) {
    list.push_back({{"name", point.name},
                    {"contact", point.contact},
                    {"gap", column_json(point.gap, first_channel)},
                    {"mode", column_json(point.mode, first_channel)},
                    {"normal_force", column_json(point.normal_force, first_channel)},
                    {"tangential_force", column_json(point.tangential_force, first_channel)},
                    {"normal_impulse", column_json(point.normal_impulse, first_channel)},
                    {"tangential_impulse", column_json(point.tangential_impulse, first_channel)},
                    {"point", triple_json(point.point, first_channel)},
                    {"normal", triple_json(point.normal, first_channel)},
                    {"force", triple_json(point.force, first_channel)},
                    {"tangent", tangent_degrees(point, geometry)}});
  }
  return list;
}

}  // namespace freeplay::report
