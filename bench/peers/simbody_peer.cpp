#include "bench/peers/simbody_peer.h"

// Debian builds Simbody without NDEBUG, and the layout of its classes depends on it: a source that defines NDEBUG
// crashes. So its argument checks are part of what is measured; bench/CMakeLists.txt sees to the rest.
#ifdef NDEBUG
#error "simbody_peer.cpp must be compiled as Simbody itself was: without NDEBUG"
#endif
#include <Simbody.h>

#include "bench/measure.h"

namespace freeplay::bench {

namespace {

class SimbodyTree {
 public:
  SimbodyTree(Topology topology, int bodies)
      : matter_(system_), mobility_forces_(bodies, 0.0), body_forces_(bodies + 1), u_dot_(bodies) {
    using SimTK::Vec3;
    matter_.setShowDefaultGeometry(false);
    const SimTK::Body::Rigid rod(SimTK::MassProperties(kRodMass_kg, Vec3(0), SimTK::Inertia(kRodInertia_kg_m2)));
    const Vec3 near_end(-kRodLength_m / 2, 0, 0), far_end(kRodLength_m / 2, 0, 0);
    std::vector<SimTK::MobilizedBody> added;
    for (int body = 0; body < bodies; ++body) {
      const int parent = parent_of(topology, body);
      SimTK::MobilizedBody& inboard = parent < 0 ? matter_.updGround() : added[static_cast<std::size_t>(parent)];
      const Vec3 at_parent = parent < 0 ? Vec3(0) : far_end;
      added.push_back(SimTK::MobilizedBody::Pin(inboard, at_parent, rod, near_end));
    }
    system_.realizeTopology();
    state_ = system_.getDefaultState();
    system_.realizeModel(state_);
  }

  SimTK::State& state() { return state_; }

  // calcAccelerationIgnoringConstraints() is the O(n) articulated-body algorithm itself. Realizing the state to
  // Stage::Acceleration with a gravity element gives the same numbers, 10 to 15 % slower: we take the peer at its best.
  const SimTK::Vector& accelerations() {
    system_.realize(state_, SimTK::Stage::Dynamics);
    const SimTK::SpatialVec weight(SimTK::Vec3(0), SimTK::Vec3(0, -kRodMass_kg * kGravity_m_s2, 0));
    for (int body = 1; body < body_forces_.size(); ++body) body_forces_[body] = weight;  // 0 is the ground
    matter_.calcAccelerationIgnoringConstraints(state_, mobility_forces_, body_forces_, u_dot_, body_accelerations_);
    return u_dot_;
  }

 private:
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::State state_;
  SimTK::Vector mobility_forces_;
  SimTK::Vector_<SimTK::SpatialVec> body_forces_;
  SimTK::Vector u_dot_;
  SimTK::Vector_<SimTK::SpatialVec> body_accelerations_;
};

}  // namespace

std::vector<double> simbody_accelerations(Topology topology, const std::vector<double>& q,
                                          const std::vector<double>& u) {
  const int bodies = static_cast<int>(q.size());
  SimbodyTree tree(topology, bodies);
  tree.state().updQ() = SimTK::Vector(bodies, q.data());
  tree.state().updU() = SimTK::Vector(bodies, u.data());
  const SimTK::Vector& u_dot = tree.accelerations();
  return {&u_dot[0], &u_dot[0] + bodies};
}

double simbody_evaluations_per_second(Topology topology, int bodies, const MeasureOptions& measure) {
  SimbodyTree tree(topology, bodies);
  const auto evaluate = [&](std::int64_t k) {
    SimTK::Vector& q = tree.state().updQ();  // asking for write access invalidates whatever was computed from it
    SimTK::Vector& u = tree.state().updU();
    fill_state(k, q, u);
    tree.accelerations();
  };
  return calls_per_second(evaluate, measure);
}

}  // namespace freeplay::bench
