// A state as one vector for an integrator of ordinary differential equations: y = (q, u, energy account, quadratures).
#pragma once

#include <array>

#include "freeplay/mechanism/state.h"

namespace freeplay::integrators {

class PackedState {
 public:
  // `quadratures`: numbers that a method integrates along with the motion, behind everything else.
  PackedState(int coordinates, int velocities, int quadratures = 0)
      : coordinates_(coordinates), velocities_(velocities), quadratures_(quadratures) {}

  int coordinate_count() const { return coordinates_; }
  int velocity_count() const { return velocities_; }
  // The part that the error control watches: the rest is a quadrature beside the motion.
  int controlled_size() const { return coordinates_ + velocities_; }
  int first_quadrature() const { return controlled_size() + 4; }
  int size() const { return first_quadrature() + quadratures_; }

  // Quadratures are left alone.
  void pack(const State& state, VecRef y) const;
  void unpack(const ConstVecRef& y, State& state) const;
  // The state of sum weights[i] * terms[i], without a temporary.
  void unpack_combination(const std::array<VecX, 5>& terms, const std::array<double, 5>& weights, State& state) const;

 protected:
  int coordinates_, velocities_;

 private:
  int quadratures_;
};

}  // namespace freeplay::integrators
