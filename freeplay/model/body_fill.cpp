#include "freeplay/model/body_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/math/philox.h"

namespace freeplay::model {

namespace {

// Streams of random numbers, one per kind.
enum FillStream : std::uint32_t { kSizeStream, kPlaceStream, kTurnStream = 8 };

constexpr double kMostLatticeCells = 5e7;  // looked at: a second
constexpr double kMostDraws = 2e7;         // of random places: some seconds
constexpr int kDrawsPerBody = 2000;
// Balls at random places stop to fit at 38 % of space and 55 % of the plane (Torquato, Random Heterogeneous Materials,
// 2002, section 3.4), and long before that the draws take long.
constexpr double kRandomShareInSpace = 0.38, kRandomShareInPlane = 0.54;
// A normal distribution is cut off at three deviations: the share of values below the lower end.
constexpr double kBelowThreeDeviations = 0.0013498980316300933;

class Filler {
 public:
  Filler(const FillSpec& spec, Space space, double reach_m, BallGrid& taken)
      : spec_(spec),
        axes_(space == Space::kPlanar ? 2 : 3),
        reach_m_(reach_m),
        largest_m_(reach_m * largest_size(spec)),
        gap_m_(spec.gap_m.value_or(0.1 * largest_m_)),
        taken_(taken) {}

  Places fill() {
    check();
    if (!ok()) return std::move(result_);
    if (spec_.arrangement == FillSpec::Arrangement::kLattice)
      fill_lattice();
    else
      fill_at_random();
    return std::move(result_);
  }

  static double smallest_size(const FillSpec& spec) {
    if (!spec.size_spread) return *std::min_element(spec.sizes.begin(), spec.sizes.end());
    const Distribution& d = *spec.size_spread;
    return d.kind == Distribution::Kind::kNormal ? d.a - 3 * d.b : d.a;
  }
  static double largest_size(const FillSpec& spec) {
    if (!spec.size_spread) return *std::max_element(spec.sizes.begin(), spec.sizes.end());
    const Distribution& d = *spec.size_spread;
    if (d.kind == Distribution::Kind::kNormal) return d.a + 3 * d.b;
    return d.kind == Distribution::Kind::kUniform ? d.b : d.c;
  }

 private:
  bool ok() const { return result_.problem.empty(); }
  void fail(std::string key, std::string message, std::string hint) {
    result_.places.clear();
    result_.problem = {std::move(key), std::move(message), std::move(hint)};
  }

  void check() {
    for (int k = 0; k < axes_; ++k) {
      const bool is_open = spec_.is_open_above && k == axes_ - 1;
      const double extent = spec_.to_m[k] - spec_.from_m[k];
      if (is_open || (std::isfinite(extent) && extent >= 2 * largest_m_)) continue;
      fail("to",
           fmt::format("the region is {:.6g} m wide along {}, and a body needs {:.6g} m", extent, "xyz"[k],
                       2 * largest_m_),
           "make the region larger or the bodies smaller; 'from' is the lower corner");
      return;
    }
    if (spec_.is_open_above && !spec_.count)
      fail("count", "a region without an upper end has room for any number of bodies", "add 'count: 100'");
    else if (spec_.is_open_above && spec_.arrangement == FillSpec::Arrangement::kRandom)
      fail("open_above", "random places need a region with an end", "give 'to' as the upper corner, or use a lattice");
    else if (!spec_.count && spec_.arrangement == FillSpec::Arrangement::kRandom)
      fail("count", "it is not known when random places are enough", "add 'count: 100'");
  }

  double draw(std::uint32_t stream, std::uint64_t index) const { return random_number(spec_.seed, stream, index); }
  double size_of(std::uint64_t index) const {
    const double p = draw(kSizeStream, index);
    if (!spec_.size_spread) {
      const std::size_t choice = static_cast<std::size_t>(p * static_cast<double>(spec_.sizes.size()));
      return spec_.sizes[std::min(choice, spec_.sizes.size() - 1)];
    }
    const bool is_normal = spec_.size_spread->kind == Distribution::Kind::kNormal;
    constexpr double kMiddle = 1 - 2 * kBelowThreeDeviations;
    return spec_.size_spread->quantile(is_normal ? kBelowThreeDeviations + kMiddle * p : p);
  }
  // Evenly over all rotations (Shoemake, "Uniform random rotations", Graphics Gems III, 1992).
  Eigen::Quaterniond turn_of(std::uint64_t index) const {
    if (!spec_.is_turned) return Eigen::Quaterniond::Identity();
    const double kTurn = 2 * std::numbers::pi;
    const double a = kTurn * draw(kTurnStream, index);
    if (axes_ == 2) return Eigen::Quaterniond(Eigen::AngleAxisd(a, Vec3::UnitZ()));
    const double b = kTurn * draw(kTurnStream + 1, index), share = draw(kTurnStream + 2, index);
    const double near = std::sqrt(1 - share), far = std::sqrt(share);
    return {near * std::sin(a), near * std::cos(a), far * std::sin(b), far * std::cos(b)};
  }

