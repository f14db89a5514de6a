// The order in which packs are worked on: stage after stage, and within a stage, whose packs share no tree, piece after
// piece. Pieces are the same however many threads take them, and so is what is added up piece by piece: the bits of a
// result do not depend on the number of threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "freeplay/core/thread_team.h"

namespace freeplay::complementarity {

class PileStages {
 public:
  struct Piece {
    int first = 0, count = 0;  // of the list of packs
  };
  static constexpr int kPiece = 16;  // packs

  // A list of packs, increasing, of which each stage has those from its first one on (`first_pack`, increasing).
  void assign(std::span<const int> packs, std::span<const int> first_pack);
  int pieces() const { return static_cast<int>(pieces_.size()); }

  // What a member of a team does of a sweep: work(i, piece) with its share of the pieces. All members meet after each
  // stage. Without a team the caller does all of it.
  template <class Work>
  void in_order(core::ThreadTeam* team, int member, const Work& work) const {
    for (std::size_t stage = 0; stage + 1 < begin_.size(); ++stage) {
      const core::TeamPart part(begin_[stage + 1] - begin_[stage], member, team == nullptr ? 1 : team->size());
      for (int i = begin_[stage] + part.begin; i < begin_[stage] + part.end; ++i)
        work(i, pieces_[static_cast<std::size_t>(i)]);
      if (team != nullptr) team->meet();
    }
  }
  // The same where pieces have nothing to do with each other; nobody meets.
  template <class Work>
  void in_any_order(core::ThreadTeam* team, int member, const Work& work) const {
    const core::TeamPart part(pieces(), member, team == nullptr ? 1 : team->size());
    for (int i = part.begin; i < part.end; ++i) work(i, pieces_[static_cast<std::size_t>(i)]);
  }

 private:
  std::vector<Piece> pieces_;
  std::vector<int> begin_;  // first piece of each stage, and at the end their number
};

// work(member) by all members, or by the caller alone.
template <class Work>
void work_together(core::ThreadTeam* team, const Work& work) {
  if (team == nullptr)
    work(0);
  else
    team->run(std::cref(work));
}

}  // namespace freeplay::complementarity
