// The rattleback against the equations of a body that rolls without slipping.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::rattleback_test {
namespace {

// Angular velocity and the upward direction, both in body axes.
struct RollingState {
  Vec3 omega, up;
};

// The centre of mass has v = -omega x r with r from there to the contact point, r = (0, 0, h) - Q up/sqrt(up Q up);
// the force of the table is m (a + g up), and
//   I omega' + omega x I omega = r x m (a + g up),   a = -omega' x r - omega x r' + omega x v.
class RollingStone {
 public:
  explicit RollingStone(double skew) {
    const Mat3 turn = Eigen::AngleAxisd(skew, Vec3::UnitZ()).toRotationMatrix();
    Q_ = turn * Vec3(0.2, 0.03, 0.02).cwiseAbs2().asDiagonal() * turn.transpose();
  }
  // Runge and Kutta's method.
  RollingState step(const RollingState& s, double dt) const {
    const RollingState k1 = rates(s), k2 = rates(moved(s, k1, dt / 2)), k3 = rates(moved(s, k2, dt / 2));
    const RollingState k4 = rates(moved(s, k3, dt));
    return {s.omega + dt / 6 * (k1.omega + 2 * k2.omega + 2 * k3.omega + k4.omega),
            s.up + dt / 6 * (k1.up + 2 * k2.up + 2 * k3.up + k4.up)};
  }

 private:
  static RollingState moved(const RollingState& s, const RollingState& rate, double dt) {
    return {s.omega + dt * rate.omega, s.up + dt * rate.up};
  }
  RollingState rates(const RollingState& s) const {
    const Vec3 up_rate = -s.omega.cross(s.up), w = Q_ * s.up, w_rate = Q_ * up_rate;
    const double root = std::sqrt(s.up.dot(w));
    const Vec3 r = Vec3(0, 0, 0.01) - w / root;
    const Vec3 r_rate = w * (s.up.dot(w_rate) / (root * root * root)) - w_rate / root;
    const Vec3 known = -s.omega.cross(r_rate) - s.omega.cross(s.omega.cross(r)) + 9.81 * s.up;
    const Vec3 moment = r.cross(known) - s.omega.cross(inertia_.cwiseProduct(s.omega));
    const Mat3 about_contact = Mat3(inertia_.asDiagonal()) + r.squaredNorm() * Mat3::Identity() - r * r.transpose();
    return {about_contact.inverse() * moment, up_rate};
  }

  const Vec3 inertia_{2e-4, 1.6e-3, 1.7e-3};  // and a mass of 1 kg
  Mat3 Q_;
};

double spin_at(const ModelRun& run, double time) {
  // A run in memory has a row per step, whatever the file says about `record`.
  const std::size_t row = static_cast<std::size_t>(std::lround(time / run.time()[1]));
  EXPECT_NEAR(run.time()[row], time, 1e-9);
  return (run.rotation("stone", row) * run.vector("stone.omega", row)).z();
}

// The spin less that of a body that rolls, at each hundredth of half a second.
std::vector<double> errors_of_spin(const std::string& step) {
  const ModelRun run = run_example("rattleback", {"duration=0.5 s", "simulate.step=" + step});
  const RollingStone stone(2 * std::numbers::pi / 180);
  RollingState state{{0.1, 0.1, 5}, Vec3::UnitZ()};
  std::vector<double> errors;
  for (int i = 0; i <= 50; ++i) {
    errors.push_back(spin_at(run, i * 1e-2) - state.omega.dot(state.up));
    for (int k = 0; k < 50; ++k) state = stone.step(state, 2e-4);
  }
  return errors;
}

// Halving the step halves the error, so that twice the finer result less the coarser one leaves the second order: at 17
// rad of rocking (34 rad/s) about (17 * 34 rad/s * 0.1 ms)^2/2 = 0.2 % of the amplitude of 0.4 rad/s, and of the spin
// that it is added to.
TEST(Rattleback, TendsToABodyThatRollsWithOrderOne) {
  const std::vector<double> coarse = errors_of_spin("0.1 ms"), fine = errors_of_spin("0.05 ms");
  Worst of_coarse, of_fine, of_both;
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    of_coarse(coarse[i]);
    of_fine(fine[i]);
    of_both(2 * fine[i] - coarse[i]);
  }
  EXPECT_NEAR(of_fine.value / of_coarse.value, 0.5, 0.03);
  EXPECT_LT(of_both.value, 0.002 * (5 + 0.4));
}

TEST(Rattleback, ReversesItsSpinAndNeverGainsEnergy) {
  const ModelRun run = run_example("rattleback");
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_NEAR(spin_at(run, 0), 5, 1e-12);
  EXPECT_LT(spin_at(run, 4), -3);
  EXPECT_LT(run.summary.max_penetration_m, 1e-7);
  double least = run["energy.total"].front();
  for (const double energy : run["energy.total"]) {
    EXPECT_LE(energy, least * (1 + 1e-12));
    least = std::min(least, energy);
  }
}

// Without the skew nothing turns it around.
TEST(Rattleback, KeepsItsSpinIfItsAxesAreThoseOfTheEllipsoid) {
  const ModelRun run = run_example("rattleback", {"skew=0 deg"});
  for (std::size_t i = 0; i < run.rows(); i += 10) EXPECT_GT(spin_at(run, run.time()[i]), 4.9);
}

}  // namespace
}  // namespace freeplay::test::rattleback_test
