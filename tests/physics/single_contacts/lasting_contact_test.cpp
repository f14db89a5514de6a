// Contacts that last, under `lasting_contacts: kept` (docs/theory/time_stepping.md): they carry an impulse in every
// step, and restitution acts on true approaches only. All of them have restitution.
#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::lasting_contact_test {
namespace {

constexpr const char* kRules[] = {"moreau-midpoint", "moreau-jean"};

ModelRun run_physics_model(const std::string& name, const Overrides& overrides) {
  return run_model(load_model(test_dir() + "/models/physics/" + name + ".yaml", overrides));
}

std::string step_of(double step_s) {
  return fmt::format("step={} s", step_s);
}

// ---- A bead that slides over a round hill of radius R, from the angle phi_0 off the top with the speed v_0: the row
// turns so that the bead seems to leave, by v^2/R, while its weight holds it down.
//   v^2 = v_0^2 + 2 g R (cos phi_0 - cos phi),  N = m (g cos phi - v^2/R),  N = 0 at cos phi = (v_0^2/(g R) + 2 cos
//   phi_0)/3

constexpr double kGravity = 9.81, kMass = 2;
const double kCosStart = std::cos(10 * std::acos(-1.0) / 180);

double cosine(const ModelRun& run, std::size_t row) {
  return run["bead.y"][row] / std::hypot(run["bead.x"][row], run["bead.y"][row]);
}

double normal_force(double cosine) {
  return kMass * (kGravity * cosine - (1 + 2 * kGravity * (kCosStart - cosine)));
}

std::size_t last_loaded_row(const std::vector<double>& impulses) {
  std::size_t last = impulses.size();
  while (last > 0 && !(impulses[last - 1] > 0)) --last;
  return last - 1;
}

TEST(BeadOnAHill, IsHeldInEveryStepUntilItLeavesWhereTheForceVanishes) {
  constexpr double kStep = 1e-4;
  // The start is none of a contact that lasts: the bead falls for a step and bounces, with e^k of that left.
  constexpr std::size_t kSettled = 40;
  for (const char* rule : kRules) {
    SCOPED_TRACE(rule);
    const ModelRun run =
        run_physics_model("bead_on_hill", {step_of(kStep), std::string("simulate.integrator=") + rule});
    const std::vector<double>& impulse = run["slide.normal_impulse"];
    const std::size_t last = last_loaded_row(impulse);
    Worst force;
    for (std::size_t i = kSettled; i < last; ++i) {
      ASSERT_GT(impulse[i], 0) << "step " << i;
      force(impulse[i] / kStep - (normal_force(cosine(run, i - 1)) + normal_force(cosine(run, i))) / 2);
    }
    EXPECT_LT(force.value, 1e-6 * kMass * kGravity);
    EXPECT_NEAR(std::acos(cosine(run, last)), std::acos((1 / kGravity + 2 * kCosStart) / 3), 5e-4);
    EXPECT_EQ(run.summary.impacts, 0);
  }
}

// What the paper's rule does there: the gap opens by dt^2/2 v^2/R in a step, and the bead falls back in another one.
TEST(BeadOnAHill, IsLeftAloneInOneOfFourStepsByTheRuleOfThePaper) {
  const ModelRun run = run_physics_model("bead_on_hill", {step_of(1e-4), "simulate.lasting_contacts=paper"});
  const std::vector<double>& impulse = run["slide.normal_impulse"];
  const std::size_t last = last_loaded_row(impulse);
  const auto loaded = std::count_if(impulse.begin(), impulse.end(), [](double x) { return x > 0; });
  EXPECT_NEAR(static_cast<double>(loaded) / static_cast<double>(last), 0.77, 0.02);
}

// Neither gains nor loses more than the second order in the step, after the bounces of the start.
TEST(BeadOnAHill, WorkOfTheContactIsOfSecondOrder) {
  const auto work = [](double step) {
    const ModelRun run = run_physics_model("bead_on_hill", {step_of(step)});
    const std::vector<double>& loss = run["energy.impact_loss"];
    return loss[last_loaded_row(run["slide.normal_impulse"])] - loss[40];
  };
  const double coarse = work(4e-4), fine = work(1e-4);
  EXPECT_LT(std::abs(fine), 1e-8 * kMass * kGravity);
  EXPECT_NEAR(coarse / fine, 16, 1.6);
}

// ---- A bead that a turning arm carries along: r = r_0 cosh(w t) + v_0/w sinh(w t), N = 2 m w dr/dt. The row turns so
// that the bead seems to approach, by 2 w dr/dt, and nothing but that presses it.

struct ArmErrors {
  double place = 0, force = 0, gap = 0;
  std::int64_t impacts = 0, unloaded = 0;
};

ArmErrors arm_errors(double step, const std::string& rule, const std::string& lasting) {
  constexpr double kRate = 3, kStart = 0.2, kSpeed = 0.5;
  const ModelRun run = run_physics_model(
      "bead_on_turning_arm", {step_of(step), "simulate.integrator=" + rule, "simulate.lasting_contacts=" + lasting});
  const auto force = [&](double t) {
    return 2 * kMass * kRate * (kStart * kRate * std::sinh(kRate * t) + kSpeed * std::cosh(kRate * t));
  };
  Worst place, push, gap;
  ArmErrors errors;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    const double t = run.time()[i], before = run.time()[i - 1], impulse = run["carry.normal_impulse"][i];
    place(std::hypot(run["bead.x"][i], run["bead.y"][i]) -
          (kStart * std::cosh(kRate * t) + kSpeed / kRate * std::sinh(kRate * t)));
    push(impulse / step - (force(before) + force(t)) / 2);
    gap(run["carry.gap"][i]);
    errors.unloaded += impulse > 0 ? 0 : 1;
  }
  errors.place = place.value, errors.force = push.value, errors.gap = gap.value, errors.impacts = run.summary.impacts;
  return errors;
}

