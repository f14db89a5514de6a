// Exceptions of C++ become those of freeplay/_errors.py, with the words that the command prints.
#include "bindings.h"
#include "freeplay/core/error.h"
#include "freeplay/io/result/result_reader.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/study/sweep/sweep.h"
#include "text/error_report.h"

namespace freeplay::app::python {

namespace {

py::list places_of(const ModelError& error) {
  py::list places;
  const py::object place = py::module_::import("freeplay._errors").attr("Place");
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    places.append(place(diagnostic.mark.file, diagnostic.mark.line, diagnostic.mark.column, diagnostic.path,
                        diagnostic.message, diagnostic.hint));
  }
  return places;
}

void raise(const char* name, const std::string& text, const py::object& detail = py::none()) {
  const py::object type = py::module_::import("freeplay._errors").attr(name);
  const py::object error = detail.is_none() ? type(text) : type(text, detail);
  PyErr_SetObject(type.ptr(), error.ptr());
}

std::string with_hint(const std::string& text, const std::string& hint) {
  return hint.empty() ? text : text + "\n    hint: " + hint;
}

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const ModelError& error) {
    raise("ModelError", error.what(), places_of(error));
  } catch (const UsageError& error) {
    raise("UsageError", with_hint(error.what(), error.hint()));
  } catch (const PlotError& error) {
    raise("UsageError", with_hint(error.what(), error.hint()));
  } catch (const ExpressionError& error) {
    raise("UsageError", with_hint(error.what(), error.hint()));
  } catch (const OtherStudy& error) {
    raise("UsageError", with_hint(error.what(), "give this study a folder of its own, or remove that one"));
  } catch (const UnknownChannel& error) {
    raise("UnknownChannel", error.what());
  } catch (const IoError& error) {
    raise("FileError", error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    raise("FileError", error.what());
  }
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator(&translate);
}

}  // namespace freeplay::app::python
