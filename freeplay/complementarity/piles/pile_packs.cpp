#include "freeplay/complementarity/piles/pile_packs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace freeplay::complementarity {
namespace {

constexpr double kNothing = 1e-12;         // of a contact's norm: what is smaller is rounding
constexpr double kRoundingOfRows = 1e-13;  // of a row: arms are differences of places
constexpr int kFreeBody = 6;               // velocities, of most trees
constexpr int kMoves = 3;                  // of them those that move; the others turn

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
  if (contact.tangents == 2 && K00 > kNothing * contact.norm && has_diagonal_block(contact)) {
    const double inverse = 1 / std::max(K00, K11);
    write(pack.norm_T, std::max(K00, K11));
    for (Scalar* to : {pack.inverse_T, pack.inverse_00, pack.inverse_11}) write(to, inverse);
    return;
  }
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

// What the rows move on the second side is -ratio times what they move on the first: the ratio, or -1 where that is not
// so, or the normal row turns something. B of free bodies has the velocities that move first.
double round_ratio(const PileContact& contact, const RowFactors& B) {
  const std::array<RowFactors::Part, 2>& parts = B.parts(contact.row);
  if (parts[0].size != kFreeBody || (parts[1].size != kFreeBody && parts[1].size != 0)) return -1;
  const double* normal = B.values(contact.row);
  const auto largest =
      std::max_element(normal, normal + kMoves, [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto is_rounding = [&](double number) { return std::abs(number) <= kRoundingOfRows * std::abs(*largest); };
  const int sides = parts[1].size > 0 ? 2 : 1;
  for (int side = 0; side < sides; ++side) {
    for (int i = kMoves; i < kFreeBody; ++i) {
      if (!is_rounding(normal[side * kFreeBody + i])) return -1;
    }
  }
  if (sides == 1) return 0;
  const double ratio = -largest[kFreeBody] / *largest;
  for (int k = 0; k <= contact.tangents; ++k) {
    const double* row = B.values(contact.row + k);
    for (int i = 0; i < kMoves; ++i) {
      if (!is_rounding(row[kFreeBody + i] + ratio * row[i])) return -1;
    }
  }
  return ratio;
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
  pack.is_diagonal = pack.is_round = 1;
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
  take(from.inverse_N, to.inverse_N);
  if (from.is_diagonal == 0) {
    take(from.K_N0, to.K_N0);
    take(from.K_N1, to.K_N1);
    take(from.inverse_00, to.inverse_00);
    take(from.inverse_01, to.inverse_01);
    take(from.inverse_11, to.inverse_11);
  }
  take(from.norm_T, to.norm_T);
  take(from.inverse_T, to.inverse_T);
  take(from.norm, to.norm);
  take(from.mu, to.mu);
  std::copy_n(from.a, kPileLanes, to.a);
  std::copy_n(from.b, kPileLanes, to.b);
  take(from.ratio, to.ratio);
  to.is_diagonal = from.is_diagonal;
  to.is_round = from.is_round;
}

}  // namespace

// What the contacts of a pack have in common; and where it is round, the ratio of each.
template <class Scalar>
void PilePacks<Scalar>::judge_shape(const PileOrder& order, std::size_t p, PilePack<Scalar>& pack) const {
  if (width_ != kFreeBody) pack.is_round = 0;
  for (int lane = 0; lane < kPileLanes; ++lane) {
    const int index = order.places[p * kPileLanes + static_cast<std::size_t>(lane)];
    if (index < 0) continue;
    const PileContact& contact = order.contacts[static_cast<std::size_t>(index)];
    if (!has_diagonal_block(contact)) {
      pack.is_diagonal = pack.is_round = 0;
      return;
    }
    if (pack.is_round == 0) continue;
    const double ratio = round_ratio(contact, order.B);
    if (ratio < 0) pack.is_round = 0;
    pack.ratio[lane] = static_cast<Scalar>(ratio);
  }
}

template <class Scalar>
void PilePacks<Scalar>::fill(const PileOrder& order, int index, int lane, PilePack<Scalar>& pack,
                             PileEight<Scalar>* rows) const {
  const PileContact& contact = order.contacts[static_cast<std::size_t>(index)];
  pack.a[lane] = contact.trees[0];
  if (contact.trees[1] >= 0) pack.b[lane] = contact.trees[1];
  write_block(contact, lane, pack);
  for (int k = 0; k <= contact.tangents; ++k) {
    const int row = contact.row + k;
    pack.c[k][lane] = static_cast<Scalar>(order.c[row]);
    const double* entry = order.B.values(row);
    PileEight<Scalar>* to = rows + 2 * k * width_;
    const std::array<RowFactors::Part, 2>& parts = order.B.parts(row);
    if (pack.is_round != 0) {  // the kernels read no more of it
      const int turns = k == 0 ? 0 : kFreeBody;
      for (int i = 0; i < std::max(kMoves, turns); ++i) to[i].at[lane] = static_cast<Scalar>(entry[i]);
      for (int i = kMoves; i < turns && parts[1].size > 0; ++i)
        to[kFreeBody + i].at[lane] = static_cast<Scalar>(entry[kFreeBody + i]);
      continue;
    }
    for (const RowFactors::Part& part : parts) {
      if (part.size == 0) continue;
      for (int i = 0; i < part.size; ++i) to[i].at[lane] = static_cast<Scalar>(entry[i]);
      entry += part.size;
      to += width_;
    }
  }
}

// Whether the contacts of a pack leave none of its numbers out, as most do: then they need not be cleared before.
template <class Scalar>
bool PilePacks<Scalar>::fills_all(const PileOrder& order, std::size_t pack) const {
  const auto places = order.places.subspan(pack * kPileLanes, kPileLanes);
  return std::all_of(places.begin(), places.end(), [&](int index) {
    if (index < 0) return false;
    const PileContact& contact = order.contacts[static_cast<std::size_t>(index)];
    const auto& parts = order.B.parts(contact.row);
    return contact.tangents == 2 && parts[0].size == width_ && parts[1].size == width_;
  });
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
    if (!fills_all(order, p)) std::fill_n(rows, rows_of_pack(), PileEight<Scalar>{});
    clear_pack(trees_, packs_[p]);
    judge_shape(order, p, packs_[p]);
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
  for (std::size_t p = 0; p < packs_.size(); ++p) {
    take_pack(exact.packs_[p], packs_[p]);
    const std::size_t first = p * rows_of_pack(), side = static_cast<std::size_t>(width_);
    const auto take_rows = [&](std::size_t begin, std::size_t count) {
      for (std::size_t i = first + begin; i < first + begin + count; ++i) {
        for (int lane = 0; lane < kPileLanes; ++lane) rows_[i].at[lane] = static_cast<Scalar>(exact.rows_[i].at[lane]);
      }
    };
    if (packs_[p].is_round == 0) {
      take_rows(0, rows_of_pack());
      continue;
    }
    take_rows(0, kMoves);
    for (std::size_t row = 1; row < 3; ++row) {
      take_rows(2 * row * side, kFreeBody);
      take_rows((2 * row + 1) * side + kMoves, kFreeBody - kMoves);
    }
  }
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
