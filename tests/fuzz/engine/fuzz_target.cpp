#include "fuzz/engine/fuzz_target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "fuzz/targets/targets.h"
#include "support/places.h"

namespace freeplay::test::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTextBytes = 20'000, kExpressionBytes = 2'000, kFileBytes = 300'000;

constexpr FuzzTarget kTargets[] = {
    {"expressions", InputKind::kText, &fuzz_expression, &expression_seeds, &expression_words, kExpressionBytes},
    {"models", InputKind::kText, &fuzz_model, &model_seeds, &model_words, kTextBytes},
    {"compiled", InputKind::kText, &fuzz_compiled, &model_seeds, &model_words, kTextBytes},
    {"tables", InputKind::kText, &fuzz_table, &table_seeds, &table_words, kTextBytes},
    {"modes", InputKind::kText, &fuzz_modes, &modes_seeds, &modes_words, kTextBytes},
    {"meshes", InputKind::kText, &fuzz_mesh, &mesh_seeds, &mesh_words, kTextBytes},
    {"requests", InputKind::kText, &fuzz_request, &request_seeds, &request_words, kTextBytes},
    {"problems", InputKind::kRecords, &fuzz_problem, &problem_seeds, nullptr, kFileBytes},
    {"results", InputKind::kResults, &fuzz_result, &result_seeds, nullptr, kFileBytes},
    {"studies", InputKind::kResults, &fuzz_study, &study_seeds, nullptr, kFileBytes},
};

}  // namespace

std::span<const FuzzTarget> fuzz_targets() {
  return kTargets;
}

const FuzzTarget* find_fuzz_target(std::string_view name) {
  const auto* found = std::find_if(std::begin(kTargets), std::end(kTargets),
                                   [&](const FuzzTarget& target) { return target.name == name; });
  return found == std::end(kTargets) ? nullptr : found;
}

std::vector<Seed> seeds_of(const FuzzTarget& target) {
  std::vector<Seed> seeds;
  const fs::path folder = sources_folder() / "tests/fuzz/corpus" / target.name;
  if (fs::is_directory(folder)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      seeds.push_back({entry.path().filename().string(), {std::istreambuf_iterator<char>(file), {}}});
    }
  }
  std::sort(seeds.begin(), seeds.end(), [](const Seed& a, const Seed& b) { return a.name < b.name; });
  std::size_t number = 0;
  for (std::string& bytes : target.seeds()) seeds.push_back({"seed " + std::to_string(number++), std::move(bytes)});
  return seeds;
}

fs::path sources_folder() {
  const char* elsewhere = std::getenv("FREEPLAY_FUZZ_SOURCES");
  return elsewhere != nullptr ? fs::path(elsewhere) : fs::path(test_dir()).parent_path();
}

void report_finding(std::string_view what) {
  std::fprintf(stderr, "finding: %.*s\n", static_cast<int>(what.size()), what.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace freeplay::test::fuzz
