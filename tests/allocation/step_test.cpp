// Nothing allocates once warm: right-hand sides, steps, projections, recorded rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "allocation_counter.h"
#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/integrators/smooth/dopri5.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/simulation/simulation.h"
#include "support/places.h"
#include "unit/mechanism/random_mechanism.h"

namespace freeplay::test {
namespace {

#if defined(__SANITIZE_ADDRESS__)
#define SKIP_UNDER_ASAN() GTEST_SKIP() << "the sanitizer's own malloc cannot be counted"
#else
#define SKIP_UNDER_ASAN() static_cast<void>(0)
#endif

TEST(AllocationCounter, SeesOperatorNewAndEigen) {
  SKIP_UNDER_ASAN();
  const std::size_t before = allocation_count();
  const auto number = std::make_unique<double>(1.0);
  const VecX vector = VecX::Zero(1000);
  EXPECT_GE(allocation_count() - before, 2u) << *number << vector[0];
}

// Counts what is allocated between the fifth row and the last one.
class CountingSink final : public RecordSink {
 public:
  void begin(const RecordLayout&) override {}
  void row(double, std::span<const double>) override {
    if (++rows_ == 5) first_ = allocation_count();
    last_ = allocation_count();
  }
  void impact(const ImpactRecord&) override {}
  void end(const RunSummary&) override {}
  std::size_t allocations() const { return last_ - first_; }

 private:
  int rows_ = 0;
  std::size_t first_ = 0, last_ = 0;
};

class Steps : public testing::TestWithParam<const char*> {};

TEST_P(Steps, AllocateNothingOnceWarm) {
  SKIP_UNDER_ASAN();
  const ModelFile file = load_model(examples_dir() + "/" + GetParam() + ".yaml");
  const std::shared_ptr<const System> system = build_system(file);
  IntegratorOptions options;
  options.relative_tolerance = options.absolute_tolerance = 1e-8;
  Dopri5 integrator(*system, options);
  State state = system->initial_state();
  ASSERT_EQ(integrator.start(state).status, StepStatus::kOk);
  const std::unique_ptr<Dynamics> dynamics = system->make_dynamics();
  StepRecord record;
  std::vector<int> channels;
  for (std::size_t i = 0; i < system->channels().size(); ++i) channels.push_back(static_cast<int>(i));
  std::vector<double> values(channels.size());

  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_EQ(integrator.step(state, 1e3, &record).status, StepStatus::kOk);
      set_reactions(record, *dynamics);
      dynamics->read_channels(channels, values);
      dynamics->energies();
    }
  };
  run(5);
  EXPECT_EQ(allocations_during([&] { run(200); }), 0u);
}

INSTANTIATE_TEST_SUITE_P(Examples, Steps,
                         testing::Values("double_pendulum", "double_pendulum_coded", "four_bar", "four_bar_spatial",
                                         "slider_crank_ideal", "spinning_top", "spatial_pendulum", "andrews_squeezer",
                                         "four_bar_bushing", "spinning_beam"),
                         [](const auto& example) { return std::string(example.param); });

// Steps with contacts, with every solver that takes friction and every option, and what a recorded row asks for.
class ContactSteps : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(ContactSteps, AllocateNothingOnceWarm) {
  SKIP_UNDER_ASAN();
  // The second one has a driver and a loop.
  for (const char* example : {"slider_crank", "four_bar_clearance"}) {
    std::vector<std::string> overrides = GetParam();
    overrides.emplace_back("simulate.duration=50 ms");
    const ModelFile file = load_model(examples_dir() + "/" + example + ".yaml", overrides);
    const Model model = build_model(file);
    CountingSink sink;
    Simulation simulation(*model.system, *model.contacts, file.simulate);
    const RunSummary summary = simulation.run(sink, {});
    ASSERT_EQ(summary.status, RunStatus::kCompleted) << example << ": " << summary.message;
    EXPECT_GT(summary.impacts, 0) << example;
    EXPECT_EQ(sink.allocations(), 0u) << example;
  }
}

// A belt, and friction that depends on the sliding speed.
TEST(BeltSteps, AllocateNothingOnceWarm) {
  SKIP_UNDER_ASAN();
  for (const char* integrator : {"moreau-midpoint", "moreau-jean"}) {
    const std::vector<std::string> overrides = {std::string("simulate.integrator=") + integrator, "step=1 ms"};
    const ModelFile file = load_model(examples_dir() + "/stick_slip_oscillator.yaml", overrides);
    const Model model = build_model(file);
    CountingSink sink;
    Simulation simulation(*model.system, *model.contacts, file.simulate);
    ASSERT_EQ(simulation.run(sink, {}).status, RunStatus::kCompleted) << integrator;
    EXPECT_EQ(sink.allocations(), 0u) << integrator;
  }
}

