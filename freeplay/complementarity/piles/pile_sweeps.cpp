#include "freeplay/complementarity/piles/pile_sweeps.h"

#include <algorithm>
#include <cmath>

namespace freeplay::complementarity {

template <class Scalar>
void PileSweeps<Scalar>::start(const PileForm& form, const ConstVecRef& Lambda, std::span<const char> which) {
  active_.clear();
  has_tree_.assign(static_cast<std::size_t>(form.trees()), 0);
  for (int p = 0; p < packs_.size(); ++p) {
    const int* members = form.packs().data() + static_cast<std::ptrdiff_t>(p) * kPileLanes;
    if (std::none_of(members, members + kPileLanes,
                     [&](int i) { return i >= 0 && which[static_cast<std::size_t>(i)] != 0; }))
      continue;
    active_.push_back(p);
    PilePack<Scalar>& pack = packs_.pack(p);
    for (int lane = 0; lane < kPileLanes; ++lane) {
      if (members[lane] < 0) continue;
      const PileContact& contact = form.contacts()[static_cast<std::size_t>(members[lane])];
      for (int k = 0; k <= contact.tangents; ++k) {
        pack.x[k][lane] = static_cast<Scalar>(Lambda[contact.row + k]);
        pack.step[k][lane] = 0;
      }
      for (const int tree : contact.trees) {
        if (tree >= 0) has_tree_[static_cast<std::size_t>(tree)] = 1;
      }
    }
  }
  stages_.assign(active_, form.stages());
  along_.resize(static_cast<std::size_t>(stages_.pieces()));
  worst_.resize(along_.size());
  trees_.clear();
  v_before_.resize(packs_.velocities().size());
  for (int tree = 0; tree < form.trees(); ++tree) {
    if (has_tree_[static_cast<std::size_t>(tree)] == 0) continue;
    trees_.push_back(tree);
    const double* from = form.velocities_of(tree);
    Scalar *now = packs_.velocities_of(tree), *before = v_before_[static_cast<std::size_t>(tree)].at;
    for (int i = 0; i < kPileWidth; ++i) now[i] = before[i] = static_cast<Scalar>(from[i]);
  }
  theta_ = 1;
  beta_ = 0;
}

template <class Scalar>
void PileSweeps<Scalar>::sweep(core::ThreadTeam* team, int member) {
  const PileKernels<Scalar>& kernels = pile_kernels<Scalar>();
  PileWork<Scalar> work = packs_.work(active_);
  work.beta = static_cast<Scalar>(beta_);
  const core::TeamPart part(static_cast<int>(trees_.size()), member, team == nullptr ? 1 : team->size());
  kernels.extrapolate(trees_.data() + part.begin, part.end - part.begin, work.beta, work.v, v_before_.data()->at);
  if (team != nullptr) team->meet();
  stages_.in_order(team, member, [&](int i, const PileStages::Piece& piece) {
    work.active = active_.data() + piece.first;
    work.active_count = piece.count;
    work.along = work.worst = {};
    kernels.sweep(work);
    along_[static_cast<std::size_t>(i)] = work.along;
    worst_[static_cast<std::size_t>(i)] = work.worst;
  });
}

template <class Scalar>
double PileSweeps<Scalar>::follow_up(double cap) {
  PileEight<Scalar> sums = {};
  Scalar along = 0, worst = 0;
  for (int i = 0; i < stages_.pieces(); ++i) {
    for (int lane = 0; lane < kPileLanes; ++lane) {
      sums.at[lane] += along_[static_cast<std::size_t>(i)].at[lane];
      worst = std::max(worst, worst_[static_cast<std::size_t>(i)].at[lane]);
    }
  }
  for (const Scalar sum : sums.at) along += sum;
  const double next = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_));
  if (along < 0) {
    theta_ = 1;
    beta_ = 0;
  } else {
    beta_ = std::min(cap, (theta_ - 1) / next);
    theta_ = next;
  }
  return static_cast<double>(worst);
}

template <class Scalar>
int PileSweeps<Scalar>::run(const Limits& limits, core::ThreadTeam* team) {
  int done = 0;
  bool is_over = false;  // both are written by the first member alone, while all others wait
  work_together(team, [&](int member) {
    while (!is_over) {
      sweep(team, member);
      if (member == 0) {
        ++done;
        const double worst = follow_up(limits.cap);
        is_over = done >= limits.most || (done >= limits.least && worst <= limits.enough_m_s * limits.enough_m_s);
      }
      if (team != nullptr) team->meet();
    }
  });
  return done;
}

template <class Scalar>
double PileSweeps<Scalar>::judge(PileForm& form, core::ThreadTeam* team) {
  residuals_.resize(static_cast<std::size_t>(packs_.size()));
  const PileKernels<Scalar>& kernels = pile_kernels<Scalar>();
  work_together(team, [&](int member) {
    PileWork<Scalar> work = packs_.work(active_);
    work.residuals = residuals_.data()->at;
    stages_.in_any_order(team, member, [&](int, const PileStages::Piece& piece) {
      work.active = active_.data() + piece.first;
      work.active_count = piece.count;
      kernels.judge(work);
    });
  });
  return form.take_residuals(residuals_);
}

template <class Scalar>
void PileSweeps<Scalar>::write(const PileForm& form, VecRef Lambda) const {
  for (const int p : active_) {
    const PilePack<Scalar>& pack = packs_.pack(p);
    for (int lane = 0; lane < kPileLanes; ++lane) {
      const int index = form.packs()[static_cast<std::size_t>(p * kPileLanes + lane)];
      if (index < 0) continue;
      const PileContact& contact = form.contacts()[static_cast<std::size_t>(index)];
      for (int k = 0; k <= contact.tangents; ++k) Lambda[contact.row + k] = static_cast<double>(pack.x[k][lane]);
    }
  }
}

template class PileSweeps<float>;
template class PileSweeps<double>;

}  // namespace freeplay::complementarity
