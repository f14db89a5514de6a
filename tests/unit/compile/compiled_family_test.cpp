// Families of compiled models against runs of the engine.
#include <fmt/format.h>

#include <cmath>
#include <regex>

#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

using CompiledFamilies = CompiledTest;

const std::vector<std::string> kCrank = {"crank.angle", "rod.angle",   "slider.angle", "crank.omega",
                                         "slider.x",    "guide.gap_1", "guide.gap_4"};

// Two turns at 24 clearances and speeds. Lanes of one pack have contacts at different times.
TEST_F(CompiledFamilies, OfSliderCranksRunAsTheEngineDoes) {
  for (const std::string rule : {"paper", "kept"}) {
    for (const std::string forces : {"start", "midpoint"}) {
      SCOPED_TRACE(rule + " " + forces);
      std::vector<LoadedModel> members;
      for (int k = 0; k < 12; ++k) {
        members.push_back(load_example(
            "slider_crank",
            {fmt::format("c={} mm", 0.3 + 0.1 * k), "slider_omega=1 rad/s", fmt::format("friction={}", 0.01 * k),
             "duration=40 ms", "simulate.lasting_contacts=" + rule, "simulate.velocity_forces=" + forces}));
      }
      const FamilyRun run = run_family(members, kCrank, members.size());
      for (std::size_t k = 0; k < members.size(); ++k) {
        SCOPED_TRACE(k);
        if (rule == "paper") {
          EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
        }
        if (run.lanes[k].status != 0) continue;
        EXPECT_LE(difference_from_engine(members[k], kCrank, run.rows[k]), 1e-9);
      }
    }
  }
}

// Rows of a loop, without contacts: an ideal guide closes it.
TEST_F(CompiledFamilies, WithLoopsRunAsTheEngineDoes) {
  const std::vector<std::string> channels = {"crank.angle", "rod.angle", "crank.omega", "slider.x", "slider.vx"};
  for (const std::string forces : {"start", "midpoint"}) {
    SCOPED_TRACE(forces);
    std::vector<LoadedModel> members;
    for (int k = 0; k < 3; ++k) {
      members.push_back(load_example("slider_crank", {"joints.guide.model=ideal", fmt::format("m2={} g", 30 + 5 * k),
                                                      "duration=20 ms", "simulate.velocity_forces=" + forces}));
    }
    const FamilyRun run = run_family(members, channels, members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
      EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
      EXPECT_LE(difference_from_engine(members[k], channels, run.rows[k]), 1e-9);
    }
  }
}

// A motor that prescribes the motion of the crank, and play in a pin.
TEST_F(CompiledFamilies, WithDriversRunAsTheEngineDoes) {
  const std::vector<std::string> channels = {"crank.angle", "coupler.angle", "rocker.angle", "rocker.omega",
                                             "rockerpin.gap"};
  for (const std::string rule : {"paper", "kept"}) {
    SCOPED_TRACE(rule);
    std::vector<LoadedModel> members;
    for (int k = 0; k < 3; ++k) {
      members.push_back(
          load_example("four_bar_clearance", {"simulate.activation=gap", "simulate.lasting_contacts=" + rule,
                                              fmt::format("clearance={} mm", 0.1 + 0.05 * k), "turns=0.05"}));
    }
    const FamilyRun run = run_family(members, channels, members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
      EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
      EXPECT_LE(difference_from_engine(members[k], channels, run.rows[k]), 1e-9);
    }
  }
}

// Three pins with play in a chain: mostly all of them are closed (compiled_all.inc).
TEST_F(CompiledFamilies, WithThreeJointsWithPlayRunAsTheEngineDoes) {
  const std::vector<std::string> channels = {"crank.angle",  "coupler.angle", "rocker.angle",      "rocker.omega",
                                             "crankpin.gap", "rockerpin.gap", "rocker_bearing.gap"};
  for (const std::string rule : {"paper", "kept"}) {
    SCOPED_TRACE(rule);
    std::vector<LoadedModel> members;
    for (int k = 0; k < 3; ++k) {
      members.push_back(
          load_example("../bench/four_bar_plays",
                       {"simulate.duration=40 ms", "simulate.lasting_contacts=" + rule,
                        fmt::format("clearance={} mm", 0.1 + 0.1 * k), fmt::format("friction={}", 0.1 * k)}));
    }
    const FamilyRun run = run_family(members, channels, members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
      SCOPED_TRACE(k);
      EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
      if (run.lanes[k].status != 0) continue;
      EXPECT_LE(difference_from_engine(members[k], channels, run.rows[k]), 1e-9);
    }
  }
}

