// The inner loops of the solver of piles: wide registers give the bits of narrow ones, and what they add up and judge
// is what natural_residual() says.
#include "freeplay/complementarity/piles/pile_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace freeplay::test::pile_kernels_test {
namespace {

using complementarity::kPileLanes;
using complementarity::kPileWidth;
using complementarity::PileEight;
using complementarity::PileKernels;
using complementarity::PilePack;
using complementarity::PileWork;

// Packs whose contacts act on two trees each, with numbers at random; every other pack has full blocks.
template <class Scalar>
struct RandomPacks {
  explicit RandomPacks(int velocities) : width(velocities) {
    std::mt19937 random(5);
    const auto number = [&] { return static_cast<Scalar>(std::uniform_real_distribution<double>(-1, 1)(random)); };
    packs.resize(7);
    rows.resize(packs.size() * 6 * static_cast<std::size_t>(width));
    v.resize(packs.size() * 2 * kPileLanes + 1);
    for (PileEight<Scalar>& eight : rows) {
      for (Scalar& entry : eight.at) entry = number();
    }
    int tree = 0;
    for (std::size_t p = 0; p < packs.size(); ++p) {
      active.push_back(static_cast<int>(p));
      PilePack<Scalar>& pack = packs[p];
      pack = {};
      pack.is_diagonal = p % 2 == 0 ? 1 : 0;
      for (int lane = 0; lane < kPileLanes; ++lane) {
        for (int k = 0; k < 3; ++k) {
          pack.c[k][lane] = number();
          pack.x[k][lane] = number();
          pack.step[k][lane] = number();
        }
        for (Scalar* positive : {pack.K_NN, pack.inverse_N, pack.norm_T, pack.inverse_T, pack.inverse_00,
                                 pack.inverse_11, pack.norm, pack.mu})
          positive[lane] = 1 + number() / 2;
        for (Scalar* any : {pack.K_N0, pack.K_N1, pack.inverse_01}) any[lane] = number() / 4;
        pack.a[lane] = tree++ % static_cast<int>(v.size() - 1);
        pack.b[lane] = tree++ % static_cast<int>(v.size() - 1);
      }
    }
    for (std::size_t i = 0; i + 1 < v.size(); ++i) {
      for (int k = 0; k < width; ++k) v[i].at[k] = number();
    }
  }
  PileWork<Scalar> work() {
    PileWork<Scalar> work;
    work.packs = packs.data();
    work.rows = rows.data()->at;
    work.width = width;
    work.active = active.data();
    work.active_count = static_cast<int>(active.size());
    work.v = v.data()->at;
    work.beta = static_cast<Scalar>(0.7);
    residuals.resize(packs.size());
    work.residuals = residuals.data()->at;
    return work;
  }

