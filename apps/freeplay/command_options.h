// The verbs and options of the command, for CLI11, which takes long to compile: only the sources of this class see it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "verbs/command_table.h"
#include "verbs/verbs.h"

namespace freeplay::app {

// The command line as data: which verb, and what it was given.
class CommandLine {
 public:
  CommandLine();

  ExitCode parse_and_run(int argc, const char* const* argv);

  std::string help() const { return app_.help(); }

  std::vector<std::string> verbs() const;

  // Every long option, for "did you mean".
  std::vector<std::string> options() const;

  // Everything that the help knows, as data.
  CommandTable table() const;

 private:
  std::vector<CommandOption> options_of(const CLI::App& command) const;
  static std::string without_line_breaks(std::string text);

  CLI::App* add_verb(const char* name, const char* summary, const std::function<ExitCode()>& verb);
  static void add_overrides(CLI::App* command, std::vector<std::string>& overrides);
  static void add_model(CLI::App* command, std::filesystem::path& model);
  static void add_json(CLI::App* command, bool& json);

  void add_run();
  void add_check();
  void add_info();
  void add_view();
  void add_export();
  static void add_deformation(CLI::App* command, std::optional<double>& value, const char* text);
  void add_plot();
  void add_compare();
  void add_sweep();
  void add_study();
  void add_compile();
  // What the runs are as motions of a dynamical system.
  void add_dynamics_of_sweep(CLI::App* command);
  void add_orbit();
  void add_lyapunov();
  void add_fit();
  void add_resume();
  void add_solve();
  void add_list();
  void add_completion();

  CLI::App app_{"freeplay: mechanisms with clearance, impact and friction"};
  std::function<ExitCode()> verb_;
  RunArguments run_;
  CheckArguments check_;
  InfoArguments info_;
  ViewArguments view_;
  ExportArguments export_;
  PlotArguments plot_;
  CompareArguments compare_;
  SweepArguments sweep_;
  StudyArguments study_;
  CompileArguments compile_;
  OrbitArguments orbit_;
  LyapunovArguments lyapunov_;
  FitArguments fit_;
  ResumeArguments resume_;
  SolveArguments solve_;
  ListArguments list_;
  bool is_man_page_wanted_ = false;
  std::string shell_;
  std::map<const CLI::Option*, std::vector<std::string>> words_;  // the values of an option, for the completions
};

}  // namespace freeplay::app
