// The energy ledger of the slider-crank with clearance: what impacts and friction take, and what the time stepping
// itself loses.
#include <map>

#include "physics/slider_crank/slider_crank_clearance.h"

namespace freeplay::test::slider_crank_energy_test {
namespace {

const std::vector<std::string> kLossChannels = {
    "guide.impact_loss_1",   "guide.impact_loss_2",   "guide.impact_loss_3",   "guide.impact_loss_4",
    "guide.friction_loss_1", "guide.friction_loss_2", "guide.friction_loss_3", "guide.friction_loss_4"};

std::vector<std::string> channels() {
  std::vector<std::string> list = kMotionChannels;
  list.insert(list.end(), kLossChannels.begin(), kLossChannels.end());
  for (const char* name : {"total", "impact_loss", "friction_loss", "drift", "input", "damping_loss"}) {
    list.push_back(std::string("energy.") + name);
  }
  return list;
}

TEST(SliderCrankEnergy, LedgerBalancesInEveryRow) {
  const flores::Parameters p;
  const ModelRun run = run_slider_crank(p, 13784, {}, channels());
  Worst balance, total, sum_of_impacts, sum_of_friction;
  EXPECT_NEAR(run["energy.total"][0], 7.49554875, 1e-12);
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const auto at = [&](const std::string& name) { return run[name][i]; };
    balance(at("energy.total") - run["energy.total"][0] + at("energy.impact_loss") + at("energy.friction_loss") -
            at("energy.drift"));
    total(at("energy.total") - flores::energy(p, angles(run, i), rates(run, i)));
    double impacts = 0, friction = 0;
    for (int k = 1; k <= 4; ++k) {
      impacts += at(fmt::format("guide.impact_loss_{}", k));
      friction += at(fmt::format("guide.friction_loss_{}", k));
    }
    sum_of_impacts(at("energy.impact_loss") - impacts);
    sum_of_friction(at("energy.friction_loss") - friction);
  }
  EXPECT_LE(balance.value, 1e-13);
  EXPECT_LE(total.value, 1e-13);
  EXPECT_LE(sum_of_impacts.value, 1e-13);
  EXPECT_LE(sum_of_friction.value, 1e-13);
  EXPECT_EQ(largest(run["energy.input"]), 0);
  EXPECT_EQ(largest(run["energy.damping_loss"]), 0);
}

// With M and W of the midpoint, the impulses W Lambda = M (u_E - u_A) - h dt do the work W Lambda (u_A + u_E)/2. The
// ledger must hold just that, and M and h are here those that the paper prints.
TEST(SliderCrankEnergy, ContactsAreChargedWithTheWorkOfTheirImpulses) {
  flores::Parameters p;
  p.slider_omega = 50;
  p.restitution = 0.9;
  p.friction = 0.1;
  p.step = 1e-4;
  const ModelRun run = run_slider_crank(p, 1000, {}, channels());
  Worst error, loss;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    const Vec3 u_A = rates(run, i - 1), u_E = rates(run, i), q_M = angles(run, i - 1) + p.step / 2 * u_A;
    const Vec3 contact_impulse = flores::mass(p, q_M) * (u_E - u_A) - p.step * flores::forces(p, q_M, u_A);
    const double charged = run["energy.impact_loss"][i] - run["energy.impact_loss"][i - 1] +
                           run["energy.friction_loss"][i] - run["energy.friction_loss"][i - 1];
    error(charged + contact_impulse.dot(u_A + u_E) / 2);
    loss(charged);
  }
  EXPECT_GT(loss.value, 1e-3);
  EXPECT_LE(error.value, 1e-12);
}

// Sum of the changes of total energy over steps in which every gap is open: the scheme takes velocity-dependent forces
// at the start of the step and loses energy by it. Values of an independent implementation.
TEST(SliderCrankEnergy, LostWithoutContactIsWhatTheSchemeLoses) {
  const struct {
    double restitution, step;
    int steps;
    double lost;
  } cases[] = {{0.1, 1e-4, 1407, -0.3902},  {0.1, 1e-5, 13794, -0.0454}, {0.4, 1e-4, 1405, -0.4873},
               {0.4, 1e-5, 13784, -0.0545}, {0.6, 1e-4, 1401, -0.5416},  {0.6, 1e-5, 13757, -0.0576},
               {0.9, 1e-4, 1400, -0.5743},  {0.9, 1e-5, 13729, -0.0620}};
  for (const auto& expected : cases) {
    SCOPED_TRACE(fmt::format("restitution {}, step {}", expected.restitution, expected.step));
    flores::Parameters p;
    p.restitution = expected.restitution;
    p.step = expected.step;
    const ModelRun run = run_slider_crank(p, expected.steps, {}, channels());
    double lost = 0, drift = 0;
    for (std::size_t i = 1; i < run.rows(); ++i) {
      const Vec3 q_M = angles(run, i - 1) + p.step / 2 * rates(run, i - 1);
      if (flores::gaps(p, q_M).minCoeff() <= 0) continue;
      lost += run["energy.total"][i] - run["energy.total"][i - 1];
      drift += run["energy.drift"][i] - run["energy.drift"][i - 1];
    }
    EXPECT_NEAR(lost, expected.lost, 0.51e-4);
    EXPECT_NEAR(drift, lost, 1e-12);  // nothing else is booked there
  }
}

