#include "models.h"

#include <fmt/format.h>

#include <cmath>

#include "freeplay/simulation/recording/row_recorder.h"
#include "python_laws.h"
#include "python_loads.h"
#include "text/error_report.h"

namespace freeplay::app::python {

namespace {

std::shared_ptr<LoadedModel> built(ModelFile file) {
  auto loaded = std::make_shared<LoadedModel>();
  loaded->file = std::move(file);
  loaded->model = build_model(loaded->file);
  return loaded;
}

std::shared_ptr<LoadedModel> load(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  const py::gil_scoped_release released;
  return built(load_model(path, overrides));
}

std::shared_ptr<LoadedModel> parse(const std::string& text, const std::string& name,
                                   const std::vector<std::string>& overrides) {
  const py::gil_scoped_release released;
  return built(parse_model(text, name, overrides));
}

// (text, value, unit), or (text, word, "").
py::dict parameters_of(const LoadedModel& model) {
  py::dict parameters;
  for (const ModelParameter& parameter : model.file.parameters) {
    const py::str name(parameter.name);
    if (parameter.word)
      parameters[name] = py::make_tuple(parameter.text, *parameter.word, "");
    else
      parameters[name] = py::make_tuple(parameter.text, parameter.value.value, parameter.value.dimension.si_unit());
  }
  return parameters;
}

std::vector<std::string> contacts_of(const LoadedModel& model) {
  std::vector<std::string> names;
  for (const ContactPoint* point : model.model.contacts->descriptions()) names.push_back(point->name());
  return names;
}

std::shared_ptr<LoadedModel> with_load(const LoadedModel& model, PythonLoad load) {
  static_cast<void>(load_on(model, load));  // mistakes are told here
  auto changed = std::make_shared<LoadedModel>(model);
  changed->loads.push_back(std::move(load));
  return changed;
}

// Builds anew, since laws are parts of contact points.
std::shared_ptr<LoadedModel> with_law(const LoadedModel& model, PythonLaw law) {
  auto changed = std::make_shared<LoadedModel>(model);
  changed->laws.push_back(std::make_shared<const PythonLaw>(std::move(law)));
  put_law(changed->file, *changed->laws.back(), &ask_number);
  changed->model = build_model(changed->file);
  return changed;
}

VecX numbers(const std::vector<double>& given, Eigen::Index size, const char* name) {
  if (static_cast<Eigen::Index>(given.size()) != size)
    throw UsageError(fmt::format("the start has {} numbers in {}, the model has {}", given.size(), name, size),
                     "`model.initial_state` shows how many there are");
  const Eigen::Map<const VecX> found(given.data(), size);
  if (!found.allFinite())
    throw UsageError(fmt::format("the start has a number in {} that is not finite", name),
                     "look at where it comes from: a division by zero, an array that was never filled");
  return found;
}

}  // namespace

State start_of(const LoadedModel& model, const std::optional<StartState>& start) {
  State state = model.model.system->initial_state();
  if (!start) return state;
  if (!std::isfinite(start->t)) throw UsageError("the start has a time that is not finite", "give seconds");
  state.t = start->t;
  state.q = numbers(start->q, state.q.size(), "q");
  state.u = numbers(start->u, state.u.size(), "u");
  return state;
}

void bind_models(py::module_& module) {
  py::class_<LoadedModel, std::shared_ptr<LoadedModel>>(module, "LoadedModel")
      .def_property_readonly("name", [](const LoadedModel& model) { return model.file.name; })
      .def_property_readonly("text", [](const LoadedModel& model) { return model.file.text; })
      .def_property_readonly("integrator", [](const LoadedModel& model) { return model.file.simulate.integrator; })
      .def_property_readonly("duration", [](const LoadedModel& model) { return model.file.simulate.duration_s; })
      .def_property_readonly("parameters", &parameters_of)
      .def_property_readonly("contacts", &contacts_of)
      .def_property_readonly("measures",
                             [](const LoadedModel& model) {
                               py::dict texts;
                               for (const MeasureSpec& measure : model.file.measures)
                                 texts[py::str(measure.name)] = measure.text;
                               return texts;
                             })
      .def_property_readonly("channels",
                             [](const LoadedModel& model) {
                               return units_of(available_channels(*model.model.system, *model.model.contacts,
                                                                  model.file.simulate.integrator));
                             })
      .def(
          "check", [](const LoadedModel& model) { static_cast<void>(build_simulation(model.file, model.model)); },
          py::call_guard<py::gil_scoped_release>())
      .def(
          "with_load",
          [](const LoadedModel& model, const std::string& body, py::function function, std::vector<std::string> reads,
             const std::array<double, 3>& at, bool is_torque) {
            return with_load(model, {body, std::move(function), std::move(reads), {at[0], at[1], at[2]}, is_torque});
          },
          py::arg("body"), py::arg("function"), py::arg("reads"), py::arg("at"), py::arg("is_torque"))
      .def(
          "with_law",
          [](const LoadedModel& model, const std::string& contact, std::optional<py::function> elastic,
             std::optional<py::function> damping, std::optional<py::function> friction) {
            return with_law(model, {contact, std::move(elastic), std::move(damping), std::move(friction)});
          },
          py::arg("contact"), py::arg("elastic"), py::arg("damping"), py::arg("friction"))
      .def_property_readonly("initial_state", [](const LoadedModel& model) {
        const State state = model.model.system->initial_state();
        const auto list = [](const VecX& v) { return std::vector<double>(v.data(), v.data() + v.size()); };
        return py::make_tuple(state.t, list(state.q), list(state.u));
      });
  module.def("load", &load, py::arg("path"), py::arg("overrides"));
  module.def("parse", &parse, py::arg("text"), py::arg("name"), py::arg("overrides"));
}

}  // namespace freeplay::app::python
