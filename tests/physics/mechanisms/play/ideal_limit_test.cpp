// Play to zero and stiffness to infinity: every joint type tends to its ideal self, in motion and in forces. A part
// hangs on the joint, falls from rest and swings, or slides on a spring.
#include <algorithm>
#include <cmath>

#include "physics/grid_rows.h"
#include "physics/model_run.h"

namespace freeplay::test::ideal_limit_test {
namespace {

constexpr double kGrid_s = 1e-3;

struct LimitCase {
  std::string name, space, joint, more;
  std::string word{};
};

std::string text_of(const LimitCase& one) {
  const bool planar = one.space == "planar";
  const bool holds_turning = planar ? one.name == "prismatic" || one.name == "fixed" : one.name != "spherical";
  return fmt::format(
      R"yaml(
freeplay: 1
space: {0}
gravity: [0, -9.81 m/s^2{1}]
parameters: {{word: {{word: clearance}}, c: 0.2 mm, k: 1e6 N/m}}
bodies: {{part: {{mass: 2 kg, inertia: {2}}}}}
joints:
  it:
    parent: ground
    child: part
    model: word
    clearance: c
    contact: {{impact: newton, restitution: 0}}
    bushing: {{stiffness: k, damping: 2e3 N s/m{3}}}
    {4}
{5}
simulate: {{integrator: event-driven, tolerance: 1e-10, step: 1 ms, duration: 0.4 s}}
)yaml",
      one.space, planar ? "" : ", 0", planar ? "0.03 kg m^2" : "[0.03 kg m^2, 0.03 kg m^2, 0.03 kg m^2]",
      holds_turning ? ", torsional_stiffness: 0.01 m^2 * k, torsional_damping: 20 N m s" : "", one.joint, one.more);
}

const std::vector<LimitCase>& joint_types() {
  const std::string on_a_spring = "drivers: {spring: {on: it, force: -200 N/m * it.q}}";
  const std::string slides = "at_child: [0, -30 mm{}]\n    initial: {{q: 50 mm}}\n    length: 80 mm\n    ";
  const std::string slot = "journal_radius: 5 mm\n    length: 1.2 m\n    ";
  static const std::vector<LimitCase> types = {
      {"revolute", "planar", "type: revolute\n    at_child: [-0.2 m, 0]", ""},
      {"prismatic", "planar", "type: prismatic\n    " + fmt::format(fmt::runtime(slides), "") + "width: 40 mm",
       on_a_spring},
      {"pin_in_slot", "planar", "type: pin_in_slot\n    at_child: [-0.2 m, 0]\n    " + slot, ""},
      {"pin_in_curved_slot", "planar",
       "type: pin_in_slot\n    at_child: [-0.2 m, 0]\n    slot_radius: 0.6 m\n    " + slot, ""},
      {"revolute", "spatial", "type: revolute\n    at_child: [-0.2 m, 0, -3 mm]\n    length: 40 mm", ""},
      {"cylindrical", "spatial", "type: cylindrical\n    at_child: [-0.2 m, 0, -3 mm]\n    length: 40 mm", ""},
      {"spherical", "spatial", "type: spherical\n    at_child: [-0.2 m, 0, 0]", ""},
      {"prismatic", "spatial",
       "type: prismatic\n    " + fmt::format(fmt::runtime(slides), ", 0") +
           "section: [[-20 mm, -20 mm], [20 mm, -20 mm], [20 mm, 20 mm], [-20 mm, 20 mm]]",
       on_a_spring},
      {"pin_in_slot", "spatial",
       "type: pin_in_slot\n    at_child: [-0.2 m, 0, -3 mm]\n    " + slot + "width: 40 mm\n    head_radius: 20 mm", ""},
      {"universal", "spatial", "type: universal\n    at_child: [0, 0, -0.2 m]", ""},
      {"planar", "spatial", "type: planar\n    axis: [0, 1, 0]\n    at_child: [-0.2 m, 0, 0]", ""},
      {"fixed", "spatial", "type: fixed\n    at_child: [-0.2 m, 0, 0]", ""},
      {"fixed", "planar", "type: fixed\n    at_child: [-0.2 m, 0]", ""},
  };
  return types;
}

std::vector<LimitCase> all_cases() {
  std::vector<LimitCase> cases;
  for (const LimitCase& type : joint_types()) {
    for (const char* word : {"clearance", "bushing"}) {
      const bool has_play = type.name != "universal" && type.name != "planar" && type.name != "fixed";
      if (!has_play && std::string_view(word) == "clearance") continue;
      cases.push_back(type);
      cases.back().word = word;
    }
  }
  return cases;
}

// Largest distances over the second half of the run.
struct Distance {
  double motion_m = 0, force_N = 0;
};

Distance distance(const ModelRun& run, const ModelRun& ideal, bool is_planar) {
  Worst motion, force;
  const std::vector<std::size_t> rows = rows_at_multiples(run.time(), kGrid_s),
                                 of_ideal = rows_at_multiples(ideal.time(), kGrid_s);
  EXPECT_EQ(rows.size(), 401u);
  EXPECT_EQ(of_ideal.size(), 401u);
  for (std::size_t i = rows.size() / 2; i < std::min(rows.size(), of_ideal.size()); ++i) {
    for (const char* axis : {"x", "y", "z"}) {
      if (is_planar && *axis == 'z') continue;
      const std::string place = std::string("part.") + axis, load = std::string("it.force_") + axis;
      motion(run[place][rows[i]] - ideal[place][of_ideal[i]]);
      force(run[load][rows[i]] - ideal[load][of_ideal[i]]);
    }
  }
  return {motion.value, force.value};
}

class IdealLimit : public testing::TestWithParam<LimitCase> {};
INSTANTIATE_TEST_SUITE_P(Joints, IdealLimit, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.space + "_" + one.param.name + "_" + one.param.word; });

