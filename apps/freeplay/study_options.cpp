// Options of the verbs that run a model many times, or go on with what was run.
#include <fmt/format.h>

#include "command_options.h"

namespace freeplay::app {

void CommandLine::add_compare() {
  CLI::App* command = add_verb("compare", "Run several formulations of a model and report where they diverge",
                               [this] { return compare(compare_); });
  add_model(command, compare_.model);
  command
      ->add_option(
          "--with", compare_.formulations,
          "A formulation: [LABEL:] KEY=VALUE,... with keys of 'simulate', parameters or paths; repeatable; the "
          "first one is the reference; default: those that suit the model")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  add_overrides(command, compare_.overrides);
  command->add_option("--channels", compare_.channels, "Which curves to show; default: a few that tell most")
      ->delimiter(',')
      ->type_name("A,B,...")
      ->allow_extra_args(false);
  command->add_option("--out", compare_.out, "Folder of the report; default: results/<name of the model file>_compare")
      ->type_name("DIR");
  add_json(command, compare_.json);
  command->add_flag("--quiet", compare_.quiet, "No progress and no summary");
  command->footer(
      "Writes DIR/compare.html, DIR/compare.json and a result for each formulation, DIR/<label>/result.h5.\n"
      "Example: freeplay compare crank.yaml --with \"solver=lemke\" --with \"jean: integrator=moreau-jean\" --with "
      "\"dopri5\"");
}

namespace {

// What a study has that others share the work of, or that goes on.
template <class Arguments>
void add_shares(CLI::App* command, Arguments& arguments) {
  command->add_flag("--resume", arguments.resume, "Refuse to begin anew: the folder must hold this study");
  command->add_flag("--slurm{submit}", arguments.slurm, "Submit a job array instead of running (=FILE: only write it)");
  command->add_option("--tasks", arguments.tasks, "How many tasks --slurm has; default: 16")
      ->check(CLI::Range(1, 100000).description(""))
      ->type_name("N");
  command->add_option("--part", arguments.part, "Only every N-th run, from the K-th on, for a task of --slurm")
      ->type_name("K/N");
}

}  // namespace

void CommandLine::add_sweep() {
  CLI::App* command = add_verb("sweep", "Run a model for many values of its parameters and measure each run",
                               [this] { return sweep(sweep_); });
  add_model(command, sweep_.model);
  const auto add_texts = [&](const char* name, std::vector<std::string>& values, const char* type, const char* text) {
    command->add_option(name, values, text)->type_name(type)->allow_extra_args(false);
  };
  add_texts("--over", sweep_.over, "NAME=VALUES",
            "What varies: c=0.1mm:2mm:200, c=0.1mm:2mm:20:log, or a list c=1mm,2mm; several make a grid");
  add_texts("--measure", sweep_.measures, "NAME=EXPRESSION",
            "A number of each run, such as peak=max(abs(guide.force_y)); repeatable; default: those of the model");
  command
      ->add_option(
          "--sample", sweep_.sample,
          "Samples instead of a grid: random:N, lhs:N (Latin hypercube), or for sensitivities sobol:N, morris:N")
      ->type_name("KIND:N");
  command->add_option("--seed", sweep_.seed, "Of the samples; default: 0")->type_name("N");
  command
      ->add_option("--worst", sweep_.worst,
                   "Search the ranges for the largest or least value of a measure: max:NAME or min:NAME")
      ->type_name("GOAL");
  add_dynamics_of_sweep(command);
  add_overrides(command, sweep_.overrides);
  command->add_option("--out", sweep_.out, "Folder of the study; default: results/<name of the model file>_sweep")
      ->type_name("DIR");
  command->add_option("--csv", sweep_.csv, "Where to write all rows, comma-separated; - is the standard output")
      ->type_name("FILE");
  command->add_option("--workers", sweep_.workers, "How many runs at the same time; default: one per core")
      ->check(CLI::Range(1, 4096).description(""))
      ->type_name("N");
  command->add_option("--backend", sweep_.backend, "Who runs: engine, compiled, cuda, or auto; default: engine")
      ->check(CLI::IsMember({"engine", "compiled", "cuda", "auto"}).description(""))
      ->type_name("NAME");
  add_shares(command, sweep_);
  add_json(command, sweep_.json);
  command->add_flag("--quiet", sweep_.quiet, "No progress and no summary");
  command->add_flag("--strict", sweep_.strict, "Exit with code 5 if a run gave warnings; the engine runs, then");
  command->footer(
      "Writes DIR/sweep.h5. Ctrl-C ends the study cleanly, and the same command goes on where it, or a kill, has "
      "left off.\nmpirun -n K freeplay sweep ... shares the runs among K processes.");
}

void CommandLine::add_study() {
  CLI::App* command =
      add_verb("study", "Run a family of runs that a file describes, as sweep does", [this] { return study(study_); });
  command->add_option("STUDY", study_.file, "The study's file: model, set, over, measure, section, backend, ...")
      ->required()
      ->type_name("");
  command
      ->add_option("--over", study_.over,
                   "Other values of one of its ranges, or one more: c=0.1mm:2mm:1000; repeatable")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  command->add_option("--sample", study_.sample, "Another sampling: random:N, lhs:N, sobol:N, morris:N")
      ->type_name("KIND:N");
  add_overrides(command, study_.overrides);
  command
      ->add_option("--backend", study_.backend, "Who runs: engine, compiled, cuda, or auto; default: as the file says")
      ->check(CLI::IsMember({"engine", "compiled", "cuda", "auto"}).description(""))
      ->type_name("NAME");
  command->add_option("--out", study_.out, "Folder of the study; default: results/<name of its file>_study")
      ->type_name("DIR");
  command->add_option("--csv", study_.csv, "Where to write all rows, comma-separated; - is the standard output")
      ->type_name("FILE");
  command->add_option("--workers", study_.workers, "How many runs at the same time; default: one per core")
      ->check(CLI::Range(1, 4096).description(""))
      ->type_name("N");
  add_shares(command, study_);
  add_json(command, study_.json);
  command->add_flag("--quiet", study_.quiet, "No progress and no summary");
  command->add_flag("--strict", study_.strict, "Exit with code 5 if a run gave warnings; the engine runs, then");
  command->footer("Writes DIR/sweep.h5; 'freeplay plot DIR' draws it.");
}

void CommandLine::add_compile() {
  CLI::App* command = add_verb("compile", "Turn a model into code of its own, for sweeps of many runs",
                               [this] { return compile(compile_); });
  add_model(command, compile_.model);
  add_overrides(command, compile_.overrides);
  command->add_option("--source", compile_.source, "Where to write the emitted C++")->type_name("FILE");
  add_json(command, compile_.json);
  command->footer(
      "Says what stands in the way where a model has no compiled form. The code goes to the cache of the user.\n"
      "'freeplay sweep --backend compiled' compiles by itself, with the code of its measures.");
}

void CommandLine::add_dynamics_of_sweep(CLI::App* command) {
  command
      ->add_option("--section", sweep_.section,
                   "When to note points: every(2*pi/omega), rising(x), falling(x), crossing(x), impact, guide.impact")
      ->type_name("WHEN");
  command->add_option("--point", sweep_.points, "What to note there, such as x=slider.x; repeatable")
      ->type_name("NAME=EXPRESSION")
      ->allow_extra_args(false);
  command->add_option("--skip", sweep_.skip, "Crossings of the section that are left out at the start; default: 0")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40).description(""))
      ->type_name("N");
  command->add_option("--turns", sweep_.turns, "End each run after so many more; default: its duration")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40).description(""))
      ->type_name("N");
  CLI::Option* follow = command->add_option("--follow", sweep_.follow,
                                            "Begin where the neighbour along the first --over ended: up, down or both");
  words_[follow->type_name("WAY")] = {"up", "down", "both"};
  // A flag and no option, so that it takes a value after '=' only and never the next word.
  command->add_flag("--lyapunov{}", sweep_.lyapunov,
                    "Measure the largest Lyapunov exponent, too (=TIME: behind a transient)");
  command
      ->add_option("--orbit", sweep_.orbit,
                   "Find a motion of this period in each run, too, and its largest Floquet multiplier: 2*pi/omega")
      ->type_name("PERIOD");
}