std::vector<std::vector<std::string>> each_solver() {
  std::vector<std::vector<std::string>> overrides;
  for (const SolverEntry& entry : solver_registry()) {
    if (entry.make()->traits().takes_friction) overrides.push_back({"simulate.solver=" + entry.name});
  }
  return overrides;
}
INSTANTIATE_TEST_SUITE_P(Solvers, ContactSteps, testing::ValuesIn(each_solver()), [](const auto& test) {
  std::string name = test.param[0].substr(test.param[0].find('=') + 1);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});
INSTANTIATE_TEST_SUITE_P(Options, ContactSteps,
                         testing::Values(std::vector<std::string>{"simulate.velocity_forces=midpoint"},
                                         std::vector<std::string>{"simulate.velocity_forces=implicit"},
                                         std::vector<std::string>{"simulate.activation=anticipated"},
                                         std::vector<std::string>{"simulate.lasting_contacts=kept"},
                                         std::vector<std::string>{"simulate.projection=1 um"},
                                         std::vector<std::string>{"simulate.integrator=moreau-jean"},
                                         std::vector<std::string>{"simulate.integrator=dopri5", "simulate.step=1 ms"},
                                         std::vector<std::string>{"simulate.integrator=dopri5", "simulate.step=1 ms",
                                                                  "simulate.penetration_control=procedure-1"},
                                         std::vector<std::string>{"simulate.integrator=dopri5", "simulate.step=1 ms",
                                                                  "simulate.penetration_control=secant"},
                                         std::vector<std::string>{"simulate.integrator=moreau-jean",
                                                                  "simulate.theta=1"}));

// The nonlinear program: with and without friction, with every rule of its steps.
TEST(NlpSteps, AllocateNothingOnceWarm) {
  SKIP_UNDER_ASAN();
  for (const char* example :
       {"cylindrical_clearance", "prismatic_clearance", "revolute_clearance", "ideal_pendulum_spatial"}) {
    for (const char* constraint : {"plain", "corrected", "disc"}) {
      for (const char* choice : {"objective", "land", "fixed"}) {
        for (const char* friction : {"0", "0.1"}) {
          std::vector<std::string> overrides = {std::string("simulate.constraint=") + constraint,
                                                std::string("simulate.step_choice=") + choice, "h_min=0.5 ms",
                                                "h_max=1 ms", "duration=0.2 s"};
          const bool has_contacts = std::string(example) != "ideal_pendulum_spatial";
          if (has_contacts) overrides.push_back(std::string("friction=") + friction);
          const ModelFile file = load_model(examples_dir() + "/" + example + ".yaml", overrides);
          const Model model = build_model(file);
          CountingSink sink;
          Simulation simulation(*model.system, *model.contacts, file.simulate);
          const RunSummary summary = simulation.run(sink, {});
          const auto name = testing::PrintToString(overrides);
          ASSERT_EQ(summary.status, RunStatus::kCompleted) << example << name << ": " << summary.message;
          if (has_contacts) {
            EXPECT_GT(summary.impacts, 0) << example << name;
          }
          EXPECT_EQ(sink.allocations(), 0u) << example << name;
        }
      }
    }
  }
}

// Sees which contact points carry an impulse, row by row.
class WatchingSink final : public RecordSink {
 public:
  explicit WatchingSink(const Simulation& simulation) : simulation_(simulation) {}
  void begin(const RecordLayout& layout) override { counting_.begin(layout); }
  void row(double time_s, std::span<const double> values) override {
    std::size_t loaded = 0;  // a number for the set of points
    for (const ContactMemory& contact : simulation_.state().contacts) {
      if (contact.normal_impulse > 0) loaded = 31 * loaded + std::hash<std::uint64_t>()(contact.key.pair) + 1;
    }
    changes_ += loaded != loaded_ ? 1 : 0;
    loaded_ = loaded;
    counting_.row(time_s, values);
  }
  void impact(const ImpactRecord&) override {}
  void end(const RunSummary&) override {}
  std::size_t allocations() const { return counting_.allocations(); }
  int changes() const { return changes_; }

 private:
  const Simulation& simulation_;
  CountingSink counting_;
  std::size_t loaded_ = 0;
  int changes_ = 0;
};

// A file with more pairs than are looked at whole (contact_finder.h), and a group of contacts without names.
struct ComingAndGoing {
  const char* name;
  std::string path;
  std::vector<std::string> overrides;
};
void PrintTo(const ComingAndGoing& model, std::ostream* out) {
  *out << model.name;
}

class ContactsThatComeAndGo : public testing::TestWithParam<ComingAndGoing> {};