// Motion and forces go with the play, or with the compliance of the bushing. A block lies flat on its guide, and its
// load does not know how wide the guide is: what is left there comes from its landing, with the speed sqrt(2 g c), and
// goes faster to zero.
TEST_P(IdealLimit, IsReachedWithItsOrder) {
  const LimitCase& one = GetParam();
  const bool is_planar = one.space == "planar";
  const auto run_with = [&](const std::string& word, double size) {
    const std::vector<std::string> overrides = {"word=" + word, fmt::format("c=0.2 mm * {}", size),
                                                fmt::format("k=1e6 N/m / {}", size)};
    return run_model(parse_model(text_of(one), "limit.yaml", overrides));
  };
  const ModelRun ideal = run_with("ideal", 1);
  ASSERT_EQ(ideal.summary.status, RunStatus::kCompleted) << ideal.summary.message;
  const Distance wide = distance(run_with(one.word, 1), ideal, is_planar);
  const Distance narrow = distance(run_with(one.word, 1.0 / 16), ideal, is_planar);
  const double motion = std::log(wide.motion_m / narrow.motion_m) / std::log(16),
               force = std::log(wide.force_N / narrow.force_N) / std::log(16);
  RecordProperty("order_of_motion", fmt::format("{:.3f}", motion));
  RecordProperty("order_of_force", fmt::format("{:.3f}", force));
  EXPECT_NEAR(motion, 1, 0.05) << wide.motion_m << " " << narrow.motion_m;
  // What rests on its bushing carries its weight, however soft that is.
  if (one.name == "planar" || one.name == "fixed") return;
  const bool is_flat = one.name == "prismatic" && one.word == "clearance";
  EXPECT_NEAR(force, is_flat ? 1.5 : 1, 0.1) << wide.force_N << " " << narrow.force_N;
}

}  // namespace
}  // namespace freeplay::test::ideal_limit_test