// Contacts that are closed before they penetrate: what lands, rests and rebounds, and what is pushed by another body.
TEST_F(CompiledFamilies, ThatAnticipateContactsRunAsTheEngineDoes) {
  struct Case {
    const char* example;
    std::vector<std::string> channels, sets;
    std::string first, second;  // what members differ in
  };
  const std::vector<Case> cases = {
      {"four_bar_clearance",
       {"crank.angle", "coupler.angle", "rocker.angle", "rocker.omega", "rockerpin.gap"},
       {"turns=0.1", "simulate.velocity_forces=start", "simulate.lasting_contacts=paper"},
       "clearance=0.1 mm",
       "clearance=0.4 mm"},
      {"sliding_block",
       {"block.x", "block.y", "block.angle", "block.vx"},
       {"drop_height=50 mm", "restitution=0.3", "simulate.velocity_forces=midpoint"},
       "speed=2 m/s",
       "friction=0.1"},
      {"../bench/four_bar_plays",
       {"crank.angle", "coupler.angle", "rocker.angle", "crankpin.gap", "rockerpin.gap"},
       {"simulate.duration=40 ms", "simulate.velocity_forces=midpoint"},
       "clearance=0.1 mm",
       "friction=0.2"},
      {"steering_linkage",
       {"rack.x", "left.angle", "right.angle"},
       {"simulate.duration=20 ms", "joints=clearance"},
       "clearance=0.1 mm",
       "clearance=0.2 mm"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.example);
    std::vector<LoadedModel> members;
    for (const std::string& own : {one.first, one.second}) {
      std::vector<std::string> sets = {"simulate.activation=anticipated", own};
      sets.insert(sets.end(), one.sets.begin(), one.sets.end());
      members.push_back(load_example(one.example, sets));
    }
    const FamilyRun run = run_family(members, one.channels, members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
      SCOPED_TRACE(k);
      EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
      if (run.lanes[k].status != 0) continue;
      EXPECT_LE(difference_from_engine(members[k], one.channels, run.rows[k]), 1e-9);
    }
  }
}

// Bodies that nothing ties together: what a contact pushes moves by another rule than what flies.
TEST_F(CompiledFamilies, OfFreeBodiesThatAnticipateContactsRunAsTheEngineDoes) {
  constexpr const char* kModel = R"(
freeplay: 1
name: Discs that fall, strike each other and roll
space: planar
parameters: {restitution: 0.5, friction: 0.3, apart: 20 mm, aside: 5 mm}
gravity: [0, -9.81 m/s^2]
bodies:
  low: {mass: 1 kg, inertia: 0.001 kg m^2, initial: {y: 0.07 m}, shapes: {rim: {type: circle, radius: 50 mm}}}
  high: {mass: 2 kg, inertia: 0.002 kg m^2, initial: {x: aside, y: 0.17 m + apart}, shapes: {rim: {type: circle, radius: 50 mm}}}
  far: {mass: 1 kg, inertia: 0.001 kg m^2, initial: {x: 1 m, y: 1 m, vx: -1 m/s, omega: 5 rad/s}, shapes: {rim: {type: circle, radius: 50 mm}}}
ground:
  shapes: {floor: {type: line, normal: [0, 1]}}
contacts:
  below: {between: [low.rim, ground.floor], impact: newton, restitution: restitution, friction: friction}
  beside: {between: [high.rim, ground.floor], impact: newton, restitution: restitution, friction: friction}
  apart: {between: [far.rim, ground.floor], impact: newton, restitution: restitution, friction: friction}
  stacked: {between: [high.rim, low.rim], impact: newton, restitution: restitution, friction: friction}
simulate: {integrator: moreau-midpoint, step: 0.5 ms, duration: 0.6 s, activation: anticipated}
)";
  const std::vector<std::string> channels = {"low.x", "low.y", "low.omega", "high.x", "high.y", "far.x", "far.y"};
  std::vector<LoadedModel> members;
  for (const std::vector<std::string>& own :
       {std::vector<std::string>{}, {"restitution=0"}, {"apart=0 mm", "restitution=0"}, {"aside=20 mm"}}) {
    LoadedModel member;
    member.file = parse_model(kModel, "discs", own);
    member.model = build_model(member.file);
    members.push_back(std::move(member));
  }
  const FamilyRun run = run_family(members, channels, members.size());
  for (std::size_t k = 0; k < members.size(); ++k) {
    SCOPED_TRACE(k);
    EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
    EXPECT_LE(difference_from_engine(members[k], channels, run.rows[k]), 1e-9);
  }
}

