#include "freeplay/complementarity/piles/pile_sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::complementarity {
namespace {

constexpr double kNothing = 1e-12;  // of a contact's norm: what is smaller is rounding
constexpr int kCoupledPasses = 3;   // over normal and tangents of a contact whose block couples them

bool has_diagonal_block(const PileContact& contact) {
  const auto& [NN, N0, N1, K00, K01, K11] = contact.K;
  const double unequal = contact.tangents == 2 ? std::abs(K00 - K11) : 0;
  return std::max({std::abs(N0), std::abs(N1), std::abs(K01), unequal}) <= kNothing * contact.norm;
}

}  // namespace

template <class Scalar>
void PileSweeps<Scalar>::fill(const PileForm& form, int index, int lane, Pack& pack) const {
  for (auto& row : pack.rows[lane]) {
    for (Wide& part : row) part.setZero();
  }
  // A free place: a contact that nothing moves and that stays open.
  pack.a[lane] = pack.b[lane] = form.trees();
  for (int k = 0; k < 3; ++k) pack.c[k][lane] = pack.x[k][lane] = pack.step[k][lane] = 0;
  for (Lane* one : {&pack.K_NN, &pack.inverse_N, &pack.norm_T, &pack.inverse_T, &pack.inverse_00, &pack.inverse_11})
    (*one)[lane] = 1;
  for (Lane* none : {&pack.K_N0, &pack.K_N1, &pack.inverse_01, &pack.mu}) (*none)[lane] = 0;
  if (index < 0) return;
  const PileContact& contact = form.contacts()[static_cast<std::size_t>(index)];
  pack.a[lane] = contact.trees[0];
  if (contact.trees[1] >= 0) pack.b[lane] = contact.trees[1];
  pack.mu[lane] = static_cast<Scalar>(contact.mu);
  pack.is_diagonal = pack.is_diagonal && has_diagonal_block(contact);
  for (int k = 0; k <= contact.tangents; ++k) {
    const int row = contact.row + k;
    pack.c[k][lane] = static_cast<Scalar>(form.c()[row]);
    const double* entry = form.B().values(row);
    int side = 0;
    for (const RowFactors::Part& part : form.B().parts(row)) {
      for (int i = 0; i < part.size; ++i) pack.rows[lane][k][side][i] = static_cast<Scalar>(*entry++);
      if (part.size > 0) ++side;
    }
  }
  const auto& [NN, N0, N1, K00, K01, K11] = contact.K;
  pack.K_NN[lane] = static_cast<Scalar>(NN);
  pack.inverse_N[lane] = static_cast<Scalar>(1 / NN);
  pack.K_N0[lane] = static_cast<Scalar>(N0);
  pack.K_N1[lane] = static_cast<Scalar>(N1);
  if (contact.tangents == 0) return;
  const double norm = 0.5 * (K00 + K11) + std::hypot(0.5 * (K00 - K11), K01), determinant = K00 * K11 - K01 * K01;
  if (!(norm > kNothing * contact.norm)) return;
  const bool is_regular = contact.tangents == 2 && determinant > 1e-10 * norm * norm;
  pack.norm_T[lane] = static_cast<Scalar>(norm);
  pack.inverse_T[lane] = static_cast<Scalar>(1 / norm);
  pack.inverse_00[lane] = is_regular ? static_cast<Scalar>(K11 / determinant) : pack.inverse_T[lane];
  pack.inverse_01[lane] = is_regular ? static_cast<Scalar>(-K01 / determinant) : 0;
  pack.inverse_11[lane] = is_regular ? static_cast<Scalar>(K00 / determinant) : pack.inverse_T[lane];
}

template <class Scalar>
void PileSweeps<Scalar>::assign(const PileForm& form) {
  packs_.resize(form.packs().size() / kPack);
  for (std::size_t p = 0; p < packs_.size(); ++p) {
    packs_[p].is_diagonal = true;
    for (int lane = 0; lane < kPack; ++lane)
      fill(form, form.packs()[p * kPack + static_cast<std::size_t>(lane)], lane, packs_[p]);
  }
}

