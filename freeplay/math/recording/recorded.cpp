#include "freeplay/math/recording/recorded.h"

#include "freeplay/core/error.h"

namespace freeplay::math {

Recorded Tape::add(const Entry& entry, double value) {
  entries_.push_back(entry);
  return {this, static_cast<int>(entries_.size()) - 1, value};
}

Tape* Tape::common(const Recorded& a, const Recorded& b) {
  FREEPLAY_ASSERT(a.tape_ == nullptr || b.tape_ == nullptr || a.tape_ == b.tape_);
  return a.tape_ != nullptr ? a.tape_ : b.tape_;
}

Recorded Tape::input(double value) {
  return add({.kind = Entry::Kind::kInput, .a = inputs_++}, value);
}

int Tape::place_of(const Recorded& number) {
  if (number.tape_ != nullptr) {
    FREEPLAY_ASSERT(number.tape_ == this);
    return number.place_;
  }
  return add({.kind = Entry::Kind::kConstant, .value = number.value_}, number.value_).place_;
}

Recorded Tape::unary(ExpressionOp function, const Recorded& x) {
  const double value = apply(function, x.value_);
  if (x.tape_ == nullptr) return value;
  return x.tape_->add({.kind = Entry::Kind::kUnary, .function = function, .a = x.place_}, value);
}

Recorded Tape::binary(ExpressionOp function, const Recorded& a, const Recorded& b) {
  const double value = apply(function, a.value_, b.value_);
  Tape* tape = common(a, b);
  if (tape == nullptr) return value;
  const int at_a = tape->place_of(a), at_b = tape->place_of(b);
  return tape->add({.kind = Entry::Kind::kBinary, .function = function, .a = at_a, .b = at_b}, value);
}

Recorded Tape::select(const Recorded& x, const Recorded& positive, const Recorded& otherwise) {
  const double value = x.value_ > 0 ? positive.value_ : otherwise.value_;
  if (x.tape_ == nullptr) return x.value_ > 0 ? positive : otherwise;
  Tape& tape = *x.tape_;
  const int at_positive = tape.place_of(positive), at_otherwise = tape.place_of(otherwise);
  return tape.add({.kind = Entry::Kind::kSelect, .a = x.place_, .b = at_positive, .c = at_otherwise}, value);
}

bool Tape::compare(Guard::Kind kind, const Recorded& a, const Recorded& b) {
  const double x = a.value_, y = b.value_;
  const bool outcome = kind == Guard::Kind::kLess ? x < y : kind == Guard::Kind::kLessEqual ? x <= y : x == y;
  if (Tape* tape = common(a, b); tape != nullptr) {
    const int at_a = tape->place_of(a), at_b = tape->place_of(b);
    tape->guards_.push_back({kind, at_a, at_b, outcome});
  }
  return outcome;
}

}  // namespace freeplay::math
