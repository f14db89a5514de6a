// The chimney damper (Pfeiffer 1999, section 3.3): a pendulum whose rod moves a stack of plates.
#include <gmock/gmock.h>

#include <numbers>

#include "physics/event_driven/chimney_amplitudes.h"

namespace freeplay::test::chimney_damper {
namespace {

// Four printed digits, and the distance of rows: A (omega h)^2/8 = 5e-6 A.
constexpr double kAllDigits = 5.5e-5;

// exp(h A) of dz/dt = A z, z = (x, s, x', s'), for the chimney with its pendulum and no plates:
//   Mc x'' = -k x - d x' + kp s + dp s',   s'' = -(kp s + dp s')/mp - x''.
Eigen::Matrix4d propagator(double pendulum_damping, double h) {
  const double omega = 2 * std::numbers::pi * kFrequency_Hz, Mc = 10000, mp = 500, kp = mp * 9.81 / 0.474308256;
  const Eigen::RowVector4d x2(-omega * omega, kp / Mc, -2 * 0.002 * omega, pendulum_damping / Mc);
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A(0, 2) = A(1, 3) = 1;
  A.row(2) = x2;
  A.row(3) = Eigen::RowVector4d(0, -kp / mp, 0, -pendulum_damping / mp) - x2;
  Eigen::Matrix4d sum = Eigen::Matrix4d::Identity(), term = sum;
  for (int k = 1; k < 16; ++k) {
    term = h / k * A * term;
    sum += term;
  }
  return sum;
}

TEST(ChimneyDamper, IsTheLinearSystemWithoutPlates) {
  for (const double damping : {0.0, 607.72926}) {
    SCOPED_TRACE(damping);
    const ModelRun run =
        run_example("chimney_damper", {"plates=0", fmt::format("pendulum_damping={} N s/m", damping), cycles(50)});
    const Eigen::Matrix4d row = propagator(damping, 1 / (1000 * kFrequency_Hz));
    Eigen::Vector4d z(kDisplacement_m, 0, 0, 0);
    Worst of_chimney, of_pendulum;
    ASSERT_EQ(run.rows(), 50001U);
    for (std::size_t i = 0; i < run.rows(); ++i) {
      of_chimney(run["chimney.x"][i] - z[0]);
      of_pendulum(run["pendulum.s"][i] - z[1]);
      z = row * z;
    }
    EXPECT_LT(of_chimney.value, 1e-8);
    EXPECT_LT(of_pendulum.value, 1e-7);
  }
}

// All that is printed, to one in the last digit: the maxima of the other program are those of its rows, and exactly
// (above) the last one without plates is 0.68506, where it has 0.6850.
TEST(ChimneyDamper, IsThatOfAnIndependentSolutionWithoutPlates) {
  for (const ChimneyCase& of : linear_cases()) expect_amplitudes(of, {cycles(50)}, 1e-4);
}

TEST(ChimneyDamper, IsThatOfAnIndependentSolutionWithPlates) {
  for (const ChimneyCase& of : plate_cases()) expect_amplitudes(of, {cycles(10)}, kAllDigits);
}

// The tolerance that the reference states for time stepping.
TEST(ChimneyDamper, IsNearThatSolutionByTimeStepping) {
  for (const char* integrator : {"moreau-midpoint", "moreau-jean"}) {
    SCOPED_TRACE(integrator);
    expect_amplitudes(plate_cases()[2],
                      {cycles(10), "simulate.step=0.5 ms", fmt::format("simulate.integrator={}", integrator)}, 1e-3);
  }
}

// Locked, the pendulum is a mass of the chimney; so are the plates, as friction can hold them: the acceleration
// omega^2 x0 = 2.15 m/s^2 is below mu g = 2.94 m/s^2. What is left is a damped oscillator.
TEST(ChimneyDamper, PlatesThatFrictionHoldsAreAMassOfTheChimney) {
  const ModelRun run = run_example("chimney_damper", {"locked=1", "plates=3", cycles(5)});
  const double pi = std::numbers::pi, omega_c = 2 * pi * kFrequency_Hz, mass = 10000 + 500 + 100;
  const double decay = 0.002 * omega_c * 10000 / mass;
  const double omega = std::sqrt(10000 * omega_c * omega_c / mass - decay * decay);
  Worst of_x, of_plates;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run.time()[i];
    const double x =
        kDisplacement_m * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
    of_x(run["chimney.x"][i] - x);
    for (const char* plate : {"plate_1.p", "plate_2.p", "plate_3.p"}) of_plates(run[plate][i]);
    of_plates(run["pendulum.s"][i]);
  }
  EXPECT_LT(of_x.value, 1e-8);
  EXPECT_LT(of_plates.value, 1e-12);
}

// At the start all plates slip if mu g is below the acceleration of the chimney, by the least load first: the friction
// of each on the next is mu N_i = mu g m (i + 1), and all have the absolute acceleration -mu g.
TEST(ChimneyDamper, PlatesSlipWhereFrictionCannotHoldThem) {
  const ModelRun run = run_example(
      "chimney_damper", {"locked=1", "plates=2", "friction=0.1", "simulate.step=10 ms", "simulate.duration=0.1 s"});
  Worst of_bottom, of_top;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run.time()[i], fall = kDisplacement_m - 0.1 * 9.81 * t * t / 2;
    of_bottom(run["chimney.x"][i] + run["plate_2.p"][i] - fall);
    of_top(run["chimney.x"][i] + run["plate_1.p"][i] - fall);
  }
  EXPECT_LT(of_bottom.value, 1e-9);
  EXPECT_LT(of_top.value, 1e-9);
  EXPECT_NEAR(run["plate_2.tangential_force_friction"].back(), -0.1 * 9.81 * 100, 1e-9);
}