  int width;
  std::vector<PilePack<Scalar>> packs;
  std::vector<PileEight<Scalar>> rows, v, residuals;
  std::vector<int> active;
};

template <class T>
bool have_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class Scalar>
void expect_same_bits(int width, bool is_round) {
  RandomPacks<Scalar> narrow(width), wide(width);
  for (RandomPacks<Scalar>* pile : {&narrow, &wide}) {
    for (PilePack<Scalar>& pack : pile->packs) {
      pack.is_round = is_round ? 1 : 0;
      std::fill_n(pack.ratio, kPileLanes, static_cast<Scalar>(0.3));
    }
  }
  const PileKernels<Scalar> plain = complementarity::plain_lanes::kernels<Scalar>();
  const PileKernels<Scalar>& best = complementarity::pile_kernels<Scalar>();
  for (int sweep = 0; sweep < 3; ++sweep) {
    PileWork<Scalar> first = narrow.work(), second = wide.work();
    plain.sweep(first);
    best.sweep(second);
    EXPECT_EQ(std::memcmp(&first.along, &second.along, sizeof(first.along)), 0);
    EXPECT_EQ(std::memcmp(&first.worst, &second.worst, sizeof(first.worst)), 0);
    plain.judge(first);
    best.judge(second);
    plain.add_up(first);
    best.add_up(second);
  }
  EXPECT_TRUE(have_same_bits(narrow.packs, wide.packs));
  EXPECT_TRUE(have_same_bits(narrow.v, wide.v));
  EXPECT_TRUE(have_same_bits(narrow.residuals, wide.residuals));
}

TEST(PileKernels, GiveTheSameBitsByWideAndByNarrowRegisters) {
  for (const int width : {6, kPileWidth}) {
    for (const bool is_round : {false, true}) {
      expect_same_bits<float>(width, is_round);
      expect_same_bits<double>(width, is_round);
    }
  }
}

// As of spheres: normal rows that turn nothing, and second sides that move against the first ones in one ratio. Half of
// the packs are told so.
template <class Scalar>
void make_round(RandomPacks<Scalar>& pile, bool tells) {
  for (std::size_t p = 0; p < pile.packs.size(); ++p) {
    PilePack<Scalar>& pack = pile.packs[p];
    for (int lane = 0; lane < kPileLanes; ++lane) {
      pack.ratio[lane] = static_cast<Scalar>(0.25) * static_cast<Scalar>(1 + lane % 4);
      const auto entry = [&](int k, int side, int i) -> Scalar& {
        return pile.rows[p * 36 + static_cast<std::size_t>((k * 2 + side) * 6 + i)].at[lane];
      };
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) entry(k, 1, i) = -pack.ratio[lane] * entry(k, 0, i);
        entry(0, 0, 3 + i) = entry(0, 1, 3 + i) = 0;
      }
    }
    pack.is_round = tells && p % 2 == 0 ? 1 : 0;
  }
}

TEST(PileKernels, ReadLessOfRoundPacksAndSayTheSame) {
  RandomPacks<double> told(6), general(6);
  make_round(told, true);
  make_round(general, false);
  const PileKernels<double>& kernels = complementarity::pile_kernels<double>();
  PileWork<double> first = told.work(), second = general.work();
  kernels.add_up(first);
  kernels.add_up(second);
  kernels.sweep(first);
  kernels.sweep(second);
  kernels.judge(first);
  kernels.judge(second);
  for (std::size_t i = 0; i < told.v.size(); ++i) {
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(told.v[i].at[k], general.v[i].at[k], 1e-13);
  }
  for (std::size_t p = 0; p < told.packs.size(); ++p) {
    for (int lane = 0; lane < kPileLanes; ++lane)
      EXPECT_NEAR(told.residuals[p].at[lane], general.residuals[p].at[lane], 1e-13);
  }
}

// v = B x by the definition, number by number; different sums, so only up to rounding.
TEST(PileKernels, AddUpWhatTheImpulsesDoToTheTrees) {
  RandomPacks<double> pile(6);
  for (PileEight<double>& eight : pile.v) eight = {};
  std::vector<double> expected(pile.v.size() * kPileWidth, 0.0);
  for (std::size_t p = 0; p < pile.packs.size(); ++p) {
    for (int lane = 0; lane < kPileLanes; ++lane) {
      for (int k = 0; k < 3; ++k) {
        for (int side = 0; side < 2; ++side) {
          const int tree = side == 0 ? pile.packs[p].a[lane] : pile.packs[p].b[lane];
          for (int i = 0; i < 6; ++i) {
            expected[static_cast<std::size_t>(tree * kPileWidth + i)] +=
                pile.rows[p * 36 + static_cast<std::size_t>((k * 2 + side) * 6 + i)].at[lane] *
                pile.packs[p].x[k][lane];
          }
        }
      }
    }
  }
  PileWork<double> work = pile.work();
  complementarity::pile_kernels<double>().add_up(work);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(pile.v[i / kPileWidth].at[i % kPileWidth], expected[i], 1e-14);
}

}  // namespace
}  // namespace freeplay::test::pile_kernels_test
