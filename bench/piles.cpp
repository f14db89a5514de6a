// Piles of 200 to 10 000 spheres that fall into a box and come to rest, here, in ODE and in Bullet: steps per second in
// three phases, beside how well each engine keeps the laws of contact. `bench_piles [--quick | [--alone] [--steps N]
// [--tolerance M_S] [--threads N] SPHERES...]`; --alone leaves the other engines out.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/effort.h"
#include "bench/measure.h"
#include "bench/peers/bullet_pile_peer.h"
#include "bench/peers/ode_pile_peer.h"
#include "bench/sphere_pile.h"

namespace freeplay::bench {
namespace {

constexpr double kStep_s = 2e-3;
constexpr double kTimeLimit_s = 120;  // CPU time of a run: whoever needs more stops there
constexpr int kIterations = 50;       // of the peers
constexpr int kRatioSpheres = 1000;   // whose steps per second make the last line

struct Phase {
  const char* name;
  int end;  // its last step
};
constexpr Phase kPhases[] = {{"fall", 150}, {"settle", 400}, {"rest", 600}, {"later", 1 << 30}};

// What one step says of itself.
struct StepNote {
  Violation violation;
  int contacts = 0, iterations = 0;
};

// The time of all steps, and a line for each phase.
class Timing {
 public:
  Timing(std::string name, int most_steps) : name_(std::move(name)), most_steps_(most_steps) {}

  void run(const std::function<StepNote(double&)>& step) {
    for (const Phase& phase : kPhases) {
      const double begin_s = cpu_s_;
      const int first = steps_;
      worst_ = {};
      contacts_ = iterations_ = 0;
      while (steps_ < std::min(phase.end, most_steps_) && cpu_s_ < kTimeLimit_s) {
        const StepNote note = step(cpu_s_);
        ++steps_;
        worst_.own_m_s = std::max(worst_.own_m_s, note.violation.own_m_s);
        worst_.coulomb_m_s = std::max(worst_.coulomb_m_s, note.violation.coulomb_m_s);
        contacts_ = note.contacts;
        iterations_ += note.iterations;
      }
      if (steps_ > first) print(phase, first, cpu_s_ - begin_s);
    }
  }
  double seconds_per_step() const { return cpu_s_ / steps_; }
  int steps() const { return steps_; }

  static void print_head() {
    fmt::print("{:<26}{:<8}{:>11}{:>10}{:>10}{:>12}{:>12}{:>12}\n", "", "phase", "steps", "steps/s", "contacts",
               "iterations", "own, m/s", "Coulomb");
  }

 private:
  void print(const Phase& phase, int first, double seconds) const {
    fmt::print("{:<26}{:<8}{:>11}{:>10.1f}{:>10}{:>12.1f}{:>12.0e}{:>12.0e}\n", name_, phase.name,
               fmt::format("{}-{}", first + 1, steps_), (steps_ - first) / seconds, contacts_,
               static_cast<double>(iterations_) / (steps_ - first), worst_.own_m_s, worst_.coulomb_m_s);
    std::fflush(stdout);
  }

