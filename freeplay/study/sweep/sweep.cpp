#include "freeplay/study/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "freeplay/core/error.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/study/sweep/statistics/sensitivity.h"
#include "freeplay/study/sweep/sweep_identity.h"
#include "freeplay/study/sweep/workers/rank_messages.h"
#include "freeplay/study/sweep/workers/worker_pool.h"
#include "freeplay/study/sweep/worst_case.h"

namespace freeplay::study {

namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

// A row waits no longer than this for the disk. A flush takes about a millisecond.
constexpr auto kSweepFlushInterval = std::chrono::milliseconds(500);
constexpr std::size_t kRowsPerFlush = 4096;
constexpr double kLocalWait_s = 0.1, kRanksWait_s = 0.001;
constexpr std::size_t kMostTasksAtOnce = 64;  // for another rank: a message per run would take as long as a short run

std::string part_name(const SweepPart& part) {
  return fmt::format("part-{}-of-{}.h5", part.index, part.count);
}

int default_workers(const SweepHooks& hooks) {
  if (hooks.ranks != nullptr && hooks.ranks->size() > 1) return 1;  // mpirun starts as many ranks as there are cores
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

class SweepStudy {
 public:
  SweepStudy(const SweepPlan& plan, const SweepOptions& options, const SweepHooks& hooks)
      : runner_(plan), options_(options), hooks_(hooks) {
    if (options_.workers <= 0) options_.workers = default_workers(hooks);
    outcome_.file = options_.out / (options_.part ? part_name(*options_.part) : kSweepFileName);
  }

  SweepOutcome run() {
    const Clock::time_point start = Clock::now();
    if (hooks_.ranks != nullptr && hooks_.ranks->rank() > 0) {
      work_for_rank_0();
    } else {
      collect_earlier_rows();
      run_what_is_left();
      finish();
    }
    outcome_.was_interrupted = should_stop() && outcome_.progress.done < outcome_.progress.runs;
    outcome_.backend = runner_.backend();
    outcome_.backend_note = runner_.backend_note();
    outcome_.left_to_engine = runner_.left_to_engine();
    outcome_.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(outcome_);
  }

 private:
  bool should_stop() const {
    return hooks_.stop_requested != nullptr && hooks_.stop_requested->load(std::memory_order_relaxed);
  }

  bool is_own(std::int64_t index) const {
    return !options_.part || runner_.chains().chain_of(index) % options_.part->count == options_.part->index;
  }

  void collect_earlier_rows() {
    done_.assign(static_cast<std::size_t>(runner_.chains().size()), false);
    std::error_code error;
    if (fs::exists(outcome_.file, error)) take_rows_of(outcome_.file);
    if (!options_.part && fs::is_directory(options_.out, error)) {
      for (const fs::directory_entry& entry : fs::directory_iterator(options_.out)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("part-") && name.ends_with(".h5")) parts_.push_back(entry.path());
      }
      std::sort(parts_.begin(), parts_.end());
      for (const fs::path& part : parts_) take_rows_of(part);
    }
    if (options_.must_exist && !fs::exists(outcome_.file, error) && parts_.empty())
      throw IoError(fmt::format("there is no {} to go on with", outcome_.file.string()));
    for (std::int64_t i = 0; i < runner_.chains().size(); ++i) outcome_.progress.runs += is_own(i) ? 1 : 0;
    outcome_.progress.earlier = outcome_.progress.done;
    find_what_is_missing();
  }

  // Rows of a chain come one after the other, so that those which are there are its first ones.
  void find_what_is_missing() {
    const SweepChains& chains = runner_.chains();
    for (std::int64_t chain = 0; chain < chains.count(); ++chain) {
      if (!is_own(chains.index(chain, 0))) continue;
      SweepTask task{chain, 0, {}};
      for (; task.place < chains.length(); ++task.place) {
        const std::int64_t index = chains.index(chain, task.place);
        if (!done_[static_cast<std::size_t>(index)]) break;
        if (const auto end = ends_.find(index); end != ends_.end()) task.start = end->second;
      }
      if (task.place < chains.length()) missing_.push_back(std::move(task));
    }
    ends_.clear();
  }

  void take_rows_of(const fs::path& path) {
    const SweepTable table = read_sweep(path);
    require_same_study(runner_.header(), table.header, path);
    for (const SweepRow& row : table.rows) {
      if (!is_own(row.index)) continue;
      take(row);
      if (!runner_.chains().follows()) continue;
      if (std::vector<double> end = runner_.final_state(row); !end.empty()) ends_[row.index] = std::move(end);
    }
  }

  void take(const SweepRow& row) {
    if (done_[static_cast<std::size_t>(row.index)]) return;
    done_[static_cast<std::size_t>(row.index)] = true;
    ++outcome_.progress.done;
    if (row.status != SweepStatus::kCompleted) ++outcome_.progress.without_measures;
    unwritten_.push_back(row);
  }

  void run_what_is_left() {
    std::error_code error;
    const bool is_alone = hooks_.ranks == nullptr || hooks_.ranks->size() == 1;  // nobody else waits for an answer
    if (missing_.empty() && parts_.empty() && is_alone && fs::exists(outcome_.file, error)) return;
    SweepWriter writer(outcome_.file, runner_.header(), unwritten_);
    unwritten_.clear();
    if (hooks_.begins) hooks_.begins();
    try {
      run_tasks(writer);
    } catch (...) {
      flush(writer);  // what was done is there for the next try
      writer.close();
      throw;
    }
    flush(writer);
    writer.close();
  }

  void run_tasks(SweepWriter& writer) {
    SweepTasks tasks(std::move(missing_));
    {
      const int ranks = hooks_.ranks == nullptr ? 1 : hooks_.ranks->size();
      WorkerPool pool(runner_, tasks, options_.workers, hooks_.stop_requested, ranks);
      Clock::time_point next_flush = Clock::now() + kSweepFlushInterval;
      int busy_ranks = ranks - 1;
      bool is_busy = true;
      while (is_busy || busy_ranks > 0) {
        if (is_busy)
          is_busy = take_own_rows(pool, busy_ranks > 0 ? kRanksWait_s : kLocalWait_s);
        else
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        while (busy_ranks > 0 && answer_a_rank(tasks, busy_ranks)) {
        }
        if (Clock::now() >= next_flush || unwritten_.size() >= kRowsPerFlush) {
          flush(writer);
          next_flush = Clock::now() + kSweepFlushInterval;
        }
        if (hooks_.progress) hooks_.progress(outcome_.progress);
        leave_where_steps_last(writer);
        if (failure_) static_cast<void>(tasks.take_several(tasks.left()));  // nobody begins anything more
      }
    }
    if (failure_) std::rethrow_exception(failure_);
  }

  // Of the workers of this process; false if there are no more to come. What they have failed by is told when the other
  // ranks have brought what they were about to end.
  bool take_own_rows(WorkerPool& pool, double seconds) {
    try {
      for (const SweepRow& row : pool.wait_for_rows(seconds)) take(row);
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
      return false;
    }
    return !pool.is_finished();
  }

  // Time of the clock: nothing is lost that waiting would have kept but runs that end in these moments. Other ranks
  // have sent by then what they had, and end with this one.
  void leave_where_steps_last(SweepWriter& writer) {
    if (!is_patience_at_end(std::chrono::milliseconds(800))) return;
    flush(writer);
    writer.close();
    hooks_.leave();
  }

  bool is_patience_at_end(std::chrono::milliseconds patience) {
    if (!hooks_.leave || !should_stop()) return false;
    if (!stop_seen_) stop_seen_ = Clock::now();
    return Clock::now() - *stop_seen_ >= patience;
  }

  void flush(SweepWriter& writer) {
    writer.append(unwritten_);
    unwritten_.clear();
  }

  // Takes the rows of a rank that has reported, and gives it the next points if it asks; false if none has reported.
  bool answer_a_rank(SweepTasks& tasks, int& busy_ranks) {
    const std::optional<Ranks::Message> message = hooks_.ranks->try_receive();
    if (!message) return false;
    const RankReport report = decode_report(message->bytes);
    for (const SweepRow& row : report.rows) take(row);
    if (!report.failure.empty()) {
      --busy_ranks;
      if (!failure_)
        failure_ = std::make_exception_ptr(IoError(fmt::format("rank {}: {}", message->from, report.failure)));
      return true;
    }
    if (!report.asks) return true;
    // Ever fewer at once, so that all ranks end at about the same time.
    constexpr std::size_t kRounds = 8;
    const std::size_t fair = tasks.left() / (kRounds * static_cast<std::size_t>(hooks_.ranks->size()));
    const std::size_t most = std::max(kMostTasksAtOnce, runner_.at_once());  // a GPU wants very many at once
    std::vector<SweepTask> next;
    if (!should_stop() && !failure_) next = tasks.take_several(std::clamp<std::size_t>(fair, 1, most));
    if (next.empty()) --busy_ranks;
    hooks_.ranks->send(message->from, encode_tasks(next));
    return true;
  }

  void work_for_rank_0() {
    if (hooks_.begins) hooks_.begins();
    RankReport report;
    for (;;) {
      hooks_.ranks->send(0, encode_report(report));
      if (!report.failure.empty()) return;
      report.rows.clear();
      std::vector<SweepTask> next = decode_tasks(hooks_.ranks->receive().bytes);
      if (next.empty()) return;
      SweepTasks tasks(std::move(next));
      WorkerPool pool(runner_, tasks, options_.workers, hooks_.stop_requested);
      try {
        report_while_working(pool, report);
      } catch (const std::exception& failure) {
        report.failure = failure.what();  // rank 0 tells it, when all that was done is in the file
      }
    }
  }

  // Runs may take minutes: what is done is told on the way, so that a kill loses no more than what is under way, and at
  // once when a stop is requested. The rows of the last moments stay in the report. Rank 0 ends all ranks where a step
  // lasts; it may be gone, and then this one ends itself.
  void report_while_working(WorkerPool& pool, RankReport& report) {
    Clock::time_point next_report = Clock::now() + kSweepFlushInterval;
    while (!pool.is_finished()) {
      for (SweepRow& row : pool.wait_for_rows(kLocalWait_s)) report.rows.push_back(std::move(row));
      if (is_patience_at_end(std::chrono::milliseconds(3000))) hooks_.leave();
      if (Clock::now() < next_report && !should_stop()) continue;
      next_report = Clock::now() + kSweepFlushInterval;
      if (report.rows.empty()) continue;
      hooks_.ranks->send(0, encode_report({std::move(report.rows), "", false}));
      report.rows.clear();
    }
  }

  void finish() {
    outcome_.table = read_sweep(outcome_.file);
    if (options_.part || !outcome_.table.is_complete()) return;
    if (const std::optional<Sensitivities> found = sensitivities_of(outcome_.table))
      outcome_.table.header.attributes["sensitivity"] = sensitivities_json(*found).dump();
    write_sweep(outcome_.file, outcome_.table);
    for (const fs::path& part : parts_) fs::remove(part);
  }

  SweepRunner runner_;
  SweepOptions options_;
  const SweepHooks& hooks_;
  SweepOutcome outcome_;
  std::vector<bool> done_;
  std::vector<SweepTask> missing_;
  std::map<std::int64_t, std::vector<double>> ends_;  // states in which earlier runs ended, where they are followed
  std::vector<SweepRow> unwritten_;
  std::optional<Clock::time_point> stop_seen_;
  std::vector<fs::path> parts_;
  std::exception_ptr failure_;  // of this rank or another
};

}  // namespace

