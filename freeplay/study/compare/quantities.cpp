#include "freeplay/study/compare/quantities.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "freeplay/study/compare/impact_matching.h"

namespace freeplay::study {

namespace {

using Evaluate = std::function<std::optional<double>(const StudyRun&, double end_s)>;

std::optional<double> over_channel(const StudyRun& run, const std::string& channel, double end_s,
                                   double (*what)(const std::vector<double>&, const std::vector<double>&, double)) {
  const std::vector<double>* values = run.trace.find(channel);
  if (values == nullptr || values->empty()) return {};
  const double result = what(run.trace.time, *values, end_s);
  return std::isfinite(result) ? std::optional<double>(result) : std::nullopt;
}

std::size_t rows_until(const std::vector<double>& time, double end_s) {
  const std::size_t rows = static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), end_s) - time.begin());
  return std::max<std::size_t>(rows, 1);
}
double least_until(const std::vector<double>& time, const std::vector<double>& values, double end_s) {
  return *std::min_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rows_until(time, end_s)));
}
double most_until(const std::vector<double>& time, const std::vector<double>& values, double end_s) {
  return *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rows_until(time, end_s)));
}

class Table {
 public:
  Table(const std::vector<const StudyRun*>& runs, std::size_t reference, const std::vector<double>& until_s)
      : runs_(runs), reference_(reference), until_s_(until_s) {}

  void add(std::string group, std::string name, std::string unit, const Evaluate& evaluate, double scale = 0) {
    ComparedQuantity quantity{std::move(group), std::move(name), std::move(unit), {}, scale, {}, false};
    double least = 0, most = 0;
    int count = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      QuantityValue value;
      if (runs_[i]->has_data()) {
        value.whole = evaluate(*runs_[i], runs_[i]->summary.time_s);
        value.before = evaluate(*runs_[i], until_s_[i]);
        value.reference_before = evaluate(*runs_[reference_], until_s_[i]);
      }
      if (value.whole) {
        least = count == 0 ? *value.whole : std::min(least, *value.whole);
        most = count == 0 ? *value.whole : std::max(most, *value.whole);
        quantity.scale = std::max(quantity.scale, std::abs(*value.whole));
        ++count;
      }
      quantity.values.push_back(value);
    }
    if (count == 0) return;
    if (quantity.group != "numerics" && count > 1) {
      quantity.spread = quantity.scale > 0 ? (most - least) / quantity.scale : 0;
      quantity.agrees = *quantity.spread <= kAgreement;
    }
    if (quantity.scale > 0) list_.push_back(std::move(quantity));
  }

  // What the runs have in common of a channel: its range, to which differences of its mean and extremes are relative.
  void add_channel(const std::string& channel) {
    double range = 0;
    std::string unit;
    for (const StudyRun* run : runs_) {
      const std::vector<double>* values = run->trace.find(channel);
      if (values == nullptr || values->empty()) continue;
      const auto [least, most] = std::minmax_element(values->begin(), values->end());
      if (std::isfinite(*most - *least)) range = std::max(range, *most - *least);
      for (const ChannelInfo& info : run->trace.channels) {
        if (info.name == channel) unit = info.unit == "1" ? "" : info.unit;
      }
    }
    const auto of = [&](double (*what)(const std::vector<double>&, const std::vector<double>&, double)) {
      return [channel, what](const StudyRun& run, double end_s) { return over_channel(run, channel, end_s, what); };
    };
    add("motion", channel + ", mean", unit, of(&mean_until), range);
    add("motion", channel + ", smallest", unit, of(&least_until), range);
    add("motion", channel + ", largest", unit, of(&most_until), range);
  }

  std::vector<ComparedQuantity> take() { return std::move(list_); }

 private:
  const std::vector<const StudyRun*>& runs_;
  std::size_t reference_;
  const std::vector<double>& until_s_;
  std::vector<ComparedQuantity> list_;
};

