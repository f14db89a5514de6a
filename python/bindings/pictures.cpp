// The viewer's page and the plots of a result file.
#include <nlohmann/json.hpp>

#include "bindings.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/report/findings/run_findings.h"
#include "freeplay/report/gnuplot/plot_file.h"
#include "freeplay/report/plot/plot_request.h"
#include "freeplay/report/view/view_data.h"
#include "freeplay/report/view/view_page.h"
#include "freeplay/study/sweep/pictures/statistics_figure.h"
#include "freeplay/study/sweep/pictures/study_page.h"
#include "freeplay/study/sweep/pictures/sweep_figure.h"
#include "serve/viewer_asset.h"
#include "text/error_report.h"
#include "text/slurm_script.h"

namespace freeplay::app::python {

namespace {

std::string view(const std::filesystem::path& result) {
  const py::gil_scoped_release released;
  return view_page(viewer_asset(), make_view_data(ResultReader(result)).block);
}

py::object findings(const std::filesystem::path& path, std::size_t most_blows) {
  nlohmann::ordered_json json;
  {
    const py::gil_scoped_release released;
    json = findings_json(find_out(ResultReader(path)), most_blows);
  }
  return to_python(json);
}

PictureFormat format_of(const std::string& word) {
  if (word == "svg") return PictureFormat::kSvg;
  if (word == "png") return PictureFormat::kPng;
  if (word == "pdf") return PictureFormat::kPdf;
  throw UsageError::unknown("format", word, {"svg", "png", "pdf"});
}

using Names = std::vector<std::string>;

py::bytes plot(const std::vector<std::filesystem::path>& results, const Names& labels, const PlotRequest& request,
               const std::string& format, int width, int height) {
  std::string picture;
  {
    const py::gil_scoped_release released;
    std::vector<NamedResult> named;
    for (std::size_t i = 0; i < results.size(); ++i) named.push_back({results[i], i < labels.size() ? labels[i] : ""});
    PictureOptions options;
    options.format = format_of(format);
    options.size = {width, height};
    picture = draw_plot(make_figure(request, open_runs(named)), options).picture;
  }
  return picture;
}

// The page of a study, for a place where it has no folder of its own: the commands on it name that of the study.
std::string view_study(const std::filesystem::path& study) {
  const py::gil_scoped_release released;
  StudyPageOptions options;
  options.folder = shell_word(study.parent_path().empty() ? "." : study.parent_path().string());
  return view_page(viewer_asset(), make_study_page(read_sweep(study), options).block);
}

py::bytes plot_study(const std::filesystem::path& study, const Names& measures, const std::string& against, bool log_x,
                     bool log_y, const std::string& title, const std::string& format, int width, int height) {
  std::string picture;
  {
    const py::gil_scoped_release released;
    const SweepTable table = read_sweep(study);
    const SweepFigureRequest request{measures, against, log_x, log_y, title};
    PictureOptions options;
    options.format = format_of(format);
    options.size = {width, height};
    const std::optional<PlotFigure> statistics = make_statistics_figure(table, request);
    picture = draw_plot(statistics ? *statistics : make_sweep_figure(table, request), options).picture;
  }
  return picture;
}

}  // namespace

void bind_pictures(py::module_& module) {
  module.def("view", &view, py::arg("result"));
  module.def("view_study", &view_study, py::arg("study"));
  module.def("plot_study", &plot_study, py::arg("study"), py::arg("measures"), py::arg("against"), py::arg("log_x"),
             py::arg("log_y"), py::arg("title"), py::arg("format"), py::arg("width"), py::arg("height"));
  module.def("findings", &findings, py::arg("result"), py::arg("most_blows"));
  py::class_<PlotRequest>(module, "PlotRequest")
      .def(py::init<>())
      .def_readwrite("channels", &PlotRequest::channels)
      .def_readwrite("phases", &PlotRequest::phases)
      .def_readwrite("densities", &PlotRequest::densities)
      .def_readwrite("sections", &PlotRequest::sections)
      .def_readwrite("period", &PlotRequest::period)
      .def_readwrite("spectra", &PlotRequest::spectra)
      .def_readwrite("bearings", &PlotRequest::bearings)
      .def_readwrite("orbits", &PlotRequest::orbits)
      .def_readwrite("gaps", &PlotRequest::gaps)
      .def_readwrite("bends", &PlotRequest::bends)
      .def_readwrite("snapshots", &PlotRequest::snapshots)
      .def_readwrite("modes", &PlotRequest::modes)
      .def_readwrite("impacts", &PlotRequest::impacts)
      .def_readwrite("blows", &PlotRequest::blows)
      .def_readwrite("forces", &PlotRequest::forces)
      .def_readwrite("energy", &PlotRequest::energy)
      .def_readwrite("steps", &PlotRequest::steps)
      .def_readwrite("sheet", &PlotRequest::sheet)
      .def_readwrite("against", &PlotRequest::against)
      .def_readwrite("begin", &PlotRequest::from_s)
      .def_readwrite("end", &PlotRequest::to_s)
      .def_readwrite("log_x", &PlotRequest::log_x)
      .def_readwrite("log_y", &PlotRequest::log_y)
      .def_readwrite("title", &PlotRequest::title);
  module.def("plot", &plot, py::arg("results"), py::arg("labels"), py::arg("request"), py::arg("format") = "svg",
             py::arg("width") = 0, py::arg("height") = 0);
}

}  // namespace freeplay::app::python
