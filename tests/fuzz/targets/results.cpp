#include <atomic>
#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>

#include "freeplay/core/error.h"
#include "freeplay/core/run_context.h"
#include "freeplay/io/export/csv_export.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/result/checkpoint.h"
#include "freeplay/io/result/result_writer.h"
#include "freeplay/io/schema/record_layout.h"
#include "freeplay/report/gnuplot/plot_script.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_request.h"
#include "freeplay/report/view/view_data.h"
#include "freeplay/report/vtk/vtk_export.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"
#include "fuzz/engine/fuzz_target.h"
#include "fuzz/engine/hdf5_headers.h"
#include "fuzz/targets/contained.h"
#include "fuzz/targets/file_input.h"
#include "fuzz/targets/targets.h"
#include "session/result_access.h"
#include "verbs/info/info.h"

namespace freeplay::test::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPromise = "promise";  // the attribute that says kNoZeros
constexpr std::int64_t kRows = 200;

// None is zero, and a single flipped bit makes none of them zero.
double known_value(std::int64_t row, std::size_t column) {
  return 1.5 + static_cast<double>(row) / 1024 + static_cast<double>(column) / 65536;
}

// What an error is to a user: the right answer to a damaged file.
void with_errors_allowed(const std::function<void()>& read) {
  try {
    read();
  } catch (const IoError&) {
  } catch (const ModelError&) {
  } catch (const UnknownChannel&) {
  } catch (const PlotError&) {
  }
}

// Damage of a few bits changes a few numbers: more wrong ones, or a zero, were never written.
void require_known_numbers(const ResultReader& result) {
  constexpr int kMostChanges = 6;  // that the mutator makes
  int wrong = 0;
  const auto compare = [&](const std::vector<double>& values, std::size_t column) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (values[row] == 0) report_finding("a zero is sold as data");
      wrong += values[row] == known_value(static_cast<std::int64_t>(row), column) ? 0 : 1;
    }
  };
  compare(result.read_time(), 0);
  for (std::size_t i = 0; i < result.channels().size(); ++i)
    compare(result.read_channel(result.channels()[i].name), i + 1);
  for (const ImpactRecord& impact : result.impacts()) {
    if (impact.time_s == 0 || impact.normal_impulse == 0) report_finding("a zero is sold as an impact");
  }
  for (const EventRecord& event : result.events()) {
    if (event.time_s == 0) report_finding("a zero is sold as an event");
  }
  if (wrong > kMostChanges) report_finding("more numbers are wrong than bits are damaged");
}

void draw(const fs::path& path) {
  PlotRequest sheet;
  sheet.sheet = true;
  PlotRequest parts;
  parts.energy = parts.steps = true;
  parts.modes = parts.impacts = "";
  for (const PlotRequest& request : {sheet, parts})
    with_errors_allowed([&] {
      static_cast<void>(plot_script(make_figure(request, open_runs({{path, ""}})), PictureOptions{}));
    });
}

// As a run would go on from this file.
void go_on(const ResultReader& result) {
  const Checkpoint checkpoint = read_checkpoint(result);
  const auto text = result.attributes().find("model");
  if (text == result.attributes().end()) return;
  const ModelFile file = parse_model(text->second, "model.yaml");
  const Model model = build_model(file);
  const std::unique_ptr<Simulation> simulation = build_simulation(file, model);
  MemorySink sink;
  std::atomic<bool> stop = false;
  RunContext context;
  context.stop_requested = &stop;
  context.progress = [&](double /*fraction*/, std::int64_t /*steps*/) { stop = true; };
  simulation->resume(checkpoint, sink, context);
}

void read_as_every_verb(const fs::path& path) {
  const ResultReader result(path);
  const auto promise = result.attributes().find(kPromise);
  if (promise != result.attributes().end() && promise->second == kNoZeros) require_known_numbers(result);
  for (const bool as_json : {false, true}) with_errors_allowed([&] { app::print_result_info(result, as_json); });
  std::ostringstream text;
  with_errors_allowed([&] { write_csv(result, {}, text); });
  with_errors_allowed([&] { write_impacts_csv(result, text); });
  with_errors_allowed([&] { write_events_csv(result, text); });
  with_errors_allowed([&] { export_vtk(result, scratch_folder() / "vtk", 2); });
  with_errors_allowed([&] { static_cast<void>(make_view_data(result)); });
  with_errors_allowed([&] { static_cast<void>(make_view_data(result, {.from_s = 0.1, .to_s = 0.2, .most_rows = 5})); });
  draw(path);
  with_errors_allowed([&] { go_on(result); });
}

