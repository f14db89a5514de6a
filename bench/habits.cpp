// Three small scenes in which engines differ: a block that slides, play that a margin eats, a tower under a heavy ball.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/effort.h"
#include "bench/peers/habits_peer.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/simulation/recording/memory_sink.h"

namespace freeplay::bench {

namespace {

constexpr double kNothing_m = 1e-9;  // what a sink is at least taken for: below, it is rounding

MemorySink run_of(const std::string& text) {
  const ModelFile file = parse_model(text, "scene");
  const Model model = build_model(file);
  const std::unique_ptr<Simulation> simulation = build_simulation(file, model);
  MemorySink sink;
  const RunSummary summary = simulation->run(sink, {}, {});
  if (summary.status != RunStatus::kCompleted) throw std::runtime_error("freeplay: " + summary.message);
  return sink;
}

double our_lift_m_s(const char* solver) {
  const std::vector<double> speed = run_of(fmt::format(R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  block: {{mass: 1 kg, inertia: 4.17e-3 kg m^2, initial: {{y: 50 mm, vx: 5 m/s}},
    shapes: {{left: {{type: point, at: [-100 mm, -50 mm]}}, right: {{type: point, at: [100 mm, -50 mm]}}}}}}
ground: {{shapes: {{floor: {{type: line, normal: [0, 1]}}}}}}
contacts:
  rear: {{between: [block.left, ground.floor], impact: newton, restitution: 0, friction: 0.5}}
  front: {{between: [block.right, ground.floor], impact: newton, restitution: 0, friction: 0.5}}
simulate: {{integrator: moreau-midpoint, solver: {}, step: 1 ms, duration: 1 s}}
record: [block.vy]
)",
                                                       solver))
                                        .channel("block.vy");
  return std::max(0.0, *std::max_element(speed.begin(), speed.end()));
}

double our_travel_m() {
  const std::vector<double> y = run_of(R"(freeplay: 1
space: planar
bodies: {block: {mass: 1 kg, inertia: 4.17e-3 kg m^2}}
joints:
  guide: {type: prismatic, parent: ground, child: block, axis: [1, 0], model: clearance, clearance: 1 mm, length: 200 mm,
    width: 100 mm, contact: {impact: newton, restitution: 0, friction: 0}}
forces: {push: {type: force, on: block, value: [0 N, '1 N*sign(2 s - t)']}}
simulate: {integrator: moreau-midpoint, activation: anticipated, step: 1 ms, duration: 4 s}
record: [block.y]
)")
                                    .channel("block.y");
  return *std::max_element(y.begin(), y.end()) - *std::min_element(y.begin(), y.end());
}

double our_sink_m(double top_kg) {
  constexpr int kBoxes = 10;
  std::string bodies, contacts;
  for (int i = 0; i < kBoxes; ++i) {
    const double mass_kg = i + 1 < kBoxes ? 1 : top_kg;
    bodies += fmt::format(
        "  b{}: {{mass: {} kg, inertia: {} kg m^2, initial: {{y: {} mm}}, shapes: {{skin: {{type: polygon, "
        "vertices: [[-50 mm, -50 mm], [50 mm, -50 mm], [50 mm, 50 mm], [-50 mm, 50 mm]]}}}}}}\n",
        i, mass_kg, mass_kg * 0.01 / 6, 50 + 100 * i);
    const std::string below = i == 0 ? "ground.floor" : fmt::format("b{}.skin", i - 1);
    contacts +=
        fmt::format("  c{}: {{between: [b{}.skin, {}], impact: newton, restitution: 0, friction: 0.5}}\n", i, i, below);
  }
  const std::string text =
      "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\nbodies:\n" + bodies +
      "ground: {shapes: {floor: {type: line, normal: [0, 1]}}}\ncontacts:\n" + contacts +
      "simulate: {integrator: moreau-midpoint, activation: anticipated, step: 1 ms, duration: 1 s}\n"
      "record: [b9.y]\n";
  return 0.95 - run_of(text).channel("b9.y").back();
}

int compare(Effort /*effort*/) {  // the scenes take less than a second
  fmt::print("A block slides at 5 m/s over a floor with friction 0.5; how fast does it rise?\n");
  fmt::print("  freeplay                       {:.3g} m/s\n", our_lift_m_s("auto"));
  fmt::print("  freeplay, friction made convex {:.3g} m/s\n", our_lift_m_s("relaxed-cone"));
  fmt::print("  ODE, dWorldStep                {:.3g} m/s\n", ode_lift_m_s(false));
  fmt::print("  ODE, dWorldQuickStep           {:.3g} m/s\n", ode_lift_m_s(true));
  fmt::print("  Bullet                         {:.3g} m/s\n", bullet_lift_m_s());
  fmt::print("A block with 1 mm of play on either side is pushed from wall to wall; how far does it get?\n");
  fmt::print("  freeplay                       {:.4f} mm\n", 1e3 * our_travel_m());
  fmt::print("  Bullet, a box                  {:.4f} mm\n", 1e3 * bullet_travel_m(false));
  fmt::print("  Bullet, the hull of 8 corners  {:.4f} mm\n", 1e3 * bullet_travel_m(true));
  double ratio = 0;
  for (const double top_kg : {1.0, 100.0}) {
    const double ours = our_sink_m(top_kg), bullet = bullet_sink_m(top_kg, 10), ode = ode_sink_m(top_kg, 20);
    fmt::print(
        "Ten cubes on top of each other, the one on top has {:.0f} kg and the others 1 kg; how far has it sunk?\n",
        top_kg);
    fmt::print("  freeplay                       {:.3g} mm\n", 1e3 * ours);
    fmt::print("  ODE, 20 iterations, as usual   {:.3g} mm\n", 1e3 * ode);
    fmt::print("  ODE, 2000 iterations           {:.3g} mm\n", 1e3 * ode_sink_m(top_kg, 2000));
    fmt::print("  Bullet, 10 iterations, as usual {:.3g} mm\n", 1e3 * bullet);
    fmt::print("  Bullet, 1000 iterations        {:.3g} mm\n", 1e3 * bullet_sink_m(top_kg, 1000));
    ratio = std::min(bullet, ode) / std::max(ours, kNothing_m);
  }
  fmt::print("habits ratio {:.1f}\n", ratio);
  return 0;
}

}  // namespace

}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, freeplay::bench::compare);
}
