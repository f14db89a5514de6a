// usage: freeplay_fuzz [NAME] [--seconds N | --executions N] [--seed N] [--findings FOLDER]
//        freeplay_fuzz NAME FILE...      runs these inputs and nothing else, in this process
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "fuzz/engine/runner.h"

namespace {

using namespace freeplay::test::fuzz;

constexpr const char* kUsage =
    "usage: freeplay_fuzz [NAME] [--seconds N | --executions N] [--seed N] [--findings FOLDER] [FILE...]\n";

struct Arguments {
  const FuzzTarget* target = nullptr;  // null: all
  FuzzPlan plan;
  std::vector<std::string> files;
};

std::optional<std::int64_t> count_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::optional<Arguments> parse(const std::vector<std::string>& words) {
  Arguments arguments;
  arguments.plan.findings = "findings";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--findings" && i + 1 < words.size()) {
      arguments.plan.findings = words[++i];
    } else if (word == "--seconds" || word == "--executions" || word == "--seed") {
      const std::optional<std::int64_t> count = i + 1 < words.size() ? count_of(words[++i]) : std::nullopt;
      if (!count) return std::nullopt;
      if (word == "--seconds") arguments.plan.seconds = static_cast<double>(*count);
      if (word == "--executions") arguments.plan.executions = *count;
      if (word == "--seed") arguments.plan.seed = static_cast<std::uint64_t>(*count);
    } else if (arguments.target == nullptr) {
      arguments.target = find_fuzz_target(word);
      if (arguments.target == nullptr) return std::nullopt;
    } else {
      arguments.files.push_back(word);
    }
  }
  return arguments;
}

void run_files(const FuzzTarget& target, const std::vector<std::string>& files) {
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + name);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    target.one(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    fmt::print("{}: nothing found\n", name);
  }
}

// Returns the number of findings.
std::size_t fuzz_and_tell(const FuzzTarget& target, const FuzzPlan& plan) {
  const FuzzOutcome outcome = fuzz(target, plan);
  fmt::print("{}: {} executions, {} inputs kept, {} branches reached, {} findings\n", target.name, outcome.executions,
             outcome.inputs, outcome.branches, outcome.findings.size());
  for (const std::filesystem::path& path : outcome.findings)
    fmt::print("  {}  (what happened: {}.txt)\n", path.string(), path.string());
  std::fflush(stdout);
  return outcome.findings.size();
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<Arguments> arguments = parse({argv + 1, argv + argc});
  if (!arguments) {
    std::fputs(kUsage, stderr);
    fmt::print(stderr, "NAME is one of:");
    for (const FuzzTarget& target : fuzz_targets()) fmt::print(stderr, " {}", target.name);
    fmt::print(stderr, "\n");
    return 2;
  }
  try {
    if (!arguments->files.empty()) {
      run_files(*arguments->target, arguments->files);
      return 0;
    }
    FuzzPlan& plan = arguments->plan;
    if (plan.executions == 0 && plan.seconds == 0) plan.seconds = 60;
    plan.tell = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    std::size_t findings = 0;
    for (const FuzzTarget& target : fuzz_targets()) {
      if (arguments->target == nullptr || arguments->target == &target) findings += fuzz_and_tell(target, plan);
    }
    return findings == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "freeplay_fuzz: {}\n", error.what());
    return 1;
  }
}
