#include "command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "command_options.h"
#include "command_words.h"
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
  freeplay study crank.study.yaml                      the same, said in a file
  freeplay orbit shaker.yaml --period 0.1s             a periodic motion, is it stable?
  freeplay fit crank.yaml --data run.csv --parameters friction,c=0.1mm:2mm     what was measured tells the parameters
  freeplay solve contacts.hdf5 --tol 1e-10             a friction-contact problem of another program
  freeplay list units                                  what may stand in a model file
  source <(freeplay completion bash)                   the tab key knows verbs, options and files

`freeplay VERB --help` says more about a verb. Exit codes: 0 ok, 1 internal error, 2 usage, 3 a bad input file,
4 the solver gave up, 5 a limit was hit (or, with --strict, a warning), 6 input/output, 130 interrupted.)";

}  // namespace

CommandLine::CommandLine() {
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
  add_study();
  add_compile();
  add_orbit();
  add_lyapunov();
  add_fit();
  add_resume();
  add_solve();
  add_list();
  add_completion();
}

ExitCode CommandLine::parse_and_run(int argc, const char* const* argv) {
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
        &study_.overrides, &compile_.overrides, &orbit_.overrides, &lyapunov_.overrides, &resume_.overrides})
    check_overrides(*overrides);
  return verb_();
}

std::vector<std::string> CommandLine::verbs() const {
  std::vector<std::string> names;
  for (const CLI::App* verb : app_.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> CommandLine::options() const {
  std::set<std::string> names = {"--version"};
  for (const CLI::App* verb : app_.get_subcommands({})) {
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_lnames()) names.insert("--" + name);
    }
  }
  return {names.begin(), names.end()};
}

CommandTable CommandLine::table() const {
  CommandTable table{app_.get_name(), app_.get_description(), app_.get_footer(), std::string(version()), {}, {}};
  table.options = options_of(app_);
  for (const CLI::App* verb : app_.get_subcommands({})) {
    // A verb without a footer of its own has that of the command.
    const std::string footer = verb->get_footer() == app_.get_footer() ? "" : verb->get_footer();
    table.verbs.push_back({verb->get_name(), verb->get_description(), footer, options_of(*verb)});
  }
  return table;
}

std::vector<CommandOption> CommandLine::options_of(const CLI::App& command) const {
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

std::string CommandLine::without_line_breaks(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

CLI::App* CommandLine::add_verb(const char* name, const char* summary, const std::function<ExitCode()>& verb) {
  CLI::App* command = app_.add_subcommand(name, summary)->group("Verbs");
  command->callback([this, verb] { verb_ = verb; });
  return command;
}

void CommandLine::add_overrides(CLI::App* command, std::vector<std::string>& overrides) {
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
            for (auto key = keys.rbegin(); key != keys.rend(); ++key) overrides.insert(overrides.begin(), *key + "=~");
          },
          "Take a key of the file away (simulate.max_step); repeatable")
      ->type_name("KEY")
      ->allow_extra_args(false);
}

void CommandLine::add_model(CLI::App* command, std::filesystem::path& model) {
  command->add_option("MODEL", model, "A model file (YAML)")->required()->type_name("");
}

void CommandLine::add_json(CLI::App* command, bool& json) {
  command->add_flag("--json", json, "Print one JSON object, in SI units, and nothing else on stdout");
}

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
