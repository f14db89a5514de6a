// Forward dynamics of chains and binary trees: evaluations per second.
#include <fmt/format.h>

#include "bench/simbody_peer.h"

int main() {
  using freeplay::bench::Topology;
  fmt::print("{:<14}{:>8}{:>18}\n", "mechanism", "bodies", "Simbody [1/s]");
  for (const Topology topology : {Topology::kChain, Topology::kBinaryTree}) {
    for (const int bodies : {2, 4, 8, 16, 32, 64}) {
      const double rate = freeplay::bench::simbody_evaluations_per_second(topology, bodies);
      fmt::print("{:<14}{:>8}{:>18.0f}\n", topology == Topology::kChain ? "chain" : "binary tree", bodies, rate);
    }
  }
}
