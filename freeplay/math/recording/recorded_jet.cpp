#include "freeplay/math/recording/recorded_jet.h"

#include <map>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/jet_rules.h"
#include "freeplay/math/recording/recorded_functions.h"

namespace freeplay::math {

// Where it is so whatever the inputs are: a table that is held beyond its end stands still in one of its pieces only.
static bool is_steady(const RecordedJet& x) {
  const auto is_zero = [](const Recorded& number) { return number.tape() == nullptr && number.value() == 0; };
  return is_zero(x.rate) && is_zero(x.acceleration);
}

namespace {

// Runs the entries behind a number once more, with jets. They grow while it does.
class JetOfTape {
 public:
  JetOfTape(const Tape& tape, const Recorded& variable) : tape_(tape), variable_(variable) {}

  RecordedJet at(int place) {
    if (place == variable_.place()) return {variable_, 1.0, 0.0};
    const auto known = jets_.find(place);
    if (known != jets_.end()) return known->second;
    const Tape::Entry entry = tape_.entries()[static_cast<std::size_t>(place)];
    RecordedJet jet;
    switch (entry.kind) {
      case Kind::kConstant:
        jet.value = entry.value;
        break;
      case Kind::kUnary:
        jet = apply_to_jet(entry.function, at(entry.a));
        break;
      case Kind::kBinary: {
        const RecordedJet a = at(entry.a), b = at(entry.b);
        jet = apply_to_jet(entry.function, a, b);
        break;
      }
      case Kind::kSelect: {
        const Recorded x = value_at(entry.a);
        const RecordedJet positive = at(entry.b), otherwise = at(entry.c);
        jet = {where_positive(x, positive.value, otherwise.value), where_positive(x, positive.rate, otherwise.rate),
               where_positive(x, positive.acceleration, otherwise.acceleration)};
        break;
      }
      case Kind::kInput:
        FREEPLAY_ASSERT(false && "a function of one variable");
        break;
    }
    jets_.emplace(place, jet);
    return jet;
  }

 private:
  using Kind = Tape::Entry::Kind;

  // Without derivatives, which may have to branch where the value need not.
  Recorded value_at(int place) {
    if (place == variable_.place()) return variable_;
    const auto known = values_.find(place);
    if (known != values_.end()) return known->second;
    const Tape::Entry entry = tape_.entries()[static_cast<std::size_t>(place)];
    Recorded value = entry.value;
    if (entry.kind == Kind::kUnary) value = apply(entry.function, value_at(entry.a));
    if (entry.kind == Kind::kBinary) value = apply(entry.function, value_at(entry.a), value_at(entry.b));
    if (entry.kind == Kind::kSelect) value = where_positive(value_at(entry.a), value_at(entry.b), value_at(entry.c));
    FREEPLAY_ASSERT(entry.kind != Kind::kInput && "a function of one variable");
    values_.emplace(place, value);
    return value;
  }

  const Tape& tape_;
  Recorded variable_;
  std::map<int, RecordedJet> jets_;
  std::map<int, Recorded> values_;
};

}  // namespace

RecordedJet jet_along(const Recorded& value, const Recorded& variable) {
  if (value.tape() == nullptr) return {value, 0.0, 0.0};
  return JetOfTape(*value.tape(), variable).at(value.place());
}

}  // namespace freeplay::math
