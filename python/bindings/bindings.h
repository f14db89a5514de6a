// What the sources of the module share. Each of them binds one theme; module.cpp calls them.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "freeplay/simulation/recording/recorder.h"

// Below app: the module sees every layer, and no layer sees it.
namespace freeplay::app::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_models(py::module_& module);
void bind_runs(py::module_& module);
void bind_steps(py::module_& module);
void bind_results(py::module_& module);
void bind_studies(py::module_& module);
void bind_pictures(py::module_& module);
void bind_problems(py::module_& module);
void bind_quantities(py::module_& module);

// Objects of Python with the same content. Numbers that are not finite stay what they are.
py::object to_python(const nlohmann::ordered_json& json);
// The keys of `freeplay run --json`, and `warnings`.
py::dict summary_of(const RunSummary& summary);

// The words of the command about a run that failed, and its exit code; None if it did not fail.
py::object failure_of(const RunSummary& summary);

// Read-only arrays that look at memory of C++. `owner` stays alive as long as an array does.
py::array view_of(const std::vector<double>& numbers, py::handle owner);
py::array view_of(const std::vector<ImpactRecord>& impacts, py::handle owner);
py::array view_of(const std::vector<EventRecord>& events, py::handle owner);

// {name: unit}, in their order.
py::dict units_of(const std::vector<ChannelInfo>& channels);
// Throws UnknownChannel, which proposes one of `channels`.
[[noreturn]] void refuse_channel(const std::string& name, const std::vector<ChannelInfo>& channels);

}  // namespace freeplay::app::python
