// Contact problems, from files and from arrays.
#include <fmt/format.h>

#include "bindings.h"
#include "freeplay/io/problem/contact_problem_file.h"
#include "session/contact_solution.h"
#include "text/error_report.h"

namespace freeplay::app::python {

namespace {

py::array copy_of(const std::vector<double>& numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

py::dict result_of(const ContactSolution& solution, const SolverEntry& entry, double tolerance) {
  py::dict result;
  result["solved"] = solution.is_solved;
  const std::string failure = failure_of(solution, entry.name, tolerance);
  result["message"] = failure.empty() ? failure : failure + "\n    hint: " + cure_of_failure(entry);
  result["residual"] = solution.residual.absolute;
  result["relative_residual"] = solution.residual.relative();
  result["iterations"] = solution.iterations;
  result["delivered_by"] = solution.delivered_by;
  result["islands"] = solution.islands;
  result["open"] = solution.open;
  result["stick"] = solution.stick;
  result["slip"] = solution.slip;
  result["cpu_seconds"] = solution.cpu_seconds;
  result["wall_seconds"] = solution.wall_seconds;
  result["r"] = copy_of(solution.r);
  result["u"] = copy_of(solution.u);
  result["l"] = copy_of(solution.lambda);
  return result;
}

py::dict solve(const ContactProblem& problem, const std::string& solver, double tolerance) {
  const SolverEntry& entry = solver_named(solver);
  if (!(tolerance > 0 && tolerance < 1)) {
    throw UsageError(fmt::format("{} is not a relative residual between 0 and 1", tolerance), "write tolerance=1e-8");
  }
  ContactSolution solution;
  {
    const py::gil_scoped_release released;
    solution = solve_contact_problem(problem, entry, tolerance);
  }
  return result_of(solution, entry, tolerance);
}

// Columns as compressed by scipy: where each begins, rows, values.
CompressedColumns columns_of(const py::tuple& arrays) {
  return {arrays[0].cast<int>(), arrays[1].cast<std::vector<int>>(), arrays[2].cast<std::vector<int>>(),
          arrays[3].cast<std::vector<double>>()};
}

py::tuple arrays_of(const CompressedColumns& columns) {
  return py::make_tuple(columns.rows, columns.begin, columns.row, copy_of(columns.value));
}

}  // namespace

void bind_problems(py::module_& module) {
  py::class_<ContactProblem>(module, "ContactProblem")
      .def(py::init([](int dimension, const py::tuple& W, std::vector<double> q, std::vector<double> mu,
                       const py::tuple& V, const py::tuple& R, std::vector<double> s) {
             ContactProblem problem;
             problem.dimension = dimension;
             problem.W = columns_of(W);
             problem.q = std::move(q);
             problem.mu = std::move(mu);
             problem.V = columns_of(V);
             problem.R = columns_of(R);
             problem.s = std::move(s);
             return problem;
           }),
           py::arg("dimension"), py::arg("W"), py::arg("q"), py::arg("mu"), py::arg("V"), py::arg("R"), py::arg("s"))
      .def_readonly("dimension", &ContactProblem::dimension)
      .def_property_readonly("W", [](const ContactProblem& problem) { return arrays_of(problem.W); })
      .def_property_readonly("V", [](const ContactProblem& problem) { return arrays_of(problem.V); })
      .def_property_readonly("R", [](const ContactProblem& problem) { return arrays_of(problem.R); })
      .def_property_readonly("q", [](const ContactProblem& problem) { return copy_of(problem.q); })
      .def_property_readonly("mu", [](const ContactProblem& problem) { return copy_of(problem.mu); })
      .def_property_readonly("s", [](const ContactProblem& problem) { return copy_of(problem.s); })
      .def_readonly("title", &ContactProblem::title)
      .def("write", [](const ContactProblem& problem, const std::filesystem::path& path) {
        write_contact_problem(path, problem);
      });
  module.def("read_problem", &read_contact_problem, py::arg("path"), py::call_guard<py::gil_scoped_release>());
  module.def("solve", &solve, py::arg("problem"), py::arg("solver"), py::arg("tolerance"));
}

}  // namespace freeplay::app::python
