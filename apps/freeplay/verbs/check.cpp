#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "freeplay/io/model/model_build.h"
#include "freeplay/simulation/simulation.h"
#include "terminal/json_output.h"
#include "terminal/readable.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/contact_report.h"
#include "text/overview.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

void print_contacts(const std::vector<ContactReport>& contacts, const Painter& paint) {
  for (const ContactReport& contact : contacts) {
    std::istringstream lines(text_of(contact));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t start = line.find_first_not_of(' ');
      const std::size_t indent = start == std::string::npos ? 0 : start, end = line.find(' ', indent);
      if (end == std::string::npos)
        fmt::print("    {}\n", line);
      else
        fmt::print("{}\n", message_text(stdout, line.substr(indent, end - indent), line.substr(end + 1), indent + 4));
    }
    for (const std::string& warning : contact.warnings)
      fmt::print("{}\n", message_text(stdout, paint.yellow("warning:"), warning, 6));
  }
}

class NoSink final : public RecordSink {
 public:
  void begin(const RecordLayout& /*layout*/) override {}
  void row(double /*time_s*/, std::span<const double> /*values*/) override {}
  void impact(const ImpactRecord& /*record*/) override {}
  void end(const RunSummary& /*summary*/) override {}
};

// What a run would say before its first step: by beginning one, so that both find the same.
std::vector<std::string> warnings_at_start(Simulation& simulation) {
  std::vector<std::string> warnings;
  RunContext context;
  context.log = [&](LogLevel level, std::string_view text) {
    if (level == LogLevel::kWarning) warnings.emplace_back(text);
  };
  NoSink sink;
  simulation.open(sink, context);
  return warnings;
}

void print_text(const ModelFile& file, const Overview& view, const std::vector<std::string>& warnings,
                const std::vector<ContactReport>& contacts) {
  const Painter paint(stdout);
  fmt::print("{}  {}\n", paint.green("OK"), paint.bold(printable(file.name)));
  if (view.mechanism != nullptr) {
    std::string line = counted(view.bodies, "body", "bodies") + ", " + counted(view.joints, "joint");
    if (view.joints_with_play > 0) line += fmt::format(" ({} with play)", view.joints_with_play);
    if (view.bushings > 0) line += fmt::format(" ({})", counted(view.bushings, "bushing"));
    if (view.contacts > 0) line += ", " + counted(view.contacts, "contact");
    fmt::print("    {}\n", line);
  } else {
    fmt::print("    system '{}'\n", file.system->name);
  }
  fmt::print("    {}, {}\n", counted(view.degrees_of_freedom(), "degree of freedom", "degrees of freedom"),
             counted(static_cast<long long>(view.redundant.size()), "redundant row"));
  for (const std::string& note : view.notes()) fmt::print("{}\n", message_text(stdout, paint.cyan("note:"), note, 4));
  for (const std::string& warning : warnings)
    fmt::print("{}\n", message_text(stdout, paint.yellow("warning:"), warning, 4));
  print_contacts(contacts, paint);
}

}  // namespace

ExitCode check(const CheckArguments& arguments) {
  const ModelFile file = load_model(arguments.model, arguments.overrides);
  const Overview view = overview_of(file);
  // What `run` refuses is refused here, by the same words.
  std::vector<std::string> warnings = warnings_at_start(*build_simulation(file, view.model()));
  const std::vector<ContactReport> contacts = contact_reports(file, view);

  if (!arguments.json) {
    print_text(file, view, warnings, contacts);
    return ExitCode::kOk;
  }
  nlohmann::ordered_json redundant = nlohmann::ordered_json::array();
  for (const RedundantRow& row : view.redundant) redundant.push_back(row.name);
  nlohmann::ordered_json force_laws = nlohmann::ordered_json::array();
  for (const ContactReport& contact : contacts) {
    force_laws.push_back(json_of(contact));
    for (const std::string& warning : contact.warnings) warnings.push_back(contact.contact + ": " + warning);
  }
  print_json({{"status", "ok"},
              {"model", file.name},
              {"bodies", view.bodies},
              {"joints", view.joints},
              {"joints_with_play", view.joints_with_play},
              {"bushings", view.bushings},
              {"contacts", view.contacts},
              {"degrees_of_freedom", view.degrees_of_freedom()},
              {"redundant_rows", redundant},
              {"force_laws", force_laws},
              {"notes", view.notes()},
              {"warnings", warnings},
              {"can_run", true},  // as in `info --json`, which describes models that cannot run too
              {"obstacles", nlohmann::ordered_json::array()}});
  return ExitCode::kOk;
}

}  // namespace freeplay::app
