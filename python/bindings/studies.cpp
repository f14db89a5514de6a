// Families of runs: those of `freeplay sweep`, with the same file.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bindings.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/study/sweep/runs/measure_option.h"
#include "freeplay/study/sweep/sweep.h"
#include "interruptible.h"
#include "text/study_statistics.h"

namespace freeplay::app::python {

namespace {

// {name: array}, or a list of words.
py::dict columns_of(const SweepTable& table, const std::vector<SweepColumn>& columns, std::size_t first) {
  py::dict found;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!columns[c].words.empty()) {
      py::list words;
      for (const SweepRow& row : table.rows)
        words.append(columns[c].words.at(static_cast<std::size_t>(row.values[first + c])));
      found[py::str(columns[c].name)] = words;
      continue;
    }
    py::array_t<double> numbers(static_cast<py::ssize_t>(table.rows.size()));
    double* const out = numbers.mutable_data();
    for (std::size_t i = 0; i < table.rows.size(); ++i) out[i] = table.rows[i].values[first + c];
    found[py::str(columns[c].name)] = numbers;
  }
  return found;
}

// {"run": number of the run of each crossing, "t": array, ...}; empty without a section.
py::dict crossings_of(const SweepTable& table) {
  py::dict found;
  const std::size_t width = table.header.section.size();
  if (width == 0) return found;
  std::size_t count = 0;
  for (const SweepRow& row : table.rows) count += table.crossing_count(row);
  py::array_t<std::int64_t> runs(static_cast<py::ssize_t>(count));
  std::int64_t* next_run = runs.mutable_data();
  for (const SweepRow& row : table.rows) next_run = std::fill_n(next_run, table.crossing_count(row), row.index);
  found["run"] = runs;
  for (std::size_t c = 0; c < width; ++c) {
    py::array_t<double> numbers(static_cast<py::ssize_t>(count));
    double* next = numbers.mutable_data();
    for (const SweepRow& row : table.rows) {
      for (std::size_t i = c; i < row.crossings.size(); i += width) *next++ = row.crossings[i];
    }
    found[py::str(table.header.section[c].name)] = numbers;
  }
  return found;
}

// Files of earlier versions have it in the description of the study alone.
std::string backend_of(const SweepHeader& header) {
  const auto backend = header.attributes.find("backend"), study = header.attributes.find("study");
  if (backend != header.attributes.end()) return backend->second;
  if (study == header.attributes.end()) return "engine";
  const auto description = nlohmann::json::parse(study->second, nullptr, false);
  const bool has_one = description.is_object() && description.contains("backend") && description["backend"].is_string();
  return has_one ? description["backend"].get<std::string>() : "engine";
}

py::dict study_of(const SweepTable& table) {
  py::dict study;
  study["parameters"] = columns_of(table, table.header.parameters, 0);
  study["measures"] = columns_of(table, table.header.measures, table.header.parameters.size());
  py::dict units;
  for (const std::vector<SweepColumn>* columns :
       {&table.header.parameters, &table.header.measures, &table.header.section}) {
    for (const SweepColumn& column : *columns) units[py::str(column.name)] = column.unit;
  }
  study["units"] = units;
  py::list messages;
  for (const SweepRow& row : table.rows) messages.append(row.message);
  study["messages"] = messages;
  py::array_t<std::int32_t> warnings(static_cast<py::ssize_t>(table.rows.size()));
  py::array_t<bool> left_to_engine(static_cast<py::ssize_t>(table.rows.size()));
  std::int32_t* const warnings_out = warnings.mutable_data();
  bool* const left_out = left_to_engine.mutable_data();
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    warnings_out[i] = table.rows[i].warnings;
    left_out[i] = table.rows[i].is_left_to_engine();
  }
  study["warnings"] = warnings;
  study["left_to_engine"] = left_to_engine;
  py::list reasons;
  for (const SweepRow& row : table.rows) reasons.append(row.left_because);
  study["left_because"] = reasons;
  study["backend"] = backend_of(table.header);
  study["section"] = crossings_of(table);

  nlohmann::ordered_json statistics = nlohmann::ordered_json::object();
  add_study_statistics(table, statistics);
  study["statistics"] = to_python(statistics);
  return study;
}

py::dict run_study(const SweepPlan& plan, const SweepOptions& options, const py::object& progress) {
  StopFlag stop;
  std::atomic<std::int64_t> done{0}, runs{0};
  SweepHooks hooks;
  hooks.stop_requested = &stop.is_set;
  hooks.progress = [&](const SweepProgress& now) {
    done = now.done;
    runs = now.runs;
  };
  SweepOutcome outcome;
  std::function<void()> look;
  if (!progress.is_none())
    look = [&] {
      if (runs > 0) progress(done.load(), runs.load());  // before that it is not known how many there are
    };
  work_interruptibly(
      stop, [&] { outcome = run_sweep(plan, options, hooks); }, look);
  py::dict study = study_of(outcome.table);
  study["backend"] = outcome.backend;
  study["backend_note"] = outcome.backend_note;
  return study;
}

// The keys of `dynamics` are the options of `freeplay sweep` that look at a motion as a dynamical system.
void read_dynamics(const py::dict& dynamics, SweepPlan& plan) {
  plan.section.at = dynamics["section"].cast<std::string>();
  plan.section.points = dynamics["points"].cast<std::vector<std::string>>();
  plan.section.skip = dynamics["skip"].cast<std::int64_t>();
  plan.section.turns = dynamics["turns"].cast<std::optional<std::int64_t>>();
  plan.follow = dynamics["follow"].cast<std::string>();
  plan.lyapunov = dynamics["lyapunov"].cast<std::optional<std::string>>();
  plan.orbit = dynamics["orbit"].cast<std::string>();
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def(
      "sweep",
      [](const std::filesystem::path& model, std::optional<std::string> text, std::vector<std::string> overrides,
         std::vector<std::string> over, std::vector<std::string> measures, const std::string& sample,
         std::uint64_t seed, const std::string& worst, const std::filesystem::path& out, int workers,
         const py::object& progress, const std::string& backend, const py::dict& dynamics) {
        SweepPlan plan;
        read_dynamics(dynamics, plan);
        plan.model = model;
        plan.text = std::move(text);
        plan.overrides = std::move(overrides);
        plan.over = std::move(over);
        plan.measures = std::move(measures);
        plan.sample = sample;
        plan.seed = seed;
        plan.worst = worst;
        plan.backend = sweep_backend(backend);
        SweepOptions options;
        options.out = out;
        options.workers = workers;
        return run_study(plan, options, progress);
      },
      py::arg("model"), py::arg("text"), py::arg("overrides"), py::arg("over"), py::arg("measures"), py::arg("sample"),
      py::arg("seed"), py::arg("worst"), py::arg("out"), py::arg("workers"), py::arg("progress"), py::arg("backend"),
      py::arg("dynamics"));
  module.def(
      "read_study", [](const std::filesystem::path& file) { return study_of(read_sweep(file)); }, py::arg("file"));
  module.def(
      "measure_of_text",
      [](const std::string& text) {
        MeasureSpec spec = parse_measure_option(text);
        return std::pair{std::move(spec.name), std::move(spec.text)};
      },
      py::arg("text"));
}

}  // namespace freeplay::app::python
