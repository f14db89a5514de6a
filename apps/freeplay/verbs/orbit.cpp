#include "freeplay/study/dynamics/orbit.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/io/model/model_build.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/study/dynamics/section.h"
#include "stop_signal.h"
#include "terminal/json_output.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "text/findings_text.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

constexpr double kVanishing = 1e-6;  // a multiplier below this is one of a direction that is forgotten at once

double settle_time(const OrbitArguments& arguments, const ModelFile& file) {
  if (!arguments.settle) return file.simulate.duration_s;
  try {
    const Quantity time = parse_quantity(*arguments.settle);
    if ((time.dimension == dimensions::kTime || time.value == 0) && time.value >= 0) return time.value;
  } catch (const ExpressionError&) {
    // told below
  }
  throw UsageError(fmt::format("--settle '{}' is not a time", *arguments.settle), "write --settle 20s, or 0s for none");
}

// The expression may name parameters, as that of a section by time.
double period_of(const OrbitArguments& arguments, const ModelFile& file, const Model& model) {
  SectionPlan plan;
  plan.at = fmt::format("every({})", arguments.period);
  plan.points = {"time=t"};
  try {
    return Section(plan, file, model).period_s() * arguments.times;
  } catch (const ModelError& error) {
    const Diagnostic& first = error.diagnostics().front();
    throw UsageError(fmt::format("--period '{}': {}", arguments.period, first.message),
                     "give a time, or an expression of parameters: --period 2*pi/omega");
  }
}

struct NamedValue {
  ChannelInfo channel;
  double value = 0;
};

// Positions and velocities of the bodies at the start of the period.
std::vector<NamedValue> start_values(const System& system, const State& state) {
  std::vector<NamedValue> values;
  std::vector<int> places;
  for (std::size_t i = 0; i < system.channels().size(); ++i) {
    const ChannelDescription& channel = system.channels()[i];
    if (channel.needs_accelerations || channel.is_on_request || channel.name.starts_with("energy.")) continue;
    places.push_back(static_cast<int>(i));
    values.push_back({{channel.name, channel.unit()}, 0});
  }
  std::vector<double> numbers(places.size());
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  dynamics->set_position(state.t, state.q);
  dynamics->set_velocity(state.u);
  dynamics->read_channels(places, numbers);
  for (std::size_t i = 0; i < values.size(); ++i) values[i].value = numbers[i];
  return values;
}

void print_orbit_json(const PeriodicOrbit& orbit, const std::vector<NamedValue>& start, ExitCode code) {
  nlohmann::ordered_json object, multipliers = nlohmann::ordered_json::array(),
                                 values = nlohmann::ordered_json::object();
  object["status"] = orbit.is_found ? "found" : orbit.message == "interrupted" ? "interrupted" : "not found";
  object["exit_code"] = static_cast<int>(code);
  object["message"] = orbit.message;
  object["period"] = orbit.period_s;
  object["residual"] = orbit.residual;
  object["iterations"] = orbit.iterations;
  if (orbit.is_found) {
    object["impacts"] = orbit.impacts;
    object["is_stable"] = orbit.largest_multiplier() < 1;
    object["largest_multiplier"] = orbit.largest_multiplier();
    for (const std::complex<double>& value : orbit.multipliers) multipliers.push_back({value.real(), value.imag()});
    object["multipliers"] = multipliers;
    for (const NamedValue& value : start) values[value.channel.name] = value.value;
    object["start"] = values;
    object["q"] = std::vector<double>(orbit.start.q.begin(), orbit.start.q.end());
    object["u"] = std::vector<double>(orbit.start.u.begin(), orbit.start.u.end());
  }
  print_json(object);
}

void print_orbit(const ModelFile& file, const PeriodicOrbit& orbit, const std::vector<NamedValue>& start) {
  const Painter paint(stdout);
  const bool is_stable = orbit.largest_multiplier() < 1;
  fmt::print("{}  {}\n", paint.bold(file.name), is_stable ? paint.green("stable") : paint.yellow("unstable"));
  TextTable table("ll");
  table.add({"period", fmt::format("{:.12g} s", orbit.period_s)});
  table.add({"impacts in it", grouped(orbit.impacts)});
  table.add({"residual", fmt::format("{:.2g} after {} Newton steps", orbit.residual, orbit.iterations)});
  fmt::print("{}", table.text());
  fmt::print("{}\n", paint.bold("Floquet multipliers"));
  TextTable multipliers("rll");
  std::size_t vanishing = 0;
  for (const std::complex<double>& value : orbit.multipliers) {
    if (std::abs(value) < kVanishing) {
      ++vanishing;
      continue;
    }
    multipliers.add({fmt::format("{:.9g}", value.real()),
                     value.imag() == 0 ? "" : fmt::format("{:+.9g} i", value.imag()),
                     fmt::format("size {:.9g}", std::abs(value))});
  }
  fmt::print("{}", multipliers.text());
  if (vanishing > 0) fmt::print("  and {} of size 0\n", grouped(static_cast<long long>(vanishing)));
  fmt::print("{}\n", paint.bold("At its start"));
  TextTable values("lrl");
  for (const NamedValue& value : start)
    values.add({value.channel.name, fmt::format("{:.12g}", value.value), value.channel.unit});
  fmt::print("{}", values.text());
}

}  // namespace

ExitCode orbit(const OrbitArguments& arguments) {
  const ModelFile file = load_model(arguments.model, arguments.overrides);
  const Model model = build_model(file);
  OrbitOptions options;
  options.period_s = period_of(arguments, file, model);
  options.is_period_free = arguments.is_free;
  options.settle_s = settle_time(arguments, file);
  StudyHooks hooks;
  hooks.stop_requested = &stop_soon_on_signals();
  PeriodicOrbit orbit;
  try {
    orbit = find_orbit(file, model, options, hooks);
  } catch (const ModelError& error) {
    throw file.located(error);
  }
  follow_stop();
  const bool was_stopped = !orbit.is_found && hooks.should_stop();
  const ExitCode code = orbit.is_found ? ExitCode::kOk : was_stopped ? ExitCode::kInterrupted : ExitCode::kSolverGaveUp;
  const std::vector<NamedValue> start =
      orbit.is_found ? start_values(*model.system, orbit.start) : std::vector<NamedValue>();
  if (!orbit.is_found) {
    const Painter paint(stderr);
    fmt::print(stderr, "{} no periodic motion: {}\n", paint.red("error:"), orbit.message);
    fmt::print(stderr, "    {} try --times 2, another --settle, or a smaller simulate.tolerance\n",
               paint.cyan("hint:"));
  }
  if (arguments.json)
    print_orbit_json(orbit, start, code);
  else if (orbit.is_found)
    print_orbit(file, orbit, start);
  if (!arguments.json && orbit.is_found)
    fmt::print("{} freeplay run {}\n", Painter(stdout).dim("next:"), model_words(arguments.model, arguments.overrides));
  return code;
}

}  // namespace freeplay::app
