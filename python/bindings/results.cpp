// Result files. What is read stays in memory, so that arrays need no copies.
#include <fmt/format.h>

#include <map>

#include "bindings.h"
#include "freeplay/io/result/result_reader.h"
#include "session/result_access.h"

namespace freeplay::app::python {

namespace {

class ResultRows {
 public:
  explicit ResultRows(const std::filesystem::path& path) : reader_(result_file_of(path)) {}

  const ResultReader& reader() const { return reader_; }

  // Columns are read when they are first asked for; nodes of a map stay where they are.
  const std::vector<double>& time() {
    return kept(columns_, std::string(), [&] { return reader_.read_time(); });
  }
  const std::vector<double>& column(const std::string& name) {
    return kept(columns_, name, [&] { return reader_.read_channel(name); });
  }
  const std::vector<ImpactRecord>& impacts() {
    return kept(impacts_, std::string(), [&] { return reader_.impacts(); });
  }
  const std::vector<EventRecord>& events() {
    return kept(events_, std::string(), [&] { return reader_.events(); });
  }

 private:
  // Two threads may read the same column: the second finds that of the first, and leaves its own.
  template <class Record, class Read>
  static const std::vector<Record>& kept(std::map<std::string, std::vector<Record>>& store, const std::string& key,
                                         const Read& read) {
    if (const auto at = store.find(key); at != store.end()) return at->second;
    std::vector<Record> records;
    {
      const py::gil_scoped_release released;
      records = read();
    }
    return store.try_emplace(key, std::move(records)).first->second;
  }

  ResultReader reader_;
  std::map<std::string, std::vector<double>> columns_;  // "": the time
  std::map<std::string, std::vector<ImpactRecord>> impacts_;
  std::map<std::string, std::vector<EventRecord>> events_;
};

}  // namespace

void bind_results(py::module_& module) {
  using Self = const py::object&;
  const auto rows = [](Self self) -> ResultRows& { return self.cast<ResultRows&>(); };
  const auto reader = [](const ResultRows& result) -> const ResultReader& { return result.reader(); };
  py::class_<ResultRows>(module, "ResultRows")
      .def(py::init<const std::filesystem::path&>(), py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("path", [=](const ResultRows& result) { return reader(result).path(); })
      .def_property_readonly("time", [=](Self self) { return view_of(rows(self).time(), self); })
      .def("column", [=](Self self, const std::string& name) { return view_of(rows(self).column(name), self); })
      .def_property_readonly("impacts", [=](Self self) { return view_of(rows(self).impacts(), self); })
      .def_property_readonly("events", [=](Self self) { return view_of(rows(self).events(), self); })
      .def_property_readonly("channels", [=](const ResultRows& result) { return units_of(reader(result).channels()); })
      .def_property_readonly("contacts", [=](const ResultRows& result) { return reader(result).contacts(); })
      .def_property_readonly("attributes", [=](const ResultRows& result) { return reader(result).attributes(); })
      .def_property_readonly("status", [=](const ResultRows& result) { return std::string(reader(result).status()); })
      .def_property_readonly("summary", [=](const ResultRows& result) -> py::object {
        if (!reader(result).summary()) return py::none();
        return summary_of(*reader(result).summary());
      });
}

}  // namespace freeplay::app::python
