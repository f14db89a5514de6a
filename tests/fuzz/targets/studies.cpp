#include <cmath>
#include <filesystem>
#include <functional>

#include "freeplay/core/error.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/report/gnuplot/plot_script.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/study/sweep/pictures/statistics_figure.h"
#include "freeplay/study/sweep/pictures/study_page.h"
#include "freeplay/study/sweep/study_plan.h"
#include "freeplay/study/sweep/sweep.h"
#include "fuzz/engine/fuzz_target.h"
#include "fuzz/engine/hdf5_headers.h"
#include "fuzz/targets/contained.h"
#include "fuzz/targets/file_input.h"
#include "fuzz/targets/targets.h"
#include "session/study_access.h"
#include "verbs/info/info.h"

namespace freeplay::test::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStudyPromise = "promise";  // the attribute that says kNoZeros
constexpr std::int64_t kStudyRuns = 60;

// None is zero, and a single flipped bit makes none of them zero.
double known_number(std::int64_t run, std::size_t column) {
  return 1.5 + static_cast<double>(run) / 1024 + static_cast<double>(column) / 65536;
}

// What an error is to a user: the right answer to a damaged file.
void with_study_errors_allowed(const std::function<void()>& read) {
  try {
    read();
  } catch (const IoError&) {
  } catch (const ModelError&) {
  } catch (const PlotError&) {
  }
}

// Damage of a few bits changes a few numbers: more wrong ones, or a zero, were never written.
void require_known_numbers_of(const SweepTable& table) {
  constexpr int kMostChanges = 6;  // that the mutator makes
  int wrong = 0;
  const auto compare = [&](const std::vector<double>& values, std::int64_t run) {
    for (std::size_t column = 0; column < values.size(); ++column) {
      if (values[column] == 0) report_finding("a zero is sold as data of a study");
      wrong += values[column] == known_number(run, column) ? 0 : 1;
    }
  };
  for (const SweepRow& row : table.rows) {
    compare(row.values, row.index);
    compare(row.crossings, row.index);
  }
  // A row whose number is damaged differs in all of its columns.
  const std::size_t columns = table.header.parameters.size() + table.header.measures.size() + 2;
  if (wrong > kMostChanges * static_cast<int>(columns)) report_finding("more numbers are wrong than bits are damaged");
}

void read_study_as_every_verb(const fs::path& path) {
  const SweepTable table = read_sweep(path);
  const auto promise = table.header.attributes.find(kStudyPromise);
  if (promise != table.header.attributes.end() && promise->second == kNoZeros) require_known_numbers_of(table);
  for (const bool as_json : {false, true}) with_study_errors_allowed([&] { app::print_study_info(path, as_json); });
  with_study_errors_allowed([&] { static_cast<void>(sweep_csv(table)); });
  with_study_errors_allowed([&] { static_cast<void>(plot_script(make_sweep_figure(table, {}), PictureOptions{})); });
  with_study_errors_allowed([&] {
    if (const std::optional<PlotFigure> figure = make_statistics_figure(table, {}))
      static_cast<void>(plot_script(*figure, PictureOptions{}));
  });
  with_study_errors_allowed([&] { static_cast<void>(make_study_page(table, {})); });
  with_study_errors_allowed([&] { static_cast<void>(plan_of_study(table, std::nullopt)); });
}

// As the command tries a file before it reads it.
bool is_study_read_by_verbs(const fs::path& path) {
  try {
    app::require_readable_study(path);
    return true;
  } catch (const IoError&) {
    return false;
  }
}

SweepTable known_study(bool has_section) {
  SweepTable table;
  table.header.parameters = {{"l", "m", {}}, {"mu", "1", {}}};
  table.header.measures = {{"max(pin.force)", "N", {}}, {"range(pin.q)", "rad", {}}};
  if (has_section) table.header.section = {{"time", "s", {}}, {"pin.q", "rad", {}}};
  table.header.runs = kStudyRuns;
  table.header.attributes = {{kStudyPromise, kNoZeros}, {"model", "freeplay: 1\n"}, {"model_file", "pendulum.yaml"}};
  for (std::int64_t run = 0; run < kStudyRuns; ++run) {
    SweepRow& row = table.rows.emplace_back();
    row.index = run;
    for (std::size_t column = 0; column < 4; ++column) row.values.push_back(known_number(run, column));
    if (has_section) row.crossings = {known_number(run, 0), known_number(run, 1)};
  }
  return table;
}

// A true one, by the engine, with a sample.
void add_true_study(std::vector<std::string>& seeds) {
  constexpr const char* kModel = R"(freeplay: 1
space: planar
parameters: {l: 1 m, mu: 0.1}
gravity: [0, -9.81 m/s^2]
bodies: {arm: {mass: 1 kg, inertia: 0.1 kg m^2}}
joints: {pin: {type: revolute, parent: ground, child: arm, at_child: [-l/2, 0]}}
simulate: {integrator: dopri5, duration: 20 ms}
)";
  const std::string text = kModel;
  SweepPlan plan;
  plan.model = write_input("pendulum.yaml", reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  plan.over = {"l=1m:2m"};
  plan.sample = "random:8";
  plan.measures = {"max(pin.force)"};
  SweepOptions options;
  options.out = scratch_folder() / "study";
  options.workers = 1;
  seeds.push_back(bytes_of_file(run_sweep(plan, options, {}).file));
}

}  // namespace

int fuzz_study(const std::uint8_t* data, std::size_t size) {
  const fs::path path = write_input("study.h5", data, size);
  const ChildEnd end = run_contained([&] { with_study_errors_allowed([&] { read_study_as_every_verb(path); }); });
  if (end == ChildEnd::kByHdf5 && is_study_read_by_verbs(path))
    report_finding("a crash or no end, on a study that the verbs' own trial survives");
  return 0;
}

std::vector<std::string> study_seeds() {
  std::vector<std::string> seeds;
  const fs::path path = scratch_folder() / "known_study.h5";
  for (const bool has_section : {false, true}) {
    write_sweep(path, known_study(has_section));
    seeds.push_back(bytes_of_file(path));
  }
  {
    const SweepTable table = known_study(false);
    SweepWriter writer(path, table.header, table.rows);  // as a kill leaves it
    seeds.push_back(bytes_of_file(path));
  }
  add_true_study(seeds);
  return seeds;
}

}  // namespace freeplay::test::fuzz