Evaluate at_end(const char* channel) {
  return [channel](const StudyRun& run, double end_s) -> std::optional<double> {
    const std::vector<double>* values = run.trace.find(channel);
    if (values == nullptr || values->empty()) return {};
    return value_at(run.trace.time, *values, end_s);
  };
}

// Sum or largest of something over the impacts up to the end, held contacts counted once.
Evaluate over_impacts(const std::function<double(double sum, const ImpactRecord&)>& add) {
  return [add](const StudyRun& run, double end_s) -> std::optional<double> {
    double result = 0;
    for (const ImpactSequence& sequence : impact_sequences(run)) {
      for (const ImpactRecord& impact : sequence) {
        if (impact.time_s < end_s) result = add(result, impact);
      }
    }
    return result;
  };
}

void add_energies(Table& table) {
  table.add("energy", "total, at the end", "J", at_end("energy.total"));
  table.add("energy", "lost in all, at the end", "J", [](const StudyRun& run, double end_s) -> std::optional<double> {
    double sum = 0;
    for (const char* channel : {"energy.impact_loss", "energy.friction_loss", "energy.damping_loss"}) {
      sum += at_end(channel)(run, end_s).value_or(0);
    }
    return sum;
  });
  table.add("energy", "lost in impacts", "J", at_end("energy.impact_loss"));
  table.add("energy", "lost by friction", "J", at_end("energy.friction_loss"));
  table.add("energy", "lost in dampers", "J", at_end("energy.damping_loss"));
  table.add("energy", "put in", "J", at_end("energy.input"));
}

std::vector<double> integral_of(const std::vector<double>& time, const std::vector<double>& values) {
  std::vector<double> integral(time.size(), 0.0);
  for (std::size_t i = 1; i < time.size(); ++i)
    integral[i] = integral[i - 1] + (time[i] - time[i - 1]) * (values[i] + values[i - 1]) / 2;
  return integral;
}

double largest_window(const std::vector<double>& time, const std::vector<double>& integral, double window_s,
                      double end_s) {
  double peak = 0;
  for (std::size_t i = 0; i < time.size() && time[i] <= end_s; ++i)
    peak = std::max(peak, (integral[i] - value_at(time, integral, time[i] - window_s)) / window_s);
  return peak;
}

void add_forces(const std::vector<const StudyRun*>& runs, std::size_t reference, double window_s, Table& table) {
  constexpr std::size_t kMostPoints = 8;
  std::size_t points = 0;
  for (const std::string& channel : runs[reference]->force_channels) {
    if (channel.empty() || points++ >= kMostPoints) continue;
    table.add("contact", channel + ", mean", "N",
              [channel](const StudyRun& run, double end_s) -> std::optional<double> {
                const PassedImpulse passed = passed_impulse(run, channel);
                if (passed.time.empty()) return {};
                const std::size_t last = rows_until(passed.time, end_s) - 1;
                const double span_s = passed.time[last] - passed.time[0];
                if (!(span_s > 0) || !std::isfinite(passed.impulse[last])) return {};
                return passed.impulse[last] / span_s;
              });
    table.add("contact", channel + ", peak", "N",
              [channel, window_s](const StudyRun& run, double end_s) -> std::optional<double> {
                const PassedImpulse passed = passed_impulse(run, channel);
                if (passed.time.empty()) return {};
                return largest_window(passed.time, passed.impulse, window_s, end_s);
              });
  }
}

void add_impacts(Table& table) {
  table.add("contact", "impacts, held contacts once", "",
            over_impacts([](double sum, const ImpactRecord&) { return sum + 1; }));
  table.add("contact", "fastest approach", "m/s", over_impacts([](double most, const ImpactRecord& impact) {
              return std::max(most, -impact.normal_velocity_before);
            }));
  table.add("contact", "impulse of all impacts", "N s",
            over_impacts([](double sum, const ImpactRecord& impact) { return sum + impact.normal_impulse; }));
}

