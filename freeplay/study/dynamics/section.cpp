#include "freeplay/study/dynamics/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/core/error.h"
#include "freeplay/simulation/recording/row_recorder.h"

namespace freeplay::study {

namespace {

constexpr const char* kSectionHint =
    "write every(2*pi/omega), rising(x), falling(x), crossing(x), impact or guide.impact";
constexpr const char* kPointHint = "write --point \"x=slider.x\"";
constexpr double kSameInstant = 1e-9;  // of a period: rounding of its multiples
constexpr double kLocated = 1e-13;     // of a step: how exactly zeros within it are located
constexpr double kAtItsEnd = 1e-9;     // of a step: where it is looked at first
constexpr double kRoundings = 4;
constexpr int kMostTries = 200;
const std::string kOwnName = "--section";

std::string without_outer_blanks(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

[[noreturn]] void refuse_section(const char* option, const std::string& message, const std::string& hint) {
  throw ModelError({Diagnostic{{option, 0, 0}, "", message, hint, {}}});
}

MeasureSpec named_point(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse_section("--point", fmt::format("'{}' is not of the form NAME=EXPRESSION", text), kPointHint);
  return {without_outer_blanks(text.substr(0, equals)), fmt::format("final({})", text.substr(equals + 1))};
}

// A section is read as a measure, whose functions the user has not written.
std::string said_of_section(const std::string& message) {
  if (message.ends_with("argument of 'at' is not a time")) return "the period is not a time";
  if (message.starts_with("'at' has") || message.starts_with("'at_crossing' has"))
    return "one expression belongs between its brackets";
  return message;
}

// What the parser says of "measure.NAME", said of the option that the text came from.
[[noreturn]] void rethrow_of_section(const ModelError& error) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    const bool is_section = diagnostic.path == "measure." + kOwnName;
    diagnostic.mark = {is_section ? "--section" : "--point", 0, 0};
    diagnostic.path.clear();
    diagnostic.excerpt.clear();
    if (is_section) diagnostic.message = said_of_section(diagnostic.message);
    if (is_section && !diagnostic.hint.starts_with("did you mean")) diagnostic.hint = kSectionHint;
  }
  throw ModelError(std::move(diagnostics));
}

}  // namespace

Section::Section(const SectionPlan& plan, const ModelSpec& spec, const Model& model)
    : skip_(plan.skip), turns_(plan.turns) {
  if (plan.points.empty()) refuse_section("--point", "nothing is noted at the section", kPointHint);
  if (skip_ < 0 || (turns_ && *turns_ < 1))
    refuse_section("--section", "the numbers of --skip and --turns must not be negative", "leave them out");
  read(plan, spec, model);
  if (kind_ == Kind::kEvery && !(place().from_s > 0))
    refuse_section("--section", fmt::format("the period is {} s", place().from_s), kSectionHint);
  if (kind_ == Kind::kImpact) return;
  for (std::size_t i = 0; i < point_count(); ++i) {
    if (point(i).is_of_impacts)
      refuse_section("--point", fmt::format("'{}' tells of impacts, but the section is none", names_[i]),
                     "write --section impact");
  }
}

void Section::read(const SectionPlan& plan, const ModelSpec& spec, const Model& model) {
  const std::string text = without_outer_blanks(plan.at);
  const std::size_t open = text.find('(');
  const bool is_call = open != std::string::npos && text.ends_with(')');
  const std::string name = is_call ? without_outer_blanks(text.substr(0, open)) : text;
  const std::string argument = is_call ? text.substr(open + 1, text.size() - open - 2) : "";
  std::string as_measure = fmt::format("at_crossing(t, {}, 1)", argument);
  if (name == "every") {
    kind_ = Kind::kEvery;
    as_measure = fmt::format("at(t, {})", argument);
  } else if (name == "rising" || name == "falling" || name == "crossing") {
    kind_ = name == "rising" ? Kind::kRising : name == "falling" ? Kind::kFalling : Kind::kBoth;
  } else if (!is_call && (text == "impact" || text.ends_with(".impact"))) {
    kind_ = Kind::kImpact;
    as_measure = fmt::format("count({})", text);
  } else {
    refuse_section("--section", fmt::format("'{}' is no section", plan.at), kSectionHint);
  }
  std::vector<MeasureSpec> specs = {{kOwnName, as_measure}};
  for (const std::string& point : plan.points) {
    specs.push_back(named_point(point));
    names_.push_back(specs.back().name);
    if (names_.back() == "t" || std::count(names_.begin(), names_.end(), names_.back()) > 1)
      refuse_section("--point", fmt::format("there are two points '{}'", names_.back()), "t is there in any case");
  }
  std::vector<NamedQuantity> constants;
  for (const ModelParameter& parameter : spec.parameters) {
    if (!parameter.word) constants.push_back({parameter.name, parameter.value});
  }
  for (const ContactPoint* contact : model.contacts->descriptions())
    contacts_.push_back({contact->contact, contact->name()});
  const std::vector<ChannelInfo> known = available_channels(*model.system, *model.contacts, spec.simulate.integrator);
  try {
    program_ = parse_measures(specs, {constants, known, contacts_});
  } catch (const ModelError& error) {
    rethrow_of_section(error);
  }
  if (program_.reductions.size() != specs.size())
    refuse_section("--point", "the brackets of a point, or of the section, do not fit", kPointHint);
}

