#include "runs.h"

#include <fmt/format.h>

#include "bindings.h"
#include "freeplay/io/result/result_writer.h"
#include "freeplay/io/schema/record_layout.h"
#include "interruptible.h"
#include "models.h"
#include "python_loads.h"
#include "text/report.h"

namespace freeplay::app::python {

namespace {

// Hands a run on to a file as well, if there is one. Without rows only the summary is kept, for studies.
class RunSink final : public RecordSink {
 public:
  RunSink(MemorySink& kept, bool keeps_rows, const std::optional<std::filesystem::path>& out)
      : kept_(kept), keeps_rows_(keeps_rows), file_(out ? std::make_unique<ResultWriter>(*out) : nullptr) {}

  void begin(const RecordLayout& layout) override {
    if (file_) file_->begin(layout);
    kept_.begin(layout);
  }
  void row(double time_s, std::span<const double> values) override {
    if (file_) file_->row(time_s, values);
    if (keeps_rows_) kept_.row(time_s, values);
  }
  void impact(const ImpactRecord& record) override {
    if (file_) file_->impact(record);
    if (keeps_rows_) kept_.impact(record);
  }
  void event(const EventRecord& record) override {
    if (file_) file_->event(record);
    if (keeps_rows_) kept_.event(record);
  }
  void checkpoint(const Checkpoint& checkpoint) override {
    if (file_) file_->checkpoint(checkpoint);
    if (keeps_rows_) kept_.checkpoint(checkpoint);
  }
  void end(const RunSummary& summary) override {
    if (file_) file_->end(summary);
    kept_.end(summary);
  }

 private:
  MemorySink& kept_;
  bool keeps_rows_;
  std::unique_ptr<ResultWriter> file_;
};

struct RunRequest {
  std::optional<std::filesystem::path> out;
  py::object progress;  // of (fraction, steps), or None
  std::optional<StartState> start;
  bool keeps_rows = true;
};

std::shared_ptr<RunRows> run(const std::shared_ptr<LoadedModel>& model, const RunRequest& request, StopFlag& stop) {
  auto rows = std::make_shared<RunRows>();
  std::atomic<double> fraction{0};
  std::atomic<std::int64_t> steps{0};
  RunContext context;
  context.stop_requested = &stop.is_set;
  context.progress = [&](double reached, std::int64_t taken) {
    fraction = reached;
    steps = taken;
  };
  const RunModel runnable(model, stop);
  const auto work = [&] {
    // A thread that calls Python now and then keeps one state for all calls: to make one takes longer than a call.
    std::optional<py::gil_scoped_acquire> known;
    std::optional<py::gil_scoped_release> released;
    if (!model->loads.empty()) {
      known.emplace();
      released.emplace();
    }
    const std::unique_ptr<Simulation> simulation = build_simulation(runnable.file(), runnable.model());
    RunSink sink(rows->kept, request.keeps_rows, request.out);
    simulation->run(start_of(*model, request.start), sink, context, record_layout(runnable.file()));
  };
  std::function<void()> look;
  if (!request.progress.is_none()) look = [&] { request.progress(fraction.load(), steps.load()); };
  work_interruptibly(stop, work, look);
  runnable.rethrow();
  return rows;
}

const std::vector<double>& column_of(const RunRows& rows, const std::string& name) {
  const std::vector<ChannelInfo>& channels = rows.kept.layout.channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].name == name) return rows.kept.columns[i];
  }
  refuse_channel(name, channels);
}

// Those that were asked for: the poses that pictures need stand behind them.
std::vector<ChannelInfo> recorded(const RecordLayout& layout) {
  return {layout.channels.begin(), layout.channels.end() - static_cast<std::ptrdiff_t>(layout.motion_channels)};
}

}  // namespace

py::object failure_of(const RunSummary& summary) {
  if (summary.status != RunStatus::kFailed) return py::none();
  const std::string cure = cure_of(summary.failure);
  const std::string hint = cure.empty() ? "" : "\n    hint: " + cure;
  return py::make_tuple(fmt::format("the run failed {}{}", summary.message, hint),
                        static_cast<int>(exit_code_of(summary)));
}

void RunRows::write(const std::filesystem::path& path) const {
  ResultWriter writer(path);
  writer.begin(kept.layout);
  std::vector<double> values(kept.columns.size());
  for (std::size_t row = 0; row < kept.time.size(); ++row) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = kept.columns[i][row];
    writer.row(kept.time[row], values);
  }
  for (const ImpactRecord& impact : kept.impacts) writer.impact(impact);
  for (const EventRecord& event : kept.events) writer.event(event);
  if (kept.last_checkpoint) writer.checkpoint(*kept.last_checkpoint);
  writer.end(kept.summary);
}

void bind_runs(py::module_& module) {
  py::class_<StopFlag>(module, "StopFlag").def(py::init<>()).def("set", [](StopFlag& flag) { flag.is_set = true; });
  py::class_<StartState>(module, "StartState")
      .def(py::init([](double t, std::vector<double> q, std::vector<double> u) {
             return StartState{t, std::move(q), std::move(u)};
           }),
           py::arg("t"), py::arg("q"), py::arg("u"));
  using Self = const py::object&;
  const auto kept = [](Self self) -> const MemorySink& { return self.cast<const RunRows&>().kept; };
  py::class_<RunRows, std::shared_ptr<RunRows>>(module, "RunRows")
      .def_property_readonly("time", [kept](Self self) { return view_of(kept(self).time, self); })
      .def("column",
           [](Self self, const std::string& name) {
             return view_of(column_of(self.cast<const RunRows&>(), name), self);
           })
      .def_property_readonly("impacts", [kept](Self self) { return view_of(kept(self).impacts, self); })
      .def_property_readonly("events", [kept](Self self) { return view_of(kept(self).events, self); })
      .def_property_readonly("channels", [kept](Self self) { return units_of(recorded(kept(self).layout)); })
      .def_property_readonly("contacts", [kept](Self self) { return kept(self).layout.contacts; })
      .def_property_readonly("attributes", [kept](Self self) { return kept(self).layout.attributes; })
      .def_property_readonly("summary", [kept](Self self) { return summary_of(kept(self).summary); })
      .def_property_readonly("failure", [kept](Self self) { return failure_of(kept(self).summary); })
      .def("write", &RunRows::write, py::arg("path"), py::call_guard<py::gil_scoped_release>());
  module.def(
      "run",
      [](const std::shared_ptr<LoadedModel>& model, std::optional<std::filesystem::path> out, py::object progress,
         std::optional<StartState> start, bool keeps_rows, StopFlag* stop) {
        StopFlag own;
        return run(model, {std::move(out), std::move(progress), std::move(start), keeps_rows}, stop ? *stop : own);
      },
      py::arg("model"), py::arg("out") = py::none(), py::arg("progress") = py::none(), py::arg("start") = py::none(),
      py::arg("keeps_rows") = true, py::arg("stop") = py::none());
}

}  // namespace freeplay::app::python
