#include "freeplay/report/plot/plot_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/plot/plot_geometry.h"
#include "freeplay/report/rows/channel_roles.h"

namespace freeplay::report {

namespace {

constexpr std::size_t kMostCurves = 4;
constexpr std::size_t kMostSampledChannels = 120;

bool ends_with_any(const std::string& name, const std::vector<std::string>& endings) {
  return std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) { return name.ends_with(ending); });
}

// The busiest channels with one of the endings, in the order of the file; of each body all of them, or only one.
std::vector<std::string> busiest(const std::vector<ChannelActivity>& channels, const std::vector<std::string>& endings,
                                 bool one_per_body) {
  std::vector<const ChannelActivity*> found;
  double largest = 0;
  for (const ChannelActivity& channel : channels) {
    if (!ends_with_any(channel.name, endings)) continue;
    found.push_back(&channel);
    largest = std::max(largest, channel.range);
  }
  constexpr double kStill = 1e-6;  // of the largest: rounding, or a body that hardly moves
  if (one_per_body) {
    std::map<std::string, const ChannelActivity*> best;
    for (const ChannelActivity* channel : found) {
      const ChannelActivity*& known = best[channel->name.substr(0, channel->name.rfind('.'))];
      if (known == nullptr || channel->range > known->range) known = channel;
    }
    std::erase_if(found, [&](const ChannelActivity* channel) {
      return best[channel->name.substr(0, channel->name.rfind('.'))] != channel;
    });
  }
  constexpr double kNothing = 1e-12;  // rad/s or m/s: rounding, however little else there is to see
  const double least = std::max(kStill * largest, kNothing);
  std::erase_if(found, [&](const ChannelActivity* channel) { return !(channel->range > least); });
  std::vector<const ChannelActivity*> ranked = found;
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto* a, const auto* b) { return a->range > b->range; });
  if (ranked.size() > kMostCurves) ranked.resize(kMostCurves);
  std::vector<std::string> names;
  for (const ChannelActivity* channel : found) {
    if (std::find(ranked.begin(), ranked.end(), channel) != ranked.end()) names.push_back(channel->name);
  }
  return names;
}

// A few blocks of rows: enough to see what moves, however long the file.
ValueRange sampled_values(const ResultReader& result, const std::string& name) {
  constexpr std::int64_t kBlocks = 5, kBlockRows = 200;
  double low = INFINITY, high = -INFINITY;
  std::array<double, kBlockRows> values;
  for (std::int64_t block = 0; block < kBlocks; ++block) {
    const std::int64_t count = std::min(kBlockRows, result.rows());
    const std::int64_t first = (result.rows() - count) * block / (kBlocks - 1);
    const std::span<double> read = std::span(values).first(static_cast<std::size_t>(count));
    result.read_channel(name, first, read);
    for (const double value : read) {
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    }
  }
  return high >= low ? ValueRange{low, high} : ValueRange{};
}

double sampled_range(const ResultReader& result, const std::string& name) {
  const ValueRange values = sampled_values(result, name);
  return values.high - values.low;
}

// Of joints, that is; forces of contacts alone may be hundreds. A joint that never carries anything, such as a level
// guide without gravity, is no reason for a panel.
bool has_forces_of_joints(const ResultReader& result) {
  const std::vector<PlotJoint> joints = plot_geometry(result).joints;
  const auto has_channel = [&](const std::string& name) {
    return std::any_of(result.channels().begin(), result.channels().end(),
                       [&](const ChannelInfo& channel) { return channel.name == name; });
  };
  const auto carries = [&](const std::string& name) {
    const ValueRange values = sampled_values(result, name);
    return values.low != 0 || values.high != 0;
  };
  return std::any_of(joints.begin(), joints.end(), [&](const PlotJoint& joint) {
    const std::string x = joint.name + ".force_x", y = joint.name + ".force_y", z = joint.name + ".force_z";
    return has_channel(x) && has_channel(y) && (carries(x) || carries(y) || (has_channel(z) && carries(z)));
  });
}

