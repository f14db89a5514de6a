#include "freeplay/report/findings/blows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "freeplay/report/findings/contact_times.h"
#include "freeplay/report/rows/channel_roles.h"
#include "freeplay/report/rows/impulse_units.h"

namespace freeplay::report {

namespace {

constexpr std::int64_t kBlowBlockImpacts = 8192;
constexpr double kShareOfDuration = 1e-3;  // in place of a force window

BlowRule rule_for(const ResultReader& result) {
  BlowRule rule;
  rule.window_s = force_window_of(result);
  if (rule.window_s > 0 || result.rows() == 0) return rule;
  double first = 0, last = 0;
  result.read_time(0, {&first, 1});
  result.read_time(result.rows() - 1, {&last, 1});
  rule.window_s = kShareOfDuration * (last - first);
  return rule;
}

}  // namespace

double force_window_of(const ResultReader& result) {
  const auto found = result.attributes().find("force_window");
  if (found == result.attributes().end()) return 0;
  double window_s = 0;
  const char* end = found->second.data() + found->second.size();
  const std::from_chars_result read = std::from_chars(found->second.data(), end, window_s);
  return read.ec == std::errc() && std::isfinite(window_s) && window_s > 0 ? window_s : 0;
}

BlowGrouper::BlowGrouper(const BlowRule& rule, std::vector<std::size_t> element_of_point, HeldTest was_held)
    : rule_(rule),
      element_of_point_(std::move(element_of_point)),
      was_held_(std::move(was_held)),
      last_impact_s_(element_of_point_.size(), std::numeric_limits<double>::quiet_NaN()) {
  std::size_t elements = 0;
  for (const std::size_t element : element_of_point_) elements = std::max(elements, element + 1);
  last_blow_.assign(elements, -1);
  lately_.resize(elements);
}

double BlowGrouper::hardest_lately(std::size_t element, double time_s) {
  std::deque<Strike>& strikes = lately_[element];
  while (!strikes.empty() && time_s - strikes.front().time_s > rule_.hop_windows * rule_.window_s) strikes.pop_front();
  return strikes.empty() ? 0 : strikes.front().impulse;
}

bool BlowGrouper::belongs_to(const Blow& blow, const ImpactRecord& impact, std::size_t point) {
  // From its beginning: a rattle whose impacts follow each other faster than the window is not one endless blow.
  if (impact.time_s - blow.time_s <= rule_.window_s) return true;
  if (impact.normal_impulse <= rule_.hop_share * hardest_lately(blow.element, impact.time_s)) return true;
  const double before_s = last_impact_s_[point];
  return before_s >= blow.time_s && was_held_ && was_held_(point, before_s, impact.time_s);
}

void BlowGrouper::add(const ImpactRecord& impact) {
  const auto point = static_cast<std::size_t>(impact.contact);
  if (impact.contact < 0 || point >= element_of_point_.size()) return;  // of a damaged table
  const std::size_t element = element_of_point_[point];
  std::int64_t& last = last_blow_[element];
  if (last < 0 || !belongs_to(blows_[static_cast<std::size_t>(last)], impact, point)) {
    last = static_cast<std::int64_t>(blows_.size());
    blows_.push_back({.element = element, .time_s = impact.time_s});
  }
  Blow& blow = blows_[static_cast<std::size_t>(last)];
  blow.end_s = impact.time_s;
  ++blow.impacts;
  blow.impulse += impact.normal_impulse;
  if (blow.impacts == 1 || impact.normal_impulse > blow.hardest) {
    blow.hardest = impact.normal_impulse;
    blow.hardest_s = impact.time_s;
  }
  blow.approach_m_s = std::max(blow.approach_m_s, -impact.normal_velocity_before);
  blow.energy_lost_J += impact.energy_lost_J;
  last_impact_s_[point] = impact.time_s;
  std::deque<Strike>& strikes = lately_[element];
  while (!strikes.empty() && strikes.back().impulse <= impact.normal_impulse) strikes.pop_back();
  strikes.push_back({impact.time_s, impact.normal_impulse});
}

Blows find_blows(const ResultReader& result) {
  Blows blows;
  blows.rule = rule_for(result);
  blows.impacts = result.impact_count();
  if (blows.impacts == 0) return blows;
  const std::vector<ContactPointChannels> points = find_contact_points(result.contacts(), result.channels());
  const std::vector<std::string> units = impulse_units(result, points);
  // A joint's stops turn while its play shifts: impulses of two units are not summed.
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  std::vector<std::size_t> element_of_point;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [place, is_new] = places.try_emplace({points[i].contact, units[i]}, blows.elements.size());
    if (is_new) {
      blows.elements.push_back(points[i].contact);
      blows.units.push_back(units[i]);
    }
    element_of_point.push_back(place->second);
  }
  const ContactTimes times(result, points);
  BlowGrouper grouper(blows.rule, std::move(element_of_point), [&](std::size_t point, double from_s, double to_s) {
    return times.was_held(point, from_s, to_s);
  });
  std::vector<ImpactRecord> block;
  for (std::int64_t first = 0; first < blows.impacts; first += kBlowBlockImpacts) {
    block.resize(static_cast<std::size_t>(std::min(kBlowBlockImpacts, blows.impacts - first)));
    result.read_impacts(first, block);
    for (const ImpactRecord& impact : block) grouper.add(impact);
  }
  blows.all = grouper.finish();
  return blows;
}

std::vector<std::size_t> hardest_blows(const Blows& blows, std::size_t most, const std::string& unit) {
  std::vector<std::size_t> order(blows.all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!unit.empty()) std::erase_if(order, [&](std::size_t i) { return blows.units[blows.all[i].element] != unit; });
  // Impulses that are no numbers come last: nothing can be compared with them.
  const auto size = [&](std::size_t i) {
    return std::isnan(blows.all[i].impulse) ? -std::numeric_limits<double>::infinity() : blows.all[i].impulse;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  if (order.size() > most) order.resize(most);
  return order;
}

}  // namespace freeplay::report