// What the model itself wants to know of a run: a number of the whole of it.
void add_measures(const std::vector<const StudyRun*>& runs, std::size_t reference, Table& table) {
  for (const MeasuredValue& measure : runs[reference]->summary.measures) {
    table.add("measure", measure.name, measure.unit == "1" ? "" : measure.unit,
              [name = measure.name](const StudyRun& run, double end_s) -> std::optional<double> {
                if (end_s < run.summary.time_s) return {};
                for (const MeasuredValue& own : run.summary.measures) {
                  if (own.name == name && std::isfinite(own.value)) return own.value;
                }
                return {};
              });
  }
}

void add_numerics(Table& table) {
  const auto of_whole = [](double RunSummary::*member) {
    return [member](const StudyRun& run, double end_s) -> std::optional<double> {
      // Known at the end of a run only.
      return end_s < run.summary.time_s ? std::nullopt : std::optional<double>(run.summary.*member);
    };
  };
  table.add("numerics", "largest penetration", "m", of_whole(&RunSummary::max_penetration_m));
  table.add("numerics", "worst residual", "m/s", of_whole(&RunSummary::worst_residual_m_s));
  table.add("numerics", "worst acceleration residual", "m/s^2", of_whole(&RunSummary::worst_residual_m_s2));
  table.add("numerics", "worst position residual", "m", of_whole(&RunSummary::worst_position_residual_m));
  table.add("numerics", "largest energy drift", "J", of_whole(&RunSummary::max_energy_drift_J));
}

}  // namespace

double mean_until(const std::vector<double>& time, const std::vector<double>& values, double end_s) {
  double sum = 0;
  std::size_t i = 1;
  for (; i < time.size() && time[i] <= end_s; ++i) sum += (time[i] - time[i - 1]) * (values[i] + values[i - 1]) / 2;
  const double span = time[i - 1] - time[0];
  return span > 0 ? sum / span : values[0];
}

double peak_of_windows(const std::vector<double>& time, const std::vector<double>& values, double window_s,
                       double end_s) {
  return largest_window(time, integral_of(time, values), window_s, end_s);
}

PassedImpulse passed_impulse(const StudyRun& run, const std::string& force_channel) {
  const std::vector<double>* force = run.trace.find(force_channel);
  if (force == nullptr || force->empty()) return {};
  const std::vector<double>& time = run.trace.time;
  if (!run.traits.locates_events()) return {time, integral_of(time, *force)};
  const auto contact = std::find(run.force_channels.begin(), run.force_channels.end(), force_channel);
  const std::ptrdiff_t index = contact - run.force_channels.begin();
  PassedImpulse passed;
  double of_force = 0, of_impacts = 0;
  const auto add_point = [&](double t) {
    passed.time.push_back(t);
    passed.impulse.push_back(of_force + of_impacts);
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    // A contact that carries nothing at a row is open until the next one, where an event may have closed it.
    if (i > 0 && (*force)[i - 1] > 0) of_force += (time[i] - time[i - 1]) * ((*force)[i] + (*force)[i - 1]) / 2;
    add_point(time[i]);
    for (; next < run.impacts.size() && run.impacts[next].time_s <= time[i]; ++next) {
      if (run.impacts[next].contact != index) continue;
      of_impacts += run.impacts[next].normal_impulse;
      add_point(time[i]);
    }
  }
  return passed;
}

std::vector<ComparedQuantity> compare_quantities(const std::vector<const StudyRun*>& runs, std::size_t reference,
                                                 const std::vector<double>& until_s,
                                                 const std::vector<std::string>& curves, double window_s) {
  Table table(runs, reference, until_s);
  add_measures(runs, reference, table);
  add_energies(table);
  for (const std::string& curve : curves) {
    if (!curve.starts_with("energy.") && !curve.starts_with("step.")) table.add_channel(curve);
  }
  add_forces(runs, reference, window_s, table);
  add_impacts(table);
  add_numerics(table);
  return table.take();
}

}  // namespace freeplay::study