SheetFacts sheet_facts(const ResultReader& result) {
  SheetFacts facts;
  std::size_t sampled = 0;
  for (const ChannelInfo& channel : result.channels()) {
    const bool is_velocity = channel.unit == "rad/s" || channel.unit == "m/s";
    const bool is_sampled = is_velocity && !channel.name.starts_with("step.") && sampled++ < kMostSampledChannels;
    facts.channels.push_back({channel.name, channel.unit, is_sampled ? sampled_range(result, channel.name) : 0});
  }
  std::set<std::string> journals;
  for (const PlotJoint& joint : plot_geometry(result).joints) {
    if (joint.model == "clearance" && has_round_play(joint.type)) journals.insert(joint.name);
  }
  std::set<std::string> seen;
  for (const ChannelInfo& channel : result.channels()) {
    const std::size_t dot = channel.name.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string element = channel.name.substr(0, dot), rest = channel.name.substr(dot + 1);
    if (rest == "eccentricity_x" && journals.contains(element)) facts.journals.push_back(element);
    if ((rest == "gap" || rest.starts_with("gap_")) && !journals.contains(element) && seen.insert(element).second)
      facts.touching.push_back(element);
  }
  facts.has_impacts = result.impact_count() > 0;
  facts.has_forces = has_forces_of_joints(result);
  return facts;
}

void merge_names(std::vector<std::string>& known, const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  }
}

// Of runs that differ whatever some of them has; each panel then shows the runs that have it.
SheetFacts sheet_facts(const std::vector<PlotRun>& runs) {
  SheetFacts all;
  std::map<std::string, std::size_t> place, count;
  for (const PlotRun& run : runs) {
    const SheetFacts facts = sheet_facts(run.result);
    for (const ChannelActivity& channel : facts.channels) {
      const auto [known, is_new] = place.try_emplace(channel.name, all.channels.size());
      if (is_new) all.channels.push_back(channel);
      ChannelActivity& merged = all.channels[known->second];
      merged.range = std::max(merged.range, channel.range);
      ++count[channel.name];
    }
    merge_names(all.journals, facts.journals);
    merge_names(all.touching, facts.touching);
    all.has_impacts = all.has_impacts || facts.has_impacts;
    all.has_forces = all.has_forces || facts.has_forces;
  }
  // Velocities to compare come before those that a single run has.
  const auto is_common = [&](const ChannelActivity& channel) { return count[channel.name] == runs.size(); };
  const bool can_compare = std::any_of(all.channels.begin(), all.channels.end(), [&](const ChannelActivity& channel) {
    return is_common(channel) && channel.range > 0;
  });
  for (ChannelActivity& channel : all.channels) {
    if (can_compare && !is_common(channel)) channel.range = 0;
  }
  return all;
}

// 0 if a run has force laws, under which what sinks in is what carries.
double sunk_in(const std::vector<PlotRun>& runs) {
  double most_m = 0;
  for (const PlotRun& run : runs) {
    if (mode_meaning(run.result) == ModeMeaning::kContact) return 0;
    if (run.result.summary()) most_m = std::max(most_m, run.result.summary()->max_penetration_m);
  }
  return most_m;
}

double largest_peak(const std::vector<PlotRun>& runs) {
  double largest_N = 0;
  for (const PlotRun& run : runs) {
    if (!run.result.summary()) continue;
    for (const PeakForce& peak : run.result.summary()->peak_forces) {
      if (peak.unit == "N") largest_N = std::max(largest_N, peak.value);
    }
  }
  return largest_N;
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return digits;
}

std::string with_unit(double value, const char* si_unit) {
  const AxisUnit unit = choose_axis_unit(si_unit, std::abs(value));
  return fmt::format("{:.3g} {}", value / unit.size, unit.text);
}

}  // namespace

