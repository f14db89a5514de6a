#include "freeplay/simulation/recording/wear_cells.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace freeplay::simulation {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
// Of a track. Its ends are known only when the run has been there: the cells move along and get longer, so that steps
// need no memory.
constexpr std::size_t kTrackCells = 512;
constexpr double kTrackCount = static_cast<double>(kTrackCells);

std::size_t cell_count(const WornSurface& surface) {
  switch (surface.kind) {
    case WornSurface::Kind::kRound:
      return static_cast<std::size_t>(surface.sectors);
    case WornSurface::Kind::kTrack:
      return kTrackCells;
    case WornSurface::Kind::kWhole:
      break;
  }
  return 1;
}

}  // namespace

WearCells::WearCells(const WornSurface& surface)
    : kind_(surface.kind),
      first_width_(surface.kind == Kind::kRound ? kTurn / surface.sectors : surface.cell_m),
      width_(first_width_),
      amounts_(cell_count(surface), 0.0),
      spare_(surface.kind == Kind::kTrack ? kTrackCells : 0, 0.0) {}

void WearCells::add(double from, double to, double amount) {
  if (kind_ == Kind::kWhole) {
    amounts_[0] += amount;
  } else if (kind_ == Kind::kRound) {
    // The first sector has its middle at 0, so that loads along the axes do not fall on a border.
    const double start = from / width_ + 0.5, way = std::remainder(to - from, kTurn) / width_;
    spread(std::min(start, start + way), std::max(start, start + way), amount);
  } else {
    make_room(std::min(from, to), std::max(from, to));
    spread(std::min(from, to) / width_ - first_, std::max(from, to) / width_ - first_, amount);
  }
}

// In cells; those of a circle go on behind the last one.
void WearCells::spread(double low, double high, double amount) {
  const double count = static_cast<double>(amounts_.size());
  const auto cell = [&](double i) -> double& {
    const double wrapped = kind_ == Kind::kRound ? i - count * std::floor(i / count) : i;
    return amounts_[static_cast<std::size_t>(std::clamp(wrapped, 0.0, count - 1))];
  };
  const double first = std::floor(low), last = std::floor(high);
  if (first == last) {
    cell(first) += amount;
    return;
  }
  const double per_cell = amount / (high - low);
  const int more = static_cast<int>(last - first);
  for (int k = 0; k <= more; ++k) {
    const double i = first + k;
    cell(i) += per_cell * (std::min(high, i + 1) - std::max(low, i));
  }
}

void WearCells::make_room(double low_m, double high_m) {
  while (true) {
    const double low = std::floor(low_m / width_), high = std::floor(high_m / width_);
    if (low >= first_ && high < first_ + kTrackCount) return;
    double from = low, to = high;  // with what is there already
    for (std::size_t i = 0; i < amounts_.size(); ++i) {
      if (amounts_[i] == 0) continue;
      from = std::min(from, first_ + static_cast<double>(i));
      to = std::max(to, first_ + static_cast<double>(i));
    }
    if (to - from < kTrackCount) {
      shift(std::floor((from + to + 1 - kTrackCount) / 2));
      return;
    }
    double_width();
  }
}

void WearCells::shift(double first) {
  std::fill(spare_.begin(), spare_.end(), 0.0);
  for (std::size_t i = 0; i < amounts_.size(); ++i) {
    if (amounts_[i] != 0) spare_[static_cast<std::size_t>(first_ + static_cast<double>(i) - first)] = amounts_[i];
  }
  amounts_.swap(spare_);
  first_ = first;
}

void WearCells::double_width() {
  const double first = std::floor(first_ / 2);
  std::fill(spare_.begin(), spare_.end(), 0.0);
  for (std::size_t i = 0; i < amounts_.size(); ++i)
    spare_[static_cast<std::size_t>(std::floor((first_ + static_cast<double>(i)) / 2) - first)] += amounts_[i];
  amounts_.swap(spare_);
  first_ = first;
  width_ *= 2;
}

std::vector<WearCells::Cell> WearCells::cells() const {
  std::vector<Cell> cells;
  if (kind_ == Kind::kWhole) return cells;
  for (std::size_t i = 0; i < amounts_.size(); ++i) {
    const double from = (static_cast<double>(i) + (kind_ == Kind::kRound ? -0.5 : first_)) * width_;
    cells.push_back({from, from + width_, amounts_[i]});
  }
  if (kind_ == Kind::kRound) return cells;
  const auto has_any = [](const Cell& cell) { return cell.amount > 0; };
  const auto last = std::find_if(cells.rbegin(), cells.rend(), has_any).base();
  cells.erase(last, cells.end());
  cells.erase(cells.begin(), std::find_if(cells.begin(), cells.end(), has_any));
  return cells;
}

double WearCells::total() const {
  return std::accumulate(amounts_.begin(), amounts_.end(), 0.0);
}

double WearCells::largest() const {
  return *std::max_element(amounts_.begin(), amounts_.end());
}

void WearCells::forget() {
  std::fill(amounts_.begin(), amounts_.end(), 0.0);
  width_ = first_width_;
  first_ = 0;
}

void WearCells::write(std::vector<double>& numbers) const {
  numbers.insert(numbers.end(), {width_, first_});
  numbers.insert(numbers.end(), amounts_.begin(), amounts_.end());
}

bool WearCells::take(std::span<const double> numbers) {
  const bool is_whole_number = std::isfinite(numbers[1]) && std::floor(numbers[1]) == numbers[1];
  const bool has_width =
      kind_ == Kind::kTrack ? numbers[0] >= width_ && std::isfinite(numbers[0]) : numbers[0] == width_;
  const auto is_amount = [](double amount) { return amount >= 0 && std::isfinite(amount); };
  const std::span<const double> amounts = numbers.subspan(2);
  if (!is_whole_number || !has_width || !std::all_of(amounts.begin(), amounts.end(), is_amount)) return false;
  width_ = numbers[0];
  first_ = numbers[1];
  std::copy(amounts.begin(), amounts.end(), amounts_.begin());
  return true;
}

}  // namespace freeplay::simulation
