#include "freeplay/io/model/model_build.h"
#include "freeplay/io/result/result_writer.h"
#include "freeplay/io/schema/record_layout.h"
#include "ranks/ranks_library.h"
#include "session/problem_dump.h"
#include "session/result_access.h"
#include "session/run_checkpoints.h"
#include "session/run_session.h"
#include "verbs/verbs.h"

namespace freeplay::app {

ExitCode run(const RunArguments& arguments) {
  require_one_process("run");
  std::optional<ProblemDumpOptions> dump_options;
  if (!arguments.dump_problems.empty()) dump_options = parse_problem_dump(arguments.dump_problems);
  const ModelFile file = load_model(arguments.model, arguments.overrides);
  const Overview overview = overview_of(file);
  const std::unique_ptr<Simulation> simulation = build_simulation(file, overview.model());
  const RunView view{arguments.json, arguments.quiet, arguments.strict};
  const std::filesystem::path result =
      arguments.out.value_or(std::filesystem::path("results") / arguments.model.stem()) / kResultFileName;
  RunReport report = begin_report(file, overview, result, view);
  refuse_output_onto_input(report.result, arguments.model);
  std::optional<ProblemDump> dump;
  if (dump_options) {
    dump_options->folder = report.result.parent_path() / "problems";
    dump_options->model = file.name;
    dump.emplace(*dump_options);
    simulation->observe_contact_problems(std::ref(*dump));
  }
  watch_run(
      file, view,
      [&](const RunContext& context) {
        // Nothing has been written up to here: a model with mistakes leaves the folder as it was.
        forget_checkpoint(result);
        ResultWriter writer(result);
        CheckpointingSink sink(writer, result, arguments.checkpoint_s);
        sink.observe(*simulation, file.simulate.integrator);
        return simulation->run(sink, context, record_layout(file));
      },
      report);
  if (dump) {
    const std::vector<std::string> notes = dump->notes();
    report.notes.insert(report.notes.end(), notes.begin(), notes.end());
    report.problems = {dump->written(), dump->left_out()};
  }
  return tell(report, view);
}

}  // namespace freeplay::app