void CommandLine::add_orbit() {
  CLI::App* command =
      add_verb("orbit", "Find a periodic motion and its Floquet multipliers", [this] { return orbit(orbit_); });
  add_model(command, orbit_.model);
  command->add_option("--period", orbit_.period, "Of the drive: a time, or an expression of parameters (2*pi/omega)")
      ->required()
      ->type_name("TIME");
  command->add_option("--times", orbit_.times, "Periods of the drive in one of the motion; default: 1")
      ->check(CLI::Range(1, 10000).description(""))
      ->type_name("N");
  command->add_flag("--free", orbit_.is_free, "Nothing drives the model: find the period, too, from --period on");
  command
      ->add_option("--settle", orbit_.settle,
                   "How long the model runs before the search begins, 0s for none; default: its duration")
      ->type_name("TIME");
  add_overrides(command, orbit_.overrides);
  add_json(command, orbit_.json);
  command->footer(
      "Newton's method on the state after a period: stable and unstable motions. Exit code 4 if there is none.");
}

void CommandLine::add_lyapunov() {
  CLI::App* command = add_verb("lyapunov", "Measure how fast neighbouring motions part: Lyapunov exponents",
                               [this] { return lyapunov(lyapunov_); });
  add_model(command, lyapunov_.model);
  command->add_option("--transient", lyapunov_.transient, "Left out at the start; default: nothing")->type_name("TIME");
  command
      ->add_option("--interval", lyapunov_.interval,
                   "Between two measurements of the distance; default: a thousandth of the duration")
      ->type_name("TIME");
  CLI::Option* spectrum =
      command->add_flag("--spectrum", lyapunov_.spectrum, "All exponents: two for each degree of freedom");
  CLI::Option* members =
      command
          ->add_option("--members", lyapunov_.members,
                       "Let neighbours part freely, of so many machines that begin almost alike, and take the mean")
          ->check(CLI::Range(2, 100000).description(""))
          ->type_name("N")
          ->excludes(spectrum);
  command->add_option("--apart", lyapunov_.apart, "With --members: distance at which neighbours begin; default: 1e-9")
      ->type_name("NUMBER")
      ->needs(members);
  command->add_option("--until", lyapunov_.until, "With --members: distance at which they have parted; default: 1e-4")
      ->type_name("NUMBER")
      ->needs(members);
  add_overrides(command, lyapunov_.overrides);
  add_json(command, lyapunov_.json);
  command->footer("The integrator has to find the instants of impacts: event-driven, or dopri5 with force laws.");
}

