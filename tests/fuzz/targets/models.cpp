#include <algorithm>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "freeplay/core/error.h"
#include "freeplay/core/run_context.h"
#include "freeplay/io/fields/model_reference.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/simulation/simulation.h"
#include "fuzz/engine/fuzz_target.h"
#include "fuzz/targets/targets.h"
#include "text/contact_report.h"
#include "text/overview.h"

namespace freeplay::test::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr int kSteps = 3;
// Larger ones take their time rightly.
constexpr std::size_t kMostBodies = 60;

// Asks for an end after some rows.
class FewRows final : public RecordSink {
 public:
  explicit FewRows(std::atomic<bool>& stop) : stop_(stop) {}
  void begin(const RecordLayout& layout) override { channels_ = layout.channels.size(); }
  void row(double /*time_s*/, std::span<const double> values) override {
    if (values.size() != channels_) report_finding("a row of another length than its layout");
    if (++rows_ > kSteps) stop_ = true;
  }
  void impact(const ImpactRecord& /*record*/) override {}
  void end(const RunSummary& /*summary*/) override { ++ends_; }
  int ends() const { return ends_; }

 private:
  std::atomic<bool>& stop_;
  std::size_t channels_ = 0;
  int rows_ = 0, ends_ = 0;
};

void require_places(const ModelError& error) {
  if (error.diagnostics().empty()) report_finding("an error without a mistake");
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    if (diagnostic.message.empty()) report_finding("a mistake without words");
    static_cast<void>(format_diagnostic(diagnostic));
  }
}

}  // namespace

int fuzz_model(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const ModelFile file = parse_model(text, "model.yaml");
    if (!file.scene.empty() || file.mechanism.bodies.size() > kMostBodies) return 0;
    const app::Overview view = app::overview_of(file);
    const Model model = view.model();
    const std::unique_ptr<Simulation> simulation = build_simulation(file, model);
    static_cast<void>(app::contact_reports(file, view));
    std::atomic<bool> stop = false;
    RunContext context;
    context.stop_requested = &stop;
    context.progress = [&](double /*fraction*/, std::int64_t /*steps*/) { stop = true; };  // few rows, many steps
    FewRows sink(stop);
    simulation->run(model.system->initial_state(), sink, context, {});
    if (sink.ends() != 1) report_finding("a run that does not end exactly once");
  } catch (const ModelError& error) {
    require_places(error);
  }
  return 0;
}

std::vector<std::string> model_seeds() {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(sources_folder() / "examples")) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

// Every key and word of the reference page.
std::vector<std::string> model_words() {
  const std::string page = model_reference_markdown();
  std::vector<std::string> words;
  std::string word;
  for (const char c : page) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      words.push_back(word + ": ");
      word.clear();
    }
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace freeplay::test::fuzz
