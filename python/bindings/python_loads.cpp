#include "python_loads.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/simulation/forces/force_window.h"
#include "python_laws.h"
#include "text/error_report.h"

namespace freeplay::app::python {

namespace {

const Mechanism& mechanism_of(const LoadedModel& model) {
  const auto* mechanism = dynamic_cast<const Mechanism*>(model.model.system.get());
  if (mechanism == nullptr)
    throw UsageError("a system given as code has no bodies for a force to act on", "use a model with bodies");
  return *mechanism;
}

BodyIndex body_named(const Mechanism& mechanism, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t i = 1; i < mechanism.bodies.size(); ++i) {
    if (mechanism.bodies[i].name == name) return BodyIndex{static_cast<std::int32_t>(i)};
    known.push_back(mechanism.bodies[i].name);
  }
  throw UsageError::unknown("body", name, known);
}

int channel_named(const Mechanism& mechanism, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < mechanism.channels().size(); ++i) {
    const MechanismChannel channel{mechanism.channels()[i], mechanism.channel_table[i]};
    if (!usable_in_expressions(channel)) continue;
    if (channel.description.name == name) return static_cast<int>(i);
    known.push_back(channel.description.name);
  }
  throw UsageError(fmt::format("a force cannot read '{}'", name), did_you_mean(name, known));
}

// One number is a torque about z. In the plane two are a force.
Vec3 vector_from(const py::object& value, bool is_torque) {
  if (is_torque && py::isinstance<py::float_>(value)) return {0, 0, value.cast<double>()};
  if (is_torque && !py::isinstance<py::sequence>(value)) return {0, 0, py::float_(value).cast<double>()};
  const auto numbers = value.cast<std::vector<double>>();
  if (numbers.size() != 3 && (is_torque || numbers.size() != 2))
    throw py::value_error(
        fmt::format("the function of a {} gave {} numbers", is_torque ? "torque" : "force", numbers.size()));
  return {numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 0};
}

}  // namespace

FunctionLoad load_on(const LoadedModel& model, const PythonLoad& load) {
  const Mechanism& mechanism = mechanism_of(model);
  FunctionLoad result;
  result.body = body_named(mechanism, load.body);
  for (const Mechanism::ElasticBody& elastic : mechanism.elastic_bodies) {
    if (elastic.body == result.body)
      throw UsageError(fmt::format("'{}' is elastic: a function cannot act on it", load.body),
                       "fix a small rigid body to the place and let the function act on that");
  }
  result.at_m = load.at_m;
  result.is_torque = load.is_torque;
  for (const std::string& name : load.reads) result.channels.push_back(channel_named(mechanism, name));
  return result;
}

RunModel::RunModel(std::shared_ptr<LoadedModel> model, StopFlag& stop)
    : loaded_(std::move(model)), stop_(stop), file_(loaded_->file), model_(loaded_->model) {
  if (!loaded_->laws.empty()) take_laws();
  if (!loaded_->loads.empty()) take_loads();
}

void RunModel::take_laws() {
  const Asker ask = [this](const py::function& function, std::initializer_list<double> arguments, double least) {
    if (stop_.is_set) return 0.0;
    try {
      return ask_number(function, arguments, least);
    } catch (...) {
      keep_failure();
    }
    return 0.0;
  };
  for (const std::shared_ptr<const PythonLaw>& law : loaded_->laws) put_law(file_, *law, ask);
  model_ = build_model(file_);
}

void RunModel::take_loads() {
  std::vector<FunctionLoad> loads;
  for (const PythonLoad& load : loaded_->loads) {
    FunctionLoad function = load_on(*loaded_, load);
    function.value = [this, &load](double t, std::span<const double> channels) { return ask(load, t, channels); };
    loads.push_back(std::move(function));
  }
  const auto mechanism = std::dynamic_pointer_cast<const Mechanism>(model_.system);
  // Prescribed motions have a part in it, and only a Mechanism tells of them.
  const ForceWindow window = force_window(*mechanism, !model_.contacts->is_empty(), file_.simulate);
  if (!file_.simulate.force_window_s && window.length_s > 0)
    file_.simulate.force_window_s = natural_force_window_s(*mechanism, file_.simulate.duration_s);
  model_.system = std::make_shared<ForcedSystem>(mechanism, std::move(loads));
}

Vec3 RunModel::ask(const PythonLoad& load, double t, std::span<const double> channels) {
  if (stop_.is_set) return Vec3::Zero();
  const py::gil_scoped_acquire acquired;
  try {
    py::tuple arguments(channels.size() + 1);
    arguments[0] = t;
    for (std::size_t i = 0; i < channels.size(); ++i) arguments[i + 1] = channels[i];
    return vector_from(load.function(*arguments), load.is_torque);
  } catch (...) {
    keep_failure();
  }
  return Vec3::Zero();
}

void RunModel::keep_failure() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  stop_.is_set = true;
}

void RunModel::rethrow() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace freeplay::app::python
