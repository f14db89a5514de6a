#include "freeplay/io/study/study_file.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

// What the command line says of a name is in the place of what the file says of it; other names come behind.
void put_over(const std::vector<std::string>& given, const char* option, std::vector<std::string>& texts,
              StudyFile& file) {
  if (!given.empty()) file.forget_place(option);  // the block: what is said of no name may be about either
  for (const std::string& text : given) {
    const std::string name = text.substr(0, text.find('=') + 1);
    file.forget_place(option, text.substr(0, text.find('=')));
    bool is_known = false;
    for (std::string& known : texts) {
      if (!known.starts_with(name)) continue;
      known = text;
      is_known = true;
    }
    if (!is_known) texts.push_back(text);
  }
}

// "crank" of "studies/crank.study.yaml".
std::string name_of_study(const std::filesystem::path& file) {
  std::filesystem::path name = file.stem();
  if (name.extension() == ".study") name = name.stem();
  return name.string();
}

}  // namespace

ExitCode study(const StudyArguments& arguments) {
  StudyFile file = read_study_file(arguments.file);
  SweepArguments sweep_arguments;
  sweep_arguments.model = file.model;
  sweep_arguments.overrides = std::move(file.set);
  put_over(arguments.overrides, "--set", sweep_arguments.overrides, file);
  sweep_arguments.over = std::move(file.over);
  put_over(arguments.over, "--over", sweep_arguments.over, file);
  sweep_arguments.measures = std::move(file.measures);
  sweep_arguments.sample = arguments.sample.empty() ? file.sample : arguments.sample;
  sweep_arguments.seed = file.seed;
  sweep_arguments.worst = file.worst;
  sweep_arguments.section = file.section;
  sweep_arguments.points = std::move(file.points);
  sweep_arguments.skip = file.skip;
  sweep_arguments.turns = file.turns;
  sweep_arguments.follow = file.follow;
  sweep_arguments.lyapunov = file.lyapunov;
  sweep_arguments.orbit = file.orbit;
  sweep_arguments.backend = arguments.backend.empty() ? file.backend : arguments.backend;
  sweep_arguments.out =
      arguments.out.value_or(std::filesystem::path("results") / (name_of_study(arguments.file) + "_study"));
  sweep_arguments.csv = arguments.csv;
  sweep_arguments.workers = arguments.workers;
  sweep_arguments.resume = arguments.resume;
  sweep_arguments.slurm = arguments.slurm;
  sweep_arguments.tasks = arguments.tasks;
  sweep_arguments.part = arguments.part;
  sweep_arguments.json = arguments.json;
  sweep_arguments.quiet = arguments.quiet;
  sweep_arguments.strict = arguments.strict;
  if (!arguments.sample.empty()) file.forget_place("--sample");
  if (!arguments.backend.empty()) file.forget_place("--backend");
  try {
    return sweep(sweep_arguments);
  } catch (const ModelError& error) {
    throw file.located(error);
  }
}

}  // namespace freeplay::app
