#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "freeplay/compile/compiled_family.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/report/atomic_file.h"
#include "terminal/json_output.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/findings_text.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

void print_refusal(const std::vector<std::string>& reasons, bool json) {
  if (json) {
    print_json({{"status", "refused"}, {"reasons", reasons}});
    return;
  }
  const Painter paint(stdout);
  fmt::print("{}\n", paint.yellow("not compiled; the engine runs this model"));
  for (const std::string& reason : reasons) fmt::print("    {}\n", printable(reason));
}

void print_object(const CompiledFamily& family, const std::string& name, bool json) {
  const CachedObject& object = family.cached();
  const std::size_t operations = family.program().graph().nodes().size();
  if (json) {
    print_json({{"status", "ok"},
                {"object", object.file.string()},
                {"was_there", object.was_there},
                {"seconds", object.seconds},
                {"operations", operations},
                {"lanes", family.width()}});
    return;
  }
  const Painter paint(stdout);
  fmt::print("{}  {}\n", paint.green("OK"), paint.bold(printable(name)));
  fmt::print("    {} operations, {} lanes at once\n", grouped(static_cast<long long>(operations)), family.width());
  fmt::print("    {} in {:.3g} s\n", object.was_there ? "found" : "compiled", object.seconds);
  fmt::print("    {}\n", object.file.string());
}

}  // namespace

ExitCode compile(const CompileArguments& arguments) {
  const ModelFile file = load_model(arguments.model, arguments.overrides);
  const Model model = build_model(file);
  std::vector<std::string> reasons = compile_obstacles(file, model);
  if (reasons.empty()) {
    try {
      const CompiledFamily::Sample sample{file, model};
      const CompiledFamily family({&sample, 1}, measures_of(file, model).channels());
      if (arguments.source) write_file_atomically(*arguments.source, family.source());
      print_object(family, file.name, arguments.json);
      if (!arguments.json)
        fmt::print("{} freeplay sweep {} --backend compiled --over NAME=VALUES --measure NAME=EXPRESSION\n",
                   Painter(stdout).dim("next:"), model_words(arguments.model, arguments.overrides));
      return ExitCode::kOk;
    } catch (const CompileError& error) {
      reasons.emplace_back(error.what());
    }
  }
  print_refusal(reasons, arguments.json);
  return ExitCode::kBadInput;
}

}  // namespace freeplay::app
