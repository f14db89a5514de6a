#include "freeplay/study/sweep/worst_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/study/search/box_search.h"
#include "freeplay/study/sweep/sweep_identity.h"
#include "freeplay/study/sweep/workers/parallel.h"

namespace freeplay::study {

namespace {

namespace fs = std::filesystem;

constexpr const char* kWorstHint =
    "write --worst max:NAME or min:NAME, with the name of a measure; max:NAME:5000 runs longer";

[[noreturn]] void refuse_worst(const std::string& message, const std::string& hint) {
  throw ModelError({Diagnostic{{"--worst", 0, 0}, "", message, hint, {}}});
}

class WorstCaseSearch {
 public:
  WorstCaseSearch(const SweepPlan& plan, const SweepOptions& options, const SweepHooks& hooks)
      : goal_(parse_worst_case(plan.worst)), runner_(plan), options_(options), hooks_(hooks) {
    if (options_.part || (hooks_.ranks != nullptr && hooks_.ranks->size() > 1))
      refuse_worst("a search runs in one process, since its next runs depend on the last ones",
                   "leave out --part and mpirun; --workers says on how many cores");
    const std::vector<SweepColumn>& measures = runner_.header().measures;
    const auto measure = std::find_if(measures.begin(), measures.end(),
                                      [&](const SweepColumn& column) { return column.name == goal_.measure; });
    if (measure == measures.end()) {
      std::vector<std::string> known;
      for (const SweepColumn& column : measures) known.push_back(column.name);
      refuse_worst(fmt::format("nothing measures '{}'", goal_.measure), did_you_mean(goal_.measure, known));
    }
    column_ = runner_.header().parameters.size() + static_cast<std::size_t>(measure - measures.begin());
    outcome_.file = options_.out / kSweepFileName;
    outcome_.progress.runs = goal_.most_runs;
  }

  SweepOutcome run() {
    const auto start = std::chrono::steady_clock::now();
    take_earlier_rows();
    SweepHeader header = runner_.header();
    header.runs = goal_.most_runs;
    SweepWriter writer(outcome_.file, header, earlier_rows());
    if (hooks_.begins) hooks_.begins();
    BoxSearchOptions search;
    search.nominal = runner_.nominal_place();
    search.most_points = goal_.most_runs;
    search.seed = runner_.points().sampling().seed;
    const BoxOptimum found =
        search_box(search, [&](const std::vector<BoxPoint>& points) { return values_of(points, writer); });
    writer.close();
    outcome_.backend_note = runner_.backend_note();
    outcome_.was_interrupted = hooks_.stop_requested != nullptr && hooks_.stop_requested->load() && !found.is_converged;
    outcome_.table.header = header;
    outcome_.table.rows = std::move(rows_);
    if (!outcome_.was_interrupted) finish(found);
    outcome_.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(outcome_);
  }

 private:
  void take_earlier_rows() {
    std::error_code error;
    if (!fs::exists(outcome_.file, error)) {
      if (options_.must_exist) throw IoError(fmt::format("there is no {} to go on with", outcome_.file.string()));
      return;
    }
    SweepTable table = read_sweep(outcome_.file);
    require_same_study(runner_.header(), table.header, outcome_.file);
    for (SweepRow& row : table.rows) earlier_[row.index] = std::move(row);
  }
  std::vector<SweepRow> earlier_rows() const {
    std::vector<SweepRow> rows;
    for (const auto& [index, row] : earlier_) rows.push_back(row);
    return rows;
  }

  // Larger is worse.
  double badness(const SweepRow& row) const {
    const double value = row.values.at(column_);
    return goal_.is_largest ? value : -value;
  }

