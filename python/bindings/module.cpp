#include "bindings.h"
#include "freeplay/core/version.h"

PYBIND11_MODULE(_core, module) {
  namespace python = freeplay::app::python;
  module.doc() = "The part of freeplay that is C++; the package `freeplay` is what users see.";
  module.attr("version") = std::string(freeplay::core::version());
  python::bind_errors(module);
  python::bind_quantities(module);
  python::bind_runs(module);
  python::bind_models(module);
  python::bind_steps(module);
  python::bind_results(module);
  python::bind_studies(module);
  python::bind_pictures(module);
  python::bind_problems(module);
}