  bool is_in_ball(const Vec3& at, double radius) const {
    if (!spec_.radius_m) return true;
    Vec3 way = at - spec_.centre_m;
    if (axes_ == 2) way.z() = 0;
    return way.norm() + radius <= *spec_.radius_m;
  }
  // Adds the next body there if it fits.
  bool try_place(const Vec3& at, double gap_m) {
    const std::uint64_t index = result_.places.size();
    const double size = size_of(index), radius = reach_m_ * size;
    if (!is_in_ball(at, radius) || !taken_.is_free(at, radius, gap_m)) return false;
    taken_.add(at, radius);
    result_.places.push_back({at, turn_of(index), size});
    return true;
  }
  bool is_done() const { return result_.places.size() >= static_cast<std::size_t>(spec_.count.value_or(kMostCopies)); }
  void fail_as_full(const std::string& cure) {
    fail("count",
         fmt::format("the region is full after {} of {} bodies", result_.places.size(), spec_.count.value_or(0)), cure);
  }

  // Cells that hold the largest body and half of the gap around it, as many as fit, in the middle of the region. A body
  // is moved by up to half of the gap, along each axis by its share, so that no two stand exactly above each other.
  void fill_lattice() {
    const double cell = 2 * largest_m_ + gap_m_, jitter = 0.5 * gap_m_ / std::sqrt(static_cast<double>(axes_));
    std::array<double, 3> count = {1, 1, 1};
    Vec3 first = Vec3::Zero();
    double cells = 1;
    for (int k = 0; k < axes_; ++k) {
      const bool is_open = spec_.is_open_above && k == axes_ - 1;
      const double extent = spec_.to_m[k] - spec_.from_m[k];
      // The outer bodies need no gap to the walls: the first layer of a single one fits into two radii.
      const double fitting = std::max(1.0, std::floor(extent / cell * (1 + 1e-12)));
      count[static_cast<std::size_t>(k)] = is_open ? std::floor(kMostLatticeCells / cells) : fitting;
      first[k] = is_open ? spec_.from_m[k] + cell / 2 : (spec_.from_m[k] + spec_.to_m[k] - (fitting - 1) * cell) / 2;
      cells *= count[static_cast<std::size_t>(k)];
    }
    if (!spec_.count && cells > kMostCopies) {
      fail("to", fmt::format("the region has room for {:.3g} bodies, more than {}", cells, kMostCopies),
           "make it smaller, or say how many: 'count: 1000'");
      return;
    }
    const double looked_at = std::min(cells, kMostLatticeCells);
    for (double place = 0; place < looked_at && !is_done(); ++place) {
      const double of_layer = count[0] * count[1];
      const Vec3 index(std::fmod(place, count[0]), std::fmod(std::floor(place / count[0]), count[1]),
                       std::floor(place / of_layer));
      Vec3 at = first;
      for (int k = 0; k < axes_; ++k) {
        const double extent = spec_.to_m[k] - spec_.from_m[k];
        const bool has_room = (spec_.is_open_above && k == axes_ - 1) || extent >= cell;
        const double shift =
            2 * draw(kPlaceStream + static_cast<std::uint32_t>(k), static_cast<std::uint64_t>(place)) - 1;
        at[k] += index[k] * cell + (has_room ? jitter * shift : 0);
      }
      try_place(at, 0);
    }
    if (spec_.count && !is_done())
      fail_as_full("make the region larger, 'gap' or the bodies smaller, or write 'open_above: true'");
    else if (result_.places.empty() && !spec_.count)
      fail("to", "no body fits into the region", "make it larger");
  }