// Where a pin goes from the middle of its bearing to the wall in one step, only the engine knows in which direction.
TEST_F(CompiledFamilies, ThatAnticipateContactsLeaveAPinInTheMiddleToTheEngine) {
  constexpr const char* kModel = R"(
freeplay: 1
name: A concentric pin
space: planar
parameters: {c: 5 um}
gravity: [0, -9.81 m/s^2]
bodies:
  bar: {mass: 1 kg, inertia: 0.01 kg m^2}
joints:
  pin: {type: revolute, model: clearance, parent: ground, child: bar, clearance: c, journal_radius: 5 mm,
        contact: {impact: newton, restitution: 0.3, friction: 0.1}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 20 ms, activation: anticipated}
)";
  std::vector<LoadedModel> members;
  for (const char* own : {"c=3 um", "c=8 um", "c=200 um"}) {
    LoadedModel member;
    member.file = parse_model(kModel, "pin", std::vector<std::string>{own});
    member.model = build_model(member.file);
    members.push_back(std::move(member));
  }
  const std::vector<std::string> channels = {"bar.y", "bar.vy", "pin.gap"};
  const FamilyRun run = run_family(members, channels, members.size());
  EXPECT_EQ(run.lanes[0].status, kLaneWasCentred);
  EXPECT_EQ(run.lanes[1].status, kLaneWasCentred);
  ASSERT_EQ(run.lanes[2].status, 0) << lane_status_text(run.lanes[2].status);
  EXPECT_LE(difference_from_engine(members[2], channels, run.rows[2]), 1e-9);
}

TEST_F(CompiledFamilies, OfCamsRunAsTheEngineDoes) {
  const std::vector<std::string> channels = {"follower.y", "follower.vy", "contact.gap"};
  std::vector<LoadedModel> members;
  for (int k = 0; k < 4; ++k)
    members.push_back(load_example("cam_follower", {fmt::format("cam_speed={} rad/s", 15 + 3 * k)}));
  const FamilyRun run = run_family(members, channels, members.size());
  for (std::size_t k = 0; k < members.size(); ++k) {
    EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
    EXPECT_LE(difference_from_engine(members[k], channels, run.rows[k]), 1e-9);
  }
}

// Stops, and dry friction that holds and slips.
TEST_F(CompiledFamilies, WithStopsAndDryFrictionRunAsTheEngineDoes) {
  for (const std::string activation : {"gap", "anticipated"}) {
    SCOPED_TRACE(activation);
    constexpr const char* kModel = R"(
freeplay: 1
name: A pendulum between stops
space: planar
parameters: {friction: 0.02 N m}
gravity: [0, -9.81 m/s^2]
bodies:
  arm: {mass: 1 kg, inertia: 0.01 kg m^2}
joints:
  pin:
    type: revolute
    parent: ground
    child: arm
    at_child: [-0.2 m, 0]
    initial: {q: 0.3 rad}
    dry_friction: friction
    stops: {lower: -1 rad, upper: 0.5 rad, restitution: 0.5}
simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 3 s}
)";
    const std::vector<std::string> channels = {"pin.q", "pin.u", "arm.x"};
    std::vector<LoadedModel> members;
    for (const char* friction : {"friction=0.02 N m", "friction=0.3 N m", "friction=3 N m"}) {
      LoadedModel member;
      member.file =
          parse_model(kModel, "pendulum", std::vector<std::string>{friction, "simulate.activation=" + activation});
      member.model = build_model(member.file);
      members.push_back(std::move(member));
    }
    const FamilyRun run = run_family(members, channels, members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
      EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
      EXPECT_LE(difference_from_engine(members[k], channels, run.rows[k]), 1e-9);
    }
  }
}

