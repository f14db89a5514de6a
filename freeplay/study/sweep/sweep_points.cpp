#include "freeplay/study/sweep/sweep_points.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/math/philox.h"

namespace freeplay::study {

namespace {

constexpr std::int64_t kMostRuns = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t kShuffleStreams = 0x8000'0000;  // beyond those of the values

[[noreturn]] void refuse_points(const char* option, const std::string& message, const std::string& hint) {
  throw ModelError({Diagnostic{{option, 0, 0}, "", message, hint, {}}});
}

}  // namespace

SweepSampling parse_sweep_sampling(const std::string& text, std::uint64_t seed) {
  SweepSampling sampling;
  sampling.seed = seed;
  if (text.empty()) return sampling;
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string count = colon == std::string::npos ? "" : text.substr(colon + 1);
  const std::from_chars_result result = std::from_chars(count.data(), count.data() + count.size(), sampling.count);
  const bool is_count = result.ec == std::errc() && result.ptr == count.data() + count.size() && sampling.count > 0 &&
                        sampling.count <= kMostRuns;
  if ((kind != "random" && kind != "lhs") || !is_count)
    refuse_points("--sample", fmt::format("'{}' is no way to sample", text), "write random:1000, or lhs:100");
  sampling.kind = kind == "lhs" ? SweepSampling::Kind::kLatinHypercube : SweepSampling::Kind::kRandom;
  return sampling;
}

SweepPoints::SweepPoints(std::vector<SweepAxis> axes, const SweepSampling& sampling)
    : axes_(std::move(axes)), sampling_(sampling) {
  const bool is_grid = sampling_.kind == SweepSampling::Kind::kGrid;
  if (axes_.empty()) refuse_points("--over", "nothing is varied", "write --over c=0.1mm:2mm:20");
  std::set<std::string> names;
  if (!is_grid) size_ = sampling_.count;
  for (const SweepAxis& axis : axes_) {
    if (!names.insert(axis.name).second)
      refuse_points("--over", fmt::format("'{}' is varied twice", axis.name), "give all its values in one --over");
    if (is_grid && axis.size() == 0)
      refuse_points("--over", fmt::format("the range of '{}' has no number of values", axis.name),
                    "write FROM:TO:COUNT, or ask for samples: --sample lhs:100");
    if (!is_grid && !axis.is_list && axis.count > 0)
      refuse_points("--over",
                    fmt::format("the range of '{}' has a number of values, but samples are asked for", axis.name),
                    "write FROM:TO, or FROM:TO:log; --sample says how many runs there are");
    if (is_grid && axis.size() > kMostRuns / size_)
      refuse_points("--over", "the grid has more than 2^31 runs", "give smaller COUNTs, or --sample");
    if (is_grid) size_ *= axis.size();
  }
  if (sampling_.kind == SweepSampling::Kind::kLatinHypercube) shuffle();
}

// Fisher and Yates: every order is as likely as any other.
void SweepPoints::shuffle() {
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(size_));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) {
      const double u = random_number(sampling_.seed, kShuffleStreams + static_cast<std::uint32_t>(k), i);
      std::swap(order[i - 1], order[static_cast<std::size_t>(u * static_cast<double>(i))]);
    }
    layers_.push_back(std::move(order));
  }
}

std::vector<double> SweepPoints::values(std::int64_t index) const {
  std::vector<double> values(axes_.size());
  if (sampling_.kind == SweepSampling::Kind::kGrid) {
    for (std::size_t k = axes_.size(); k-- > 0; index /= axes_[k].size())
      values[k] = axes_[k].value(index % axes_[k].size());
    return values;
  }
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    double u = random_number(sampling_.seed, static_cast<std::uint32_t>(k), static_cast<std::uint64_t>(index));
    if (!layers_.empty()) u = (layers_[k][static_cast<std::size_t>(index)] + u) / static_cast<double>(size_);
    values[k] = axes_[k].sampled_value(u);
  }
  return values;
}

std::vector<std::string> SweepPoints::overrides(std::int64_t index) const {
  const std::vector<double> numbers = values(index);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < axes_.size(); ++k) texts.push_back(axes_[k].override_text(numbers[k]));
  return texts;
}

}  // namespace freeplay::study
