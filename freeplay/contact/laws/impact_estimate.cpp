#include "freeplay/contact/laws/impact_estimate.h"

#include <algorithm>
#include <limits>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/rows/bilateral_solver.h"
#include "freeplay/mechanism/trees/mass_matrix.h"

namespace freeplay::contact {

namespace {

constexpr double kAssumedSpeed_m_s = 1;
// Slower is the rounding of bodies that stand still.
constexpr double kStandstill_m_s = 1e-6;
// Rows that leave less than this part of 1/m do not let the point move; the rest is rounding.
constexpr double kImmovable = 1e-12;
// So does a tree of joints whose axes leave no way along the normal.
constexpr double kSmallestMobility_1_kg = 1e-20;

// 1/(w^T M^-1 w) with the bilateral rows of a system in the way.
class ContactMass {
 public:
  ContactMass(const System& system, Dynamics& dynamics)
      : M_(system.mass_structure()),
        solver_(system.velocity_count(), system.row_count()),
        zeta_(VecX::Zero(system.row_count())),
        lambda_(system.row_count()),
        du_(system.velocity_count()) {
    dynamics.mass_matrix(M_);
    FREEPLAY_ASSERT(M_.factor());
    BilateralRows rows;
    rows.resize(system.velocity_count(), system.row_count());
    if (system.row_count() == 0) return;
    dynamics.row_jacobian(rows);
    solver_.factor(M_, rows.W);
  }

  double along(const VecX& w) {
    du_ = w;
    M_.solve_in_place(du_);
    const double free = w.dot(du_);
    if (zeta_.size() > 0) solver_.accelerations(M_, w, zeta_, du_, lambda_);
    const double inverse = w.dot(du_);
    return inverse > std::max(kImmovable * free, kSmallestMobility_1_kg) ? 1 / inverse
                                                                         : std::numeric_limits<double>::infinity();
  }

 private:
  MassMatrix M_;
  BilateralSolver solver_;
  VecX zeta_, lambda_, du_;
};

}  // namespace

std::vector<ImpactEstimate> estimate_impacts(const System& system, const ContactModel& contacts) {
  std::vector<ImpactEstimate> estimates;
  for (int i = 0; i < contacts.point_count(); ++i) {
    if (contacts.points()[static_cast<std::size_t>(i)].force_law) estimates.push_back({.point = i, .onset = {}});
  }
  if (estimates.empty()) return estimates;

  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  const std::unique_ptr<ContactKinematics> kinematics = contacts.make_kinematics(*dynamics);
  const State state = system.initial_state();
  dynamics->set_position(state.t, state.q);
  dynamics->set_velocity(state.u);
  ContactMass mass(system, *dynamics);
  VecX g(contacts.point_count()), gamma_N(contacts.point_count());
  kinematics->take_all_points();
  kinematics->update_gaps(g);
  kinematics->normal_velocities(gamma_N);
  RowStore rows(system.mass_structure());
  VecX normal_row(system.velocity_count());
  for (ImpactEstimate& estimate : estimates) {
    rows.clear();
    kinematics->add_rows(estimate.point, rows);
    rows.write_column(0, normal_row);
    estimate.speed_is_assumed = !(-gamma_N[estimate.point] > kStandstill_m_s);
    estimate.onset = {estimate.speed_is_assumed ? kAssumedSpeed_m_s : -gamma_N[estimate.point], mass.along(normal_row)};
    const NormalForceLaw& law = contacts.points()[static_cast<std::size_t>(estimate.point)].force_law->normal;
    estimate.depth_m = law.expected_depth(estimate.onset);
    estimate.time_s = law.expected_time(estimate.onset);
    estimate.delivered_restitution = law.delivered_restitution(estimate.onset);
  }
  return estimates;
}

}  // namespace freeplay::contact
