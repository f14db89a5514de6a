// Bodies that touch when one of them is struck: which contacts restitution acts on in the same instant is a decision of
// the model, `simultaneous`, and never of the rounding of a gap.
#include <array>
#include <optional>

#include "physics/model_run.h"

namespace freeplay::test::touching_contacts_test {
namespace {

constexpr int kBeads = 10;

// Ten beads of 5 mm, one above the other, 50 mm above the floor (BeadColumn of Siconos). `gap_m[i]`: between bead i and
// what is below it, beyond touching.
ModelRun fall(const std::array<double, kBeads>& gap_m, const std::string& integrator, const std::string& more = "",
              double restitution = 1) {
  std::string text = "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\nbodies:\n";
  double y = 0.055;
  for (int i = 0; i < kBeads; ++i) {
    if (i > 0) y += 0.01 + gap_m[static_cast<std::size_t>(i)];
    text += fmt::format(
        "  b{}: {{mass: 1 kg, inertia: 1e-5 kg m^2, initial: {{y: {:.17g} m}}, shapes: {{c: {{type: circle, radius: 5 "
        "mm}}}}}}\n",
        i, y);
  }
  text += "ground: {shapes: {floor: {type: line, normal: [0, 1]}}}\ncontacts:\n";
  for (int i = 0; i < kBeads; ++i) {
    text += fmt::format("  k{}: {{between: [b{}.c, {}], impact: newton, restitution: {}}}\n", i, i,
                        i == 0 ? "ground.floor" : fmt::format("b{}.c", i - 1), restitution);
  }
  text += fmt::format("simulate: {{integrator: {}, step: 10 us, duration: 0.12 s{}}}\n", integrator, more);
  RecordOptions record;
  record.every = 12000;  // start and end
  return run_model(parse_model(text, "beads"), record);
}

std::array<double, kBeads> speeds_after(const ModelRun& run) {
  std::array<double, kBeads> speeds{};
  for (int i = 0; i < kBeads; ++i) speeds[static_cast<std::size_t>(i)] = run[fmt::format("b{}.vy", i)].back();
  return speeds;
}

std::array<double, kBeads> all(double gap_m) {
  std::array<double, kBeads> gaps{};
  gaps.fill(gap_m);
  return gaps;
}

std::array<double, kBeads> alternating(double gap_m) {
  std::array<double, kBeads> gaps{};
  for (int i = 0; i < kBeads; ++i) gaps[static_cast<std::size_t>(i)] = i % 3 == 0 ? -gap_m : gap_m;
  return gaps;
}

double largest_difference_of(const std::array<double, kBeads>& a, const std::array<double, kBeads>& b) {
  Worst worst;
  for (std::size_t i = 0; i < a.size(); ++i) worst(a[i] - b[i]);
  return worst.value;
}

// Newton's law with all contacts closed: the column as a whole meets the floor with v = sqrt(2 g h) and leaves it with
// e v. Then it rises for what is left of the 0.12 s.
TEST(TouchingBeads, ReboundTogetherWhateverTheRoundingOfTheirGaps) {
  const double before = std::sqrt(2 * 9.81 * 0.05), rest_s = 0.12 - before / 9.81;
  for (const std::string integrator : {"moreau-midpoint", "moreau-jean", "moreau-midpoint, activation: anticipated"}) {
    for (const double restitution : {1.0, 0.5}) {
      SCOPED_TRACE(integrator + fmt::format(" e = {}", restitution));
      const std::array<double, kBeads> touching = speeds_after(fall(all(0), integrator, "", restitution));
      for (const double speed : touching) EXPECT_NEAR(speed, restitution * before - 9.81 * rest_s, 1e-3);
      for (const auto& gaps : {all(1e-18), all(1e-15), all(-1e-15), alternating(1e-15)}) {
        const ModelRun run = fall(gaps, integrator, "", restitution);
        EXPECT_LT(largest_difference_of(speeds_after(run), touching), 1e-9);
        EXPECT_EQ(run.summary.impacts, 1);
      }
    }
  }
}

// One by one the lowest bead rebounds and meets the next, and so on: with e = 0.5 most of the energy is lost, and the
// highest bead leaves alone.
TEST(TouchingBeads, AreStruckTogetherOrOneByOneAsTheModelSays) {
  for (const std::string integrator : {"moreau-midpoint", "moreau-jean"}) {
    SCOPED_TRACE(integrator);
    const std::array<double, kBeads> touching = speeds_after(fall(all(0), integrator, "", 0.5));
    const ModelRun one_by_one = fall(all(1e-6), integrator, "", 0.5);  // 2e-4 of the beads: more than 1e-9
    EXPECT_GT(one_by_one.summary.impacts, 20);
    EXPECT_GT(speeds_after(one_by_one)[9], 0.3);
    EXPECT_LT(std::abs(speeds_after(one_by_one)[0]), 0.01);
    const ModelRun together = fall(all(1e-6), integrator, ", simultaneous: 1e-3", 0.5);
    EXPECT_EQ(together.summary.impacts, 1);
    EXPECT_LT(largest_difference_of(speeds_after(together), touching), 1e-9);
  }
}

// What does not hang together with the strike is not closed by it: a second ball is 1.5 um above the floor when the
// first one strikes, 3e-4 of its size.
TEST(TouchingBeads, OfOtherBodiesAreLeftAlone) {
  const auto run = [](const std::string& simultaneous) {
    return run_model(
        parse_model("freeplay: 1\n"
                    "space: planar\n"
                    "bodies:\n"
                    "  a: {mass: 1 kg, inertia: 1e-5 kg m^2, initial: {x: 0, y: 5.5 mm, vy: -1 m/s}, "
                    "shapes: {c: {type: circle, radius: 5 mm}}}\n"
                    "  b: {mass: 1 kg, inertia: 1e-5 kg m^2, initial: {x: 1 m, y: 5.502 mm, vy: -1 m/s}, "
                    "shapes: {c: {type: circle, radius: 5 mm}}}\n"
                    "ground: {shapes: {floor: {type: line, normal: [0, 1]}}}\n"
                    "contacts:\n"
                    "  ka: {between: [a.c, ground.floor], impact: newton, restitution: 1}\n"
                    "  kb: {between: [b.c, ground.floor], impact: newton, restitution: 1}\n"
                    "simulate: {integrator: moreau-midpoint, step: 1 us, duration: 1 ms, simultaneous: " +
                        simultaneous + "}\n",
                    "two balls"));
  };
  const ModelRun exact = run("0"), wide = run("1e-3");
  EXPECT_EQ(exact["a.y"], wide["a.y"]);
  EXPECT_EQ(exact["b.y"], wide["b.y"]);
}

// ---- Compliant contacts

ModelRun row_of_balls(const std::string& law, const std::string& duration) {
  std::string text = "freeplay: 1\nspace: planar\nbodies:\n";
  for (int i = 0; i < 7; ++i) {
    text += fmt::format(
        "  b{}: {{mass: 1 kg, inertia: 1e-5 kg m^2, initial: {{x: {:.17g} m, vx: {} m/s}}, shapes: {{c: {{type: "
        "circle, "
        "radius: 5 mm}}}}}}\n",
        i, i == 0 ? -0.5 : 0.01 * (i - 1), i == 0 ? 1 : 0);
  }
  text += "contacts:\n";
  for (int i = 1; i < 7; ++i) {
    text += fmt::format(
        "  k{}: {{between: [b{}.c, b{}.c], restitution: 0.9, force: {{law: {}, stiffness: 1e10 "
        "N/m^1.5}}}}\n",
        i, i, i - 1, law);
  }
  text += fmt::format("simulate: {{integrator: dopri5, duration: {}}}\n", duration);
  return run_model(parse_model(text, "balls"));
}

// Before the first ball arrives at 0.49 s, six balls at rest touch. Their gaps open and close by rounding.
TEST(BallsAtRest, TakeNoShortStepsBeforeAnythingMoves) {
  for (const std::string law : {"hertz", "lankarani-nikravesh", "flores"}) {
    const ModelRun run = row_of_balls(law, "0.48 s");
    EXPECT_LT(run.summary.steps, 20) << law;
  }
}

// Nothing but the contacts bounds the steps of free flight: one of them leads from far before the row to far behind it.
TEST(HiddenContact, IsFoundThoughTheStepBeginsAndEndsFarFromIt) {
  const ModelRun run = row_of_balls("hertz", "0.6 s");
  EXPECT_GE(run.summary.contacts_begun, 1);
  EXPECT_LT(run["b0.vx"].back(), 0.5) << "it flew through the others";
  double momentum = 0;
  for (int i = 0; i < 7; ++i) momentum += run[fmt::format("b{}.vx", i)].back();
  EXPECT_NEAR(momentum, 1, 1e-6);
  EXPECT_GT(run["b6.vx"].back(), 0.5);
}

// A ball flies past a post of 20 mm at 3 mm of overlap and another one at 1 mm of distance, in one step each if nothing
// tells it otherwise. The start of the first contact is where the distance of the centres is 30 mm:
//   x = -sqrt(30^2 - 27^2) mm.
TEST(HiddenContact, StartsWhereTheSurfacesMeet) {
  const auto pass = [](const std::string& integrator, const std::string& y) {
    return run_model(
        parse_model("freeplay: 1\nspace: planar\n"
                    "bodies: {ball: {mass: 1 kg, inertia: 1e-5 kg m^2, initial: {x: -1 m, y: " +
                        y +
                        ", vx: 1 m/s}, shapes: {c: {type: circle, radius: 10 mm}}}}\n"
                        "ground: {shapes: {post: {type: circle, radius: 20 mm}}}\n"
                        "contacts: {k: {between: [ball.c, ground.post], restitution: 1, force: {law: "
                        "hertz, stiffness: 1e9 N/m^1.5}}}\n"
                        "simulate: {integrator: " +
                        integrator + ", duration: 2 s}\n",
                    "ball and post"));
  };
  for (const std::string integrator : {"dopri5", "cvode-bdf", "cvode-adams"}) {
    SCOPED_TRACE(integrator);
    const ModelRun hit = pass(integrator, "27 mm");
    ASSERT_EQ(hit.record.impacts.size(), 1u);
    EXPECT_NEAR(hit.record.impacts[0].time_s, 1 - std::sqrt(0.03 * 0.03 - 0.027 * 0.027), 1e-3);
    EXPECT_LT(hit.summary.largest_initial_penetration_m, 1e-12);
    EXPECT_TRUE(pass(integrator, "31 mm").record.impacts.empty());
  }
}

// Far from the origin a gap is known to the rounding of the positions only: where that is more than what counts as
// touching, steps towards the contact became so short that nothing moved any more.
TEST(CompliantContact, IsFoundFarFromTheOrigin) {
  for (const std::string far : {"1 m", "1e4 m", "1e6 m"}) {
    SCOPED_TRACE(far);
    const ModelRun run = run_model(
        parse_model("freeplay: 1\nspace: planar\n"
                    "bodies:\n"
                    "  s: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: " +
                        far +
                        ", vy: -10 m/s}, shapes: {p: {type: circle, radius: 10 mm}}}\n"
                        "  w: {mass: 1000 kg, inertia: 1 kg m^2, initial: {y: " +
                        far +
                        " - 0.13 m}, shapes: {p: {type: circle, radius: 20 mm}}}\n"
                        "contacts: {c: {between: [s.p, w.p], restitution: 1, force: {law: hertz, stiffness: 1e9 "
                        "N/m^1.5}}}\n"
                        "simulate: {integrator: dopri5, duration: 0.02 s, relative_tolerance: 1e-12}\n",
                    "far"));
    ASSERT_EQ(run.record.impacts.size(), 1u);
    EXPECT_NEAR(run.record.impacts[0].time_s, 0.01, 1e-3);
    EXPECT_LT(run.summary.steps, 2000);
    EXPECT_NEAR(run["s.vy"].back(), 10.0 * 999 / 1001, 1e-2);
  }
}

// ---- A run that goes on

// Two balls lie against each other in a box between whose walls a third one flies to and fro: it strikes them again and
// again. What was said of the first strike is not said again.
TEST(TouchingContacts, AreToldOfOnceAlsoByARunThatGoesOn) {
  const ModelFile file = parse_model(
      "freeplay: 1\nspace: planar\n"
      "bodies:\n"
      "  a: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {x: -150 mm, vx: 1 m/s}, shapes: {c: {type: circle, radius: 50 "
      "mm}}}\n"
      "  b: {mass: 1 kg, inertia: 1e-3 kg m^2, shapes: {c: {type: circle, radius: 50 mm}}}\n"
      "  c: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {x: 100 mm}, shapes: {c: {type: circle, radius: 50 mm}}}\n"
      "ground: {shapes: {left: {type: line, at: [-200 mm, 0], normal: [1, 0]}, right: {type: line, at: [150 mm, 0], "
      "normal: [-1, 0]}}}\n"
      "contacts:\n"
      "  ab: {between: [b.c, a.c], impact: newton, restitution: 1}\n"
      "  bc: {between: [c.c, b.c], impact: newton, restitution: 1}\n"
      "  wall_a: {between: [a.c, ground.left], impact: newton, restitution: 1}\n"
      "  wall_c: {between: [c.c, ground.right], impact: newton, restitution: 1}\n"
      "simulate: {integrator: moreau-midpoint, step: 10 us, duration: 0.3 s}\n",
      "balls in a box");
  const Model model = build_model(file);
  const auto simulation = build_simulation(file, model);
  std::optional<Checkpoint> saved;
  simulation->observe_checkpoints(10000, [&](const Checkpoint& checkpoint) {
    if (!saved) saved = checkpoint;
  });
  MemorySink sink;
  const RunSummary whole = simulation->run(sink, {});
  ASSERT_EQ(whole.warnings.size(), 1u);
  ASSERT_EQ(saved->summary.warnings, whole.warnings) << "it was told before the checkpoint";
  EXPECT_EQ(build_simulation(file, model)->resume(*saved, sink, {}).warnings, whole.warnings);
}

// ---- Overlap at the start

ModelRun sunken_ball(const std::string& simulate) {
  return run_model(
      parse_model("freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
                  "bodies: {ball: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {y: 99.9995 mm}, shapes: {c: "
                  "{type: circle, radius: 100 mm}}}}\n"
                  "ground: {shapes: {floor: {type: line, normal: [0, 1]}}}\n"
                  "contacts: {k: {between: [ball.c, ground.floor], impact: newton, restitution: 0, force: "
                  "{law: hertz, stiffness: 1e9 N/m^1.5}}}\n"
                  "simulate: {duration: 10 ms, " +
                      simulate + "}\n",
                  "sunken ball"));
}

TEST(InitialOverlap, IsKeptOrProjectedAsDeepAsIsAllowed) {
  const std::string moreau = "integrator: moreau-midpoint, step: 0.1 ms, ";
  const ModelRun kept = sunken_ball(moreau + "initial_overlap: 1 um");
  EXPECT_NEAR(kept["k.gap"].front(), -0.5e-6, 1e-15);
  EXPECT_NEAR(kept["k.gap"].back(), -0.5e-6, 1e-12) << "a closed contact pushes nothing apart";
  const ModelRun projected = sunken_ball(moreau + "initial_overlap: 1 um, initial_overlap_is: projected");
  EXPECT_NEAR(projected["k.gap"].front(), 0, 2e-12);
  EXPECT_NEAR(projected["energy.potential"].front() - kept["energy.potential"].front(), 9.81 * 0.5e-6, 1e-10);
  EXPECT_NEAR(projected.summary.energy_drift_J, 0, 1e-9) << "what the projection did is no drift";
  // Under a force law the overlap is a loaded spring, 2/5 K delta^2.5.
  const ModelRun sprung = sunken_ball("initial_overlap: 1 um");
  EXPECT_NEAR(sprung["k.normal_force"].front(), 1e9 * std::pow(0.5e-6, 1.5), 1e-6);
  EXPECT_NEAR(sprung.summary.energy_drift_J, 0, 1e-8);
}

TEST(InitialOverlap, BeyondWhatIsAllowedIsAnErrorWithTheCure) {
  try {
    sunken_ball("initial_overlap: 0.4 um");
    FAIL() << "was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().front().message, "'k' penetrates by 5e-07 m in the initial state");
    EXPECT_NE(error.diagnostics().front().hint.find("initial_overlap"), std::string::npos);
  }
}

}  // namespace
}  // namespace freeplay::test::touching_contacts_test