// A motor whose bearing has play; spring, effort, stops and dry friction in a pin with play.
TEST_F(CompiledFamilies, WithWhatActsOnJointsWithPlayRunAsTheEngineDoes) {
  constexpr const char* kModel = R"(
freeplay: 1
name: A wheel and an arm
space: planar
parameters: {friction: 0.02 N m, speed: 20 rad/s, clearance: 0.1 mm}
gravity: [0, -9.81 m/s^2]
bodies:
  wheel: {mass: 2 kg, inertia: 0.02 kg m^2}
  arm: {mass: 1 kg, inertia: 0.01 kg m^2}
joints:
  bearing:
    {type: revolute, model: clearance, parent: ground, child: wheel, journal_radius: 10 mm, clearance: clearance,
     contact: {impact: newton, restitution: 0.3, friction: 0.1}}
  pin:
    type: revolute
    model: clearance
    parent: wheel
    at_parent: [0.1 m, 0]
    child: arm
    at_child: [-0.15 m, 0]
    journal_radius: 8 mm
    clearance: clearance
    contact: {impact: newton, restitution: 0.3, friction: 0.1}
    initial: {q: -1 rad}
    dry_friction: friction
    stops: {lower: -1.2 rad, upper: 0.4 rad, restitution: 0.5}
forces:
  coil: {type: torsional_spring, on: pin, stiffness: 0.5 N m, damping: 0.001 N m s, free_angle: 0.2 rad}
drivers:
  motor: {on: bearing, motion: speed*t}
  push: {on: pin, torque: 0.1 N m * sin(30*t/(1 s)) - 0.01 N m s * pin.u}
simulate: {integrator: moreau-midpoint, step: 20 us, duration: 0.15 s}
)";
  const std::vector<std::string> channels = {"wheel.x", "wheel.omega", "arm.angle",   "arm.omega",
                                             "pin.q",   "pin.u",       "bearing.gap", "pin.gap"};
  std::vector<LoadedModel> members;
  for (const std::vector<std::string>& own :
       {std::vector<std::string>{}, {"friction=0.3 N m"}, {"clearance=0.3 mm"}, {"speed=-50 rad/s"}}) {
    LoadedModel member;
    member.file = parse_model(kModel, "arm", own);
    member.model = build_model(member.file);
    EXPECT_EQ(compile_obstacles(member.file, member.model), std::vector<std::string>());
    members.push_back(std::move(member));
  }
  const FamilyRun run = run_family(members, channels, members.size());
  ASSERT_EQ(run.lanes.size(), members.size());
  for (std::size_t k = 0; k < members.size(); ++k) {
    SCOPED_TRACE(k);
    EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
    EXPECT_LE(difference_from_engine(members[k], channels, run.rows[k]), 1e-9);
  }
}

TEST_F(CompiledFamilies, GiveTheSameBitsTwice) {
  std::vector<LoadedModel> members;
  for (int k = 0; k < 3; ++k)
    members.push_back(load_example("slider_crank", {fmt::format("c={} mm", 0.5 + 0.2 * k), "duration=20 ms"}));
  EXPECT_EQ(run_family(members, kCrank, 3).rows, run_family(members, kCrank, 3).rows);
}

TEST_F(CompiledFamilies, RefuseAMemberThatDiffersInMore) {
  const LoadedModel base = load_example("slider_crank"), other = load_example("slider_crank", {"c=2 mm"});
  const CompiledFamily::Sample sample{base.file, base.model};
  const CompiledFamily family({&sample, 1}, {});
  EXPECT_TRUE(family.lane(base.file, base.model).has_value());
  EXPECT_FALSE(family.lane(other.file, other.model).has_value());
}

