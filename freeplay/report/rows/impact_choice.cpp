#include "freeplay/report/rows/impact_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace freeplay::report {

namespace {

constexpr std::int64_t kBlockImpacts = 8'192;

// An impulse that is no number comes last, since nobody could compare it.
double hardness(const ImpactRecord& impact) {
  return std::isnan(impact.normal_impulse) ? -std::numeric_limits<double>::infinity() : impact.normal_impulse;
}

// Of two that are equally hard the earlier one, so that the choice is the same in every run.
bool is_harder(const ImpactRecord& a, const ImpactRecord& b) {
  if (hardness(a) != hardness(b)) return hardness(a) > hardness(b);
  return a.time_s != b.time_s ? a.time_s < b.time_s : a.contact < b.contact;
}

}  // namespace

ImpactChoice choose_impacts(const ResultReader& result, double from_s, double to_s, std::size_t most) {
  ImpactChoice choice;
  std::vector<ImpactRecord>& kept = choice.shown;
  std::vector<ImpactRecord> block;
  const auto drop_the_softest = [&] {
    if (kept.size() <= most) return;
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(most), kept.end(), is_harder);
    kept.resize(most);
  };
  for (std::int64_t first = 0; first < result.impact_count(); first += kBlockImpacts) {
    block.resize(static_cast<std::size_t>(std::min(kBlockImpacts, result.impact_count() - first)));
    result.read_impacts(first, block);
    for (const ImpactRecord& impact : block) {
      if (!(impact.time_s >= from_s && impact.time_s <= to_s)) continue;
      ++choice.total;
      kept.push_back(impact);
    }
    drop_the_softest();
  }
  std::stable_sort(kept.begin(), kept.end(), [](const ImpactRecord& a, const ImpactRecord& b) {
    return a.time_s != b.time_s ? a.time_s < b.time_s : a.contact < b.contact;
  });
  return choice;
}

std::vector<std::size_t> hardest_first(const std::vector<ImpactRecord>& impacts) {
  std::vector<std::size_t> order(impacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return is_harder(impacts[a], impacts[b]); });
  return order;
}

}  // namespace freeplay::report
