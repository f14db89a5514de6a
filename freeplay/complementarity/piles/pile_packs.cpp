#include "freeplay/complementarity/piles/pile_packs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace freeplay::complementarity {
namespace {

constexpr double kNothing = 1e-12;  // of a contact's norm: what is smaller is rounding
constexpr int kFreeBody = 6;        // velocities, of most trees

bool has_diagonal_block(const PileContact& contact) {
  const auto& [NN, N0, N1, K00, K01, K11] = contact.K;
  const double unequal = contact.tangents == 2 ? std::abs(K00 - K11) : 0;
  return std::max({std::abs(N0), std::abs(N1), std::abs(K01), unequal}) <= kNothing * contact.norm;
}

template <class Scalar>
void write_block(const PileContact& contact, int lane, PilePack<Scalar>& pack) {
  const auto& [NN, N0, N1, K00, K01, K11] = contact.K;
  const auto write = [lane](Scalar* to, double value) { to[lane] = static_cast<Scalar>(value); };
  write(pack.K_NN, NN);
  write(pack.inverse_N, 1 / NN);
  write(pack.K_N0, N0);
  write(pack.K_N1, N1);
  write(pack.norm, contact.norm);
  write(pack.mu, contact.mu);
  if (contact.tangents == 0) return;
  const double norm = 0.5 * (K00 + K11) + std::sqrt(0.25 * (K00 - K11) * (K00 - K11) + K01 * K01);
  if (!(norm > kNothing * contact.norm)) return;
  const double determinant = K00 * K11 - K01 * K01;
  const bool is_regular = contact.tangents == 2 && determinant > 1e-10 * norm * norm;
  write(pack.norm_T, norm);
  write(pack.inverse_T, 1 / norm);
  write(pack.inverse_00, is_regular ? K11 / determinant : 1 / norm);
  write(pack.inverse_01, is_regular ? -K01 / determinant : 0);
  write(pack.inverse_11, is_regular ? K00 / determinant : 1 / norm);
}

// A free place: a contact that nothing moves and that stays open.
template <class Scalar>
void clear_pack(int ground, PilePack<Scalar>& pack) {
  pack = {};
  for (Scalar* ones :
       {pack.K_NN, pack.inverse_N, pack.norm_T, pack.inverse_T, pack.inverse_00, pack.inverse_11, pack.norm})
    std::fill_n(ones, kPileLanes, Scalar(1));
  std::fill_n(pack.a, kPileLanes, ground);
  std::fill_n(pack.b, kPileLanes, ground);
  pack.is_diagonal = 1;
}

template <class Scalar>
void take_pack(const PilePack<double>& from, PilePack<Scalar>& to) {
  const auto take = [](const double* numbers, Scalar* into) {
    for (int lane = 0; lane < kPileLanes; ++lane) into[lane] = static_cast<Scalar>(numbers[lane]);
  };
  for (int k = 0; k < 3; ++k) {
    take(from.c[k], to.c[k]);
    take(from.x[k], to.x[k]);
    take(from.step[k], to.step[k]);
  }
  take(from.K_NN, to.K_NN);
  take(from.K_N0, to.K_N0);
  take(from.K_N1, to.K_N1);
  take(from.inverse_N, to.inverse_N);
  take(from.inverse_00, to.inverse_00);
  take(from.inverse_01, to.inverse_01);
  take(from.inverse_11, to.inverse_11);
  take(from.norm_T, to.norm_T);
  take(from.inverse_T, to.inverse_T);
  take(from.norm, to.norm);
  take(from.mu, to.mu);
  std::copy_n(from.a, kPileLanes, to.a);
  std::copy_n(from.b, kPileLanes, to.b);
  to.is_diagonal = from.is_diagonal;
}

}  // namespace

template <class Scalar>
void PilePacks<Scalar>::fill(const PileOrder& order, int index, int lane, PilePack<Scalar>& pack,
                             PileEight<Scalar>* rows) const {
  const PileContact& contact = order.contacts[static_cast<std::size_t>(index)];
  pack.a[lane] = contact.trees[0];
  if (contact.trees[1] >= 0) pack.b[lane] = contact.trees[1];
  if (!has_diagonal_block(contact)) pack.is_diagonal = 0;
  write_block(contact, lane, pack);
  for (int k = 0; k <= contact.tangents; ++k) {
    const int row = contact.row + k;
    pack.c[k][lane] = static_cast<Scalar>(order.c[row]);
    const double* entry = order.B.values(row);
    PileEight<Scalar>* to = rows + 2 * k * width_;
    for (const RowFactors::Part& part : order.B.parts(row)) {
      if (part.size == 0) continue;
      for (int i = 0; i < part.size; ++i) to[i].at[lane] = static_cast<Scalar>(entry[i]);
      entry += part.size;
      to += width_;
    }
  }
}

template <class Scalar>
void PilePacks<Scalar>::assign(const PileOrder& order) {
  trees_ = order.B.trees();
  width_ = kFreeBody;
  for (const PileContact& contact : order.contacts) {
    for (const RowFactors::Part& part : order.B.parts(contact.row)) {
      if (part.size > kFreeBody) width_ = kPileWidth;
    }
  }
  make_room(order.places.size() / kPileLanes);
  for (std::size_t p = 0; p < packs_.size(); ++p) {
    PileEight<Scalar>* rows = rows_.data() + p * rows_of_pack();
    std::fill_n(rows, rows_of_pack(), PileEight<Scalar>{});
    clear_pack(trees_, packs_[p]);
    for (int lane = 0; lane < kPileLanes; ++lane) {
      const int index = order.places[p * kPileLanes + static_cast<std::size_t>(lane)];
      if (index >= 0) fill(order, index, lane, packs_[p], rows);
    }
  }
  v_.assign(static_cast<std::size_t>(trees_) + 1, PileEight<Scalar>{});
}

template <class Scalar>
void PilePacks<Scalar>::take(const PilePacks<double>& exact) {
  trees_ = exact.trees_;
  width_ = exact.width_;
  make_room(exact.packs_.size());
  const std::size_t numbers = packs_.size() * rows_of_pack();
  for (std::size_t i = 0; i < numbers; ++i) {
    for (int lane = 0; lane < kPileLanes; ++lane) rows_[i].at[lane] = static_cast<Scalar>(exact.rows_[i].at[lane]);
  }
  for (std::size_t p = 0; p < packs_.size(); ++p) take_pack(exact.packs_[p], packs_[p]);
  v_.assign(exact.v_.size(), PileEight<Scalar>{});
}

template <class Scalar>
void PilePacks<Scalar>::make_room(std::size_t packs) {
  packs_.resize(packs);
  if (rows_.size() < packs * rows_of_pack()) rows_.resize(packs * rows_of_pack());
  if (all_.size() == packs) return;
  all_.resize(packs);
  std::iota(all_.begin(), all_.end(), 0);
}

template <class Scalar>
PileWork<Scalar> PilePacks<Scalar>::work(std::span<const int> active) {
  PileWork<Scalar> work;
  work.packs = packs_.data();
  work.rows = rows_.data()->at;
  work.width = width_;
  work.active = active.data();
  work.active_count = static_cast<int>(active.size());
  work.v = v_.data()->at;
  work.ground = trees_;
  return work;
}

template class PilePacks<float>;
template class PilePacks<double>;

}  // namespace freeplay::complementarity
