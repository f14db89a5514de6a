// Numbers and tables on their way to Python.
#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>

#include "bindings.h"
#include "freeplay/core/error.h"
#include "freeplay/io/result/result_reader.h"
#include "freeplay/math/expressions/expression.h"
#include "text/report.h"

namespace freeplay::app::python {

namespace {

// A record as numpy sees it.
class RecordType {
 public:
  void add(const char* name, const char* format, std::size_t offset) {
    names_.append(name);
    formats_.append(format);
    offsets_.append(offset);
  }
  py::dtype of_size(std::size_t bytes) const { return {names_, formats_, offsets_, static_cast<py::ssize_t>(bytes)}; }

 private:
  py::list names_, formats_, offsets_;
};

// The names are those of the result file.
py::dtype impact_type() {
  RecordType type;
  type.add("time", "f8", offsetof(ImpactRecord, time_s));
  type.add("contact", "i4", offsetof(ImpactRecord, contact));
  type.add("normal_impulse", "f8", offsetof(ImpactRecord, normal_impulse));
  type.add("tangential_impulse_1", "f8", offsetof(ImpactRecord, tangential_impulse_1));
  type.add("tangential_impulse_2", "f8", offsetof(ImpactRecord, tangential_impulse_2));
  type.add("normal_velocity_before", "f8", offsetof(ImpactRecord, normal_velocity_before));
  type.add("normal_velocity_after", "f8", offsetof(ImpactRecord, normal_velocity_after));
  type.add("tangential_velocity_before", "f8", offsetof(ImpactRecord, tangential_velocity_before));
  type.add("tangential_velocity_after", "f8", offsetof(ImpactRecord, tangential_velocity_after));
  type.add("energy_lost", "f8", offsetof(ImpactRecord, energy_lost_J));
  return type.of_size(sizeof(ImpactRecord));
}

py::dtype event_type() {
  static_assert(sizeof(ContactEventKind) == 1);
  RecordType type;
  type.add("time", "f8", offsetof(EventRecord, time_s));
  type.add("contact", "i4", offsetof(EventRecord, contact));
  type.add("kind", "u1", offsetof(EventRecord, kind));
  return type.of_size(sizeof(EventRecord));
}

// With an owner numpy copies nothing, whatever the pointer.
py::array view_of(const py::dtype& type, std::size_t count, const void* data, py::handle owner) {
  py::array array(type, {static_cast<py::ssize_t>(count)}, {type.itemsize()}, data, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

}  // namespace

py::array view_of(const std::vector<double>& numbers, py::handle owner) {
  return view_of(py::dtype::of<double>(), numbers.size(), numbers.data(), owner);
}

py::array view_of(const std::vector<ImpactRecord>& impacts, py::handle owner) {
  return view_of(impact_type(), impacts.size(), impacts.data(), owner);
}

py::array view_of(const std::vector<EventRecord>& events, py::handle owner) {
  return view_of(event_type(), events.size(), events.data(), owner);
}

py::dict units_of(const std::vector<ChannelInfo>& channels) {
  py::dict units;
  for (const ChannelInfo& channel : channels) units[py::str(channel.name)] = channel.unit;
  return units;
}

void refuse_channel(const std::string& name, const std::vector<ChannelInfo>& channels) {
  std::vector<std::string> known;
  for (const ChannelInfo& channel : channels) known.push_back(channel.name);
  throw UnknownChannel(fmt::format("the run has no channel \"{}\"; {}", name, did_you_mean(name, known)));
}

py::object to_python(const nlohmann::ordered_json& json) {
  if (json.is_object()) {
    py::dict object;
    for (const auto& [key, value] : json.items()) object[py::str(key)] = to_python(value);
    return object;
  }
  if (json.is_array()) {
    py::list list;
    for (const auto& value : json) list.append(to_python(value));
    return list;
  }
  if (json.is_string()) return py::str(json.get_ref<const std::string&>());
  if (json.is_boolean()) return py::bool_(json.get<bool>());
  if (json.is_number_integer()) return py::int_(json.get<std::int64_t>());
  if (json.is_number()) return py::float_(json.get<double>());
  return py::none();
}

py::dict summary_of(const RunSummary& summary) {
  py::dict result = to_python(summary_json(summary));
  result["warnings"] = summary.warnings;
  return result;
}

void bind_quantities(py::module_& module) {
  module.def(
      "quantity",
      [](const std::string& text) {
        const Quantity quantity = parse_quantity(text);
        return py::make_tuple(quantity.value, quantity.dimension.si_unit());
      },
      py::arg("text"), "The value of \"0.5 mm\" in SI units, and that unit.");
  py::list kinds;
  for (const ContactEventKind kind : kContactEventKinds) kinds.append(std::string(event_word(kind)));
  module.attr("event_kinds") = py::tuple(kinds);
}

}  // namespace freeplay::app::python