std::vector<ChannelInfo> Section::labels() const {
  std::vector<ChannelInfo> labels = {{"t", "s"}};
  for (std::size_t i = 0; i < point_count(); ++i) labels.push_back({names_[i], point(i).of.dimension().si_unit()});
  return labels;
}

void Section::adapt(SimulationOptions& simulate) const {
  if (kind_ != Kind::kEvery) return;
  const double period_s = place().from_s;
  const double wanted_s = simulate.step_s.value_or(period_s);
  simulate.step_s = period_s / std::ceil(period_s / wanted_s * (1 - kSameInstant));
  if (turns_) simulate.duration_s = static_cast<double>(skip_ + *turns_) * period_s;
}

bool Section::needs_impacts() const {
  const auto is_of_impacts = [](const Reduction& reduction) { return reduction.spec().is_of_impacts; };
  return kind_ == Kind::kImpact || std::any_of(program_.reductions.begin(), program_.reductions.end(), is_of_impacts);
}

void SectionSink::begin(const RecordLayout& layout) {
  columns_.clear();
  for (const std::string& channel : section_.channels()) {
    const auto found = std::find_if(layout.channels.begin(), layout.channels.end(),
                                    [&](const ChannelInfo& info) { return info.name == channel; });
    FREEPLAY_ASSERT(found != layout.channels.end());
    columns_.push_back(static_cast<std::size_t>(found - layout.channels.begin()));
  }
  variables_.assign(columns_.size() + 1, 0);
  inside_places_.clear();
  if (inside_ != nullptr && section_.is_by_zero()) {
    inside_places_ = inside_->places_of(section_.channels());
    for (const int variable : section_.place().crossing.variables()) {
      const bool is_time = variable == Expression::kTimeVariable;
      if (is_time || inside_places_[static_cast<std::size_t>(variable - 1)] >= 0) continue;
      inside_places_.clear();
      break;
    }
  }
  impact_.assign(impact_quantities().size() + 1, 0);
  now_.assign(section_.point_count(), 0);
  has_rows_ = false;
  periods_ = seen_ = taken_ = 0;
  impacts_.clear();
  crossings_.clear();
}

void SectionSink::impact(const ImpactRecord& record) {
  if (section_.kind_ != Section::Kind::kImpact) return;
  const std::string& element = section_.place().element;
  const auto contact = static_cast<std::size_t>(record.contact);
  const std::vector<MeasuredContact>& known = section_.contacts_;
  if (!element.empty() &&
      (contact >= known.size() || (known[contact].element != element && known[contact].point != element)))
    return;
  const std::span<const ImpactQuantity> quantities = impact_quantities();
  impact_[Expression::kTimeVariable] = record.time_s;
  for (std::size_t i = 0; i < quantities.size(); ++i) impact_[i + 1] = record.*quantities[i].member;
  Impact impact{record.time_s, {}};
  for (std::size_t i = 0; i < section_.point_count(); ++i) {
    const ReductionSpec& point = section_.point(i);
    impact.values.push_back(point.is_of_impacts ? point.of.evaluate(impact_) : 0);
  }
  impacts_.push_back(std::move(impact));
}

void SectionSink::row(double time_s, std::span<const double> values) {
  variables_[Expression::kTimeVariable] = time_s;
  for (std::size_t i = 0; i < columns_.size(); ++i) variables_[i + 1] = values[columns_[i]];
  evaluate_points();
  if (section_.kind_ == Section::Kind::kEvery) {
    look_for_period(time_s);
  } else if (section_.kind_ != Section::Kind::kImpact) {
    look_for_zero(time_s);
  }
  for (Impact& impact : impacts_) {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      if (!section_.point(i).is_of_impacts) impact.values[i] = now_[i];
    }
    take(impact.time_s, impact.values);
  }
  impacts_.clear();
  last_ = now_;
  last_s_ = time_s;
  if (!inside_places_.empty()) last_variables_ = variables_;
  has_rows_ = true;
}