  void fill_at_random() {
    const double body = axes_ == 2 ? std::numbers::pi * reach_m_ * reach_m_
                                   : 4.0 / 3 * std::numbers::pi * reach_m_ * reach_m_ * reach_m_;
    double room = 1, filled = 0;
    for (int k = 0; k < axes_; ++k) room *= spec_.to_m[k] - spec_.from_m[k];
    const double most = axes_ == 2 ? kRandomShareInPlane : kRandomShareInSpace;
    const char* cure = "make the region larger or the bodies smaller, or use 'arrangement: lattice'";
    for (int i = 0; i < *spec_.count; ++i) {
      filled += body * std::pow(size_of(static_cast<std::uint64_t>(i)), axes_);
      if (filled <= most * room) continue;
      fail("count",
           fmt::format("{} bodies fill more than {:.0f} % of the region, which random places do not", *spec_.count,
                       100 * most),
           cure);
      return;
    }
    double draws = 0;
    int in_vain = 0;
    while (!is_done() && in_vain < kDrawsPerBody && draws < kMostDraws) {
      const double radius = reach_m_ * size_of(result_.places.size());
      Vec3 at = Vec3::Zero();
      for (int k = 0; k < axes_; ++k) {
        const double low = spec_.from_m[k] + radius, high = spec_.to_m[k] - radius;
        at[k] =
            low + (high - low) * draw(kPlaceStream + static_cast<std::uint32_t>(k), static_cast<std::uint64_t>(draws));
      }
      ++draws;
      in_vain = try_place(at, spec_.gap_m.value_or(0)) ? 0 : in_vain + 1;
    }
    if (!is_done()) fail_as_full(cure);
  }

  const FillSpec& spec_;
  const int axes_;
  const double reach_m_, largest_m_, gap_m_;
  BallGrid& taken_;
  Places result_;
};

}  // namespace

Places fill_places(const FillSpec& spec, Space space, double reach_m, BallGrid& taken) {
  Places refused;
  if (spec.sizes.empty() || !(Filler::smallest_size(spec) > 0) || !std::isfinite(Filler::largest_size(spec))) {
    refused.problem = {"size", "a body could get a size of 0 or less",
                       "give positive factors; a normal distribution needs a mean of more than three deviations"};
    return refused;
  }
  if (!(reach_m > 0) || !std::isfinite(reach_m)) {
    refused.problem = {"", "it is not known how much room the body needs",
                       "give it shapes that end, such as a circle, a sphere or a box"};
    return refused;
  }
  return Filler(spec, space, reach_m, taken).fill();
}

Places pattern_places(const PatternSpec& spec) {
  Places result;
  const double copies = static_cast<double>(spec.count) * spec.rows * spec.layers;
  if (copies > kMostCopies) {
    result.problem = {"count", fmt::format("{:.6g} copies are more than {}", copies, kMostCopies), "make fewer"};
    return result;
  }
  const auto stands_still = [&](int count, const Vec3& shift, const char* key) {
    if (count < 2 || !shift.isZero(0) || !result.problem.empty()) return;
    result.problem = {key, "all copies would lie on each other", fmt::format("give '{}'", key)};
  };
  if (spec.turn == 0) stands_still(spec.count, spec.shift_m, "shift");
  stands_still(spec.rows, spec.row_shift_m, "row_shift");
  stands_still(spec.layers, spec.layer_shift_m, "layer_shift");
  if (!result.problem.empty()) return result;
  result.places.reserve(static_cast<std::size_t>(copies));
  for (int k = 0; k < spec.layers; ++k) {
    for (int j = 0; j < spec.rows; ++j) {
      const bool is_odd = j % 2 == 1;
      const int in_row = spec.count - (is_odd && spec.is_shorter ? 1 : 0);
      for (int i = 0; i < in_row; ++i) {
        BodyPlace place;
        place.turn = Eigen::Quaterniond(Eigen::AngleAxisd(i * spec.turn, spec.axis));
        place.turns_velocity = true;
        place.shift_m = spec.at_m - place.turn * spec.at_m + i * spec.shift_m + j * spec.row_shift_m +
                        k * spec.layer_shift_m + (is_odd ? spec.stagger_m : Vec3(Vec3::Zero()));
        result.places.push_back(place);
      }
    }
  }
  return result;
}

}  // namespace freeplay::model
