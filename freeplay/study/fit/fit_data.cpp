#include "freeplay/study/fit/fit_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "freeplay/core/error.h"
#include "freeplay/io/tables/csv_table.h"
#include "freeplay/math/expressions/expression.h"

namespace freeplay::study {

namespace {

constexpr std::size_t kFewestTimes = 2;

class FitDataReader {
 public:
  FitDataReader(const std::filesystem::path& path, const std::vector<ChannelInfo>& known) : path_(path), known_(known) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw IoError(fmt::format("{} cannot be read", path.string()));
    table_ = read_csv_table(text.str());
    if (!table_.ok()) refuse(0, table_.message, table_.hint);
  }

  FitData read(const std::vector<std::string>& wanted) {
    read_times();
    for (const CsvColumn& column : table_.columns) {
      if (&column != time_ && (wanted.empty() || contains(wanted, column.name))) read_series(column);
    }
    for (const std::string& name : wanted) {
      if (table_.find(name) == nullptr)
        refuse(0, fmt::format("has no column '{}'", name), did_you_mean(name, table_.names()));
    }
    if (data_.series.empty())
      refuse(0, "has no column with a channel", "give one the name of a channel: `freeplay info MODEL` lists them");
    return std::move(data_);
  }

 private:
  [[noreturn]] void refuse(int line, const std::string& message, const std::string& hint) const {
    throw ModelError({Diagnostic{{path_.string(), line, line > 0 ? 1 : 0}, "", message, hint, {}}});
  }
  static bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  // How many SI units one unit of the column is.
  double unit_of(const CsvColumn& column, const std::string& si_unit) const {
    const auto one = [](const std::string& unit) { return parse_quantity(unit == "1" ? "1" : "1 " + unit); };
    if (column.unit.empty()) return 1;
    try {
      const Quantity given = one(column.unit);
      if (given.dimension == one(si_unit).dimension) return given.value;
    } catch (const ExpressionError&) {
      // told below
    }
    refuse(1, fmt::format("column '{}': [{}] is no unit for it", column.name, column.unit),
           fmt::format("write a unit like {}", si_unit));
  }

  void read_times() {
    for (const char* name : {"time", "t"}) {
      if (time_ == nullptr) time_ = table_.find(name);
    }
    if (time_ == nullptr) refuse(1, "has no column 'time'", "give the column with the times this name");
    const double unit = unit_of(*time_, "s");
    for (std::size_t i = 0; i < time_->values.size(); ++i) {
      const double t = time_->values[i] * unit;
      const int line = table_.lines[i];
      if (!std::isfinite(t)) refuse(line, "its time is no number", "");
      if (t < 0)
        refuse(line, fmt::format("its time, {:.9g} s, lies before the start of a run", t), "a run starts at 0 s");
      if (i > 0 && !(t > data_.times_s.back()))
        refuse(line, "its time is not later than the one before", "sort the lines");
      data_.times_s.push_back(t);
    }
    if (data_.times_s.size() < kFewestTimes) refuse(0, "has fewer than two lines of numbers", "");
  }

  void read_series(const CsvColumn& column) {
    const auto channel =
        std::find_if(known_.begin(), known_.end(), [&](const ChannelInfo& info) { return info.name == column.name; });
    if (channel == known_.end()) {
      std::vector<std::string> names;
      for (const ChannelInfo& info : known_) names.push_back(info.name);
      refuse(1, fmt::format("column '{}' is no channel of the model", column.name),
             did_you_mean(column.name, names) + "; --channels says which columns count");
    }
    FitSeries series{channel->name, channel->unit, {}, {}};
    const double unit = unit_of(column, channel->unit);
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      if (std::isnan(column.values[i])) continue;  // a gap in the record
      if (std::isinf(column.values[i]))
        refuse(table_.lines[i], fmt::format("'{}' is infinite", column.name), "write nan");
      series.time_s.push_back(data_.times_s[i]);
      series.values.push_back(column.values[i] * unit);
    }
    if (series.values.size() < kFewestTimes)
      refuse(1, fmt::format("column '{}' has fewer than two numbers", column.name), "");
    data_.series.push_back(std::move(series));
  }

  const std::filesystem::path& path_;
  const std::vector<ChannelInfo>& known_;
  CsvTable table_;
  const CsvColumn* time_ = nullptr;
  FitData data_;
};

}  // namespace

double FitData::grid_s() const {
  constexpr double kRounding = 1e-4;  // of a step: what a file with few digits may be off
  const double first = times_s.front(), step = (times_s.back() - first) / static_cast<double>(times_s.size() - 1);
  const auto is_multiple = [&](double t) { return std::abs(t / step - std::round(t / step)) < kRounding; };
  return std::all_of(times_s.begin(), times_s.end(), is_multiple) ? step : 0;
}

FitData read_fit_data(const std::filesystem::path& path, const std::vector<ChannelInfo>& known,
                      const std::vector<std::string>& wanted) {
  return FitDataReader(path, known).read(wanted);
}

}  // namespace freeplay::study
