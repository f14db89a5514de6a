// Writes what bench/batch_cuda.sh needs on a machine that has a GPU and nothing of freeplay: per scene the emitted
// source, and lanes with their states after more and more steps as the processor computes them.
//
// usage: bench_batch_export DIR
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bench/batch_scenes.h"

namespace freeplay::bench {
namespace {

constexpr int kLanes = 1024;
constexpr int kCheckedSteps[] = {500, 1000, 2000, 4000, 8000};

void write_numbers(std::ofstream& out, const std::vector<double>& numbers) {
  for (const double number : numbers) out << fmt::format(" {:.17g}", number);
  out << '\n';
}

// Head: lanes, members, laws, state numbers, checks, then the steps after which they are made, then step and rules. Per
// lane: member, laws, start, and per check the state behind its status.
void export_scene(const Scene& scene, const std::filesystem::path& folder) {
  std::vector<Member> members;
  for (int k = 0; k < kLanes; ++k) members.push_back(member_of(scene, k / (kLanes - 1.0)));
  const std::vector<Member> samples = {members[0], members[kLanes / 3], members[kLanes / 2], members[kLanes - 1]};
  const CompiledFamily family = family_of(samples);
  std::ofstream(folder / (scene.name + ".cu")) << family.code().device_source();
  std::ofstream out(folder / (scene.name + ".lanes"));
  const std::size_t width = static_cast<std::size_t>(family.width());
  for (std::size_t first = 0; first < members.size(); first += width) {
    std::vector<LaneData> start;
    for (std::size_t i = first; i < std::min(first + width, members.size()); ++i)
      start.push_back(family.lane(members[i].file, members[i].model).value());
    std::vector<std::vector<LaneData>> checks;
    for (const int steps : kCheckedSteps) {
      std::vector<LaneData>& lanes = checks.emplace_back(start);
      for (LaneData& lane : lanes) lane.end_s = steps * lane.step_s;
      family.run(lanes, {});
    }
    const LaneData::Rules& rules = start.front().rules;
    if (first == 0) {
      out << kLanes << ' ' << start.front().member.size() << ' ' << start.front().laws.size() << ' '
          << start.front().state.size() << ' ' << std::size(kCheckedSteps);
      for (const int steps : kCheckedSteps) out << ' ' << steps;
      out << '\n';
      write_numbers(out, {start.front().step_s, rules.tolerance_m_s, rules.touching, rules.threshold_m_s});
    }
    for (std::size_t i = 0; i < start.size(); ++i) {
      write_numbers(out, start[i].member);
      write_numbers(out, start[i].laws);
      write_numbers(out, start[i].state);
      for (const std::vector<LaneData>& lanes : checks) {
        out << lanes[i].status;
        write_numbers(out, lanes[i].state);
      }
    }
  }
  out.close();
  if (!out) throw std::runtime_error("the lanes cannot be written");
  fmt::print("{}: {} lanes\n", scene.name, kLanes);
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::invalid_argument("usage: bench_batch_export DIR");
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    for (const freeplay::bench::Scene& scene : freeplay::bench::scenes()) freeplay::bench::export_scene(scene, folder);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