TEST(ChimneyDamper, PlatesWithoutFrictionStayWhereTheyAreInSpace) {
  const ModelRun run =
      run_example("chimney_damper", {"plates=2", "friction=0", "smallest_clearance=5 m", "graduation=6 m", cycles(2)});
  Worst moved;
  for (std::size_t i = 0; i < run.rows(); ++i) moved(run["chimney.x"][i] + run["plate_1.p"][i] - kDisplacement_m);
  EXPECT_LT(moved.value, 1e-9);
}

// Impacts, friction between plates, and the damper of the chimney take all that is missing.
TEST(ChimneyDamper, AccountsForAllItsEnergy) {
  const ModelRun run = run_example("chimney_damper", {cycles(5), "pendulum_damping=50 N s/m"});
  EXPECT_NEAR(run.summary.energy_initial_J, 228027.34 * 0.1 * 0.1 / 2, 1e-3);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-6);
  EXPECT_GT(run.summary.account.impact_loss, 1);
  EXPECT_GT(run.summary.account.friction_loss, 1);
  EXPECT_GT(run.summary.account.damping_loss, 1);
}

// Two plates that stick together and are struck together are held by three rows where two would do: the end of rebounds
// of the one is then not told by what would pull it back alone.
TEST(ChimneyDamper, ReboundsEndWithinTheRun) {
  const ModelRun run = run_example("chimney_damper", {"restitution=0.3", cycles(4)});
  EXPECT_TRUE(run.summary.warnings.empty());
  EXPECT_GT(run.record.events.size(), 250U);
  for (const EventRecord& event : run.record.events) EXPECT_LT(event.time_s, 4 / kFrequency_Hz + 1e-3);
}

// The same system from bodies, joints with dry friction, springs and contacts of points with lines.
TEST(ChimneyDamper, FromBodiesMovesAsTheOneGivenAsCode) {
  const ModelRun coded = run_example("chimney_damper", {"plates=2", cycles(5)});
  const ModelRun bodies = run_example("chimney_damper_bodies", {cycles(5)});
  const std::vector<double> a = amplitudes(coded), b = amplitudes(bodies);
  ASSERT_EQ(a.size(), 5U);
  ASSERT_EQ(b.size(), 5U);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-8) << "cycle " << i + 1;
  ASSERT_EQ(coded.record.impacts.size(), bodies.record.impacts.size());
  for (std::size_t i = 0; i < coded.record.impacts.size(); ++i)
    EXPECT_NEAR(coded.record.impacts[i].time_s, bodies.record.impacts[i].time_s, 1e-7);
}

TEST(ChimneyDamper, MeasuresTheAmplitudesThatRowsHave) {
  const ModelFile file = load_example("chimney_damper", {"plates=3"});
  const Model model = build_model(file);
  MemorySink record;
  const RunSummary summary = build_simulation(file, model)->run(record, {});
  const std::vector<double> of_rows = amplitudes(run_example("chimney_damper", {"plates=3"}, {"chimney.x"}));
  ASSERT_EQ(summary.measures.size(), 3U);
  for (const auto& [measure, cycle] : {std::pair{0, 5}, {1, 10}, {2, 20}}) {
    const MeasuredValue& value = summary.measures[static_cast<std::size_t>(measure)];
    EXPECT_EQ(value.name, fmt::format("amplitude_{}", cycle));
    EXPECT_NEAR(value.value, of_rows[static_cast<std::size_t>(cycle) - 1], 1e-9);
  }
}

// In cycles 2 and 3 the amplitude falls from the row at the beginning on, whose time is that up to rounding.
TEST(ChimneyDamper, TheMeasuresOfItsFileAreRightForTheFirstCyclesToo) {
  ModelFile file = load_example("chimney_damper", {"plates=3", cycles(3)});
  const std::string of_the_fifth = file.measures.at(0).text;
  file.measures.clear();
  for (const int cycle : {2, 3}) {
    std::string text = of_the_fifth;
    for (const auto& [old, now] : {std::pair{4, cycle - 1}, {5, cycle}})
      text.replace(text.find(fmt::format("{}/frequency", old)), 1, std::to_string(now));
    file.measures.push_back({fmt::format("amplitude_{}", cycle), text});
  }
  MemorySink record;
  const RunSummary summary = build_simulation(file, build_model(file))->run(record, {});
  ASSERT_EQ(summary.measures.size(), 2U);
  EXPECT_NEAR(summary.measures[0].value, 0.7762, 5e-5);
  EXPECT_NEAR(summary.measures[1].value, 0.3197, 5e-5);
}

void expect_refused(const std::string& override_text, const std::string& path) {
  SCOPED_TRACE(override_text);
  try {
    run_example("chimney_damper", {override_text});
    FAIL() << "was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().at(0).path, path);
  }
}

TEST(ChimneyDamper, RefusesWhatCannotBe) {
  expect_refused("plates=2.5", "parameters.plates");
  expect_refused("plates=-1", "parameters.plates");
  expect_refused("plates=1e9", "parameters.plates");
  expect_refused("locked=0.5", "parameters.locked");
  expect_refused("graduation=10 mm", "parameters.graduation");
  expect_refused("friction=-0.1", "parameters.friction");
  expect_refused("restitution=1.1", "parameters.restitution");
  expect_refused("plate_mass=0 kg", "parameters.plate_mass");
}

}  // namespace
}  // namespace freeplay::test::chimney_damper