template <class Scalar>
void PileSweeps<Scalar>::start(const PileForm& form, const ConstVecRef& Lambda, std::span<const char> which) {
  active_.clear();
  has_tree_.assign(static_cast<std::size_t>(form.trees()), 0);
  v_.resize(static_cast<std::size_t>(form.trees()) + 1);
  v_.back().setZero();
  for (std::size_t p = 0; p < packs_.size(); ++p) {
    const int* members = form.packs().data() + p * kPack;
    if (std::none_of(members, members + kPack,
                     [&](int i) { return i >= 0 && which[static_cast<std::size_t>(i)] != 0; }))
      continue;
    active_.push_back(static_cast<int>(p));
    for (int lane = 0; lane < kPack; ++lane) {
      if (members[lane] < 0) continue;
      const PileContact& contact = form.contacts()[static_cast<std::size_t>(members[lane])];
      for (int k = 0; k <= contact.tangents; ++k) {
        packs_[p].x[k][lane] = static_cast<Scalar>(Lambda[contact.row + k]);
        packs_[p].step[k][lane] = 0;
      }
      for (const RowFactors::Part& part : form.B().parts(contact.row)) {
        if (part.size == 0 || has_tree_[static_cast<std::size_t>(part.tree)] != 0) continue;
        has_tree_[static_cast<std::size_t>(part.tree)] = 1;
        Wide& v = v_[static_cast<std::size_t>(part.tree)];
        v.setZero();
        for (int i = 0; i < part.size; ++i) v[i] = static_cast<Scalar>(form.velocities()[part.first + i]);
      }
    }
  }
  trees_.clear();
  for (int tree = 0; tree < form.trees(); ++tree) {
    if (has_tree_[static_cast<std::size_t>(tree)] != 0) trees_.push_back(tree);
  }
  v_before_ = v_;
  theta_ = 1;
  beta_ = 0;
}

// Spheres: normal and friction do not act on each other's velocities, and this is the contact's own solution.
template <class Scalar>
void PileSweeps<Scalar>::answer_diagonal(const Pack& pack, const Lane* y, const Lane* xi, Lane* z) {
  z[0] = (y[0] - pack.inverse_N * xi[0]).max(Scalar(0));
  const Lane t0 = y[1] - pack.inverse_T * xi[1], t1 = y[2] - pack.inverse_T * xi[2];
  const Lane length = (t0 * t0 + t1 * t1).sqrt().max(std::numeric_limits<Scalar>::min());
  const Lane factor = (pack.mu * z[0] / length).min(Scalar(1));
  z[1] = factor * t0;
  z[2] = factor * t1;
}

// Normal and friction in turn, friction bounded by the newest normal impulse. What sticks is solved by the inverse of
// the tangential block, what slides by a step along its velocity.
template <class Scalar>
void PileSweeps<Scalar>::answer(const Pack& pack, int lane, const Lane* y, const Lane* xi, Lane* z) {
  const Scalar y0 = y[0][lane], y1 = y[1][lane], y2 = y[2][lane];
  const Scalar K_N0 = pack.K_N0[lane], K_N1 = pack.K_N1[lane];
  Scalar z0 = y0, z1 = y1, z2 = y2;
  for (int pass = 0; pass < kCoupledPasses; ++pass) {
    const Scalar xi_N = xi[0][lane] + pack.K_NN[lane] * (z0 - y0) + K_N0 * (z1 - y1) + K_N1 * (z2 - y2);
    z0 = std::max(Scalar(0), z0 - pack.inverse_N[lane] * xi_N);
    const Scalar b1 = xi[1][lane] + K_N0 * (z0 - y0), b2 = xi[2][lane] + K_N1 * (z0 - y0);
    const Scalar radius = pack.mu[lane] * z0;
    z1 = y1 - pack.inverse_00[lane] * b1 - pack.inverse_01[lane] * b2;
    z2 = y2 - pack.inverse_01[lane] * b1 - pack.inverse_11[lane] * b2;
    if (!(z1 * z1 + z2 * z2 > radius * radius)) continue;
    z1 = y1 - pack.inverse_T[lane] * b1;
    z2 = y2 - pack.inverse_T[lane] * b2;
    const Scalar length2 = z1 * z1 + z2 * z2;
    if (!(length2 > radius * radius)) continue;
    const Scalar factor = radius / std::sqrt(length2);
    z1 *= factor;
    z2 *= factor;
  }
  z[0][lane] = z0;
  z[1][lane] = z1;
  z[2][lane] = z2;
}

