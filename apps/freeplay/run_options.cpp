// Options of the verbs for single models and results, and of those that list and solve.
#include <fmt/format.h>

#include "command_options.h"
#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::app {

void CommandLine::add_run() {
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

void CommandLine::add_check() {
  CLI::App* command = add_verb("check", "Read and build a model without running it", [this] { return check(check_); });
  add_model(command, check_.model);
  add_overrides(command, check_.overrides);
  add_json(command, check_.json);
}

void CommandLine::add_info() {
  CLI::App* command = add_verb("info", "Describe a model, a result or a study", [this] { return info(info_); });
  command->add_option("FILE", info_.file, "A model file, a result file, or the folder of a result or a study")
      ->required()
      ->type_name("");
  add_overrides(command, info_.overrides);
  add_json(command, info_.json);
}

void CommandLine::add_view() {
  CLI::App* command = add_verb("view", "Write a page on which the mechanism moves", [this] { return view(view_); });
  command
      ->add_option("RESULT", view_.results,
                   "A result file, or its folder; two of them are shown over each other. Or the folder of a study")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command->add_option("-o,--out", view_.out, "The page; default: view.html beside the result")->type_name("FILE");
  command->add_flag("--serve", view_.serve, "Serve the page to a browser on this machine, with all rows on request");
  command->add_option("--run", view_.runs, "Of a study: run this one again and show it; two are shown over each other")
      ->expected(1, 2)
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("N");
  command->add_option("--model", view_.model, "Of a study: its model file, where that names other files")
      ->type_name("FILE");
  command
      ->add_option("--waterfall", view_.waterfalls,
                   "Of a study: the spectrum of a channel against the parameter; makes its runs again; repeatable")
      ->type_name("CHANNEL")
      ->allow_extra_args(false);
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

void CommandLine::add_export() {
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

void CommandLine::add_deformation(CLI::App* command, std::optional<double>& value, const char* text) {
  command->add_option("--deformation", value, text)->check(CLI::Range(0.0, 1e9).description(""))->type_name("M");
}

void CommandLine::add_plot() {
  CLI::App* command = add_verb("plot", "Draw a result: SVG, PNG or PDF", [this] { return plot(plot_); });
  command
      ->add_option("RESULT", plot_.words,
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
  add_list("--waterfall", plot_.waterfalls, "CHANNEL",
           "Of a study: such spectra against the parameter, from --from to --to; makes its runs again; repeatable");
  command->add_option("--model", plot_.model, "Of --waterfall: the model file, where that names other files")
      ->type_name("FILE");
  add_list("--bearing", plot_.bearings, "JOINT",
           "Force, impulse and sliding work around the bore, or along a guide; repeatable");
  add_list("--orbit", plot_.orbits, "JOINT", "The journal inside its clearance circle; repeatable");
  add_list("--gaps", plot_.gaps, "NAME", "Gaps of a joint with play or a contact; repeatable");
  add_list("--wear", plot_.wear, "NAME",
           "Depth of wear: by direction of a journal and its bore, along a guide; repeatable");
  add_list("--bend", plot_.bends, "BODY", "Deflection of an elastic body along its axis, at some moments; repeatable");
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

void CommandLine::add_solve() {
  CLI::App* command =
      add_verb("solve", "Solve a friction-contact problem from a file", [this] { return solve(solve_); });
  command->add_option("PROBLEM", solve_.problem, "A local problem in an FCLIB file (HDF5)")->required()->type_name("");
  CLI::Option* solver = command->add_option("--solver", solve_.solver, "See `freeplay list solvers`; default: auto");
  solver->type_name("NAME");
  for (const SolverEntry& entry : solver_registry()) words_[solver].push_back(entry.name);
  command
      ->add_option("--tol", solve_.tolerance, "Largest relative natural residual that counts as solved; default: 1e-8")
      ->type_name("NUMBER");
  command->add_option("--solution", solve_.solution, "Where to write r and u (HDF5)")->type_name("FILE");
  add_json(command, solve_.json);
}

void CommandLine::add_list() {
  CLI::App* command = add_verb("list", "List what this version knows", [this] {
    if (!is_man_page_wanted_) return list(list_);
    fmt::print("{}", man_page(table()));
    return ExitCode::kOk;
  });
  CLI::Option* topic =
      command->add_option("TOPIC", list_.topic, fmt::format("One of {}; default: all", fmt::join(list_topics(), ", ")));
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

void CommandLine::add_completion() {
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

}  // namespace freeplay::app
