// The mechanisms of bench/tree.cpp, described once so that every engine builds the same ones.
// C++17, like everything that a peer's source includes: Simbody's headers do not compile as C++20.
#pragma once

#include <cmath>
#include <cstdint>

namespace freeplay::bench {

// Bodies 0 .. n-1 are equal rods, body 0 hangs on the ground. Each turns about z of its parent: at q = 0 it continues
// along the parent's x axis from the parent's far end. Coordinates are the relative angles, in the order of the bodies.
enum class Topology : std::uint8_t {
  kChain,      // the parent of k is k - 1; two bodies are the double pendulum
  kBinaryTree  // the parent of k is (k - 1) / 2
};

// Index of the parent body; -1 is the ground.
constexpr int parent_of(Topology topology, int body) {
  if (body == 0) return -1;
  return topology == Topology::kChain ? body - 1 : (body - 1) / 2;
}

inline constexpr double kRodLength_m = 1;
inline constexpr double kRodMass_kg = 1;
inline constexpr double kRodInertia_kg_m2 = 1.0 / 12;  // about the centre of mass, the same about every axis
inline constexpr double kGravity_m_s2 = 9.81;          // along -y

// The state of evaluation k: smooth, different each time, of moderate size. An engine that caches gains nothing.
// One sine per call, not per body: its cost must not show beside the dynamics of two bodies.
// Vector: any type with size() and [], e.g. that of the engine's own state.
template <class Vector>
void fill_state(std::int64_t k, Vector& q, Vector& u) {
  const double s = std::sin(1e-3 * static_cast<double>(k));
  const int bodies = static_cast<int>(q.size());
  for (int i = 0; i < bodies; ++i) {
    const double phase = static_cast<double>(i) / bodies;
    q[i] = 0.4 * s + 0.5 * phase - 0.2;
    u[i] = 0.7 * s - 0.3 * phase;
  }
}

}  // namespace freeplay::bench