// A dry friction of 0 has no row: the others keep their code. Where no structure has half of the samples, none has.
TEST_F(CompiledFamilies, TakeTheStructureOfMost) {
  constexpr const char* kModel = R"(
freeplay: 1
name: Two carts that rub
space: planar
parameters: {first: 1 N, second: 1 N}
bodies:
  a: {mass: 1 kg, inertia: 0.01 kg m^2}
  b: {mass: 1 kg, inertia: 0.01 kg m^2}
joints:
  rail: {type: prismatic, parent: ground, axis: [1, 0], child: a, initial: {u: 1 m/s}, dry_friction: first}
  other: {type: prismatic, parent: ground, axis: [1, 0], child: b, initial: {u: 1 m/s}, dry_friction: second}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 0.1 s}
)";
  const auto load = [&](const std::vector<std::string>& own) {
    LoadedModel member;
    member.file = parse_model(kModel, "carts", own);
    member.model = build_model(member.file);
    return member;
  };
  const LoadedModel none = load({"first=0 N"}), one = load({}), two = load({"first=2 N"}),
                    neither = load({"first=0 N", "second=0 N"});
  const std::vector<CompiledFamily::Sample> samples = {
      {none.file, none.model}, {one.file, one.model}, {two.file, two.model}};
  const CompiledFamily family(samples, {});
  EXPECT_FALSE(family.lane(none.file, none.model).has_value());
  EXPECT_TRUE(family.lane(one.file, one.model).has_value());
  EXPECT_TRUE(family.lane(two.file, two.model).has_value());
  const std::vector<CompiledFamily::Sample> apart = {
      {none.file, none.model}, {one.file, one.model}, {neither.file, neither.model}};
  EXPECT_THROW(CompiledFamily(apart, {}), CompileError);
}

// Names, texts and parameters of a model never reach the source: behind the hand-written part there are only words of
// the emitter and numbers.
TEST_F(CompiledFamilies, HaveNoTextOfTheModelInTheirSource) {
  LoadedModel evil = load_example("slider_crank");
  evil.file.name = "\"); system(\"touch gotcha\"); //";
  const CompiledFamily::Sample sample{evil.file, evil.model};
  const CompiledFamily family({&sample, 1}, kCrank);
  const std::string& text = family.program().text();
  const std::regex word("[A-Za-z_][A-Za-z_0-9]*");
  const std::regex known(
      "struct|Mechanism|static|constexpr|int|velocities|points|members|slots|kept|channel_count|template|class|T|"
      "FP_INLINE|void|bilateral_rows|bilateral|prepare|position|force|solve|rows|channels|const|double|member|slot|"
      "typedef|sizeof|all|"
      "impact_values|impacts|impact|has_passable|can_be_passed|pushed_by|is_round|unsigned|long|"
      "bool|point|return|has_normal|all_have_normals|is_tied|u|[vtquxghbWy]|ok|values|v[0-9]+|fn_[a-z0-9]+|select|"
      "guard_[a-z_]+"
      "|unused_(sine|"
      "cosine)_[0-9]+|true|false");
  const std::regex number("[-]?0x[0-9a-f.]+(p[-+][0-9]+|u(ll)?)|1u");
  const std::string without_numbers = std::regex_replace(text, number, "0");
  for (std::sregex_iterator at(without_numbers.begin(), without_numbers.end(), word), end; at != end; ++at)
    ASSERT_TRUE(std::regex_match(at->str(), known)) << at->str();
}

struct Refusal {
  const char* example;
  const char* reason;
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, SaysWhy) {
  const LoadedModel loaded = load_example(GetParam().example);
  const std::vector<std::string> reasons = compile_obstacles(loaded.file, loaded.model);
  const auto is_it = [](const std::string& reason) { return reason.find(GetParam().reason) != std::string::npos; };
  EXPECT_TRUE(std::any_of(reasons.begin(), reasons.end(), is_it)) << fmt::format("{}", fmt::join(reasons, "; "));
}

INSTANTIATE_TEST_SUITE_P(Compiled, Refused,
                         testing::Values(Refusal{"rssr_clearance", "spatial"},
                                         Refusal{"elastic_slider_crank", "elastic bodies"},
                                         Refusal{"double_pendulum_coded", "systems given as code"},
                                         Refusal{"double_pendulum", "moreau-midpoint"},
                                         Refusal{"gear_rattle", "couplings"},
                                         Refusal{"escapement", "searches for its contact"}));

}  // namespace
}  // namespace freeplay::test