SheetPlan plan_sheet(const SheetFacts& facts) {
  SheetPlan plan;
  const auto has = [&](const std::string& ending) {
    return std::any_of(facts.channels.begin(), facts.channels.end(),
                       [&](const auto& c) { return c.name.ends_with(ending); });
  };
  plan.angular = busiest(facts.channels, {".omega", ".omega_x", ".omega_y", ".omega_z"}, false);
  plan.linear = busiest(facts.channels, {".vx", ".vy", ".vz"}, false);
  if (plan.linear.size() == kMostCurves) plan.linear = busiest(facts.channels, {".vx", ".vy", ".vz"}, true);
  // A system given as code, or a short `record:`, has rates of coordinates only.
  if (plan.angular.empty() && plan.linear.empty()) {
    for (const ChannelActivity& channel : facts.channels) {
      const bool is_rate = channel.unit == "rad/s" || (channel.unit == "m/s" && !channel.name.starts_with("step."));
      auto& group = channel.unit == "rad/s" ? plan.angular : plan.linear;
      if (is_rate && channel.range > 0 && group.size() < kMostCurves) group.push_back(channel.name);
    }
  }
  if (!facts.journals.empty()) plan.journal = facts.journals.front();
  if (!facts.touching.empty()) plan.gaps = facts.touching.front();
  plan.has_modes = std::any_of(facts.channels.begin(), facts.channels.end(), [](const ChannelActivity& channel) {
    const std::string rest = channel.name.substr(channel.name.rfind('.') + 1);
    return rest == "mode" || rest.starts_with("mode_");
  });
  plan.has_impacts = facts.has_impacts;
  plan.has_forces = facts.has_forces;
  plan.has_energy = has("energy.kinetic") || has("energy.total");
  plan.has_drift = has("energy.drift");
  plan.has_steps = has("step.size") || has("step.residual");
  return plan;
}

bool tells_of_gaps(const PlotPanel& panel, double sunk_in_m) {
  constexpr double kRounding_m = 1e-9, kSame = 1e-6;  // kSame: of the largest value
  return std::any_of(panel.curves.begin(), panel.curves.end(), [&](const PlotCurve& curve) {
    if (curve.is_frame) return false;
    double low = INFINITY, high = -INFINITY;
    for (const PlotPoint& point : curve.points) {
      if (std::isfinite(point.y)) low = std::min(low, point.y), high = std::max(high, point.y);
    }
    const bool varies = high - low > std::max(kRounding_m, kSame * std::max(std::abs(low), std::abs(high)));
    return varies && (sunk_in_m == 0 || high > sunk_in_m);
  });
}

bool tells_of_forces(const PlotPanel& panel, double peak_N) {
  constexpr double kRounding = 1e-9;
  return std::any_of(panel.curves.begin(), panel.curves.end(), [&](const PlotCurve& curve) {
    return std::any_of(curve.points.begin(), curve.points.end(),
                       [&](const PlotPoint& point) { return point.y > kRounding * peak_N; });
  });
}

