#include "freeplay/study/sweep/points/sweep_points.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>
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
  using Kind = SweepSampling::Kind;
  SweepSampling sampling;
  sampling.seed = seed;
  if (text.empty()) return sampling;
  constexpr std::pair<std::string_view, Kind> kKinds[] = {
      {"random", Kind::kRandom}, {"lhs", Kind::kLatinHypercube}, {"sobol", Kind::kSobol}, {"morris", Kind::kMorris}};
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string count = colon == std::string::npos ? "" : text.substr(colon + 1);
  const std::from_chars_result result = std::from_chars(count.data(), count.data() + count.size(), sampling.count);
  const bool is_number = result.ptr == count.data() + count.size() && !count.empty();
  for (const auto& [name, known] : kKinds) {
    if (name == kind) sampling.kind = known;
  }
  if (sampling.kind == Kind::kGrid)
    refuse_points("--sample", fmt::format("'{}' is no way to sample", text),
                  "write random:1000, lhs:100, sobol:500 or morris:20");
  if (is_number && (result.ec == std::errc::result_out_of_range || sampling.count > kMostRuns))
    refuse_points("--sample", fmt::format("'{}' asks for more than 2^31 runs", text), "ask for fewer samples");
  if (!is_number || result.ec != std::errc() || sampling.count < 1)
    refuse_points("--sample", fmt::format("'{}' does not say how many samples there are", text),
                  fmt::format("write a number from 1 on behind the colon: {}:100", kind));
  return sampling;
}

SweepPoints::SweepPoints(std::vector<SweepAxis> axes, const SweepSampling& sampling)
    : axes_(std::move(axes)), sampling_(sampling) {
  using Kind = SweepSampling::Kind;
  if (axes_.empty()) refuse_points("--over", "nothing is varied", "write --over c=0.1mm:2mm:20");
  check_axes();
  if (sampling_.kind == Kind::kGrid) return;
  const auto count = static_cast<std::int64_t>(axes_.size());
  const std::int64_t per_block = sampling_.kind == Kind::kSobol    ? count + 2
                                 : sampling_.kind == Kind::kMorris ? count + 1
                                                                   : 1;
  if (sampling_.count > kMostRuns / per_block)
    refuse_points("--sample", "these are more than 2^31 runs", "ask for fewer samples");
  size_ = sampling_.count * per_block;
  if (sampling_.kind == Kind::kLatinHypercube) shuffle(axes_.size());
  if (sampling_.kind == Kind::kSobol) shuffle(2 * axes_.size());
}

void SweepPoints::check_axes() {
  const bool is_grid = sampling_.kind == SweepSampling::Kind::kGrid;
  std::set<std::string> names;
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
    if (sampling_.kind == SweepSampling::Kind::kMorris && axis.is_list)
      refuse_points("--over", fmt::format("'{}' is a list, on which Morris's steps have no length", axis.name),
                    "write FROM:TO, or take --sample sobol:500");
    if (is_grid && axis.size() > kMostRuns / size_)
      refuse_points("--over", "the grid has more than 2^31 runs", "give smaller COUNTs, or --sample");
    if (is_grid) size_ *= axis.size();
  }
}

// Fisher and Yates: every order is as likely as any other.
void SweepPoints::shuffle(std::size_t columns) {
  for (std::size_t k = 0; k < columns; ++k) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(sampling_.count));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) {
      const double u = random_number(sampling_.seed, kShuffleStreams + static_cast<std::uint32_t>(k), i);
      std::swap(order[i - 1], order[static_cast<std::size_t>(u * static_cast<double>(i))]);
    }
    layers_.push_back(std::move(order));
  }
}

// In [0, 1), of a sample in a column of the Latin hypercube.
double SweepPoints::layered_number(std::size_t column, std::int64_t sample) const {
  const double u =
      random_number(sampling_.seed, static_cast<std::uint32_t>(column), static_cast<std::uint64_t>(sample));
  return (layers_[column][static_cast<std::size_t>(sample)] + u) / static_cast<double>(sampling_.count);
}

// A block has two independent samples A and B, then A with its i-th parameter from B, for every i (Saltelli and others
// 2010, "Variance based sensitivity analysis of model output").
std::vector<double> SweepPoints::sobol_values(std::int64_t index) const {
  const std::size_t count = axes_.size();
  const std::int64_t block = index / static_cast<std::int64_t>(count + 2);
  const auto part = static_cast<std::size_t>(index % static_cast<std::int64_t>(count + 2));
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_of_B = part == 1 || part == k + 2;
    values[k] = axes_[k].sampled_value(layered_number(is_of_B ? count + k : k, block));
  }
  return values;
}

// A block is a walk of Morris (1991) on four levels: from a random corner of a random cell every parameter jumps once
// by two levels, in a random order. Levels of ranges are 0, 1/3, 2/3, 1; those of distributions, whose ends may be
// infinite, the middles of four parts of equal probability.
std::vector<double> SweepPoints::morris_values(std::int64_t index) const {
  const std::size_t count = axes_.size();
  const auto walk = static_cast<std::uint64_t>(index / static_cast<std::int64_t>(count + 1));
  const auto jumps = static_cast<std::size_t>(index % static_cast<std::int64_t>(count + 1));
  const auto draw = [&](std::size_t stream) {
    return random_number(sampling_.seed, static_cast<std::uint32_t>(stream), walk);
  };
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(draw(kShuffleStreams + i) * static_cast<double>(i))]);
  std::vector<bool> has_jumped(count);
  for (std::size_t i = 0; i < jumps; ++i) has_jumped[order[i]] = true;
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_upper_cell = draw(k) >= 0.5, goes_down = draw(count + k) >= 0.5;
    const int level = (is_upper_cell ? 1 : 0) + (goes_down != has_jumped[k] ? kMorrisJump : 0);
    values[k] = axes_[k].sampled_value(axes_[k].distribution ? (level + 0.5) / kMorrisLevels
                                                             : static_cast<double>(level) / (kMorrisLevels - 1));
  }
  return values;
}

std::vector<double> SweepPoints::values(std::int64_t index) const {
  switch (sampling_.kind) {
    case SweepSampling::Kind::kSobol:
      return sobol_values(index);
    case SweepSampling::Kind::kMorris:
      return morris_values(index);
    case SweepSampling::Kind::kGrid:
    case SweepSampling::Kind::kRandom:
    case SweepSampling::Kind::kLatinHypercube:
      break;
  }
  std::vector<double> values(axes_.size());
  if (sampling_.kind == SweepSampling::Kind::kGrid) {
    for (std::size_t k = axes_.size(); k-- > 0; index /= axes_[k].size())
      values[k] = axes_[k].value(index % axes_[k].size());
    return values;
  }
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const double u = layers_.empty() ? random_number(sampling_.seed, static_cast<std::uint32_t>(k),
                                                     static_cast<std::uint64_t>(index))
                                     : layered_number(k, index);
    values[k] = axes_[k].sampled_value(u);
  }
  return values;
}

std::vector<std::string> SweepPoints::overrides_of(const std::vector<double>& values) const {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < axes_.size(); ++k) texts.push_back(axes_[k].override_text(values[k]));
  return texts;
}

}  // namespace freeplay::study