// How many of the steps of two turns have nothing closed, the upper face, the lower face: an independent count.
TEST(SliderCrankEnergy, ActiveSetsAreCountedAsElsewhere) {
  const flores::Parameters p;
  const ModelRun run = run_slider_crank(p, 13785);
  std::map<std::vector<int>, int> count;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    const Vec4 g = flores::gaps(p, angles(run, i - 1) + p.step / 2 * rates(run, i - 1));
    std::vector<int> closed;
    for (int k = 0; k < 4; ++k) {
      if (g[k] <= 0) closed.push_back(k + 1);
    }
    ++count[closed];
  }
  const std::map<std::vector<int>, int> expected = {{{}, 11524}, {{1, 2}, 804}, {{3, 4}, 1457}};
  EXPECT_EQ(count, expected);
}

// ---- Does an impact create energy?
// -----------------------------------------------------------------------------------

// The largest amount of energy that all contact points together put in, in one step.
double largest_gain(const flores::Parameters& p, int steps) {
  const ModelRun run = run_slider_crank(p, steps, {}, {"energy.impact_loss", "energy.friction_loss"});
  EXPECT_GT(run.summary.impacts, 0);
  double gain = 0;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    gain = std::max(gain, run["energy.impact_loss"][i - 1] - run["energy.impact_loss"][i] +
                              run["energy.friction_loss"][i - 1] - run["energy.friction_loss"][i]);
  }
  return gain;
}

TEST(SliderCrankEnergy, NoImpactCreatesEnergyWithThePapersFriction) {
  for (const double restitution : {0.0, 0.1, 0.4, 0.6, 0.9}) {
    for (const double slider_omega : {0.0, 1.0, 50.0}) {
      SCOPED_TRACE(fmt::format("restitution {}, slider_omega {}", restitution, slider_omega));
      flores::Parameters p;
      p.restitution = restitution;
      p.slider_omega = slider_omega;
      EXPECT_LE(largest_gain(p, 7000), 1e-12);
    }
  }
}

// With e_N = e_T = e:  Lambda^T (gamma_E + e gamma_A) <= 0  and  gamma_E - gamma_A = G Lambda  give
// Lambda^T (gamma_A + gamma_E)/2 <= -(1 - e)/(2 (1 + e)) Lambda^T G Lambda <= 0, whatever the friction.
TEST(SliderCrankEnergy, NoImpactCreatesEnergyWithEqualRestitutions) {
  for (const double restitution : {0.0, 0.5, 0.9}) {
    SCOPED_TRACE(restitution);
    flores::Parameters p;
    p.restitution = p.tangential_restitution = restitution;
    p.slider_omega = 50;
    p.friction = 0.3;
    EXPECT_LE(largest_gain(p, 7000), 1e-12);
  }
}

// Newton's law with Coulomb friction is known to create energy where normal and tangential restitution lie far apart;
// the paper warns of it (section 3.1). With e_N = 1 the normal impulses do no work; where a blow reverses the sliding,
// friction is taken against the final direction and may do more work before the reversal than it takes after it. The
// ledger shows it: losses decrease. That the impulses are those of the law is what
// FollowsThePaperThroughAllConfigurationsOfTheSlider and ContactsAreChargedWithTheWorkOfTheirImpulses check.
TEST(SliderCrankEnergy, LedgerShowsTheEnergyThatNewtonsLawCreates) {
  flores::Parameters p;
  p.restitution = 1;
  p.slider_omega = 50;
  EXPECT_GT(largest_gain(p, 7000), 1e-4);
  p.friction = 0.3;
  EXPECT_GT(largest_gain(p, 13784), 1e-3);
}

TEST(SliderCrankEnergy, TableOfImpactsHoldsTheWorkOfEachPoint) {
  flores::Parameters p;
  p.slider_omega = 1;
  const ModelRun run = run_slider_crank(p, 3000);
  ASSERT_GT(run.record.impacts.size(), 10u);
  Worst error;
  for (const ImpactRecord& i : run.record.impacts) {
    error(i.energy_lost_J + i.normal_impulse * (i.normal_velocity_before + i.normal_velocity_after) / 2 +
          i.tangential_impulse_1 * (i.tangential_velocity_before + i.tangential_velocity_after) / 2);
    EXPECT_GT(i.normal_impulse, 0);
    EXPECT_LT(i.normal_velocity_before, -1e-3);
  }
  EXPECT_LE(error.value, 1e-15);
}

}  // namespace
}  // namespace freeplay::test::slider_crank_energy_test
