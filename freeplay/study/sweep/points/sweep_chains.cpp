#include "freeplay/study/sweep/points/sweep_chains.h"

#include <fmt/format.h>

#include "freeplay/core/error.h"

namespace freeplay::study {

namespace {

[[noreturn]] void refuse_following(const std::string& message, const char* hint) {
  throw ModelError({Diagnostic{{"--follow", 0, 0}, "", message, hint, {}}});
}

}  // namespace

Follow parse_follow(const std::string& text) {
  if (text.empty()) return Follow::kNone;
  if (text == "up") return Follow::kUp;
  if (text == "down") return Follow::kDown;
  if (text == "both") return Follow::kBoth;
  refuse_following(fmt::format("'{}' is no way to follow", text), "write up, down or both");
}

SweepChains::SweepChains(const SweepPoints& points, Follow follow)
    : follow_(follow), points_(points.size()), count_(points.size()) {
  if (follow == Follow::kNone) return;
  if (!points.is_grid()) refuse_following("samples have no neighbours", "leave --sample out, and give a grid");
  const SweepAxis& axis = points.axes().front();
  if (axis.has_words())
    refuse_following(fmt::format("'{}' has words, which have no order", axis.name),
                     "give the --over that is to be followed first");
  steps_ = axis.size();
  count_ = points_ / steps_;
  length_ = follow == Follow::kBoth ? 2 * steps_ : steps_;
}

// The first axis changes slowest, so that a chain is every count_-th point.
std::int64_t SweepChains::index(std::int64_t chain, std::int64_t place) const {
  if (!follows()) return chain;
  const bool is_second = place >= steps_;
  const bool is_down = is_second || follow_ == Follow::kDown;
  const std::int64_t step = is_down ? (is_second ? length_ : steps_) - 1 - place : place;
  return (is_second ? points_ : 0) + step * count_ + chain;
}

std::int64_t SweepChains::chain_of(std::int64_t index) const {
  return follows() ? point_of(index) % count_ : index;
}

}  // namespace freeplay::study
