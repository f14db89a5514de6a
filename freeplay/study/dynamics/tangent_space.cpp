#include "freeplay/study/dynamics/tangent_space.h"

#include <Eigen/Dense>

namespace freeplay::study {

namespace {

constexpr double kDependentRow = 1e-9;  // of the largest singular value of W: a row that others imply
constexpr double kGammaStep = 1e-6;     // rad or m, of the central differences of gamma

}  // namespace

TangentSpace::TangentSpace(const System& system, const State& state)
    : system_(system), dynamics_(system.make_dynamics()), freedoms_(system.velocity_count()) {
  if (system.row_count() == 0) return;
  rows_.resize(system.velocity_count(), system.row_count());
  dynamics_->set_position(state.t, state.q);
  dynamics_->row_jacobian(rows_);
  const VecX values = Eigen::JacobiSVD<MatX>(rows_.W).singularValues();
  freedoms_ -= static_cast<int>((values.array() > kDependentRow * values[0]).count());
}

MatX TangentSpace::free_velocities(const State& state) {
  const int velocities = system_.velocity_count();
  if (system_.row_count() == 0) return MatX::Identity(velocities, velocities);
  dynamics_->set_position(state.t, state.q);
  dynamics_->row_jacobian(rows_);
  // As many as at the start, also where a dead centre makes rows depend on each other for an instant.
  const Eigen::JacobiSVD<MatX> svd(rows_.W, Eigen::ComputeFullU);
  return svd.matrixU().rightCols(freedoms_);
}

VecX TangentSpace::row_velocities(const State& state, const VecX& q) {
  dynamics_->set_position(state.t, q);
  dynamics_->row_jacobian(rows_);
  return rows_.W.transpose() * state.u + rows_.w_tilde;
}

MatX TangentSpace::basis(const State& state, double scale_s) {
  const Eigen::Index positions = system_.coordinate_count(), velocities = system_.velocity_count();
  const MatX free = free_velocities(state);
  MatX columns = MatX::Zero(positions + velocities, dimension());
  columns.bottomRightCorner(velocities, freedoms_) = scale_s * free;
  dynamics_->set_position(state.t, state.q);
  for (Eigen::Index i = 0; i < freedoms_; ++i) {
    VecX rate(positions);
    dynamics_->set_velocity(free.col(i));  // turns that are counted follow the velocity that is set
    dynamics_->velocity_to_rate(state.q, free.col(i), rate);
    columns.col(i).head(positions) = rate;
  }
  if (system_.row_count() > 0) {
    const MatX W = rows_.W;
    const Eigen::CompleteOrthogonalDecomposition<MatX> rows(W.transpose());
    for (Eigen::Index i = 0; i < freedoms_; ++i) {
      VecX above = state.q, below = state.q;
      dynamics_->displace(above, kGammaStep * free.col(i));
      dynamics_->displace(below, -kGammaStep * free.col(i));
      const VecX change = (row_velocities(state, above) - row_velocities(state, below)) / (2 * kGammaStep);
      columns.col(i).tail(velocities) = -scale_s * rows.solve(change);
    }
  } else if (positions == velocities && columns.topLeftCorner(positions, positions).isIdentity(0)) {
    return MatX::Identity(columns.rows(), columns.cols());
  }
  const Eigen::HouseholderQR<MatX> qr(columns);
  return qr.householderQ() * MatX::Identity(columns.rows(), columns.cols());
}

}  // namespace freeplay::study
