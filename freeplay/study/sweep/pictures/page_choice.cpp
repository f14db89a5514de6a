#include "freeplay/study/sweep/pictures/page_choice.h"

#include <algorithm>
#include <map>
#include <optional>

#include "freeplay/math/philox.h"

namespace freeplay::study {

namespace {

// With fewer crossings of each run the higher periods would not be seen: then fewer runs have crossings.
constexpr std::size_t kLeastTail = 32;
constexpr std::uint32_t kPageStream = 0x70616765;  // of random numbers

// One parameter of a grid, of which every `stride`-th value is kept.
struct PageAxis {
  std::map<double, std::size_t> ranks;
  bool has_words = false;
  std::size_t stride = 1;

  std::size_t kept() const { return (ranks.size() + stride - 1) / stride; }
};

// None if the study is no grid: samples have as many values of each parameter as there are runs.
std::optional<std::vector<PageAxis>> axes_of_grid(const SweepTable& table) {
  std::vector<PageAxis> axes;
  double product = 1;
  for (std::size_t k = 0; k < table.header.parameters.size(); ++k) {
    PageAxis axis;
    axis.has_words = !table.header.parameters[k].words.empty();
    for (const SweepRow& row : table.rows) axis.ranks.emplace(row.values[k], 0);
    std::size_t rank = 0;
    for (auto& [value, place] : axis.ranks) place = rank++;
    product *= static_cast<double>(axis.ranks.size());
    axes.push_back(std::move(axis));
  }
  if (product > static_cast<double>(table.header.runs)) return std::nullopt;
  return axes;
}

// Thins the axis with the most values again and again; words have no neighbours that could stand for them. False if
// there is nothing left to thin.
bool thin(std::vector<PageAxis>& axes, std::size_t most) {
  for (;;) {
    double product = 1;
    PageAxis* longest = nullptr;
    for (PageAxis& axis : axes) {
      product *= static_cast<double>(axis.kept());
      if (!axis.has_words && (longest == nullptr || axis.kept() > longest->kept())) longest = &axis;
    }
    if (product <= static_cast<double>(most)) return true;
    if (longest == nullptr || longest->kept() <= 2) return false;
    for (const std::size_t before = longest->kept(); longest->kept() == before;) ++longest->stride;
  }
}

std::vector<const SweepRow*> chosen_by_chance(const std::vector<const SweepRow*>& rows, std::size_t most) {
  std::vector<double> numbers;
  numbers.reserve(rows.size());
  for (const SweepRow* row : rows)
    numbers.push_back(math::random_number(0, kPageStream, static_cast<std::uint64_t>(row->index)));
  std::vector<double> sorted = numbers;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(most), sorted.end());
  std::vector<const SweepRow*> chosen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (numbers[i] < sorted[most]) chosen.push_back(rows[i]);
  }
  return chosen;
}

}  // namespace

std::vector<const SweepRow*> rows_that_fit(const SweepTable& table, const std::vector<const SweepRow*>& rows,
                                           std::size_t most) {
  if (rows.size() <= most) return rows;
  std::optional<std::vector<PageAxis>> axes = axes_of_grid(table);
  if (!axes || !thin(*axes, most)) return chosen_by_chance(rows, most);
  std::vector<const SweepRow*> chosen;
  for (const SweepRow* row : rows) {
    bool is_kept = true;
    for (std::size_t k = 0; k < axes->size() && is_kept; ++k)
      is_kept = (*axes)[k].ranks.at(row->values[k]) % (*axes)[k].stride == 0;
    if (is_kept) chosen.push_back(row);
  }
  return chosen;
}

std::vector<CrossingPlace> crossings_that_fit(const SweepTable& table, const std::vector<const SweepRow*>& rows,
                                              std::size_t most) {
  const auto total = [&](const std::vector<const SweepRow*>& of, std::size_t tail) {
    std::size_t sum = 0;
    for (const SweepRow* row : of) sum += std::min(tail, table.crossing_count(*row));
    return sum;
  };
  std::vector<const SweepRow*> shown = rows;
  if (total(shown, kLeastTail) > most) shown = rows_that_fit(table, rows, std::max<std::size_t>(1, most / kLeastTail));
  // The longest tail that fits; a tail of `fits` does, one of `is_too_long` does not.
  std::size_t fits = kLeastTail, is_too_long = 1;
  for (const SweepRow* row : shown) is_too_long = std::max(is_too_long, table.crossing_count(*row) + 1);
  while (fits + 1 < is_too_long) {
    const std::size_t middle = fits + (is_too_long - fits) / 2;
    (total(shown, middle) <= most ? fits : is_too_long) = middle;
  }
  const std::size_t width = table.header.section.size();
  std::vector<CrossingPlace> crossings;
  std::size_t next = 0;
  for (std::size_t r = 0; r < rows.size() && next < shown.size(); ++r) {
    if (rows[r] != shown[next]) continue;
    ++next;
    const std::size_t count = table.crossing_count(*rows[r]);
    for (std::size_t k = count - std::min(count, fits); k < count; ++k) crossings.push_back({r, k * width});
  }
  return crossings;
}

}  // namespace freeplay::study
