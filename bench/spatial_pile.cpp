#include "bench/spatial_pile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

#include "bench/bullet_pile_peer.h"
#include "bench/measure.h"
#include "bench/ode_pile_peer.h"
#include "freeplay/complementarity/natural_residual.h"
#include "freeplay/contact/scene.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::bench {

namespace {

constexpr double kStep_s = 2e-3;
constexpr int kSteps = 150;
constexpr double kTolerance_m_s = 1e-3;
constexpr double kTimeLimit_s = 60;  // CPU time of a run: whoever needs more stops there, and the table tells

// How far the answer of a step is from the laws, in m/s: the natural residual of the worst contact.
struct Violation {
  double normal_m_s = 0;  // 0 <= Lambda_N _|_ xi_N >= 0
  double all_m_s = 0;     // and Coulomb's friction, a disc
};

Violation violation_of(const std::vector<PileContact>& contacts, const PileScene& scene) {
  Violation worst;
  for (const PileContact& contact : contacts) {
    const Vec3 n(contact.normal.data()), v(contact.velocity_m_s.data()), impulse(contact.impulse_N_s.data());
    const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    // |G| of a contact: across the normal, the turning of a sphere adds R^2 / (2/5 m R^2) to its inverse mass.
    const double norm = (contact.has_wall ? 1 : 2) * 3.5 / scene.mass_kg;
    const double xi_N = n.dot(v) - contact.aim_m_s, Lambda_N = n.dot(impulse);
    const double xi_T[] = {t1.dot(v), t2.dot(v)}, Lambda_T[] = {t1.dot(impulse), t2.dot(impulse)};
    ImpulseBlock normal, disc;
    normal.set = ImpulseSet::kNonNegative;
    disc.set = ImpulseSet::kDisc;
    disc.size = 2;
    disc.mu = scene.friction;
    const double e_N = block_residual(normal, norm, 0, &Lambda_N, &xi_N);
    worst.normal_m_s = std::max(worst.normal_m_s, e_N);
    worst.all_m_s = std::max({worst.all_m_s, e_N, block_residual(disc, norm, Lambda_N, Lambda_T, xi_T)});
  }
  return worst;
}

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
  explicit Row(std::string name) : name_(std::move(name)) {}

  template <class Step>
  void time_step(Step&& step) {
    const double start_s = cpu_seconds();
    step();
    cpu_s_ += cpu_seconds() - start_s;
    ++steps_;
  }
  bool may_go_on() const { return steps_ < kSteps && cpu_s_ < kTimeLimit_s; }

  void note(const Violation& violation, std::size_t contacts, const std::vector<Vector>& centres,
            const PileScene& scene) {
    if (!std::isnan(violation.normal_m_s)) normal_.push_back(violation.normal_m_s);
    all_.push_back(violation.all_m_s);
    contacts_ = contacts;
    deepest_m_ = std::max(deepest_m_, deepest_m(centres, scene));
    height_m_ = mean_height_m(centres);
  }

  void print() const {
    const std::string normal = normal_.empty() ? "-" : fmt::format("{:.1e}", largest(normal_));
    fmt::print("{:<34}{:>6}{:>10.1f}{:>9}{:>10.1e}{:>10.1e}{:>10}{:>10.3f}{:>10.1f}\n", name_, steps_, steps_ / cpu_s_,
               contacts_, median(all_), largest(all_), normal, 1e3 * deepest_m_, 1e3 * height_m_);
    std::fflush(stdout);
  }
  static void print_head() {
    fmt::print("{:<34}{:>6}{:>10}{:>9}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "", "", "", "contacts", "residual", "m/s", "",
               "deepest", "mean");
    fmt::print("{:<34}{:>6}{:>10}{:>9}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "", "steps", "steps/s", "at end", "median",
               "worst", "normal", "mm", "height mm");
  }

 private:
  static double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

  std::string name_;
  int steps_ = 0;
  double cpu_s_ = 0;
  std::vector<double> normal_, all_;  // per step
  std::size_t contacts_ = 0;
  double deepest_m_ = 0, height_m_ = 0;
};