  std::string name_;
  int most_steps_ = 0, steps_ = 0, contacts_ = 0, iterations_ = 0;
  double cpu_s_ = 0;
  Violation worst_;
};

// How far the sphere that moved farthest has come between two states, m.
double farthest_m(const VecX& before, const VecX& now) {
  constexpr Eigen::Index kCoordinates = 7;  // of a free body: its centre, then a quaternion
  double farthest = 0;
  for (Eigen::Index i = 0; i < now.size(); i += kCoordinates)
    farthest = std::max(farthest, (now.segment<3>(i) - before.segment<3>(i)).norm());
  return farthest;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double time_ours(const SpherePile& pile, int steps, double tolerance_m_s, int threads) {
  IntegratorOptions options;
  options.threads = threads;
  options.first_step_s = kStep_s;
  options.solver_tolerance_m_s = tolerance_m_s;
  options.activation = ActivationRule::kAnticipated;
  const std::unique_ptr<Integrator> integrator = pile.make_integrator(options);
  State state = pile.initial_state();
  if (integrator->start(state).status != StepStatus::kOk) throw std::runtime_error("the pile does not start");
  Timing timing("freeplay", steps);
  int k = 0;
  VecX halfway = state.q;
  timing.run([&](double& cpu_s) {
    if (k == steps / 2) halfway = state.q;
    // Of several threads it is the time that passes.
    const auto seconds = [&] { return threads == 1 ? cpu_seconds() : wall_seconds(); };
    const double start_s = seconds();
    const StepReport report = integrator->step(state, ++k * kStep_s);
    cpu_s += seconds() - start_s;
    if (report.status != StepStatus::kOk)
      throw std::runtime_error(fmt::format("freeplay fails at step {}: {}", k, integrator->failure_details()));
    return StepNote{{report.residual_m_s, report.residual_m_s}, report.active_points, report.iterations};
  });
  if (steps > kPhases[2].end)
    fmt::print("in the last {} steps no sphere moved farther than {:.1e} m\n", steps - steps / 2,
               farthest_m(halfway, state.q));
  return timing.seconds_per_step();
}

double time_peer(const std::string& name, PilePeer& peer, const PileScene& scene, int steps) {
  Timing timing(name, steps);
  timing.run([&](double& cpu_s) {
    const double start_s = cpu_seconds();
    peer.step();
    cpu_s += cpu_seconds() - start_s;
    const std::vector<PileContact> contacts = peer.contacts();
    return StepNote{violation_of(contacts, scene), static_cast<int>(contacts.size()), kIterations};
  });
  return timing.seconds_per_step();
}

// Slope of log(seconds per step) over log(N), by least squares.
double exponent_of(const std::vector<double>& sizes, const std::vector<double>& seconds) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const double n = static_cast<double>(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double a = std::log(sizes[i]), b = std::log(seconds[i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

struct Plan {
  std::vector<int> sizes = {200, 1000, 5000, 10000};
  int steps = kPhases[2].end;
  double tolerance_m_s = 1e-3;
  bool is_alone = false;
  int threads = 1;
};

int compare(const Plan& plan) {
  fmt::print("Spheres that fall into a box: steps of {} s, freeplay to {} m/s, peers with {} sweeps, {} thread{}\n\n",
             kStep_s, plan.tolerance_m_s, kIterations, plan.threads, plan.threads == 1 ? "" : "s (the peers: 1)");
  Timing::print_head();
  std::vector<double> sizes, seconds;
  double ratio = 0;
  for (const int spheres : plan.sizes) {
    // A floor that grows with the pile keeps its shape.
    const SpherePile pile(spheres, std::cbrt(std::max(spheres, 1000) / 1000.0), kStep_s);
    fmt::print("{} spheres\n", spheres);
    const double ours = time_ours(pile, plan.steps, plan.tolerance_m_s, plan.threads);
    sizes.push_back(spheres);
    seconds.push_back(ours);
    if (plan.is_alone) continue;
    const double ode = time_peer("ODE QuickStep", *make_ode_pile(pile.scene, kIterations), pile.scene, plan.steps);
    time_peer("Bullet", *make_bullet_pile(pile.scene, kIterations), pile.scene, plan.steps);
    if (spheres == kRatioSpheres || plan.sizes.size() == 1) ratio = ode / ours;
  }
  if (sizes.size() > 1) fmt::print("\ncost of a step over N: exponent {:.2f}\n", exponent_of(sizes, seconds));
  fmt::print(
      "\nThe laws are judged as in `spatial`: the natural residual of the worst contact of all steps, with friction as "
      "the\nengine bounds it (own) and as a disc (Coulomb). Whoever needs more than {} s of CPU time stops there.\n",
      kTimeLimit_s);
  if (!plan.is_alone) fmt::print("piles ratio {:.2f}\n", ratio);
  return 0;
}

Plan plan_of(int argc, char** argv) {
  Plan plan;
  if (argc == 1) return plan;
  if (argc == 2 && std::string_view(argv[1]) == "--quick") return {.sizes = {200}, .steps = 20};
  const auto refuse = [&] {
    throw std::invalid_argument(
        fmt::format("usage: {} [--quick | [--alone] [--steps N] [--tolerance M_S] [--threads N] SPHERES...]", argv[0]));
  };
  plan.sizes.clear();
  for (int i = 1; i < argc; ++i) {
    const std::string_view word(argv[i]);
    if (word == "--alone") {
      plan.is_alone = true;
    } else if (i + 1 < argc && word == "--steps") {
      plan.steps = std::atoi(argv[++i]);
    } else if (i + 1 < argc && word == "--tolerance") {
      plan.tolerance_m_s = std::atof(argv[++i]);
    } else if (i + 1 < argc && word == "--threads") {
      plan.threads = std::atoi(argv[++i]);
    } else {
      plan.sizes.push_back(std::atoi(argv[i]));
      if (plan.sizes.back() <= 0) refuse();
    }
  }
  if (plan.sizes.empty() || plan.steps <= 0 || plan.threads <= 0 || !(plan.tolerance_m_s > 0)) refuse();
  return plan;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  try {
    return freeplay::bench::compare(freeplay::bench::plan_of(argc, argv));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
