// Every force law on a falling ball, and mechanisms with play under force laws: one file, two formulations.
#include "freeplay/core/error.h"
#include "physics/model_run.h"

namespace freeplay::test {
namespace {

struct Delivered {
  const char* law;
  double restitution;  // at a nominal one of 0.7
  bool digits_are_exact = false;
};

class ForceLaws : public testing::TestWithParam<Delivered> {};

TEST_P(ForceLaws, ReturnTheBallAsFastAsTheTableSays) {
  // Without gravity, which the closed form knows nothing of.
  Overrides overrides = {std::string("law=") + GetParam().law, "restitution=0.7",   "gravity=[0 m/s^2, 0 m/s^2]",
                         "bodies.ball.initial.vy=-4 m/s",      "height=110 mm",     "duration=10 ms",
                         "simulate.tolerance=1e-12",           "simulate.step=1 ms"};
  if (overrides[0] == "law=kelvin-voigt") {
    overrides.insert(overrides.end(), {"contacts.bounce.force.stiffness=1e9 N/m", "contacts.bounce.force.exponent=1"});
  }
  const ModelFile file = load_example("falling_ball", overrides);
  const ModelRun run = run_model(file);
  ASSERT_EQ(run.record.impacts.size(), 1u);
  const ImpactRecord& impact = run.record.impacts[0];
  const double tolerance = GetParam().digits_are_exact ? 1e-6 : 5.1e-5;  // the table has four digits
  EXPECT_NEAR(impact.normal_velocity_after / -impact.normal_velocity_before, GetParam().restitution, tolerance);
  EXPECT_NEAR(impact.energy_lost_J, run.summary.account.impact_loss, 1e-3 * impact.energy_lost_J);
  EXPECT_LT(std::abs(run.summary.energy_drift_J), 1e-6);
}
INSTANTIATE_TEST_SUITE_P(All, ForceLaws,
                         testing::Values(Delivered{"hertz", 1, true}, Delivered{"hunt-crossley", 0.7680},
                                         Delivered{"herbert-mcwhannell", 0.7227}, Delivered{"lee-wang", 0.8693},
                                         Delivered{"lankarani-nikravesh", 0.7960}, Delivered{"gonthier", 0.6696},
                                         Delivered{"zhiying-qishao", 0.6796}, Delivered{"flores", 0.6832},
                                         Delivered{"hu-guo", 0.6973}, Delivered{"exact-restitution", 0.7, true},
                                         Delivered{"kelvin-voigt", 0.7182}),
                         [](const auto& one) {
                           std::string name = one.param.law;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

ModelRun slider_crank(const Overrides& more) {
  Overrides overrides = {"simulate.integrator=dopri5", "simulate.step=5 ms", "duration=20 ms"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return run_example("slider_crank", overrides, {"crank.omega", "slider.angle", "energy.drift"});
}

// Before its impacts have made the motion chaotic.
TEST(CompliantSliderCrank, ThreeIntegratorsAgree) {
  const ModelRun reference = slider_crank({"simulate.tolerance=1e-12"});
  EXPECT_GT(reference.summary.contacts_begun, 4);
  EXPECT_LT(reference.summary.max_energy_drift_J, 1e-9);
  for (const char* integrator : {"dopri5", "cvode-adams", "cvode-bdf"}) {
    const ModelRun run = slider_crank({std::string("simulate.integrator=") + integrator, "simulate.tolerance=1e-10"});
    EXPECT_NEAR(run["crank.omega"].back(), reference["crank.omega"].back(), 1e-3) << integrator;
    EXPECT_LT(run.summary.largest_initial_penetration_m, 1e-12) << integrator;
  }
}

// A twentieth of a second later every tolerance has another motion of the slider, but the crank hardly cares.
TEST(CompliantSliderCrank, TheCrankTurnsAsUnderImpacts) {
  const ModelRun run = slider_crank({"duration=0.1 s", "simulate.tolerance=1e-8"});
  EXPECT_NEAR(run["crank.omega"].back(), 135.873, 0.025 * 135.873);
  EXPECT_GT(run.summary.contacts_begun, 40);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-5);
}

TEST(CompliantFourBar, MovesAsUnderImpacts) {
  const Overrides turn = {"turns=1"};
  const ModelRun rigid = run_example("four_bar_clearance", turn, {"rocker.angle"});
  const ModelRun soft =
      run_example("four_bar_clearance", {"turns=1", "simulate.integrator=dopri5", "simulate.tolerance=1e-7"},
                  {"rocker.angle", "energy.drift"});
  ASSERT_EQ(soft.summary.status, RunStatus::kCompleted) << soft.summary.message;
  // The play lets the rocker turn by about a thousandth of a radian; twice that covers any two motions within it.
  EXPECT_NEAR(soft["rocker.angle"].back(), rigid["rocker.angle"].back(), 5e-3);
  EXPECT_GT(soft.summary.contacts_begun, 0);
  EXPECT_LT(soft.summary.max_energy_drift_J, 1e-4);
  EXPECT_LT(soft.summary.largest_initial_penetration_m, 1e-12);
}

TEST(CompliantContacts, AnIntegratorThatCannotFindStartsThatWaySaysSo) {
  const ModelFile file =
      load_example("falling_ball", {"simulate.integrator=cvode-adams", "penetration_control=procedure-2"});
  try {
    run_model(file);
    FAIL() << "must be refused";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("cvode-adams"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("procedure-2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace freeplay::test
