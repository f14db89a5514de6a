#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "freeplay/core/error.h"
#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/panels/plot_panels.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/rows/channel_roles.h"
#include "freeplay/report/rows/impulse_units.h"

namespace freeplay::report {

namespace {

constexpr std::size_t kMostStemCurves = 6;  // more would not be told apart
constexpr std::size_t kExactStems = 20000;
constexpr int kStemColumns = 2000;  // more than the pixels of a figure of full width on paper
constexpr std::int64_t kImpactsPerBlock = 8192;
constexpr std::size_t kMostStemNameCharacters = 32;

// The stems of one curve: all while they are few, then the longest of each column of time; the others stand behind it.
// Memory does not grow with the number of impacts.
class StemColumns {
 public:
  explicit StemColumns(ValueRange time) : time_(time) {}
  void add(const PlotPoint& stem) {
    if (is_gap(stem)) return;
    if (!longest_.empty()) return keep_longest(stem);
    exact_.push_back(stem);
    if (exact_.size() <= kExactStems) return;
    longest_.assign(kStemColumns, kCurveGap);
    for (const PlotPoint& known : exact_) keep_longest(known);
    exact_ = {};
  }
  std::vector<PlotPoint> finish() {
    if (longest_.empty()) return std::move(exact_);
    std::erase_if(longest_, is_gap);
    return std::move(longest_);
  }

 private:
  void keep_longest(const PlotPoint& stem) {
    const double length = time_.high - time_.low, part = length > 0 ? (stem.x - time_.low) / length : 0;
    PlotPoint& known = longest_[static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * (kStemColumns - 1))];
    if (is_gap(known) || std::abs(stem.y) > std::abs(known.y)) known = stem;
  }

  ValueRange time_;
  std::vector<PlotPoint> exact_, longest_;
};

bool has_any_channel(const ContactPointChannels& point) {
  for (const int channel : {point.gap, point.mode, point.normal_force, point.tangential_force, point.normal_impulse,
                            point.tangential_impulse}) {
    if (channel != kNoChannel) return true;
  }
  return has_any(point.point) || has_any(point.force);
}

// "guide_1" may be a point of "guide": for results that recorded no channel that could tell.
bool may_be_point_of(const std::string& name, const std::string& element) {
  if (!name.starts_with(element + "_")) return false;
  const std::string suffix = name.substr(element.size() + 1);
  return suffix == "lower" || suffix == "upper" ||
         (!suffix.empty() && suffix.find_first_not_of("0123456789") == std::string::npos);
}

// What a run knows about the contacts that were asked for.
struct AskedContacts {
  std::vector<std::string> units;  // of the impulse of each contact point of the result; "" if it was not asked for
  std::set<std::string> words;     // that could have been asked for
  bool any() const {
    return std::any_of(units.begin(), units.end(), [](const std::string& unit) { return !unit.empty(); });
  }
};

AskedContacts asked_contacts(const ResultReader& result, const std::string& element) {
  AskedContacts asked;
  const std::vector<ChannelInfo>& channels = result.channels();
  const std::vector<ContactPointChannels> points = find_contact_points(result.contacts(), channels);
  const auto is_meant = [&](const ContactPointChannels& point) {
    return element.empty() || point.name == element || point.contact == element;
  };
  const bool is_known = std::any_of(points.begin(), points.end(), is_meant);
  const std::vector<std::string> units = impulse_units(result, points);
  for (const ContactPointChannels& point : points) {
    asked.words.insert({point.name, point.contact});
    std::string& unit = asked.units.emplace_back();
    if (is_known ? !is_meant(point) : has_any_channel(point) || !may_be_point_of(point.name, element)) continue;
    unit = units[asked.units.size() - 1];
  }
  return asked;
}

void for_each_impact(const ResultReader& result, auto&& use) {
  std::vector<ImpactRecord> block;
  for (std::int64_t first = 0; first < result.impact_count(); first += kImpactsPerBlock) {
    block.resize(static_cast<std::size_t>(std::min(kImpactsPerBlock, result.impact_count() - first)));
    result.read_impacts(first, block);
    for (const ImpactRecord& impact : block) use(impact);
  }
}

// The stems of one run: a curve for each contact point, or one for all of them where there are many points or several
// runs.
class RunStems {
 public:
  RunStems(const std::vector<std::string>& units, bool is_alone, ValueRange time)
      : units_(units), is_alone_(is_alone), stems_of_(units.size(), nullptr) {
    for (std::size_t contact = 0; contact < units.size(); ++contact) {
      const std::string& unit = units[contact];
      if (!unit.empty())
        stems_of_[contact] = &stems_.try_emplace({unit, is_apart(unit) ? contact : 0}, time).first->second;
    }
  }