template <class Scalar>
void PileSweeps<Scalar>::relax(Pack& pack, Scalar beta, Sums& sums) {
  Lane xi[3], y[3], z[3], change[3];
  for (int lane = 0; lane < kPack; ++lane) {
    const Wide v_a = v_[static_cast<std::size_t>(pack.a[lane])], v_b = v_[static_cast<std::size_t>(pack.b[lane])];
    for (int k = 0; k < 3; ++k) xi[k][lane] = (pack.rows[lane][k][0] * v_a + pack.rows[lane][k][1] * v_b).sum();
  }
  for (int k = 0; k < 3; ++k) {
    xi[k] += pack.c[k];
    y[k] = pack.x[k] + beta * pack.step[k];
  }
  if (pack.is_diagonal) {
    answer_diagonal(pack, y, xi, z);
  } else {
    for (int lane = 0; lane < kPack; ++lane) answer(pack, lane, y, xi, z);
  }
  for (int k = 0; k < 3; ++k) {
    change[k] = z[k] - y[k];
    pack.step[k] = z[k] - pack.x[k];
    pack.x[k] = z[k];
  }
  const Lane by_N = pack.K_NN * change[0];
  sums.along += by_N * pack.step[0] + pack.norm_T * (change[1] * pack.step[1] + change[2] * pack.step[2]);
  const Lane by_T2 = pack.norm_T * pack.norm_T * (change[1] * change[1] + change[2] * change[2]);
  sums.worst = sums.worst.max((by_N * by_N).max(by_T2));
  for (int lane = 0; lane < kPack; ++lane) {
    const Scalar d0 = change[0][lane], d1 = change[1][lane], d2 = change[2][lane];
    const auto& rows = pack.rows[lane];
    v_[static_cast<std::size_t>(pack.a[lane])] += rows[0][0] * d0 + rows[1][0] * d1 + rows[2][0] * d2;
    v_[static_cast<std::size_t>(pack.b[lane])] += rows[0][1] * d0 + rows[1][1] * d1 + rows[2][1] * d2;
  }
}

template <class Scalar>
int PileSweeps<Scalar>::run(int sweeps, double enough_m_s, double cap) {
  for (int k = 1; k <= sweeps; ++k) {
    const Scalar beta = static_cast<Scalar>(beta_);
    for (const int tree : trees_) {
      Wide &now = v_[static_cast<std::size_t>(tree)], &before = v_before_[static_cast<std::size_t>(tree)];
      const Wide kept = now;
      now += beta * (now - before);
      before = kept;
    }
    Sums sums;
    for (const int pack : active_) relax(packs_[static_cast<std::size_t>(pack)], beta, sums);
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_));
    if (sums.along.sum() < 0) {
      theta_ = 1;
      beta_ = 0;
    } else {
      beta_ = std::min(cap, (theta_ - 1) / next);
      theta_ = next;
    }
    if (static_cast<double>(sums.worst.maxCoeff()) <= enough_m_s * enough_m_s) return k;
  }
  return sweeps;
}

template <class Scalar>
void PileSweeps<Scalar>::write(const PileForm& form, VecRef Lambda) const {
  for (const int p : active_) {
    const Pack& pack = packs_[static_cast<std::size_t>(p)];
    for (int lane = 0; lane < kPack; ++lane) {
      const int index = form.packs()[static_cast<std::size_t>(p * kPack + lane)];
      if (index < 0) continue;
      const PileContact& contact = form.contacts()[static_cast<std::size_t>(index)];
      for (int k = 0; k <= contact.tangents; ++k) Lambda[contact.row + k] = static_cast<double>(pack.x[k][lane]);
    }
  }
}

template class PileSweeps<float>;
template class PileSweeps<double>;

}  // namespace freeplay::complementarity
