#include "freeplay/study/compare/perturbation_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace freeplay::study {

namespace {

constexpr double kRounding = 1e-13;  // of the motion: a difference that no perturbation has made

constexpr double kSmallestRange = 1e-4;  // of the largest one of the same unit

struct Coordinate {
  const std::vector<double>*a, *b;
  double range;
};

double range_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least;
}

std::vector<Coordinate> moving(const Trace& a, const Trace& b, const std::vector<std::string>& names) {
  std::vector<Coordinate> list;
  std::map<std::string, double> largest;  // range of any coordinate, by unit
  for (const bool is_known : {false, true}) {
    for (const std::string& name : names) {
      const std::vector<double>*x = a.find(name), *y = b.find(name);
      if (x == nullptr || y == nullptr || x->empty() || y->empty()) continue;
      const auto info = std::find_if(a.channels.begin(), a.channels.end(),
                                     [&](const ChannelInfo& channel) { return channel.name == name; });
      double& most = largest[info->unit];
      // A coordinate that hardly moves beside the others would make much of nothing.
      const double range = std::max(range_of(*x), kSmallestRange * most);
      if (!is_known)
        most = std::max(most, range);
      else if (range > 0)
        list.push_back({x, y, range});
    }
  }
  return list;
}

// Slope of ln(envelope) over time.
std::optional<double> fitted_rate(const PerturbationGrowth& growth) {
  double n = 0, st = 0, sy = 0, stt = 0, sty = 0;
  for (std::size_t i = 0; i < growth.time.size(); ++i) {
    if (!(growth.envelope[i] > 0) || growth.envelope[i] > kPartedDifference) continue;
    const double t = growth.time[i], y = std::log(growth.envelope[i]);
    n += 1;
    st += t;
    sy += y;
    stt += t * t;
    sty += t * y;
  }
  const double denominator = n * stt - st * st;
  if (n < 3 || !(denominator > 0)) return {};
  return (n * sty - st * sy) / denominator;
}

}  // namespace

std::string perturbation_text(const PerturbationGrowth& growth) {
  return fmt::format("1e{:.0f}", std::log10(growth.perturbation));
}

PerturbationGrowth perturbation_growth(const Trace& reference, const Trace& twin,
                                       const std::vector<std::string>& coordinates) {
  PerturbationGrowth growth;
  const std::vector<Coordinate> list = moving(reference, twin, coordinates);
  const std::vector<double>& time = reference.time;
  if (list.empty() || time.empty() || twin.time.empty()) return growth;
  double envelope = 0;
  for (std::size_t i = 0; i < time.size() && time[i] <= twin.time.back(); ++i) {
    const bool is_row_of_both = std::binary_search(twin.time.begin(), twin.time.end(), time[i]);
    double difference = 0;
    for (const Coordinate& c : list) {
      const double d = std::abs((*c.a)[i] - value_at(twin.time, *c.b, time[i]));
      // Where the steps of the two differ, a straight line between rows is off by about what the same line makes of the
      // reference's own rows.
      double hidden = 0;
      if (!is_row_of_both && i > 0 && i + 1 < time.size()) {
        const double w = (time[i] - time[i - 1]) / (time[i + 1] - time[i - 1]);
        hidden = 2 * std::abs((*c.a)[i] - (*c.a)[i - 1] - w * ((*c.a)[i + 1] - (*c.a)[i - 1]));
      }
      if (d > hidden) difference = std::max(difference, d / c.range);
    }
    if (difference > 0) growth.differs = true;
    if (difference == 0 && growth.differs) continue;
    envelope = std::max(envelope, difference);
    growth.time.push_back(time[i]);
    growth.difference.push_back(difference);
    growth.envelope.push_back(envelope);
    if (!growth.parted_at_s && envelope >= kPartedDifference) growth.parted_at_s = time[i];
  }
  growth.largest = envelope;
  growth.differs = envelope > kRounding;
  if (!growth.differs) return growth;
  growth.rate_per_s = fitted_rate(growth);
  const auto first = std::find_if(growth.envelope.begin(), growth.envelope.end(), [](double d) { return d > 0; });
  growth.factor = envelope / *first;
  return growth;
}

}  // namespace freeplay::study