TEST(BeadOnATurningArm, IsPushedInEveryStepWithoutAnImpact) {
  for (const char* rule : kRules) {
    SCOPED_TRACE(rule);
    const ArmErrors kept = arm_errors(1e-3, rule, "kept");
    EXPECT_EQ(kept.unloaded, 0);
    EXPECT_EQ(kept.impacts, 0);
    EXPECT_LT(kept.force, 2e-4 * 29.4);  // of its largest value
  }
  // Restitution that acts on the turn of the row answers in every step, and the bead hops from step to step. That is
  // one contact all the same, and only its first load an impact.
  const ArmErrors paper = arm_errors(1e-3, "moreau-midpoint", "paper");
  EXPECT_EQ(paper.impacts, 1);
  EXPECT_GT(paper.force, 0.05 * 29.4);
}

TEST(BeadOnATurningArm, IsPushedWithoutAnImpactUnderAnticipatedActivationToo) {
  const ModelRun run = run_physics_model("bead_on_turning_arm", {step_of(1e-3), "simulate.activation=anticipated"});
  const std::vector<double>& impulse = run["carry.normal_impulse"];
  for (std::size_t i = 1; i < run.rows(); ++i) ASSERT_GT(impulse[i], 0) << "step " << i;
  // The first step knows of no contact before it, and takes the turn of the row for an approach; that has gone soon.
  for (const ImpactRecord& impact : run.record.impacts) EXPECT_LT(impact.time_s, 4e-3);
  EXPECT_LE(run.summary.impacts, 2);
}

// A contact that carries an impulse moves its own bodies by other rules than free ones. Rows tie trees together, but
// only those that they act on.
TEST(FallBesideADrivenArm, IsFreeFallWhateverElseIsPushed) {
  const ModelRun run = run_physics_model("fall_beside_a_driven_arm", {});
  EXPECT_NEAR(run["falls.y"].back(), 100 - 10 * 1.0 / 2, 1e-9);
  EXPECT_GT(run["touch.normal_impulse"].back(), 0);
}

TEST(BeadOnATurningArm, PlaceAndGapAreOfSecondOrder) {
  for (const char* rule : kRules) {
    SCOPED_TRACE(rule);
    const ArmErrors coarse = arm_errors(1e-3, rule, "kept"), fine = arm_errors(2.5e-4, rule, "kept");
    EXPECT_NEAR(coarse.place / fine.place, 16, 1);
    EXPECT_NEAR(coarse.gap / fine.gap, 16, 1);
    EXPECT_LT(coarse.place, 5e-6);
    EXPECT_LT(coarse.gap, 2e-6);
  }
}

// ---- A true approach of a contact that lasts: under its follower a cam has a kink, and rises at 20 mm/s where it fell
// at 20 mm/s just before. The contact has carried an impulse in the step before, and strikes all the same.
TEST(FollowerAtAKink, ReboundsByNewtonsLaw) {
  for (const double restitution : {0.0, 0.5}) {
    for (const char* rule : kRules) {
      SCOPED_TRACE(rule);
      const ModelRun run = run_physics_model("follower_at_a_kink", {fmt::format("restitution={}", restitution),
                                                                    std::string("simulate.integrator=") + rule});
      ASSERT_GE(run.record.impacts.size(), 1u);
      const ImpactRecord& impact = run.record.impacts.front();
      EXPECT_NEAR(impact.time_s, std::acos(-1.0) / 2 / 10, 1e-5);  // cos(w t) = 0
      EXPECT_NEAR(impact.normal_velocity_before, -0.04, 1e-8);
      EXPECT_NEAR(impact.normal_velocity_after, restitution * 0.04, 1e-8);
      if (restitution == 0) {
        EXPECT_EQ(run.record.impacts.size(), 1u);
      }
    }
  }
}

// ---- Bodies that touch without an impulse are free bodies: the midpoint rule is exact on their parabola,
// y_k = y_0 - g (k dt)^2/2, touching or not, upright or with impulses that are rounding.
TEST(TouchingBeads, FallAsFreeBodiesDoUnderAnticipatedActivation) {
  for (const char* tilt : {"0 deg", "37 deg"}) {
    for (const char* lasting : {"kept", "paper"}) {
      const ModelRun run = run_physics_model(
          "touching_beads", {std::string("tilt=") + tilt, std::string("simulate.lasting_contacts=") + lasting});
      Worst away;
      for (std::size_t i = 0; i < run.rows(); ++i) {
        const double t = run.time()[i];
        for (const char* bead : {"low", "middle", "high"}) {
          const std::vector<double>& y = run[std::string(bead) + ".y"];
          away(y[i] - (y[0] - kGravity * t * t / 2));
        }
      }
      EXPECT_LT(away.value, 1e-12) << tilt;  // rounding of 500 steps; the other rule of positions: 2.45 mm
    }
  }
}

}  // namespace
}  // namespace freeplay::test::lasting_contact_test