// Every verb tries a file in a child process, and refuses what that does not survive.
bool is_read_by_verbs(const fs::path& path) {
  try {
    app::require_readable(path);
    return true;
  } catch (const IoError&) {
    return false;
  }
}

RecordLayout known_layout() {
  RecordLayout layout;
  for (const char* name : {"crank.x", "crank.y", "crank.angle", "guide.gap_2", "guide.mode_2", "guide.normal_force_2",
                           "guide.point_x_2", "guide.point_y_2", "energy.total", "energy.drift"})
    layout.channels.push_back({name, "m"});
  layout.contacts = {"guide_1", "guide_2"};
  layout.attributes = {{kPromise, kNoZeros},
                       {"name", "Crank"},
                       {"model", "freeplay: 1\n"},
                       {"model_file", "crank.yaml"},
                       {"parameters", R"({"speed": {"text": "2 rad/s", "value": 2.0, "unit": "rad/s"}})"},
                       {"overrides", R"(["c=1 mm"])"},
                       {"integrator", "moreau-midpoint"}};
  layout.geometry_json = R"({"space": "planar", "gravity": [0, -9.81, 0], "bodies": [{"name": "ground"},
    {"name": "crank", "mass": 1.0}], "joints": [{"name": "guide", "type": "prismatic", "model": "clearance",
    "parent": "ground", "child": "crank", "at_parent": [0, 0, 0], "at_child": [0, 0, 0], "axis": [1, 0, 0],
    "rotation": [1, 0, 0, 0], "clearance": 0.5, "length": 0.4, "width": 0.2}], "springs": [],
    "shapes": [{"body": "ground", "name": "cam", "type": "cam", "at": [3, 0, 0],
    "outline": [[4, 0, 0], [3, 1, 0], [2, 0, 0], [3, -1, 0]], "turn": "speed*t + 90 deg"}]})";
  return layout;
}

// Known rows, as a kill leaves them and as an end does.
void add_known_results(std::vector<std::string>& seeds) {
  const fs::path path = scratch_folder() / "known.h5";
  const RecordLayout layout = known_layout();
  ResultWriter writer(path, {.rows_per_chunk = 64});
  writer.begin(layout);
  std::vector<double> values(layout.channels.size());
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = known_value(row, i + 1);
    writer.row(known_value(row, 0), values);
    if (row % 50 == 0) writer.impact({.time_s = known_value(row, 0), .contact = 1, .normal_impulse = 1.25});
    if (row % 40 == 0) writer.event({.time_s = known_value(row, 0), .contact = 1, .kind = ContactEventKind::kReversal});
  }
  writer.flush();
  seeds.push_back(bytes_of_file(path));
  writer.end({});
  seeds.push_back(bytes_of_file(path));
}

// A true run, with a checkpoint to go on from.
void add_run(std::vector<std::string>& seeds) {
  constexpr const char* kModel = R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: 0.12 m}, shapes: {skin: {type: circle, radius: 100 mm}}}
ground: {shapes: {floor: {type: line, at: [0, 0], normal: [0, 1]}}}
contacts:
  bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: 0.7, friction: 0.3}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 0.2 s}
)";
  const ModelFile file = parse_model(kModel, "ball.yaml");
  const Model model = build_model(file);
  const fs::path path = scratch_folder() / "run.h5";
  ResultWriter writer(path);
  build_simulation(file, model)->run(writer, {}, record_layout(file));
  seeds.push_back(bytes_of_file(path));
}

}  // namespace

int fuzz_result(const std::uint8_t* data, std::size_t size) {
  const fs::path path = write_input("input.h5", data, size);
  const ChildEnd end = run_contained([&] { with_errors_allowed([&] { read_as_every_verb(path); }); });
  if (end == ChildEnd::kByHdf5 && is_read_by_verbs(path))
    report_finding("a crash or no end, on a file that the verbs' own trial survives");
  return 0;
}

std::vector<std::string> result_seeds() {
  std::vector<std::string> seeds;
  add_known_results(seeds);
  add_run(seeds);
  return seeds;
}

}  // namespace freeplay::test::fuzz