  std::vector<double> values_of(const std::vector<BoxPoint>& points, SweepWriter& writer) {
    const std::size_t first = rows_.size();
    std::vector<std::optional<SweepRow>> rows(points.size());
    std::vector<char> is_new(points.size(), 0);
    const LeaveAtOnce leave = [&](std::size_t done) {  // with what is there, for the next call
      std::vector<SweepRow> unwritten;
      for (std::size_t i = 0; i < done; ++i) {
        if (is_new[i] != 0) unwritten.push_back(*rows[i]);
      }
      try {
        writer.append(unwritten);
        writer.close();
      } catch (const IoError&) {  // a full disk, say: what had been flushed before is there for the next call
      }
      hooks_.leave();
    };
    const std::size_t done = work_in_parallel(
        points.size(), worker_count(options_.workers), hooks_.stop_requested,
        [&](std::size_t i) {
          const auto index = static_cast<std::int64_t>(first + i);
          if (const auto earlier = earlier_.find(index); earlier != earlier_.end()) {
            rows[i] = earlier->second;
            return true;
          }
          is_new[i] = 1;
          rows[i] = runner_.run_at(index, runner_.values_in_box(points[i]), hooks_.stop_requested);
          return rows[i].has_value();
        },
        hooks_.leave ? leave : LeaveAtOnce());
    std::vector<double> values;
    std::vector<SweepRow> unwritten;
    for (std::size_t i = 0; i < done; ++i) {
      values.push_back(badness(*rows[i]));
      ++outcome_.progress.done;
      if (is_new[i] == 0) ++outcome_.progress.earlier;
      if (rows[i]->status != SweepStatus::kCompleted) ++outcome_.progress.without_measures;
      if (is_new[i] != 0) unwritten.push_back(*rows[i]);
      rows_.push_back(std::move(*rows[i]));
    }
    writer.append(unwritten);
    if (hooks_.progress) hooks_.progress(outcome_.progress);
    return values;
  }

  void finish(const BoxOptimum& found) {
    SweepTable& table = outcome_.table;
    table.header.runs = static_cast<std::int64_t>(table.rows.size());
    outcome_.progress.runs = table.header.runs;
    if (!found.point.empty()) table.header.attributes["worst"] = answer(found).dump();
    write_sweep(outcome_.file, table);
  }

  nlohmann::ordered_json answer(const BoxOptimum& found) const {
    const SweepTable& table = outcome_.table;
    const auto worst = std::find_if(table.rows.begin(), table.rows.end(),
                                    [&](const SweepRow& row) { return badness(row) == found.value; });
    nlohmann::ordered_json object;
    object["goal"] = goal_.is_largest ? "max" : "min";
    object["measure"] = goal_.measure;
    object["unit"] = table.header.measures[column_ - table.header.parameters.size()].unit;
    object["value"] = worst->values[column_];
    object["nominal"] = table.rows.front().values[column_];
    object["run"] = worst->index;
    object["is_converged"] = found.is_converged;
    const std::vector<SweepAxis>& axes = runner_.points().axes();
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const double value = worst->values[k];
      object["parameters"][axes[k].name] = {{"value", value},
                                            {"nominal", table.rows.front().values[k]},
                                            {"unit", table.header.parameters[k].unit},
                                            {"from", axes[k].from},
                                            {"to", axes[k].to},
                                            {"is_at_an_end", value == axes[k].from || value == axes[k].to}};
    }
    return object;
  }

  WorstCaseGoal goal_;
  SweepRunner runner_;
  SweepOptions options_;
  const SweepHooks& hooks_;
  std::size_t column_ = 0;  // of the measure, in a row
  std::map<std::int64_t, SweepRow> earlier_;
  std::vector<SweepRow> rows_;
  SweepOutcome outcome_;
};

}  // namespace

WorstCaseGoal parse_worst_case(const std::string& text) {
  WorstCaseGoal goal;
  const std::size_t first = text.find(':');
  const std::string kind = text.substr(0, first);
  if (first == std::string::npos || (kind != "max" && kind != "min"))
    refuse_worst(fmt::format("'{}' says neither max nor min", text), kWorstHint);
  goal.is_largest = kind == "max";
  const std::size_t second = text.find(':', first + 1);
  goal.measure = text.substr(first + 1, second == std::string::npos ? second : second - first - 1);
  if (goal.measure.empty()) refuse_worst(fmt::format("'{}' names no measure", text), kWorstHint);
  if (second == std::string::npos) return goal;
  const char *begin = text.data() + second + 1, *end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(begin, end, goal.most_runs);
  constexpr std::int64_t kMost = 10'000'000;
  if (result.ec != std::errc() || result.ptr != end || goal.most_runs < 1 || goal.most_runs > kMost)
    refuse_worst(fmt::format("'{}' ends with no number of runs", text), kWorstHint);
  return goal;
}

SweepOutcome run_worst_case(const SweepPlan& plan, const SweepOptions& options, const SweepHooks& hooks) {
  return WorstCaseSearch(plan, options, hooks).run();
}

}  // namespace freeplay::study