void CommandLine::add_fit() {
  CLI::App* command = add_verb("fit", "Find the parameters with which runs agree best with measured data",
                               [this] { return fit(fit_); });
  add_model(command, fit_.model);
  command->add_option("--data", fit_.data, "CSV: a column `time`, and columns named like channels")
      ->required()
      ->type_name("FILE");
  command->add_option("--parameters", fit_.parameters, "What is fitted: mu, or within bounds c=0.1mm:2mm")
      ->required()
      ->delimiter(',')
      ->type_name("A,B,...")
      ->allow_extra_args(false);
  command->add_option("--channels", fit_.channels, "Which columns count; default: all")
      ->delimiter(',')
      ->type_name("A,B,...")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--starts", fit_.starts,
          "Try so many points, to begin at the best of them; default: 20 per parameter; 0: only the model's values")
      ->check(CLI::Range(0, 1000000).description(""))
      ->type_name("N");
  command->add_option("--seed", fit_.seed, "Of --starts; default: 0")->type_name("N");
  add_overrides(command, fit_.overrides);
  command->add_option("--out", fit_.out, "Folder of the answer; default: results/<name of the model file>_fit")
      ->type_name("DIR");
  command->add_option("--workers", fit_.workers, "How many runs at the same time; default: one per core")
      ->check(CLI::Range(1, 4096).description(""))
      ->type_name("N");
  add_json(command, fit_.json);
  command->add_flag("--quiet", fit_.quiet, "No progress and no summary");
  command->footer("Writes DIR/fit.json, DIR/fit.csv and DIR/fit.svg: data, fit and residuals.");
}

void CommandLine::add_resume() {
  CLI::App* command = add_verb("resume", "Go on with a run or a study that was interrupted or killed",
                               [this] { return resume(resume_); });
  command->add_option("RESULT", resume_.result, "A result or a study: its file, or its folder")
      ->required()
      ->type_name("");
  command
      ->add_option("--model", resume_.model,
                   "The model file, if it names tables, meshes or modes; default: the text in the result")
      ->type_name("FILE");
  command->add_option("--set", resume_.overrides, "Another end: simulate.duration=2s")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--csv", resume_.csv, "Of a study: where to write all rows")->type_name("FILE");
  command->add_option("--workers", resume_.workers, "Of a study: how many runs at the same time")
      ->check(CLI::Range(1, 4096).description(""))
      ->type_name("N");
  add_json(command, resume_.json);
  command->add_flag("--quiet", resume_.quiet, "No progress and no summary");
  command->add_flag("--strict", resume_.strict, "Exit with code 5 if it was completed with warnings");
  command->footer(
      "The result is that of a run without interruption, bit for bit. A longer run: --set simulate.duration=2s.");
}

}  // namespace freeplay::app
