#include "freeplay/compile/program/graph.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace freeplay::compile {

Graph::Graph(const Tape& tape, std::span<const Varying> varying) {
  node_of_place_.reserve(tape.entries().size());
  std::size_t next_varying = 0;
  for (std::size_t place = 0; place < tape.entries().size(); ++place) {
    const Tape::Entry& entry = tape.entries()[place];
    const auto at = [&](int of) { return node_of(of); };
    int node = -1;
    switch (entry.kind) {
      case Tape::Entry::Kind::kConstant:
        if (next_varying < varying.size() && varying[next_varying].place == static_cast<int>(place))
          node = add({.kind = Kind::kMember, .input = varying[next_varying++].member});
        else
          node = constant(entry.value);
        break;
      case Tape::Entry::Kind::kInput:
        node = add({.kind = Kind::kInput, .input = entry.a});
        break;
      case Tape::Entry::Kind::kUnary:
        node = unary(entry.function, at(entry.a));
        break;
      case Tape::Entry::Kind::kBinary:
        node = binary(entry.function, at(entry.a), at(entry.b));
        break;
      case Tape::Entry::Kind::kSelect:
        node = select(at(entry.a), at(entry.b), at(entry.c));
        break;
    }
    node_of_place_.push_back(node);
  }
}

int Graph::add(const GraphNode& node) {
  const Key key{static_cast<int>(node.kind),
                static_cast<int>(node.function),
                node.a,
                node.b,
                node.c,
                node.input,
                std::bit_cast<std::uint64_t>(node.value)};
  const auto [found, is_new] = known_.try_emplace(key, static_cast<int>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return found->second;
}

int Graph::constant(double value) {
  return add({.kind = Kind::kConstant, .value = value == 0 ? 0.0 : value});  // one zero
}

int Graph::unary(ExpressionOp function, int a) {
  if (is_constant(a)) return constant(apply(function, (*this)[a].value));
  if (function == Op::kNegate) {
    if (is_negated(a)) return (*this)[a].a;
    const GraphNode& of = (*this)[a];
    if (of.kind == Kind::kBinary && of.function == Op::kSubtract) return difference(of.b, of.a);
  }
  return add({.kind = Kind::kUnary, .function = function, .a = a});
}

int Graph::sum(int a, int b) {
  if (is_number(a, 0)) return b;
  if (is_number(b, 0)) return a;
  if (is_negated(b)) return difference(a, (*this)[b].a);
  if (is_negated(a)) return difference(b, (*this)[a].a);
  if (a > b) std::swap(a, b);
  return add({.kind = Kind::kBinary, .function = Op::kAdd, .a = a, .b = b});
}

int Graph::difference(int a, int b) {
  if (a == b) return constant(0);
  if (is_number(b, 0)) return a;
  if (is_number(a, 0)) return unary(Op::kNegate, b);
  if (is_negated(b)) return sum(a, (*this)[b].a);
  return add({.kind = Kind::kBinary, .function = Op::kSubtract, .a = a, .b = b});
}

int Graph::product(int a, int b) {
  if (is_number(a, 0) || is_number(b, 0)) return constant(0);  // recorded numbers are finite, or the step is refused
  if (is_number(a, 1)) return b;
  if (is_number(b, 1)) return a;
  if (is_number(a, -1)) return unary(Op::kNegate, b);
  if (is_number(b, -1)) return unary(Op::kNegate, a);
  if (is_negated(a)) return unary(Op::kNegate, product((*this)[a].a, b));
  if (is_negated(b)) return unary(Op::kNegate, product(a, (*this)[b].a));
  if (a > b) std::swap(a, b);
  return add({.kind = Kind::kBinary, .function = Op::kMultiply, .a = a, .b = b});
}

int Graph::binary(ExpressionOp function, int a, int b) {
  if (is_constant(a) && is_constant(b)) return constant(apply(function, (*this)[a].value, (*this)[b].value));
  switch (function) {
    case Op::kAdd:
      return sum(a, b);
    case Op::kSubtract:
      return difference(a, b);
    case Op::kMultiply:
      return product(a, b);
    case Op::kDivide:
      if (is_number(a, 0)) return constant(0);
      if (is_number(b, 1)) return a;
      break;
    default:
      break;
  }
  return add({.kind = Kind::kBinary, .function = function, .a = a, .b = b});
}

int Graph::select(int x, int positive, int otherwise) {
  if (positive == otherwise) return positive;
  if (is_constant(x)) return (*this)[x].value > 0 ? positive : otherwise;
  return add({.kind = Kind::kSelect, .a = x, .b = positive, .c = otherwise});
}

std::vector<double> Graph::evaluate(std::span<const double> inputs, std::span<const double> member) const {
  std::vector<double> values(nodes_.size());
  const auto of = [&](int node) { return values[static_cast<std::size_t>(node)]; };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const GraphNode& node = nodes_[i];
    switch (node.kind) {
      case Kind::kConstant:
        values[i] = node.value;
        break;
      case Kind::kMember:
        values[i] = member[static_cast<std::size_t>(node.input)];
        break;
      case Kind::kInput:
        values[i] = inputs[static_cast<std::size_t>(node.input)];
        break;
      case Kind::kUnary:
        values[i] = apply(node.function, of(node.a));
        break;
      case Kind::kBinary:
        values[i] = apply(node.function, of(node.a), of(node.b));
        break;
      case Kind::kSelect:
        values[i] = of(node.a) > 0 ? of(node.b) : of(node.c);
        break;
    }
  }
  return values;
}

}  // namespace freeplay::compile