  void read(const ResultReader& result, const RowSpan& span) {
    for_each_impact(result, [&](const ImpactRecord& impact) {
      const bool is_known = impact.contact >= 0 && static_cast<std::size_t>(impact.contact) < units_.size();
      if (!is_known || !(impact.time_s >= span.from_s && impact.time_s <= span.to_s)) return;
      if (StemColumns* columns = stems_of_[static_cast<std::size_t>(impact.contact)])
        columns->add({impact.time_s, impact.normal_impulse});
    });
  }

  // use(unit, contact point, stems) for every curve; the point only where the curve has a name of its own.
  void for_each_curve(auto&& use) {
    for (auto& [key, columns] : stems_) {
      const auto& [unit, contact] = key;
      const bool is_named = is_apart(unit) && points_in(unit) > 1;
      std::vector<PlotPoint> points = columns.finish();
      if (!points.empty()) use(unit, is_named ? std::optional(contact) : std::nullopt, std::move(points));
    }
  }

 private:
  std::size_t points_in(const std::string& unit) const {
    return static_cast<std::size_t>(std::count(units_.begin(), units_.end(), unit));
  }
  bool is_apart(const std::string& unit) const { return points_in(unit) <= kMostStemCurves && is_alone_; }

  const std::vector<std::string>& units_;  // of each contact point; "" if it was not asked for
  const bool is_alone_;
  std::map<std::pair<std::string, std::size_t>, StemColumns> stems_;  // by unit and contact point, or 0 for all
  std::vector<StemColumns*> stems_of_;                                // of a contact point
};

// A panel for each unit; N s and N m s have no axis in common.
PlotPanel& panel_of(const std::string& unit, const PlotPanel& empty_panel, const std::string& element, bool is_log,
                    std::vector<PlotPanel>& panels) {
  const auto known =
      std::find_if(panels.begin(), panels.end(), [&](const PlotPanel& panel) { return panel.y.si_unit == unit; });
  if (known != panels.end()) return *known;
  PlotPanel panel = empty_panel;
  const std::string word = unit == "N m s" ? "angular impulse" : "impulse";
  panel.y = {element.empty() ? word : plain_text(element) + ", " + word, unit, {}, is_log};
  return panels.emplace_back(std::move(panel));
}

// What never hit needs no panel beside others that did.
void leave_out_empty(std::vector<PlotPanel>& panels) {
  const auto has_stems = [](const PlotPanel& panel) { return !panel.curves.empty(); };
  if (std::any_of(panels.begin(), panels.end(), has_stems))
    std::erase_if(panels, [&](const PlotPanel& panel) { return !has_stems(panel); });
  else
    panels.resize(1);
}

// What each run knows about the contacts of an element. Throws if none of them knows anything.
std::vector<AskedContacts> contacts_asked_for(const std::vector<PlotRun>& runs, const std::string& element) {
  std::vector<AskedContacts> asked;
  std::set<std::string> words;
  for (const PlotRun& run : runs) {
    asked.push_back(asked_contacts(run.result, element));
    words.merge(asked.back().words);
  }
  if (std::none_of(asked.begin(), asked.end(), [](const AskedContacts& contacts) { return contacts.any(); })) {
    throw NotInRun(
        words.empty() ? "the model has no contacts" : fmt::format("there is no contact '{}'", plain_text(element)),
        words.empty() ? "" : did_you_mean(element, {words.begin(), words.end()}));
  }
  return asked;
}

}  // namespace

std::vector<PlotPanel> PlotPanels::impacts(const std::string& element) const {
  const std::vector<AskedContacts> asked = contacts_asked_for(runs_, element);
  const bool is_alone = runs_.size() == 1;
  std::vector<PlotPanel> panels;
  const auto panel = [&](const std::string& unit) -> PlotPanel& {
    return panel_of(unit, time_panel(), element, request_.log_y, panels);
  };
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const ResultReader& result = runs_[run].result;
    for (const std::string& unit : asked[run].units) {
      if (!unit.empty()) panel(unit);
    }
    RunStems stems(asked[run].units, is_alone, time_);
    stems.read(result, spans_[run]);
    stems.for_each_curve(
        [&](const std::string& unit, std::optional<std::size_t> contact, std::vector<PlotPoint> points) {
          std::vector<PlotCurve>& curves = panel(unit).curves;
          const std::string name = !is_alone ? runs_[run].label : contact ? result.contacts()[*contact] : "";
          const int look = static_cast<int>(is_alone ? curves.size() : run);
          curves.push_back(
              {shortened(plain_text(name), kMostStemNameCharacters), std::move(points), Mark::kStem, look, false});
        });
  }
  leave_out_empty(panels);
  return panels;
}

}  // namespace freeplay::report