// The scene of examples/spheres_in_box.yaml, whose numbers are those that it has by default.
class FreeplayPile {
 public:
  explicit FreeplayPile(int spheres) {
    const SceneEntry& entry = *find_scene("spheres_in_box");
    std::vector<double> values;
    const auto value = [&](const char* name) {
      for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
        if (entry.parameters[i].name == name) return values[i];
      }
      throw std::logic_error(fmt::format("the scene has no parameter '{}'", name));
    };
    for (const SystemParameter& parameter : entry.parameters)
      values.push_back(parameter.name == "N" ? spheres : parameter.default_value);
    const Scene made = entry.make(values);
    mechanism_ = Mechanism::build(made.mechanism);
    contacts_ = MechanismContacts::build(mechanism_, made.mechanism, made.contacts);
    scene = {value("radius"), made.mechanism.bodies[0].mass_kg,      value("box"), value("friction"), value("g"),
             kStep_s,         centres_m(mechanism_->initial_state())};
  }

  // The steps themselves, without the run loop around them, as with the peers.
  Row run(const std::string& name, VelocityForces velocity_forces) const {
    IntegratorOptions options;
    options.first_step_s = kStep_s;
    options.solver_tolerance_m_s = kTolerance_m_s;
    options.activation = ActivationRule::kAnticipated;
    options.velocity_forces = velocity_forces;
    const std::unique_ptr<Integrator> integrator =
        find_integrator("moreau-midpoint")->make(*mechanism_, *contacts_, options);
    State state = mechanism_->initial_state();
    if (integrator->start(state).status != StepStatus::kOk) throw std::runtime_error("the pile does not start");
    Row row(name);
    for (int k = 1; row.may_go_on(); ++k) {
      StepReport report;
      row.time_step([&] { report = integrator->step(state, k * kStep_s); });
      if (report.status != StepStatus::kOk) throw std::runtime_error(fmt::format("freeplay fails at step {}", k));
      // Its own residual, which is the natural one too; that of the normal rows is not kept apart.
      const Violation violation{std::numeric_limits<double>::quiet_NaN(), report.residual_m_s};
      row.note(violation, static_cast<std::size_t>(report.active_points), centres_m(state), scene);
    }
    return row;
  }

  PileScene scene;

 private:
  static std::vector<Vector> centres_m(const State& state) {
    constexpr Eigen::Index kCoordinates = 7;  // of a free body: its centre, then a quaternion
    std::vector<Vector> centres;
    for (Eigen::Index i = 0; i < state.q.size(); i += kCoordinates)
      centres.push_back({state.q[i], state.q[i + 1], state.q[i + 2]});
    return centres;
  }

  std::shared_ptr<const Mechanism> mechanism_;
  std::shared_ptr<const MechanismContacts> contacts_;
};

Row run_peer(const std::string& name, PilePeer& peer, const PileScene& scene) {
  Row row(name);
  while (row.may_go_on()) {
    row.time_step([&] { peer.step(); });
    const std::vector<PileContact> contacts = peer.contacts();
    row.note(violation_of(contacts, scene), contacts.size(), peer.centres_m(), scene);
  }
  return row;
}

}  // namespace

void compare_piles() {
  fmt::print("Spheres that fall into a box: steps of {} s up to {} s or {} s of CPU time, single thread\n\n", kStep_s,
             kSteps * kStep_s, kTimeLimit_s);
  Row::print_head();
  for (const int spheres : {200, 1000}) {
    const FreeplayPile ours(spheres);
    fmt::print("{} spheres\n", spheres);
    ours.run("freeplay", VelocityForces::kStart).print();
    ours.run("freeplay, velocity_forces implicit", VelocityForces::kImplicit).print();
    for (const int iterations : {50, 1000}) {
      const std::string name = fmt::format("ODE QuickStep, {} iterations", iterations);
      run_peer(name, *make_ode_pile(ours.scene, iterations), ours.scene).print();
    }
    for (const int iterations : {10, 50, 1000}) {
      const std::string name = fmt::format("Bullet, {} iterations", iterations);
      run_peer(name, *make_bullet_pile(ours.scene, iterations), ours.scene).print();
    }
  }
  fmt::print(
      "\nresidual: of the worst contact of a step, by its impulse and the velocities at the end, how far they are\n"
      "from 0 <= Lambda_N _|_ xi_N >= 0 and from Coulomb's disc (the natural residual); 'normal': without the\n"
      "latter, worst step. The contacts are those of the engine in that step, and xi_N = v_N - aim, where the\n"
      "aim is its own: freeplay -max(gap, 0)/h; ODE {0} depth/h, no contact before they overlap; Bullet -gap/h\n"
      "or {0} depth/h. Freeplay solves to {1} m/s. Both peers bound friction in two directions each for itself,\n"
      "so that theirs does not tend to 0. 'deepest': of all overlaps at the ends of steps, by their positions.\n",
      kPushedOut, kTolerance_m_s);
}

}  // namespace freeplay::bench
