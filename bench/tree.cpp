// Forward dynamics of chains and binary trees: evaluations per second, ours against Simbody's O(n) recursion.
// Both engines get the same mechanism and the same states, and must give the same accelerations before a rate counts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "bench/effort.h"
#include "bench/measure.h"
#include "bench/peers/simbody_peer.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::bench {
namespace {

MechanismSpec rods(Topology topology, int bodies, Space space) {
  MechanismSpec spec;
  spec.space = space;
  spec.gravity_m_s2 = {0, -kGravity_m_s2, 0};
  for (int k = 0; k < bodies; ++k) {
    BodySpec body;
    body.name = fmt::format("rod{}", k);
    body.mass_kg = kRodMass_kg;
    body.inertia_kg_m2 = kRodInertia_kg_m2 * Mat3::Identity();
    spec.bodies.push_back(body);
    const int parent = parent_of(topology, k);
    JointSpec joint;
    joint.name = fmt::format("pin{}", k);
    joint.type = "revolute";
    joint.parent = parent < 0 ? "ground" : fmt::format("rod{}", parent);
    joint.child = body.name;
    if (parent >= 0) joint.at_parent_m = {kRodLength_m / 2, 0, 0};
    joint.at_child_m = {-kRodLength_m / 2, 0, 0};
    spec.joints.push_back(joint);
  }
  return spec;
}

class FreeplayTree {
 public:
  FreeplayTree(Topology topology, int bodies, Space space)
      : mechanism_(Mechanism::build(rods(topology, bodies, space))),
        dynamics_(mechanism_->make_dynamics()),
        q_(VecX::Zero(bodies)),
        u_(VecX::Zero(bodies)),
        du_(VecX::Zero(bodies)),
        by_body_q_(VecX::Zero(bodies)),
        by_body_u_(VecX::Zero(bodies)) {
    for (int k = 0; k < bodies; ++k) {
      order_.push_back(
          mechanism_->nodes[static_cast<std::size_t>(mechanism_->node_of_body[static_cast<std::size_t>(k) + 1])].u);
    }
  }

  // The accelerations of evaluation k, in the order of the bodies.
  std::vector<double> accelerations(std::int64_t k) {
    evaluate(k);
    std::vector<double> result;
    for (const int u : order_) result.push_back(du_[u]);
    return result;
  }

  double evaluations_per_second(const MeasureOptions& measure) {
    return calls_per_second([this](std::int64_t k) { evaluate(k); }, measure);
  }

 private:
  void evaluate(std::int64_t k) {
    fill_state(k, by_body_q_, by_body_u_);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      q_[order_[i]] = by_body_q_[static_cast<Eigen::Index>(i)];
      u_[order_[i]] = by_body_u_[static_cast<Eigen::Index>(i)];
    }
    dynamics_->set_position(0, q_);
    dynamics_->set_velocity(u_);
    if (!dynamics_->free_accelerations(du_)) std::abort();
  }

  std::shared_ptr<const Mechanism> mechanism_;
  std::unique_ptr<Dynamics> dynamics_;
  VecX q_, u_, du_, by_body_q_, by_body_u_;
  std::vector<int> order_;  // velocity of each body's joint
};

// Largest difference of the accelerations, relative to their size.
double disagreement(Topology topology, int bodies, FreeplayTree& ours) {
  std::vector<double> q(static_cast<std::size_t>(bodies)), u(q.size());
  fill_state(7, q, u);
  const std::vector<double> mine = ours.accelerations(7), peer = simbody_accelerations(topology, q, u);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    difference = std::max(difference, std::abs(mine[i] - peer[i]));
    size = std::max(size, std::abs(peer[i]));
  }
  return difference / size;
}

int compare(Effort effort) {
  const bool is_quick = effort == Effort::kQuick;
  const MeasureOptions measure = is_quick ? MeasureOptions{.batch_seconds = 0.01, .batches = 2} : MeasureOptions{};
  const std::vector<int> sizes = is_quick ? std::vector<int>{2, 16} : std::vector<int>{2, 4, 8, 16, 32, 64};
  fmt::print("Forward dynamics, evaluations per second (single thread)\n\n");
  fmt::print("{:<12}{:>7}{:>16}{:>16}{:>14}{:>9}{:>9}{:>13}\n", "mechanism", "bodies", "ours, planar", "ours, spatial",
             "Simbody", "planar", "spatial", "difference");
  double pendulum_ratio = 0, worst_ratio = 1e300;
  for (const Topology topology : {Topology::kChain, Topology::kBinaryTree}) {
    for (const int bodies : sizes) {
      FreeplayTree planar(topology, bodies, Space::kPlanar), spatial(topology, bodies, Space::kSpatial);
      const double difference =
          std::max(disagreement(topology, bodies, planar), disagreement(topology, bodies, spatial));
      if (!(difference < 1e-9)) {
        fmt::print(stderr, "the engines disagree by {} on {} bodies\n", difference, bodies);
        return 1;
      }
      const double planar_rate = planar.evaluations_per_second(measure),
                   spatial_rate = spatial.evaluations_per_second(measure);
      const double peer_rate = simbody_evaluations_per_second(topology, bodies, measure);
      fmt::print("{:<12}{:>7}{:>16.0f}{:>16.0f}{:>14.0f}{:>9.1f}{:>9.1f}{:>13.1e}\n",
                 topology == Topology::kChain ? "chain" : "binary tree", bodies, planar_rate, spatial_rate, peer_rate,
                 planar_rate / peer_rate, spatial_rate / peer_rate, difference);
      if (topology == Topology::kChain && bodies == 2) pendulum_ratio = spatial_rate / peer_rate;
      worst_ratio = std::min(worst_ratio, spatial_rate / peer_rate);
    }
  }
  fmt::print("\nworst ratio of the spatial mechanisms {:.2f}; below, the double pendulum in space, like for like\n",
             worst_ratio);
  fmt::print("tree ratio {:.2f}\n", pendulum_ratio);
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, &freeplay::bench::compare);
}
