// The operations of a recording, simplified: constants folded, zeros pruned, equal subexpressions shared.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "freeplay/math/recording/recorded.h"

namespace freeplay::compile {

struct GraphNode {
  enum class Kind : std::uint8_t {
    kConstant,  // value
    kMember,    // a number of the member of the family, `input`
    kInput,     // input number `input`: t, q, u
    kUnary,
    kBinary,
    kSelect  // a > 0 ? b : c
  } kind{};
  ExpressionOp function{};
  int a = -1, b = -1, c = -1;
  int input = -1;
  double value = 0;
};

// Nodes stand behind those that they are made of. Equal nodes are one node.
class Graph {
 public:
  // A constant of the tape that is a number of the member of a family.
  struct Varying {
    int place = 0, member = 0;
  };
  // `varying`: places increasing; several may be one number.
  Graph(const Tape& tape, std::span<const Varying> varying);

  const std::vector<GraphNode>& nodes() const { return nodes_; }
  const GraphNode& operator[](int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  int node_of(int tape_place) const { return node_of_place_[static_cast<std::size_t>(tape_place)]; }
  // Of every node, at these inputs and numbers of the member.
  std::vector<double> evaluate(std::span<const double> inputs, std::span<const double> member) const;

 private:
  using Kind = GraphNode::Kind;
  using Op = ExpressionOp;
  using Key = std::tuple<int, int, int, int, int, int, std::uint64_t>;
  int add(const GraphNode& node);
  int constant(double value);
  int unary(ExpressionOp function, int a);
  int binary(ExpressionOp function, int a, int b);
  int select(int x, int positive, int otherwise);
  bool is_constant(int node) const { return (*this)[node].kind == GraphNode::Kind::kConstant; }
  bool is_number(int node, double value) const { return is_constant(node) && (*this)[node].value == value; }
  bool is_negated(int node) const {
    return (*this)[node].kind == GraphNode::Kind::kUnary && (*this)[node].function == ExpressionOp::kNegate;
  }
  int sum(int a, int b);
  int difference(int a, int b);
  int product(int a, int b);

  std::vector<GraphNode> nodes_;
  std::map<Key, int> known_;
  std::vector<int> node_of_place_;
};

}  // namespace freeplay::compile
