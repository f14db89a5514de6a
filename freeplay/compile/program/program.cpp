#include "freeplay/compile/program/program.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>

#include "freeplay/compile/program/emitter.h"

namespace freeplay::compile {

namespace {

bool are_same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Which constants differ, and which of these are one number: those with the same values in all members.
std::vector<Graph::Varying> find_varying(std::span<const ModelRecording> members, int& count) {
  std::vector<Graph::Varying> varying;
  std::map<std::vector<std::uint64_t>, int> known;
  const std::vector<Tape::Entry>& reference = members.front().tape->entries();
  std::vector<std::uint64_t> values(members.size());
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (reference[i].kind != Tape::Entry::Kind::kConstant) continue;
    for (std::size_t m = 0; m < members.size(); ++m)
      values[m] = std::bit_cast<std::uint64_t>(members[m].tape->entries()[i].value);
    if (std::ranges::all_of(values, [&](std::uint64_t bits) { return bits == values.front(); })) continue;
    const auto [found, is_new] = known.try_emplace(values, count);
    if (is_new) ++count;
    varying.push_back({static_cast<int>(i), found->second});
  }
  return varying;
}

}  // namespace

Program::Program(std::span<const ModelRecording> members)
    : varying_(find_varying(members, member_count_)),
      entries_(members.front().tape->entries()),
      graph_(*members.front().tape, varying_),
      text_(emit_mechanism(graph_, members.front(), member_count_)) {}

std::optional<std::vector<double>> Program::member_numbers(const ModelRecording& recording) const {
  const std::vector<Tape::Entry>& entries = recording.tape->entries();
  if (entries.size() != entries_.size()) return std::nullopt;
  std::vector<double> numbers(static_cast<std::size_t>(member_count_));
  std::vector<char> is_known(numbers.size(), 0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].has_structure_of(entries_[i])) return std::nullopt;
    if (entries[i].kind != Tape::Entry::Kind::kConstant) continue;
    if (next < varying_.size() && varying_[next].place == static_cast<int>(i)) {
      const std::size_t member = static_cast<std::size_t>(varying_[next++].member);
      if (is_known[member] != 0 && !are_same_bits(numbers[member], entries[i].value)) return std::nullopt;
      numbers[member] = entries[i].value;
      is_known[member] = 1;
    } else if (!are_same_bits(entries[i].value, entries_[i].value)) {
      return std::nullopt;
    }
  }
  return numbers;
}

}  // namespace freeplay::compile
