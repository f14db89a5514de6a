// How wear is spread over a surface, and the mean speed of a step.
#include "freeplay/simulation/recording/wear_cells.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "freeplay/simulation/recording/wear_recorder.h"

namespace freeplay::test::wear_cells_test {
namespace {

constexpr double kPi = std::numbers::pi;

WornSurface round_surface(int sectors) {
  WornSurface surface;
  surface.kind = WornSurface::Kind::kRound;
  surface.sectors = sectors;
  return surface;
}

WornSurface track(double cell_m) {
  WornSurface surface;
  surface.kind = WornSurface::Kind::kTrack;
  surface.cell_m = cell_m;
  return surface;
}

TEST(WearCells, ASectorHasItsMiddleOnTheAxis) {
  WearCells cells(round_surface(4));
  cells.add(-kPi / 2, -kPi / 2, 3);
  const std::vector<WearCells::Cell> list = cells.cells();
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[3].amount, 3);
  EXPECT_NEAR((list[3].from + list[3].to) / 2, 3 * kPi / 2, 1e-15);
}

TEST(WearCells, AWayIsSpreadEvenlyOverTheShorterArc) {
  WearCells cells(round_surface(36));
  cells.add(175.0 / 180 * kPi, -165.0 / 180 * kPi, 20);  // 20 degrees, through 180
  const std::vector<WearCells::Cell> list = cells.cells();
  EXPECT_NEAR(list[18].amount, 10, 1e-12);  // 175 to 185
  EXPECT_NEAR(list[19].amount, 10, 1e-12);  // 185 to 195
  EXPECT_NEAR(cells.total(), 20, 1e-12);
}

TEST(WearCells, ATrackMovesAlongAndItsCellsDoubleWhenTheyAreUsedUp) {
  WearCells cells(track(1e-3));
  cells.add(0, 0.1, 1);
  EXPECT_EQ(cells.width(), 1e-3);
  ASSERT_EQ(cells.cells().size(), 100U);
  for (const WearCells::Cell& cell : cells.cells()) EXPECT_NEAR(cell.amount, 0.01, 1e-12);
  cells.add(5.0, 4.9, 1);  // 5000 cells away: 16 mm of each from now on
  EXPECT_NEAR(cells.width(), 16e-3, 1e-15);
  EXPECT_NEAR(cells.total(), 2, 1e-12);
  const std::vector<WearCells::Cell> list = cells.cells();
  EXPECT_NEAR(list.front().from, 0, 1e-15);
  EXPECT_NEAR(list.front().amount, 0.16, 1e-12);
  EXPECT_LE(list.back().from, 5.0);
  EXPECT_GE(list.back().to, 5.0);
}

TEST(WearCells, NumbersBringThemBackBitForBit) {
  for (const WornSurface& surface : {round_surface(10), track(1e-3), WornSurface{}}) {
    WearCells cells(surface);
    for (int i = 0; i < 50; ++i) cells.add(std::sin(i), std::sin(i + 1), 0.1 * i);
    std::vector<double> numbers;
    cells.write(numbers);
    ASSERT_EQ(numbers.size(), cells.number_count());
    WearCells other(surface);
    ASSERT_TRUE(other.take(numbers));
    for (WearCells* each : {&cells, &other}) each->add(0.3, 0.9, 7);
    std::vector<double> a, b;
    cells.write(a);
    other.write(b);
    EXPECT_EQ(a, b);
  }
}

TEST(WearCells, RefuseNumbersThatCannotBeTheirs) {
  for (const WornSurface& surface : {round_surface(10), track(1e-3)}) {
    WearCells cells(surface);
    std::vector<double> numbers;
    cells.write(numbers);
    for (const auto& [index, value] : std::vector<std::pair<std::size_t, double>>{
             {0, 0.0}, {0, std::nan("")}, {1, 0.5}, {1, INFINITY}, {2, -1.0}, {5, std::nan("")}}) {
      std::vector<double> wrong = numbers;
      wrong[index] = value;
      EXPECT_FALSE(cells.take(wrong)) << index;
    }
  }
}

TEST(MeanSpeed, IsThatOfAVelocityThatRunsAlongAStraightLine) {
  EXPECT_NEAR(mean_speed({1, 0, 0}, {3, 0, 0}), 2, 1e-15);
  EXPECT_NEAR(mean_speed({-1, 0, 0}, {3, 0, 0}), (1 * 1 + 3 * 3) / (2.0 * 4), 1e-15);  // two triangles
  EXPECT_NEAR(mean_speed({2, 1, 0}, {2, 1, 0}), std::sqrt(5), 1e-15);
  EXPECT_EQ(mean_speed({0, 0, 0}, {0, 0, 0}), 0);
  const Vec3 a(1, 2, -1), b(-2, 1, 0.5);
  double sum = 0;
  constexpr int kParts = 100000;
  for (int i = 0; i < kParts; ++i) sum += (a + (i + 0.5) / kParts * (b - a)).norm() / kParts;
  EXPECT_NEAR(mean_speed(a, b), sum, 1e-9);
  EXPECT_NEAR(mean_speed(a, a + 2e-6 * b), mean_speed(a, a + 1e-6 * b), 3e-6);  // no jump between both formulas
}

}  // namespace
}  // namespace freeplay::test::wear_cells_test