SweepPart parse_sweep_part(const std::string& text) {
  SweepPart part;
  const std::size_t slash = text.find('/');
  const auto number = [&](std::size_t begin, std::size_t end, int& value) {
    const char* const last = text.data() + end;
    const std::from_chars_result result = std::from_chars(text.data() + begin, last, value);
    return result.ec == std::errc() && result.ptr == last;
  };
  if (slash == std::string::npos || !number(0, slash, part.index) || !number(slash + 1, text.size(), part.count) ||
      part.index < 0 || part.index >= part.count)
    throw ModelError({Diagnostic{{"--part", 0, 0},
                                 "",
                                 fmt::format("'{}' is no share of a study", text),
                                 "write --part 0/16 for the first of 16, up to 15/16",
                                 {}}});
  return part;
}

SweepOutcome run_sweep(const SweepPlan& plan, const SweepOptions& options, const SweepHooks& hooks) {
  if (!plan.worst.empty()) return run_worst_case(plan, options, hooks);
  const bool helps = hooks.ranks != nullptr && hooks.ranks->rank() > 0;
  try {
    return SweepStudy(plan, options, hooks).run();
  } catch (const std::exception& failure) {
    if (!helps) throw;
    // Its machine may have no GPU, or no compiler: rank 0 tells it. What is wrong in all ranks, rank 0 tells as its
    // own.
    hooks.ranks->send(0, encode_report({{}, failure.what(), true}));
    return {};
  }
}

}  // namespace freeplay::study