// A step allocates where there are more points or rows than ever before. The last run is the first one once more, so
// there never are. In between comes another one: lists that change places come to their room in two runs.
TEST_P(ContactsThatComeAndGo, AllocateNothingWhereThereWereAsManyBefore) {
  SKIP_UNDER_ASAN();
  const ModelFile file = load_model(GetParam().path, GetParam().overrides);
  const Model model = build_model(file);
  Simulation simulation(*model.system, *model.contacts, file.simulate, file.record);
  WatchingSink first(simulation), between(simulation), second(simulation);
  ASSERT_EQ(simulation.run(first, {}).status, RunStatus::kCompleted);
  ASSERT_EQ(simulation.run(between, {}).status, RunStatus::kCompleted);
  ASSERT_EQ(simulation.run(second, {}).status, RunStatus::kCompleted);
  EXPECT_GE(second.changes(), 20) << "the contacts hardly change";
  EXPECT_EQ(second.allocations(), 0u);
}

const std::string kGearTeeth = test_dir() + "/models/physics/gear_teeth.yaml";
const std::string kPile = examples_dir() + "/spheres_in_box.yaml";
INSTANTIATE_TEST_SUITE_P(
    Models, ContactsThatComeAndGo,
    testing::Values(
        ComingAndGoing{"gear_teeth", kGearTeeth, {}},
        ComingAndGoing{"gear_teeth_by_moreau_jean",
                       kGearTeeth,
                       {"simulate.integrator=moreau-jean", "simulate.velocity_forces=implicit"}},
        // Which touch at an impact is said beforehand: otherwise there is a warning, and texts allocate.
        ComingAndGoing{"few_spheres", kPile, {"N=12", "box=0.25 m", "restitution=0.5", "simulate.simultaneous=1e-9"}},
        // Not by Newton's method, which allocates in problems as large as these (solver.h).
        ComingAndGoing{"spheres", kPile, {"N=30", "box=0.3 m", "simulate.duration=0.4 s", "simulate.solver=nsgs"}}),
    [](const auto& model) { return std::string(model.param.name); });

// Its first steps find out how stiff the springs are; from then on it only renews what it has.
TEST(MoreauJeanStep, AllocatesNothingWithStiffSprings) {
  SKIP_UNDER_ASAN();
  const ModelFile file = load_model(test_dir() + "/models/physics/block_on_stiff_springs.yaml");
  const Model model = build_model(file);
  CountingSink sink;
  Simulation simulation(*model.system, *model.contacts, file.simulate);
  const RunSummary summary = simulation.run(sink, {});
  ASSERT_EQ(summary.status, RunStatus::kCompleted) << summary.message;
  EXPECT_GT(summary.impacts, 0);
  EXPECT_EQ(sink.allocations(), 0u);
}

// Compression and expansion, with friction in space and with a loop; moreau-jean has a matrix of its own for them.
TEST(PoissonImpactStep, AllocatesNothing) {
  SKIP_UNDER_ASAN();
  const struct {
    std::string file, more;
  } models[] = {{test_dir() + "/models/physics/superball_in_space.yaml", "simulate.duration=0.5 s"},
                {examples_dir() + "/four_bar_clearance.yaml", "simulate.duration=50 ms"}};
  for (const char* integrator : {"moreau-midpoint", "moreau-jean"}) {
    for (const auto& [path, more] : models) {
      std::vector<std::string> overrides = {std::string("simulate.integrator=") + integrator, more};
      if (path.find("four_bar") != std::string::npos) overrides.emplace_back("joints.rockerpin.contact.impact=poisson");
      const ModelFile file = load_model(path, overrides);
      const Model model = build_model(file);
      CountingSink sink;
      Simulation simulation(*model.system, *model.contacts, file.simulate);
      const RunSummary summary = simulation.run(sink, {});
      ASSERT_EQ(summary.status, RunStatus::kCompleted) << integrator << ": " << summary.message;
      EXPECT_GT(summary.impacts, 2) << integrator << ' ' << path;
      EXPECT_EQ(sink.allocations(), 0u) << integrator << ' ' << path;
    }
  }
}

TEST(RightHandSide, OfRandomTreesAllocatesNothing) {
  SKIP_UNDER_ASAN();
  for (const Space space : {Space::kPlanar, Space::kSpatial}) {
    for (std::uint64_t draw = 0; draw < 50; ++draw) {
      RandomMechanism random(space, draw);
      MechanismSpec spec = random.tree(random.integer(1, 10));
      random.add_springs(spec, 3);
      const auto mechanism = Mechanism::build(spec);
      const State state = random.state(*mechanism);
      const auto dynamics = mechanism->make_dynamics();
      MassMatrix M(mechanism->mass_structure());
      VecX h(mechanism->velocity_count()), du(mechanism->velocity_count());
      bool solved = true;
      EXPECT_EQ(allocations_during([&] {
                  dynamics->set_position(0, state.q);
                  dynamics->set_velocity(state.u);
                  dynamics->mass_matrix(M);
                  dynamics->forces(h);
                  solved = M.factor() && dynamics->free_accelerations(du);
                  M.solve_in_place(h);
                }),
                0u);
      EXPECT_TRUE(solved);
    }
  }
}

}  // namespace
}  // namespace freeplay::test