void SectionSink::look_for_period(double time_s) {
  const double period_s = section_.place().from_s;
  // Of a run that begins later, the periods before it do not count.
  if (!has_rows_) periods_ = static_cast<std::int64_t>(std::floor(time_s / period_s + kSameInstant));
  for (double next_s = static_cast<double>(periods_ + 1) * period_s; time_s >= next_s - kSameInstant * period_s;
       next_s = static_cast<double>(periods_ + 1) * period_s) {
    ++periods_;
    const bool is_row = std::abs(time_s - next_s) <= kSameInstant * period_s;
    is_row || !has_rows_ ? take(next_s, now_) : take_between(time_s, (next_s - last_s_) / (time_s - last_s_));
  }
}

void SectionSink::look_for_zero(double time_s) {
  const double y = section_.place().crossing.evaluate(variables_);
  const bool rises = last_y_ < 0 && y >= 0, falls = last_y_ > 0 && y <= 0;
  const bool counts =
      (rises && section_.kind_ != Section::Kind::kFalling) || (falls && section_.kind_ != Section::Kind::kRising);
  if (has_rows_ && counts && !take_inside(time_s, y)) take_between(time_s, -last_y_ / (y - last_y_));
  last_y_ = y;
}

// False where the zero cannot be located within the step.
bool SectionSink::take_inside(double time_s, double y) {
  if (inside_places_.empty() || inside_->start_s() != last_s_) return false;
  row_variables_ = variables_;
  const std::vector<double> row_points = now_;
  const std::optional<double> zero_s = zero_inside(time_s, y);
  if (zero_s) {
    evaluate_points();
    take(*zero_s, now_);
  }
  variables_ = row_variables_;
  now_ = row_points;
  return zero_s.has_value();
}

// By the Illinois rule, with a halving wherever that does not shrink the interval enough, as at a jump. Of the two ends
// that are left it takes the one behind: that is where the motion goes on.
std::optional<double> SectionSink::zero_inside(double time_s, double y) {
  double before_s = last_s_, behind_s = time_s, y_before = last_y_, y_behind = y;
  const double least_s = kLocated * (time_s - last_s_) + kRoundings * std::numeric_limits<double>::epsilon() * time_s;
  double next_s = behind_s - kAtItsEnd * (time_s - last_s_);  // a step that ends with an impact jumps there
  bool was_before = false;
  for (int k = 0; k < kMostTries && behind_s - before_s > 2 * least_s && y_behind != 0; ++k) {
    const std::optional<double> y_next = value_inside(next_s);
    if (!y_next && k == 0) return std::nullopt;
    if (!y_next) break;  // what is left of the step is too short for another one
    const double width_s = behind_s - before_s;
    const bool is_before = *y_next != 0 && (*y_next < 0) == (last_y_ < 0);
    (is_before ? before_s : behind_s) = next_s;
    (is_before ? y_before : y_behind) = *y_next;
    if (k > 0 && is_before == was_before) (is_before ? y_behind : y_before) *= 0.5;
    was_before = is_before;
    next_s = before_s + (behind_s - before_s) * y_before / (y_before - y_behind);
    const bool is_slow = k > 1 && behind_s - before_s > 0.5 * width_s;
    if (is_slow || !(next_s > before_s) || !(next_s < behind_s)) next_s = before_s + 0.5 * (behind_s - before_s);
  }
  if (behind_s == time_s) {
    variables_ = row_variables_;
  } else if (!value_inside(behind_s)) {
    return std::nullopt;
  }
  return behind_s;
}

// Of the function whose zero is looked for. Channels that are known at rows alone are straight lines.
std::optional<double> SectionSink::value_inside(double time_s) {
  if (!inside_->go_to(time_s)) return std::nullopt;
  const double part = (time_s - last_s_) / (row_variables_[Expression::kTimeVariable] - last_s_);
  for (std::size_t i = 0; i < variables_.size(); ++i)
    variables_[i] = last_variables_[i] + part * (row_variables_[i] - last_variables_[i]);
  variables_[Expression::kTimeVariable] = time_s;
  inside_->read(inside_places_, std::span(variables_).subspan(1));
  return section_.place().crossing.evaluate(variables_);
}

void SectionSink::evaluate_points() {
  for (std::size_t i = 0; i < now_.size(); ++i) {
    if (!section_.point(i).is_of_impacts) now_[i] = section_.point(i).of.evaluate(variables_);
  }
}

// `part` of the way from the last row to this one.
void SectionSink::take_between(double time_s, double part) {
  std::vector<double> values(now_.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = last_[i] + part * (now_[i] - last_[i]);
  take(last_s_ + part * (time_s - last_s_), values);
}

void SectionSink::take(double time_s, const std::vector<double>& values) {
  if (++seen_ <= section_.skip_ || is_full()) return;
  ++taken_;
  crossings_.push_back(time_s);
  crossings_.insert(crossings_.end(), values.begin(), values.end());
}

}  // namespace freeplay::study
