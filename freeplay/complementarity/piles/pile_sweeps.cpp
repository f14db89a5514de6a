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
int PileSweeps<Scalar>::run(const Limits& limits) {
  const PileKernels<Scalar>& kernels = pile_kernels<Scalar>();
  PileWork<Scalar> work = packs_.work(active_);
  for (int k = 1; k <= limits.most; ++k) {
    work.beta = static_cast<Scalar>(beta_);
    kernels.extrapolate(trees_.data(), static_cast<int>(trees_.size()), work.beta, work.v, v_before_.data()->at);
    work.along = work.worst = {};
    kernels.sweep(work);
    Scalar along = 0, worst = 0;
    for (int lane = 0; lane < kPileLanes; ++lane) {
      along += work.along.at[lane];
      worst = std::max(worst, work.worst.at[lane]);
    }
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_));
    if (along < 0) {
      theta_ = 1;
      beta_ = 0;
    } else {
      beta_ = std::min(limits.cap, (theta_ - 1) / next);
      theta_ = next;
    }
    if (k >= limits.least && static_cast<double>(worst) <= limits.enough_m_s * limits.enough_m_s) return k;
  }
  return limits.most;
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
