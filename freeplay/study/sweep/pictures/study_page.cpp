#include "freeplay/study/sweep/pictures/study_page.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "freeplay/report/view/view_block.h"
#include "freeplay/study/dynamics/attractors.h"
#include "freeplay/study/sweep/pictures/page_choice.h"
#include "freeplay/study/sweep/statistics/sweep_statistics.h"

namespace freeplay::study {

namespace {

using PageJson = nlohmann::ordered_json;

constexpr std::size_t kMostAttractors = 256;  // more are no basins: every run has a motion of its own

std::string attribute_text(const SweepTable& table, const char* name) {
  const auto found = table.header.attributes.find(name);
  return found == table.header.attributes.end() ? "" : found->second;
}

PageJson attribute_json(const SweepTable& table, const char* name) {
  const std::string text = attribute_text(table, name);
  PageJson json = text.empty() ? PageJson() : PageJson::parse(text, nullptr, false);
  return json.is_discarded() ? PageJson() : json;
}

// Two parameters vary, both numbers, each value of one with each of the other.
bool has_grid_of_two(const SweepTable& table) {
  std::vector<std::size_t> counts;
  for (std::size_t k = 0; k < table.header.parameters.size(); ++k) {
    std::set<double> values;
    for (const SweepRow& row : table.rows) values.insert(row.values[k]);
    if (values.size() < 2) continue;
    if (!table.header.parameters[k].words.empty()) return false;
    counts.push_back(values.size());
  }
  // Samples have as many values as there are runs.
  return counts.size() == 2 && counts[0] * counts[1] <= 2 * static_cast<std::size_t>(table.header.runs);
}

class StudyPageMaker {
 public:
  StudyPageMaker(const SweepTable& table, const StudyPageOptions& options) : table_(table), options_(options) {}

  StudyPageData make() {
    choose();
    put_texts();
    put_rows();
    put_crossings();
    put_attractors();
    put_waterfalls();
    std::string header = header_.dump(-1, ' ', false, PageJson::error_handler_t::replace);
    return {view_block(std::move(header), bytes_), static_cast<std::int64_t>(rows_.size()),
            static_cast<std::int64_t>(table_.rows.size()), static_cast<std::int64_t>(crossings_.size()),
            total_crossings_};
  }

 private:
  // Half of the bytes for rows, the rest for crossings.
  void choose() {
    const SweepHeader& header = table_.header;
    const std::size_t per_row = sizeof(double) * (header.parameters.size() + header.measures.size() + 2);
    for (const SweepRow& row : table_.rows) rows_.push_back(&row);
    rows_ = rows_that_fit(table_, rows_, std::max<std::size_t>(2, options_.most_bytes / 2 / per_row));
    for (const SweepRow& row : table_.rows) total_crossings_ += static_cast<std::int64_t>(table_.crossing_count(row));
    if (header.section.empty()) return;
    const std::size_t per_crossing = sizeof(float) * header.section.size() + sizeof(std::int32_t);
    crossings_ = crossings_that_fit(table_, rows_, std::max<std::size_t>(2, options_.most_bytes / 2 / per_crossing));
  }

  void put_texts() {
    header_ = {{"freeplay_study", 1}};
    for (const auto& [key, attribute] : {std::pair{"title", "name"}, std::pair{"model_file", "model_file"},
                                         std::pair{"model_text", "model"}, std::pair{"version", "version"}})
      header_[key] = attribute_text(table_, attribute);
    header_["study"] = attribute_json(table_, "study");
    header_["sampling"] = sampling_of(table_).kind;
    header_["sensitivity"] = attribute_json(table_, "sensitivity");
    header_["worst"] = attribute_json(table_, "worst");
    header_["distributions"] = distributions_json(distributions_of(table_));
    header_["folder"] = options_.folder;
    header_["run_pages"] = options_.run_pages;
    header_["recorded"] = options_.recorded;
    header_["runs"] = table_.header.runs;
    header_["total_rows"] = table_.rows.size();
    header_["rows"] = rows_.size();
  }

  PageJson column(const std::vector<double>& values, ColumnType type) {
    const std::size_t offset = bytes_.add(values, type);
    return {{"type", column_type_name(type)}, {"offset", offset}};
  }
  PageJson named_column(const SweepColumn& of, const std::vector<double>& values, ColumnType type) {
    PageJson json = {{"name", of.name}, {"unit", of.unit}};
    if (!of.words.empty()) json["words"] = of.words;
    json.update(column(values, type));
    return json;
  }
  template <class Value>
  std::vector<double> of_rows(const Value& value) const {
    std::vector<double> values;
    values.reserve(rows_.size());
    for (const SweepRow* row : rows_) values.push_back(static_cast<double>(value(*row)));
    return values;
  }

