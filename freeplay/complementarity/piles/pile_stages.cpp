#include "freeplay/complementarity/piles/pile_stages.h"

#include <algorithm>

namespace freeplay::complementarity {

void PileStages::assign(std::span<const int> packs, std::span<const int> first_pack) {
  pieces_.clear();
  begin_.assign(1, 0);
  const int count = static_cast<int>(packs.size());
  int at = 0;
  for (std::size_t stage = 0; stage < first_pack.size(); ++stage) {
    int end = at;
    while (end < count &&
           (stage + 1 == first_pack.size() || packs[static_cast<std::size_t>(end)] < first_pack[stage + 1]))
      ++end;
    if (end == at) continue;
    for (; at < end; at += pieces_.back().count) pieces_.push_back({at, std::min(kPiece, end - at)});
    begin_.push_back(pieces());
  }
}

}  // namespace freeplay::complementarity
