// The only source that includes CLI11: it takes long to compile.
#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>

#include "command_words.h"
#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/core/version.h"
#include "text/error_report.h"
#include "verbs/command_table.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

constexpr const char* kExamples = R"(Examples:
  freeplay check crank.yaml                            is the model sound?
  freeplay info crank.yaml                             its tree, its degrees of freedom, its channels
  freeplay run crank.yaml                              writes results/crank/result.h5
  freeplay run crank.yaml --set l1=20cm --set simulate.duration=2s --out long
  freeplay view long                                   writes long/view.html: the mechanism moves in a browser
  freeplay plot long                                   a sheet with what matters: long/result.svg
  freeplay plot long crank.omega --impacts -o crank.pdf
  freeplay export long --csv crank.csv --channels crank.omega,energy.total
  freeplay compare crank.yaml --with solver=lemke --with dopri5    where do the two diverge, and why?
  freeplay sweep crank.yaml --over c=0.1mm:2mm:200     its measures over the clearance, on all cores
  freeplay orbit shaker.yaml --period 0.1s             a periodic motion, is it stable?
  freeplay fit crank.yaml --data run.csv --parameters friction,c=0.1mm:2mm     what was measured tells the parameters
  freeplay solve contacts.hdf5 --tol 1e-10             a friction-contact problem of another program
  freeplay list units                                  what may stand in a model file
  source <(freeplay completion bash)                   the tab key knows verbs, options and files

`freeplay VERB --help` says more about a verb. Exit codes: 0 ok, 1 internal error, 2 usage, 3 a bad input file,
4 the solver gave up, 5 a limit was hit (or, with --strict, a warning), 6 input/output, 130 interrupted.)";

// The command line as data: which verb, and what it was given.
class CommandLine {
 public:
  CommandLine() {
    app_.name("freeplay");
    app_.set_version_flag("--version", "freeplay " + std::string(version()), "Print the version");
    app_.set_help_flag("-h,--help", "Print this help");
    app_.footer(kExamples);
    app_.require_subcommand(1);
    app_.get_formatter()->label("SUBCOMMAND", "VERB");
    app_.get_formatter()->label("REQUIRED", "");
    app_.get_formatter()->column_width(28);
    add_run();
    add_check();
    add_info();
    add_view();
    add_export();
    add_plot();
    add_compare();
    add_sweep();
    add_compile();
    add_orbit();
    add_lyapunov();
    add_fit();
    add_resume();
    add_solve();
    add_list();
    add_completion();
  }