PlotFigure make_sheet(const PlotPanels& panels) {
  const ResultReader& result = panels.runs().front().result;
  const SheetPlan plan = plan_sheet(sheet_facts(panels.runs()));
  constexpr auto kWhereRecorded = PlotPanels::Lacking::kIsLeftOut;
  PlotFigure figure;
  figure.columns = 2;
  const auto add = [&](PlotPanel panel, const std::string& title) {
    if (panel.title.empty()) panel.title = title;
    figure.panels.push_back(std::move(panel));
  };
  if (!plan.angular.empty()) add(panels.history(plan.angular, kWhereRecorded), "");
  if (!plan.linear.empty()) add(panels.history(plan.linear, kWhereRecorded), "");
  if (!plan.journal.empty()) {
    add(panels.orbit(plan.journal).front(), plain_text(plan.journal) + ": journal in its clearance");
    figure.panels.back().y.name = "y", figure.panels.back().x.name = "x";
  }
  const std::optional<std::string> bent = panels.runs().size() == 1 ? first_bent_body(result) : std::nullopt;
  if (bent) {
    for (PlotPanel& panel : panels.bend(*bent)) add(std::move(panel), "");
  }
  if (!plan.gaps.empty()) {
    PlotPanel gaps = panels.gaps(plan.gaps);
    if (tells_of_gaps(gaps, sunk_in(panels.runs()))) add(std::move(gaps), "");
  }
  if (plan.has_modes) {
    PlotPanel modes = panels.modes("");
    constexpr std::size_t kMostRows = 8;  // of a panel of this height
    if (modes.rows.size() > kMostRows) {
      modes.title = fmt::format("the first {} of {} contact points", kMostRows, modes.rows.size());
      modes.rows.resize(kMostRows);
      std::erase_if(modes.bars, [](const PlotBar& bar) { return bar.row >= static_cast<int>(kMostRows); });
    }
    // Contacts that strike and never last have no bars: their blows have a panel of their own.
    if (!modes.bars.empty()) add(std::move(modes), "contact modes");
  }
  if (plan.has_forces) {
    PlotPanel forces = panels.forces("");
    if (tells_of_forces(forces, largest_peak(panels.runs()))) add(std::move(forces), "");
  }
  if (plan.has_impacts) {
    for (PlotPanel& panel : panels.blows("")) add(std::move(panel), "");
  }
  if (plan.has_energy) add(panels.energy_overview(), "");
  if (plan.has_drift) add(panels.history({"energy.drift"}, kWhereRecorded), "");
  if (plan.has_steps) {
    // The size where it varies; else it says nothing, and the residual shows how well the steps were solved.
    std::vector<PlotPanel> steps = panels.steps();
    const auto varies = [](const PlotPanel& panel) {
      const std::vector<PlotPoint>& points = panel.curves.front().points;
      return std::any_of(points.begin(), points.end(),
                         [&](const PlotPoint& p) { return std::abs(p.y - points.front().y) > 1e-6 * std::abs(p.y); });
    };
    const auto size =
        std::find_if(steps.begin(), steps.end(), [](const PlotPanel& p) { return p.y.name == "step.size"; });
    const auto residual =
        std::find_if(steps.begin(), steps.end(), [](const PlotPanel& p) { return p.y.name == "step.residual"; });
    const auto chosen = size != steps.end() && (varies(*size) || residual == steps.end()) ? size : residual;
    const bool says_something =
        chosen != steps.end() && (chosen == size || chosen->y.log);  // or no residual is above zero
    if (says_something) add(std::move(*chosen), "");
  }
  if (figure.panels.empty()) {  // whatever there is
    std::vector<std::string> first;
    for (const ChannelInfo& channel : result.channels()) {
      if (first.size() < kMostCurves) first.push_back(channel.name);
    }
    figure.panels = panels.histories(first, kWhereRecorded);
  }
  figure.subtitle = summary_line(result);
  return figure;
}

std::string summary_line(const ResultReader& result) {
  std::vector<std::string> parts = {attribute(result, "integrator")};
  if (!result.contacts().empty() && !attribute(result, "solver").empty())
    parts.back() += ", " + attribute(result, "solver");
  if (const std::string overrides = attribute(result, "overrides"); overrides != "[]" && !overrides.empty()) {
    const auto list = nlohmann::json::parse(overrides, nullptr, false);
    if (list.is_array()) {
      for (const auto& text : list) {
        if (text.is_string()) parts.push_back(text.get<std::string>());
      }
    }
  }
  const std::optional<RunSummary>& summary = result.summary();
  if (!summary) {
    parts.emplace_back(result.status());
  } else {
    if (summary->status != RunStatus::kCompleted) parts.emplace_back(result.status());
    const auto counted = [](std::int64_t count, const char* one, const char* many) {
      return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
    };
    parts.push_back(counted(summary->steps, "step", "steps"));
    if (summary->impacts > 0) parts.push_back(counted(summary->impacts, "impact", "impacts"));
    if (summary->contacts_begun > 0)
      parts.push_back(counted(summary->contacts_begun, "contact began", "contacts began"));
    if (summary->max_penetration_m > 0)
      parts.push_back("penetration up to " + with_unit(summary->max_penetration_m, "m"));
    if (!result.contacts().empty())
      parts.push_back("residual up to " + fmt::format("{:.2g} m/s", summary->worst_residual_m_s));
    parts.push_back("energy drift " + with_unit(summary->energy_drift_J, "J"));
  }
  return plain_text(fmt::format("{}", fmt::join(parts, "; ")));
}

}  // namespace freeplay::report