  // Parameters keep all their digits: with them a run can be made again.
  void put_rows() {
    const SweepHeader& header = table_.header;
    header_["index"] = column(of_rows([](const SweepRow& row) { return row.index; }), ColumnType::kInt32);
    header_["status"] =
        column(of_rows([](const SweepRow& row) { return static_cast<int>(row.status); }), ColumnType::kInt32);
    header_["status_words"] = PageJson::array();
    for (const SweepStatus status : {SweepStatus::kCompleted, SweepStatus::kFailed, SweepStatus::kRefused})
      header_["status_words"].push_back(sweep_status_name(status));
    header_["warnings"] = column(of_rows([](const SweepRow& row) { return row.warnings; }), ColumnType::kInt32);
    header_["parameters"] = PageJson::array();
    header_["measures"] = PageJson::array();
    const std::size_t parameters = header.parameters.size();
    for (std::size_t k = 0; k < parameters + header.measures.size(); ++k) {
      const bool is_parameter = k < parameters;
      header_[is_parameter ? "parameters" : "measures"].push_back(
          named_column(is_parameter ? header.parameters[k] : header.measures[k - parameters],
                       of_rows([&](const SweepRow& row) { return row.values[k]; }), ColumnType::kFloat64));
    }
    put_who_ran();
    put_messages();
  }

  // Of a study by compiled code, as one more measure: a picture of where the engine had to do it.
  void put_who_ran() {
    const auto is_left = [](const SweepRow& row) { return row.is_left_to_engine(); };
    if (std::none_of(table_.rows.begin(), table_.rows.end(), is_left)) return;
    header_["measures"].push_back(named_column({"left_to_engine", "1", {}}, of_rows(is_left), ColumnType::kFloat64));
  }

  // Many runs fail, or are left to the engine, for one reason: each text once, and its number for every row.
  void put_messages() {
    std::map<std::string, std::size_t> places;
    PageJson texts = PageJson::array();
    const std::vector<double> numbers = of_rows([&](const SweepRow& row) {
      std::string text = row.message;
      if (text.empty() && row.is_left_to_engine()) text = "left to the engine: " + row.left_because;
      if (text.empty()) return -1;
      const auto [place, is_new] = places.emplace(text, places.size());
      if (is_new) texts.push_back(text);
      return static_cast<int>(place->second);
    });
    header_["messages"] = std::move(texts);
    header_["message"] = column(numbers, ColumnType::kInt32);
  }

  void put_crossings() {
    header_["total_crossings"] = total_crossings_;
    header_["crossings"] = crossings_.size();
    header_["section"] = PageJson::array();
    std::vector<double> values(crossings_.size());
    std::transform(crossings_.begin(), crossings_.end(), values.begin(),
                   [](const CrossingPlace& crossing) { return static_cast<double>(crossing.row); });
    header_["crossing_row"] = column(values, ColumnType::kInt32);
    for (std::size_t c = 0; c < table_.header.section.size(); ++c) {
      std::transform(crossings_.begin(), crossings_.end(), values.begin(),
                     [&](const CrossingPlace& crossing) { return rows_[crossing.row]->crossings[crossing.first + c]; });
      header_["section"].push_back(named_column(table_.header.section[c], values,
                                                needs_double(values) ? ColumnType::kFloat64 : ColumnType::kFloat32));
    }
  }

  // Basins are seen over two initial values: a grid of two numbers. Found from all rows and points, also where only
  // some of them are in the block.
  void put_attractors() {
    if (table_.header.section.size() < 2 || !has_grid_of_two(table_)) return;
    const Attractors found = find_attractors(table_);
    if (found.list.size() > kMostAttractors) return;
    PageJson texts = PageJson::array(), runs = PageJson::array();
    for (const Attractor& attractor : found.list) {
      texts.push_back(attractor_text(table_, attractor));
      runs.push_back(attractor.runs);
    }
    const std::vector<double> of_rows_shown =
        of_rows([&](const SweepRow& row) { return found.of_row[static_cast<std::size_t>(&row - table_.rows.data())]; });
    header_["attractors"] = {{"texts", texts}, {"runs", runs}, {"of_row", column(of_rows_shown, ColumnType::kInt32)}};
  }

  // Levels run by run, each band by band.
  void put_waterfalls() {
    if (options_.waterfalls.empty()) return;
    header_["waterfalls"] = PageJson::array();
    for (const Waterfall& waterfall : options_.waterfalls) {
      std::vector<double> levels;
      for (const std::vector<double>& run : waterfall.levels) levels.insert(levels.end(), run.begin(), run.end());
      const std::vector<double> runs(waterfall.runs.begin(), waterfall.runs.end());
      header_["waterfalls"].push_back({{"channel", waterfall.channel},
                                       {"unit", waterfall.unit},
                                       {"parameter", waterfall.parameter.name},
                                       {"slice", waterfall.slice},
                                       {"window", waterfall.window_s},
                                       {"band", waterfall.band_Hz},
                                       {"bands", waterfall.bands},
                                       {"largest", waterfall.largest},
                                       {"left_out", waterfall.left_out},
                                       {"count", waterfall.runs.size()},
                                       {"run", column(runs, ColumnType::kInt32)},
                                       {"value", column(waterfall.values, ColumnType::kFloat64)},
                                       {"level", column(levels, ColumnType::kFloat32)}});
    }
  }

  const SweepTable& table_;
  const StudyPageOptions& options_;
  std::vector<const SweepRow*> rows_;
  std::vector<CrossingPlace> crossings_;
  std::int64_t total_crossings_ = 0;
  PageJson header_;
  ColumnBytes bytes_;
};

}  // namespace

StudyPageData make_study_page(const SweepTable& table, const StudyPageOptions& options) {
  return StudyPageMaker(table, options).make();
}

}  // namespace freeplay::study
