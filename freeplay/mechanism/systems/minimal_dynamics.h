// What every system in minimal coordinates shares: dq/dt = u, no bilateral rows, M du/dt = h by a dense factorisation.
// A new system implements set_position, set_velocity, mass_matrix, forces, energies and read_channels; one with
// bilateral rows says how many, and implements the three functions of rows as well.
#pragma once

#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

class MinimalDynamics : public Dynamics {
 public:
  explicit MinimalDynamics(int size, int rows = 0) : M_(MassStructure::dense(size)) {
    if (rows > 0) rows_.resize(size, rows);
  }

  void row_positions(VecRef) override {}
  void row_jacobian(BilateralRows&) override {}
  void row_bias(VecRef) override {}
  // All velocities are one part. Evaluates all rows for the one: such systems have few.
  double row_parts(int row, std::array<RowPart, 2>& parts, double* values) override {
    row_jacobian(rows_);
    parts = {RowPart{0, M_.size()}, RowPart{}};
    for (int k = 0; k < M_.size(); ++k) values[k] = rows_.W(k, row);
    return rows_.w_tilde[row];
  }
  bool has_sources() const override { return false; }
  Powers powers(const ConstVecRef&) override { return {}; }
  bool free_accelerations(VecRef du) override {
    mass_matrix(M_);
    if (!M_.factor()) return false;
    forces(du);
    M_.solve_in_place(du);
    return true;
  }
  void free_accelerations_again(VecRef du) override {
    forces(du);
    M_.solve_in_place(du);
  }
  void velocity_to_rate(const ConstVecRef&, const ConstVecRef& u, VecRef q_rate) const override { q_rate = u; }
  void displace(VecRef q, const ConstVecRef& delta) const override { q += delta; }
  bool normalise(VecRef) const override { return false; }
  void set_accelerations(const ConstVecRef&, const ConstVecRef&) override {}

 private:
  MassMatrix M_;
  BilateralRows rows_;  // of row_parts()
};

}  // namespace freeplay::mechanism