  ExitCode parse_and_run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ExtrasError& error) {
      throw UsageError(without_line_breaks(error.what()), hint_for_extra_words({argv + 1, argv + argc}, verbs()));
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0)
        throw UsageError(without_line_breaks(error.what()), hint_to_help({argv + 1, argv + argc}, verbs()));
      app_.exit(error);  // prints the help or the version
      return ExitCode::kOk;
    }
    for (const std::vector<std::string>* overrides :
         {&run_.overrides, &check_.overrides, &info_.overrides, &compare_.overrides, &sweep_.overrides, &fit_.overrides,
          &compile_.overrides, &orbit_.overrides, &lyapunov_.overrides, &resume_.overrides})
      check_overrides(*overrides);
    return verb_();
  }

  std::string help() const { return app_.help(); }

  std::vector<std::string> verbs() const {
    std::vector<std::string> names;
    for (const CLI::App* verb : app_.get_subcommands({})) names.push_back(verb->get_name());
    return names;
  }

  // Every long option, for "did you mean".
  std::vector<std::string> options() const {
    std::set<std::string> names = {"--version"};
    for (const CLI::App* verb : app_.get_subcommands({})) {
      for (const CLI::Option* option : verb->get_options()) {
        for (const std::string& name : option->get_lnames()) names.insert("--" + name);
      }
    }
    return {names.begin(), names.end()};
  }

  // Everything that the help knows, as data.
  CommandTable table() const {
    CommandTable table{app_.get_name(), app_.get_description(), app_.get_footer(), std::string(version()), {}, {}};
    table.options = options_of(app_);
    for (const CLI::App* verb : app_.get_subcommands({})) {
      // A verb without a footer of its own has that of the command.
      const std::string footer = verb->get_footer() == app_.get_footer() ? "" : verb->get_footer();
      table.verbs.push_back({verb->get_name(), verb->get_description(), footer, options_of(*verb)});
    }
    return table;
  }

 private:
  std::vector<CommandOption> options_of(const CLI::App& command) const {
    std::vector<CommandOption> options;
    for (const CLI::Option* option : command.get_options()) {
      CommandOption entry;
      for (const std::string& name : option->get_snames()) entry.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) entry.names.push_back("--" + name);
      const bool takes_word = option->get_items_expected_max() > 0 && option->get_expected_min() > 0;
      const std::string kind = option->get_type_name().empty() ? "VALUE" : option->get_type_name();
      if (entry.is_positional())
        entry.value = option->get_name(true);
      else if (takes_word)
        entry.value = kind;
      else if (!option->get_fnames().empty() || !option->get_type_name().empty()) {
        entry.value = kind;  // such as --name{1} in the table: --name or --name=VALUE
        entry.is_value_optional = true;
      }
      entry.description = option->get_description();
      entry.is_required = option->get_required();
      entry.is_hidden = option->get_group().empty();
      if (const auto known = words_.find(option); known != words_.end()) entry.words = known->second;
      options.push_back(std::move(entry));
    }
    std::stable_partition(options.begin(), options.end(), [](const CommandOption& o) { return o.is_positional(); });
    return options;
  }
  static std::string without_line_breaks(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  CLI::App* add_verb(const char* name, const char* summary, const std::function<ExitCode()>& verb) {
    CLI::App* command = app_.add_subcommand(name, summary)->group("Verbs");
    command->callback([this, verb] { verb_ = verb; });
    return command;
  }
  static void add_overrides(CLI::App* command, std::vector<std::string>& overrides) {
    command->add_option("--set", overrides, "Replace a parameter (c=0.5mm) or a value (simulate.step=1us); repeatable")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    // Comes before all --set, whose values are there when this is called. ~ is how YAML writes nothing.
    command
        ->add_option_function<std::vector<std::string>>(
            "--unset",
            [&overrides](const std::vector<std::string>& keys) {
              for (const std::string& key : keys) {
                if (key.empty() || key.find('=') != std::string::npos)
                  throw UsageError(fmt::format("--unset '{}' is not a key", key), "write --unset simulate.max_step");
              }
              for (auto key = keys.rbegin(); key != keys.rend(); ++key)
                overrides.insert(overrides.begin(), *key + "=~");
            },
            "Take a key of the file away (simulate.max_step); repeatable")
        ->type_name("KEY")
        ->allow_extra_args(false);
  }
  static void add_model(CLI::App* command, std::filesystem::path& model) {
    command->add_option("MODEL", model, "A model file (YAML)")->required()->type_name("");
  }
  static void add_json(CLI::App* command, bool& json) {
    command->add_flag("--json", json, "Print one JSON object, in SI units, and nothing else on stdout");
  }

  void add_run() {
    CLI::App* command = add_verb("run", "Run a model and write its result", [this] { return run(run_); });
    add_model(command, run_.model);
    add_overrides(command, run_.overrides);
    command->add_option("--out", run_.out, "Folder of the result; default: results/<name of the model file>")
        ->type_name("DIR");
    // A flag and no option, so that it takes a value after '=' only and never the next word.
    command->add_flag("--dump-problems{1}", run_.dump_problems,
                      "Write the contact problem of every N-th step that has one, or only of hard ones (=N, =hard)");
    command
        ->add_option("--checkpoint", run_.checkpoint_s,
                     "Seconds between checkpoints for `freeplay resume` after a kill; default: 10")
        ->check(CLI::Range(0.0, 1e9).description(""))
        ->type_name("SECONDS");
    add_json(command, run_.json);
    command->add_flag("--quiet", run_.quiet, "No progress and no summary");
    command->add_flag("--strict", run_.strict, "Exit with code 5 if the run was completed with warnings");
    command->footer(
        "Writes DIR/result.h5, which replaces the result of an earlier run once this one has started. Ctrl-C ends "
        "the "
        "run cleanly:\nthe file then holds what was computed so far.");
  }
  void add_check() {
    CLI::App* command =
        add_verb("check", "Read and build a model without running it", [this] { return check(check_); });
    add_model(command, check_.model);
    add_overrides(command, check_.overrides);
    add_json(command, check_.json);
  }
  void add_info() {
    CLI::App* command = add_verb("info", "Describe a model, a result or a study", [this] { return info(info_); });
    command->add_option("FILE", info_.file, "A model file, a result file, or the folder of a result or a study")
        ->required()
        ->type_name("");
    add_overrides(command, info_.overrides);
    add_json(command, info_.json);
  }
  void add_view() {
    CLI::App* command = add_verb("view", "Write a page on which the mechanism moves", [this] { return view(view_); });
    command->add_option("RESULT", view_.results, "A result file, or its folder; two of them are shown over each other")
        ->required()
        ->expected(1, 2)
        ->type_name("");
    command->add_option("-o,--out", view_.out, "The page; default: view.html beside the result")->type_name("FILE");
    command->add_flag("--serve", view_.serve, "Serve the page to a browser on this machine, with all rows on request");
    command->add_option("--port", view_.port, "Port of --serve; default: a free one")
        ->check(CLI::Range(1, 65535).description(""))
        ->type_name("N");
    const auto add_text = [&](const char* name, std::string& value, const char* type, const char* text) {
      command->add_option(name, value, text)->type_name(type);
    };
    add_text("--film", view_.film, "FILE",
             "A film instead of a page: .webm, .gif, or .mp4; needs chromium, MP4 also ffmpeg");
    add_text("--from", view_.from, "TIME", "Where the film begins, such as 20ms");
    add_text("--to", view_.to, "TIME", "Where the film ends");
    add_text("--speed", view_.speed, "RATIO", "Simulated over real time, such as 1/50; default: about 8 s in all");
    add_text("--size", view_.size, "WxH", "Of the film in pixels; default: 1280x720, GIF 640x360");
    command
        ->add_option("--magnify", view_.magnify,
                     "How much larger the film draws clearances; default: so that they are seen")
        ->check(CLI::Range(1.0, 1000.0).description(""))
        ->type_name("M");
    command->footer("The page is one file that needs no network: open it in a browser, send it to somebody.");
  }
  void add_export() {
    CLI::App* command =
        add_verb("export", "Write a result for other programs: tables, VTK", [this] { return export_result(export_); });
    command->add_option("RESULT", export_.result, "A result file, or its folder")->required()->type_name("");
    command->add_option("--csv", export_.csv, "Where to write the channels, comma-separated; - is the standard output")
        ->type_name("FILE");
    command->add_option("--impacts", export_.impacts, "Where to write the table of impacts; - is the standard output")
        ->type_name("FILE");
    command
        ->add_option("--blows", export_.blows,
                     "Where to write the blows, impacts that belong together as one; - is the standard output")
        ->type_name("FILE");
    command->add_option("--events", export_.events, "Where to write the table of events; - is the standard output")
        ->type_name("FILE");
    command->add_option("--channels", export_.channels, "Which columns come after `time`; default: all")
        ->delimiter(',')
        ->type_name("A,B,...")
        ->allow_extra_args(false);
    command->add_option("--vtk", export_.vtk, "Folder for .vtu files and a .pvd that ParaView opens")->type_name("DIR");
    command->add_option("--frames", export_.frames, "How many moments --vtk writes; default: 200")
        ->check(CLI::Range(1, 100000).description(""))
        ->type_name("N");
    add_deformation(command, export_.deformation,
                    "How many times as large --vtk draws the deformation of elastic bodies");
  }
  static void add_deformation(CLI::App* command, std::optional<double>& value, const char* text) {
    command->add_option("--deformation", value, text)->check(CLI::Range(0.0, 1e9).description(""))->type_name("M");
  }
  void add_plot() {
    CLI::App* command = add_verb("plot", "Draw a result: SVG, PNG or PDF", [this] { return plot(plot_); });
    command
        ->add_option(
            "RESULT", plot_.words,
            "Results (files, folders, LABEL=FILE), then channels or expressions of them; without any: a sheet. "
            "Or a study, then measures and points")
        ->required()
        ->type_name("");
    command->add_option("-o,--out", plot_.out, "The picture, .svg, .png or .pdf; default: beside the result, .svg")
        ->type_name("FILE");
    const auto add_list = [&](const char* name, std::vector<std::string>& values, const char* type, const char* text) {
      command->add_option(name, values, text)->type_name(type)->allow_extra_args(false);
    };
    add_list("--phase", plot_.phases, "X,Y", "One channel over another, as a phase portrait or a path; repeatable");
    add_list("--density", plot_.densities, "X,Y",
             "The same as --phase, shaded by how long the motion stays where; repeatable");
    add_list("--section", plot_.sections, "X,Y", "A point per --period: a Poincare section; repeatable");
    command->add_option("--period", plot_.period, "Of --section: 20ms, or an expression of parameters")
        ->type_name("TIME");
    add_list("--spectrum", plot_.spectra, "CHANNEL", "Amplitudes over the frequency, by a Hann window; repeatable");
    add_list("--bearing", plot_.bearings, "JOINT",
             "Force, impulse and sliding work around the bore, or along a guide; repeatable");
    add_list("--orbit", plot_.orbits, "JOINT", "The journal inside its clearance circle; repeatable");
    add_list("--gaps", plot_.gaps, "NAME", "Gaps of a joint with play or a contact; repeatable");
    add_list("--wear", plot_.wear, "NAME",
             "Depth of wear: by direction of a journal and its bore, along a guide; repeatable");
    add_list("--bend", plot_.bends, "BODY",
             "Deflection of an elastic body along its axis, at some moments; repeatable");
    add_list("--snapshots", plot_.snapshots, "BODY", "An elastic body where it is at some moments; repeatable");
    add_deformation(command, plot_.deformation, "How many times as large --snapshots draws the deformation");
    command->add_option("--moments", plot_.moments, "How many moments --bend and --snapshots show; default: 6")
        ->check(CLI::Range(1, 50).description(""))
        ->type_name("N");
    // Flags and no options, so that they take a value after '=' only and never the next word.
    command->add_flag("--modes{all}", plot_.modes, "When contacts are open, slip and stick (=NAME: of one)");
    command->add_flag("--impacts{all}", plot_.impacts, "Impulses of impacts (=NAME: of one joint or contact)");
    command->add_flag("--blows{all}", plot_.blows,
                      "Impulses of blows, impacts that belong together as one, on a logarithmic axis (=NAME: of one)");
    command->add_flag("--forces{all}", plot_.forces,
                      "Sizes of the forces of joints, with peak and window; blows are left out (=NAME: of one)");
    command->add_flag("--energy", plot_.energy, "Energies, losses and drift");
    command->add_flag("--steps", plot_.steps, "Size, residual and iterations of the steps");
    command->add_flag("--sheet", plot_.sheet, "One page with what matters; the default if nothing else is asked for");
    const auto add_text = [&](const char* name, auto& value, const char* type, const char* text) {
      command->add_option(name, value, text)->type_name(type);
    };
    add_text("--against", plot_.against, "CHANNEL", "The x axis of histories; default: time");
    add_text("--from", plot_.from, "TIME", "Only rows from this time on, such as 20ms");
    add_text("--to", plot_.to, "TIME", "Only rows up to this time");
    add_text("--log", plot_.log, "AXES", "Logarithmic axes: x, y or xy");
    add_text("--panels", plot_.panels, "RULE", "One panel per `unit` (default), per `channel` or per `run`");
    add_text("--size", plot_.size, "WxH",
             "In pixels; 800 of them are 160 mm of a PDF; default: 800 and as high as needed");
    add_text("--title", plot_.title, "TEXT", "Default: the name of the model");
    add_text("--style", plot_.style, "NAME", "`print` (default) or `screen`: heavier lines");
  }
  void add_compare() {
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
    command
        ->add_option("--out", compare_.out, "Folder of the report; default: results/<name of the model file>_compare")
        ->type_name("DIR");
    add_json(command, compare_.json);
    command->add_flag("--quiet", compare_.quiet, "No progress and no summary");
    command->footer(
        "Writes DIR/compare.html, DIR/compare.json and a result for each formulation, DIR/<label>/result.h5.\n"
        "Example: freeplay compare crank.yaml --with \"solver=lemke\" --with \"jean: integrator=moreau-jean\" --with "
        "\"dopri5\"");
  }
  void add_sweep() {
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
    command->add_option("--backend", sweep_.backend, "Who runs: engine, compiled, or auto; default: engine")
        ->check(CLI::IsMember({"engine", "compiled", "auto"}).description(""))
        ->type_name("NAME");
    command->add_flag("--resume", sweep_.resume, "Refuse to begin anew: the folder must hold this study");
    command->add_flag("--slurm{submit}", sweep_.slurm, "Submit a job array instead of running (=FILE: only write it)");
    command->add_option("--tasks", sweep_.tasks, "How many tasks --slurm has; default: 16")
        ->check(CLI::Range(1, 100000).description(""))
        ->type_name("N");
    command->add_option("--part", sweep_.part, "Only every N-th run, from the K-th on, for a task of --slurm")
        ->type_name("K/N");
    add_json(command, sweep_.json);
    command->add_flag("--quiet", sweep_.quiet, "No progress and no summary");
    command->footer(
        "Writes DIR/sweep.h5. Ctrl-C ends the study cleanly, and the same command goes on where it, or a kill, has "
        "left off.\nmpirun -n K freeplay sweep ... shares the runs among K processes.");
  }
  void add_compile() {
    CLI::App* command = add_verb("compile", "Turn a model into code of its own, for sweeps of many runs",
                                 [this] { return compile(compile_); });
    add_model(command, compile_.model);
    add_overrides(command, compile_.overrides);
    command->add_option("--source", compile_.source, "Where to write the emitted C++")->type_name("FILE");
    add_json(command, compile_.json);
    command->footer(
        "Says what stands in the way where a model has no compiled form. The code goes to the cache of the user,\n"
        "where 'freeplay sweep --backend compiled' finds it.");
  }
  // What the runs are as motions of a dynamical system.
  void add_dynamics_of_sweep(CLI::App* command) {
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
    CLI::Option* follow = command->add_option(
        "--follow", sweep_.follow, "Begin where the neighbour along the first --over ended: up, down or both");
    words_[follow->type_name("WAY")] = {"up", "down", "both"};
    // A flag and no option, so that it takes a value after '=' only and never the next word.
    command->add_flag("--lyapunov{}", sweep_.lyapunov,
                      "Measure the largest Lyapunov exponent, too (=TIME: behind a transient)");
  }
  void add_orbit() {
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
  void add_lyapunov() {
    CLI::App* command = add_verb("lyapunov", "Measure how fast neighbouring motions part: Lyapunov exponents",
                                 [this] { return lyapunov(lyapunov_); });
    add_model(command, lyapunov_.model);
    command->add_option("--transient", lyapunov_.transient, "Left out at the start; default: nothing")
        ->type_name("TIME");
    command
        ->add_option("--interval", lyapunov_.interval,
                     "Between two measurements of the distance; default: a thousandth of the duration")
        ->type_name("TIME");
    command->add_flag("--spectrum", lyapunov_.spectrum, "All exponents, of models without loops and motions");
    add_overrides(command, lyapunov_.overrides);
    add_json(command, lyapunov_.json);
    command->footer("The integrator has to find the instants of impacts: event-driven, or dopri5 with force laws.");
  }
  void add_fit() {
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
    command->add_option("--starts", fit_.starts, "Try so many points within the bounds to begin from; default: 0")
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
  void add_resume() {
    CLI::App* command = add_verb("resume", "Go on with a run or a study that was interrupted or killed",
                                 [this] { return resume(resume_); });
    command->add_option("RESULT", resume_.result, "A result or a study: its file, or its folder")
        ->required()
        ->type_name("");
    command
        ->add_option("--model", resume_.model, "The model file, if it includes others; default: the text in the result")
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
    command->add_flag("--strict", resume_.strict, "Exit with code 5 if the run was completed with warnings");
    command->footer(
        "The result is that of a run without interruption, bit for bit. A longer run: --set simulate.duration=2s.");
  }
  void add_solve() {
    CLI::App* command =
        add_verb("solve", "Solve a friction-contact problem from a file", [this] { return solve(solve_); });
    command->add_option("PROBLEM", solve_.problem, "A local problem in an FCLIB file (HDF5)")
        ->required()
        ->type_name("");
    CLI::Option* solver = command->add_option("--solver", solve_.solver, "See `freeplay list solvers`; default: auto");
    solver->type_name("NAME");
    for (const SolverEntry& entry : solver_registry()) words_[solver].push_back(entry.name);
    command
        ->add_option("--tol", solve_.tolerance,
                     "Largest relative natural residual that counts as solved; default: 1e-8")
        ->type_name("NUMBER");
    command->add_option("--solution", solve_.solution, "Where to write r and u (HDF5)")->type_name("FILE");
    add_json(command, solve_.json);
  }
  void add_list() {
    CLI::App* command = add_verb("list", "List what this version knows", [this] {
      if (!is_man_page_wanted_) return list(list_);
      fmt::print("{}", man_page(table()));
      return ExitCode::kOk;
    });
    CLI::Option* topic = command->add_option("TOPIC", list_.topic,
                                             fmt::format("One of {}; default: all", fmt::join(list_topics(), ", ")));
    words_[topic->type_name("")] = list_topics();
    add_json(command, list_.json);
    // For those who write documentation: an empty group hides an option from the help.
    command->add_flag("--model-reference", list_.model_reference, "Print the reference page of the model file")
        ->group("");
    command->add_flag("--json-schema", list_.json_schema, "Print the JSON Schema of the model file")->group("");
    command
        ->add_flag_callback(
            "--man", [this] { is_man_page_wanted_ = true; }, "Print the manual page")
        ->group("");
  }
  void add_completion() {
    CLI::App* command = add_verb("completion", "Print a script that completes words on the tab key", [this] {
      fmt::print("{}", completion_script(table(), shell_));
      return ExitCode::kOk;
    });
    CLI::Option* shell =
        command->add_option("SHELL", shell_, fmt::format("One of {}", fmt::join(completion_shells(), ", ")));
    words_[shell->required()->type_name("")] = completion_shells();
    command->footer(
        "An installed freeplay has its completions in place. Otherwise:\n"
        "bash: source <(freeplay completion bash), in ~/.bashrc.\n"
        "zsh: source <(freeplay completion zsh), in ~/.zshrc after compinit.\n"
        "fish: freeplay completion fish > ~/.config/fish/completions/freeplay.fish");
  }

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

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  const ExitCode code = guarded(json, [&]() -> ExitCode {
    CommandLine line;
    if (words.empty() || words[0].empty()) {
      fmt::print(stderr, "{}", line.help());
      return ExitCode::kUsage;
    }
    check_words(words, line.verbs(), line.options());
    return line.parse_and_run(argc, argv);
  });
  return static_cast<int>(code);
}

}  // namespace freeplay::app
