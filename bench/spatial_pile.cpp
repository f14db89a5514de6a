#include "bench/spatial_pile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/peers/bullet_pile_peer.h"
#include "bench/peers/ode_pile_peer.h"
#include "bench/sphere_pile.h"

namespace freeplay::bench {

namespace {

constexpr double kStep_s = 2e-3, kBox_m = 1;
constexpr int kSteps = 150, kQuickSteps = 20;
constexpr double kTolerance_m_s = 1e-3;
constexpr double kTimeLimit_s = 60;  // CPU time of a run: whoever needs more stops there, and the table tells

double deepest_m(const std::vector<Vector>& centres, const PileScene& scene) {
  double deepest = 0;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const Vec3 at(centres[i].data());
    const double to_wall = std::min(at.z(), scene.box_m / 2 - std::max(std::abs(at.x()), std::abs(at.y())));
    deepest = std::max(deepest, scene.radius_m - to_wall);
    for (std::size_t j = 0; j < i; ++j)
      deepest = std::max(deepest, 2 * scene.radius_m - (at - Vec3(centres[j].data())).norm());
  }
  return deepest;
}

double mean_height_m(const std::vector<Vector>& centres) {
  double sum = 0;
  for (const Vector& centre : centres) sum += centre[2];
  return sum / static_cast<double>(centres.size());
}

// What an engine did, step by step. Looking at it is not timed.
class Row {
 public:
  Row(std::string name, int most_steps) : name_(std::move(name)), most_steps_(most_steps) {}

  template <class Step>
  void time_step(Step&& step) {
    const double start_s = cpu_seconds();
    step();
    cpu_s_ += cpu_seconds() - start_s;
    ++steps_;
  }
  bool may_go_on() const { return steps_ < most_steps_ && cpu_s_ < kTimeLimit_s; }

  void note(const Violation& violation, std::size_t contacts, const std::vector<Vector>& centres,
            const PileScene& scene) {
    own_.push_back(violation.own_m_s);
    coulomb_.push_back(violation.coulomb_m_s);
    contacts_ = contacts;
    deepest_m_ = std::max(deepest_m_, deepest_m(centres, scene));
    height_m_ = mean_height_m(centres);
  }

  void print() const {
    fmt::print("{:<36}{:>6}{:>9.1f}{:>9}{:>9.0e}{:>9.0e}{:>9.0e}{:>9.0e}{:>9.3f}{:>8.1f}\n", name_, steps_,
               steps_ / cpu_s_, contacts_, median(own_), largest(own_), median(coulomb_), largest(coulomb_),
               1e3 * deepest_m_, 1e3 * height_m_);
    std::fflush(stdout);
  }
  static void print_head() {
    fmt::print("{:<36}{:>6}{:>9}{:>9}{:>18}{:>18}{:>9}{:>8}\n", "", "", "", "contacts", "own law, m/s", "Coulomb, m/s",
               "deepest", "height");
    fmt::print("{:<36}{:>6}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}\n", "", "steps", "steps/s", "at end", "median",
               "worst", "median", "worst", "mm", "mm");
  }

 private:
  static double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

  std::string name_;
  int most_steps_ = 0, steps_ = 0;
  double cpu_s_ = 0;
  std::vector<double> own_, coulomb_;  // per step
  std::size_t contacts_ = 0;
  double deepest_m_ = 0, height_m_ = 0;
};

// The steps themselves, without the run loop around them, as with the peers.
Row run_ours(const SpherePile& pile, const std::string& name, VelocityForces velocity_forces, int steps) {
  IntegratorOptions options;
  options.first_step_s = kStep_s;
  options.solver_tolerance_m_s = kTolerance_m_s;
  options.activation = ActivationRule::kAnticipated;
  options.velocity_forces = velocity_forces;
  const std::unique_ptr<Integrator> integrator = pile.make_integrator(options);
  State state = pile.initial_state();
  if (integrator->start(state).status != StepStatus::kOk) throw std::runtime_error("the pile does not start");
  Row row(name, steps);
  for (int k = 1; row.may_go_on(); ++k) {
    StepReport report;
    row.time_step([&] { report = integrator->step(state, k * kStep_s); });
    if (report.status != StepStatus::kOk) throw std::runtime_error(fmt::format("freeplay fails at step {}", k));
    // What it certifies its steps by is the natural residual of Coulomb's law.
    const Violation violation{report.residual_m_s, report.residual_m_s};
    row.note(violation, static_cast<std::size_t>(report.active_points), SpherePile::centres_m(state), pile.scene);
  }
  return row;
}

Row run_peer(const std::string& name, PilePeer& peer, const PileScene& scene, int steps) {
  Row row(name, steps);
  while (row.may_go_on()) {
    row.time_step([&] { peer.step(); });
    const std::vector<PileContact> contacts = peer.contacts();
    row.note(violation_of(contacts, scene), contacts.size(), peer.centres_m(), scene);
  }
  return row;
}

}  // namespace

void compare_piles(Effort effort) {
  const bool is_quick = effort == Effort::kQuick;
  const int steps = is_quick ? kQuickSteps : kSteps;
  fmt::print("Spheres that fall into a box: steps of {} s up to {} s or {} s of CPU time, single thread\n\n", kStep_s,
             steps * kStep_s, kTimeLimit_s);
  Row::print_head();
  for (const int spheres : is_quick ? std::vector<int>{200} : std::vector<int>{200, 1000}) {
    const SpherePile ours(spheres, kBox_m, kStep_s);
    fmt::print("{} spheres\n", spheres);
    run_ours(ours, "freeplay", VelocityForces::kStart, steps).print();
    // As in the example. Spheres have no gyroscopic torque, so that this gives the same motion.
    if (spheres == 200) run_ours(ours, "freeplay, velocity_forces implicit", VelocityForces::kImplicit, steps).print();
    for (const int iterations : {50, 1000}) {
      const std::string name = fmt::format("ODE QuickStep, {} iterations", iterations);
      run_peer(name, *make_ode_pile(ours.scene, iterations), ours.scene, steps).print();
    }
    for (const int iterations : {10, 50, 1000}) {
      const std::string name = fmt::format("Bullet, {} iterations", iterations);
      run_peer(name, *make_bullet_pile(ours.scene, iterations), ours.scene, steps).print();
    }
  }
  fmt::print(
      "\nThe laws are judged by the impulses of a step and the velocities at its end: the natural residual of the "
      "worst of\n"
      "the contacts that the engine had in that step; freeplay, which solves to {1} m/s, tells its own. The normal law "
      "is\n"
      "0 <= Lambda_N _|_ v_N - aim >= 0 with the engine's own aim: freeplay -max(gap, 0)/h; ODE {0} depth/h, and no\n"
      "contact before they overlap; Bullet -gap/h or {0} depth/h. 'own law': friction as the engine bounds it, that is "
      "in\n"
      "ODE and Bullet in two directions each for itself; 'Coulomb': the disc, from which that is far where spheres "
      "slide.\n"
      "deepest: of all overlaps at the ends of steps; height: mean of the centres at the end.\n",
      kPushedOut, kTolerance_m_s);
}

}  // namespace freeplay::bench
