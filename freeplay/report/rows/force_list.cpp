#include "freeplay/report/rows/force_list.h"

#include <algorithm>
#include <cmath>

namespace freeplay::report {

namespace {

constexpr std::int64_t kForcesPerRead = 1 << 16;
constexpr std::size_t kFewForces = 20;

// In the order in which they stand; of equal ones those that come first.
void keep_strongest_of(std::vector<ContactForce>& forces, std::size_t most) {
  std::vector<std::pair<double, std::size_t>> sizes;
  for (std::size_t i = 0; i < forces.size(); ++i) sizes.emplace_back(-size_of(forces[i]), i);
  std::sort(sizes.begin(), sizes.end());
  sizes.resize(most);
  std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<ContactForce> kept;
  for (const auto& [size, place] : sizes) kept.push_back(forces[place]);
  forces = std::move(kept);
}

}  // namespace

double size_of(const ContactForce& force) {
  return std::hypot(force.fx_N, force.fy_N, force.fz_N);
}

ForceList forces_at(const ResultReader& result, std::span<const std::int64_t> rows, std::size_t most) {
  ForceList list;
  const std::size_t most_of_row = std::max(kFewForces, rows.empty() ? most : most / rows.size());
  std::vector<ContactForce> of_row;
  std::size_t next = 0;  // the row whose forces are being gathered
  const auto close_row = [&] {
    list.begins.push_back(list.forces.size());
    if (of_row.size() > most_of_row) {
      list.is_cut = true;
      keep_strongest_of(of_row, most_of_row);
    }
    list.forces.insert(list.forces.end(), of_row.begin(), of_row.end());
    of_row.clear();
    ++next;
  };
  std::vector<StoredContactForce> block;
  for (std::int64_t first = 0; first < result.contact_force_count() && next < rows.size(); first += kForcesPerRead) {
    block.resize(static_cast<std::size_t>(std::min(kForcesPerRead, result.contact_force_count() - first)));
    result.read_contact_forces(first, block);
    for (const auto& [row, force] : block) {
      while (next < rows.size() && rows[next] < row) close_row();
      if (next < rows.size() && rows[next] == row) of_row.push_back(force);
    }
  }
  while (next < rows.size()) close_row();
  list.begins.push_back(list.forces.size());
  return list;
}

}  // namespace freeplay::report
