// A number that remembers how it was made. Code that is a template over its number type is run once with Recorded in
// the place of double; the tape then holds every operation that leads from the inputs to the results, and other code
// can repeat them without the original (freeplay/compile).
//
// Arithmetic among plain constants is done at once and leaves no trace: what reaches the tape are operations on inputs,
// and the constants that meet them. The tape simplifies nothing, so that the same code gives the same entries for all
// models of one structure, whatever their numbers are; only its constants differ.
#pragma once

#include <vector>

#include "freeplay/math/expressions/expression_op.h"
#include "freeplay/math/types.h"

namespace freeplay::math {

class Tape;

class Recorded {
 public:
  Recorded() = default;
  Recorded(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): a constant is a number

  double value() const { return value_; }  // at the inputs of the recording
  const Tape* tape() const { return tape_; }
  int place() const { return place_; }

  Recorded& operator+=(const Recorded& b);
  Recorded& operator-=(const Recorded& b);
  Recorded& operator*=(const Recorded& b);
  Recorded& operator/=(const Recorded& b);

 private:
  friend class Tape;
  Recorded(Tape* tape, int place, double value) : tape_(tape), place_(place), value_(value) {}

  Tape* tape_ = nullptr;  // null: a constant
  int place_ = -1;
  double value_ = 0;
};

class Tape {
 public:
  struct Entry {
    enum class Kind : std::uint8_t {
      kConstant,  // value
      kInput,     // input number a
      kUnary,     // function of entry a
      kBinary,    // function of entries a, b
      kSelect     // a > 0 ? b : c
    } kind{};
    ExpressionOp function{};
    int a = -1, b = -1, c = -1;
    double value = 0;  // of a constant

    bool has_structure_of(const Entry& other) const {
      return kind == other.kind && a == other.a && b == other.b && c == other.c &&
             ((kind != Kind::kUnary && kind != Kind::kBinary) || function == other.function);
    }
  };
  // A comparison that the recorded code has branched at: the recording holds where it comes out the same.
  struct Guard {
    enum class Kind : std::uint8_t { kLess, kLessEqual, kEqual } kind{};
    int a = -1, b = -1;
    bool outcome = false;
  };

  Tape() = default;
  Tape(const Tape&) = delete;  // numbers refer to it
  Tape& operator=(const Tape&) = delete;

  Recorded input(double value);  // the next one
  int input_count() const { return inputs_; }
  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Guard>& guards() const { return guards_; }
  // The entry of a number; a constant gets one.
  int place_of(const Recorded& number);

  static Recorded unary(ExpressionOp function, const Recorded& x);
  static Recorded binary(ExpressionOp function, const Recorded& a, const Recorded& b);
  static Recorded select(const Recorded& x, const Recorded& positive, const Recorded& otherwise);
  static bool compare(Guard::Kind kind, const Recorded& a, const Recorded& b);

 private:
  Recorded add(const Entry& entry, double value);
  static Tape* common(const Recorded& a, const Recorded& b);

  std::vector<Entry> entries_;
  std::vector<Guard> guards_;
  int inputs_ = 0;
};

inline Recorded operator+(const Recorded& a, const Recorded& b) {
  return Tape::binary(ExpressionOp::kAdd, a, b);
}
inline Recorded operator-(const Recorded& a, const Recorded& b) {
  return Tape::binary(ExpressionOp::kSubtract, a, b);
}
inline Recorded operator*(const Recorded& a, const Recorded& b) {
  return Tape::binary(ExpressionOp::kMultiply, a, b);
}
inline Recorded operator/(const Recorded& a, const Recorded& b) {
  return Tape::binary(ExpressionOp::kDivide, a, b);
}
inline Recorded operator-(const Recorded& a) {
  return Tape::unary(ExpressionOp::kNegate, a);
}
inline Recorded& Recorded::operator+=(const Recorded& b) {
  return *this = *this + b;
}
inline Recorded& Recorded::operator-=(const Recorded& b) {
  return *this = *this - b;
}
inline Recorded& Recorded::operator*=(const Recorded& b) {
  return *this = *this * b;
}
inline Recorded& Recorded::operator/=(const Recorded& b) {
  return *this = *this / b;
}
inline Recorded sqrt(const Recorded& x) {
  return Tape::unary(ExpressionOp::kSqrt, x);
}
inline Recorded sin(const Recorded& x) {
  return Tape::unary(ExpressionOp::kSin, x);
}
inline Recorded cos(const Recorded& x) {
  return Tape::unary(ExpressionOp::kCos, x);
}
inline Recorded abs(const Recorded& x) {
  return Tape::unary(ExpressionOp::kAbs, x);
}

// Comparisons of recorded code go the way of its inputs and leave a guard.
inline bool operator<(const Recorded& a, const Recorded& b) {
  return Tape::compare(Tape::Guard::Kind::kLess, a, b);
}
inline bool operator>(const Recorded& a, const Recorded& b) {
  return b < a;
}
inline bool operator<=(const Recorded& a, const Recorded& b) {
  return Tape::compare(Tape::Guard::Kind::kLessEqual, a, b);
}
inline bool operator>=(const Recorded& a, const Recorded& b) {
  return b <= a;
}
inline bool operator==(const Recorded& a, const Recorded& b) {
  return Tape::compare(Tape::Guard::Kind::kEqual, a, b);
}
inline bool operator!=(const Recorded& a, const Recorded& b) {
  return !(a == b);
}

// x > 0 ? positive : otherwise, for code that must go both ways: recorded, it has no branch.
inline double where_positive(double x, double positive, double otherwise) {
  return x > 0 ? positive : otherwise;
}
inline Recorded where_positive(const Recorded& x, const Recorded& positive, const Recorded& otherwise) {
  return Tape::select(x, positive, otherwise);
}

}  // namespace freeplay::math

namespace Eigen {

template <>
struct NumTraits<freeplay::math::Recorded> : NumTraits<double> {
  using Real = freeplay::math::Recorded;
  using NonInteger = freeplay::math::Recorded;
  using Nested = freeplay::math::Recorded;
  enum { RequireInitialization = 1, ReadCost = 2, AddCost = 4, MulCost = 4 };
};

// Matrices of constants and of recorded numbers in one expression.
template <class Operation>
struct ScalarBinaryOpTraits<double, freeplay::math::Recorded, Operation> {
  using ReturnType = freeplay::math::Recorded;
};
template <class Operation>
struct ScalarBinaryOpTraits<freeplay::math::Recorded, double, Operation> {
  using ReturnType = freeplay::math::Recorded;
};

}  // namespace Eigen
