// A Poincaré section: a motion seen only at certain instants, once per period of the drive, where an expression of its
// channels passes zero, or at impacts. A periodic motion is a few points there, a chaotic one a cloud.
//
//   every(2*pi/omega)      at all multiples of this time
//   rising(x), falling(x)  where x passes zero upwards, downwards; crossing(x): both
//   impact, guide.impact   at impacts, of all elements or of one
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/model/model.h"
#include "freeplay/simulation/measures.h"
#include "freeplay/study/dynamics/inside_of_steps.h"

namespace freeplay::study {

// Texts as on the command line.
struct SectionPlan {
  std::string at;                     // empty: no section
  std::vector<std::string> points;    // "NAME=EXPRESSION": what is noted at a crossing
  std::int64_t skip = 0;              // crossings of the transient, which are left out
  std::optional<std::int64_t> turns;  // the run ends after so many more
};

class Section {
 public:
  // Throws ModelError with the places --section and --point.
  Section(const SectionPlan& plan, const ModelSpec& spec, const Model& model);

  const std::vector<std::string>& channels() const { return program_.channels; }  // that rows must hold
  std::vector<ChannelInfo> labels() const;                                        // t, then the points
  // A section by time needs rows at the multiples of its period: steps are made to fit into it, and the end of the run
  // is that of the last turn.
  void adapt(SimulationOptions& simulate) const;
  bool is_by_time() const { return kind_ == Kind::kEvery; }
  bool is_by_zero() const { return kind_ != Kind::kEvery && kind_ != Kind::kImpact; }
  bool needs_impacts() const;                         // rows alone are not enough
  double period_s() const { return place().from_s; }  // of a section by time

  enum class Kind : std::uint8_t { kEvery, kRising, kFalling, kBoth, kImpact };
  Kind kind() const { return kind_; }
  // One function for the section, then one per point: only their expressions are used.
  const MeasureProgram& program() const { return program_; }
  std::int64_t skip() const { return skip_; }
  std::optional<std::int64_t> turns() const { return turns_; }

 private:
  friend class SectionSink;

  void read(const SectionPlan& plan, const ModelSpec& spec, const Model& model);
  const ReductionSpec& place() const { return program_.reductions.front().spec(); }
  const ReductionSpec& point(std::size_t i) const { return program_.reductions[i + 1].spec(); }
  std::size_t point_count() const { return program_.reductions.size() - 1; }

  Kind kind_ = Kind::kEvery;
  MeasureProgram program_;
  std::vector<MeasuredContact> contacts_;
  std::vector<std::string> names_;
  std::int64_t skip_ = 0;
  std::optional<std::int64_t> turns_;
};

// Notes the crossings of one run. A zero between two rows is located by `inside`, which has been told where the step
// begins that the next row ends; where that is null, and for channels that are known at rows alone, everything is a
// straight line between two rows. A jump through zero is crossed at its instant, with the values behind it; at an
// impact channels have the values of the row that ends its step.
class SectionSink final : public RecordSink {
 public:
  explicit SectionSink(const Section& section, InsideOfSteps* inside = nullptr) : section_(section), inside_(inside) {}

  void begin(const RecordLayout& layout) override;
  void row(double time_s, std::span<const double> values) override;
  void impact(const ImpactRecord& record) override;
  void end(const RunSummary& /*summary*/) override {}

  bool is_full() const { return section_.turns_ && taken_ >= *section_.turns_; }
  std::vector<double>& crossings() { return crossings_; }  // per crossing: t, then the points

 private:
  struct Impact {
    double time_s = 0;
    std::vector<double> values;  // of the points that tell of impacts
  };

  void look_for_period(double time_s);
  void look_for_zero(double time_s);
  void take(double time_s, const std::vector<double>& values);
  void take_between(double time_s, double part);
  [[nodiscard]] bool take_inside(double time_s, double y);
  [[nodiscard]] std::optional<double> zero_inside(double time_s, double y);  // variables_ are those there
  [[nodiscard]] std::optional<double> value_inside(double time_s);
  void evaluate_points();

  const Section& section_;
  InsideOfSteps* inside_;
  std::vector<int> inside_places_;  // of the channels; empty: the zero cannot be located
  std::vector<std::size_t> columns_;
  std::vector<double> variables_, impact_;
  std::vector<double> last_variables_, row_variables_;  // at the rows around a zero that is being located
  double last_s_ = 0, last_y_ = 0;
  std::vector<double> last_, now_;  // values of the points at two rows
  bool has_rows_ = false;
  std::int64_t periods_ = 0, seen_ = 0, taken_ = 0;
  std::vector<Impact> impacts_;  // of the step that the next row ends
  std::vector<double> crossings_;
};

}  // namespace freeplay::study
