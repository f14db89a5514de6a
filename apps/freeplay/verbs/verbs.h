// The verbs of the command, one source each. A verb prints its result on stdout and throws for every error;
// error_report.h turns exceptions into messages and exit codes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "exit_code.h"

namespace freeplay::app {

struct RunArguments {
  std::filesystem::path model;
  std::vector<std::string> overrides;
  std::optional<std::filesystem::path> out;  // default: results/<stem of the model>
  std::string dump_problems;                 // "", a count of steps, or "hard"
  double checkpoint_s = 10;                  // how often a checkpoint is kept
  bool json = false, quiet = false, strict = false;
};
ExitCode run(const RunArguments& arguments);

struct CheckArguments {
  std::filesystem::path model;
  std::vector<std::string> overrides;
  bool json = false;
};
ExitCode check(const CheckArguments& arguments);

struct InfoArguments {
  std::filesystem::path file;  // a model, a result, a study, or the folder of one of these
  std::vector<std::string> overrides;
  bool json = false;
};
ExitCode info(const InfoArguments& arguments);

struct ExportArguments {
  std::filesystem::path result;             // a file, or the folder that holds result.h5
  std::string csv, impacts, blows, events;  // files, or "-" for stdout; empty: not asked for
  std::vector<std::string> channels;        // none: all
  std::string vtk;                          // folder; empty: not asked for
  std::optional<int> frames;                // of vtk
  std::optional<double> deformation;        // of vtk: how many times as large as it is
};
ExitCode export_result(const ExportArguments& arguments);

struct ViewArguments {
  std::vector<std::filesystem::path> results;  // one or two: files, or the folders that hold result.h5; or a study
  std::vector<std::int64_t> runs;              // of a study: those to be seen, one or two
  std::optional<std::filesystem::path> model;  // of a study that was made from more than one file
  std::vector<std::string> waterfalls;         // of a study: channels whose spectra are shown
  std::optional<std::filesystem::path> out;    // default: view.html beside the result
  bool serve = false;
  std::optional<int> port;      // of serve; default: a free one
  std::string film;             // a file; empty: not asked for
  std::string from, to, speed;  // of the film
  std::string size;
  std::optional<double> magnify;
};
ExitCode view(const ViewArguments& arguments);

struct PlotArguments {
  std::vector<std::string> words;            // results, then channels
  std::optional<std::filesystem::path> out;  // default: the first result with the ending .svg
  std::vector<std::string> phases, densities, sections, orbits, gaps, wear, bearings, spectra;
  std::vector<std::string> waterfalls;                       // of a study: channels
  std::optional<std::filesystem::path> model;                // of such a study, as in ViewArguments
  std::string period;                                        // of sections
  std::vector<std::string> bends, snapshots;                 // elastic bodies
  std::optional<double> deformation;                         // of snapshots
  std::optional<int> moments;                                // of bends and snapshots
  std::optional<std::string> modes, impacts, blows, forces;  // of one joint or contact, or "all"
  bool energy = false, steps = false, sheet = false;
  std::string against, from, to, log, size;
  std::string panels = "unit", style = "print";
  std::optional<std::string> title;
};
ExitCode plot(const PlotArguments& arguments);

struct CompareArguments {
  std::filesystem::path model;
  std::vector<std::string> overrides;        // of all formulations
  std::vector<std::string> formulations;     // --with; none: those that suit the model
  std::vector<std::string> channels;         // of the curves; none: chosen
  std::optional<std::filesystem::path> out;  // default: results/<stem of the model>_compare
  bool json = false, quiet = false;
};
ExitCode compare(const CompareArguments& arguments);

struct CompileArguments {
  std::filesystem::path model;
  std::vector<std::string> overrides;
  std::optional<std::filesystem::path> source;  // where to write the emitted C++
  bool json = false;
};
ExitCode compile(const CompileArguments& arguments);

struct SweepArguments {
  std::filesystem::path model;
  std::vector<std::string> overrides, over, measures;
  std::string sample, worst, part;
  std::uint64_t seed = 0;
  std::string section, follow;
  std::vector<std::string> points;           // at the section
  std::int64_t skip = 0;                     // crossings
  std::optional<std::int64_t> turns;         // crossings that are kept
  std::optional<std::string> lyapunov;       // the transient, or ""
  std::string orbit;                         // the period
  std::optional<std::filesystem::path> out;  // default: results/<stem of the model>_sweep
  std::string csv;                           // a file, or "-" for stdout; empty: not asked for
  std::string backend = "engine";            // engine, compiled, cuda or auto
  int workers = 0, tasks = 16;               // 0: one per core; tasks of --slurm
  std::string slurm;                         // "submit", or the file to write
  bool resume = false, json = false, quiet = false, strict = false;
};
ExitCode sweep(const SweepArguments& arguments);

// A study that a file describes; what is given here goes before what the file says.
struct StudyArguments {
  std::filesystem::path file;
  std::vector<std::string> overrides, over;
  std::string sample, backend, csv, part;
  std::optional<std::filesystem::path> out;  // default: results/<name of the file>_study
  int workers = 0, tasks = 16;               // as of SweepArguments
  std::string slurm;
  bool resume = false, json = false, quiet = false, strict = false;
};
ExitCode study(const StudyArguments& arguments);

struct OrbitArguments {
  std::filesystem::path model;
  std::vector<std::string> overrides;
  std::string period;                 // an expression of parameters
  int times = 1;                      // periods of the drive in one of the motion
  bool is_free = false;               // the period is not known exactly
  std::optional<std::string> settle;  // a time; default: the duration of the model
  bool json = false;
};
ExitCode orbit(const OrbitArguments& arguments);

struct LyapunovArguments {
  std::filesystem::path model;
  std::vector<std::string> overrides;
  std::string transient, interval;  // times; empty: none, and a thousandth of the duration
  bool spectrum = false;            // all exponents
  int members = 0;                  // machines whose neighbours part freely; 0: one run, drawn back all the time
  double apart = 1e-9, until = 1e-4;
  bool json = false;
};
ExitCode lyapunov(const LyapunovArguments& arguments);
struct FitArguments {
  std::filesystem::path model, data;
  std::vector<std::string> overrides, parameters, channels;
  std::optional<std::filesystem::path> out;  // default: results/<stem of the model>_fit
  std::optional<int> starts;                 // default: by the number of parameters
  int workers = 0;
  std::uint64_t seed = 0;
  bool json = false, quiet = false;
};
ExitCode fit(const FitArguments& arguments);

struct ResumeArguments {
  std::filesystem::path result;                // a result or a study: a file, or its folder
  std::optional<std::filesystem::path> model;  // default: the text in the result
  std::vector<std::string> overrides;          // such as a longer duration
  std::string csv;                             // of a study
  int workers = 0;                             // of a study
  bool json = false, quiet = false, strict = false;
};
ExitCode resume(const ResumeArguments& arguments);

struct SolveArguments {
  std::filesystem::path problem;
  std::string solver = "auto";
  double tolerance = 1e-8;                        // on the relative residual
  std::optional<std::filesystem::path> solution;  // where to write it
  bool json = false;
};
ExitCode solve(const SolveArguments& arguments);

struct ListArguments {
  std::string topic;  // empty: all
  bool json = false;
  bool model_reference = false, json_schema = false;  // hidden: what the documentation is made of
};
ExitCode list(const ListArguments& arguments);
std::vector<std::string> list_topics();

}  // namespace freeplay::app
