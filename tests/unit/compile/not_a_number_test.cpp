// A lane whose numbers are none is marked, wherever that comes from: the residual of a contact problem, what a lane is
// given, or what a step computes.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "freeplay/compile/device_family.h"
#include "freeplay/compile/step/step_text.h"
#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

using NotANumber = CompiledTest;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The contact problem of a lane, from the text that every compiled source has.
constexpr const char* kResidualOfTwo = R"(
extern "C" double residual_of_two(const double* mu, const double* dry, const double* G, const double* c) {
  freeplay_compiled::ContactProblem p;
  p.count = 2;
  for (int i = 0; i < 2; ++i) {
    p.mu[i] = mu[i];
    p.dry[i] = dry[i];
    p.mode[i] = freeplay_compiled::kUnknownMode;
  }
  for (int r = 0; r < 4; ++r) {
    p.c[r] = c[r];
    for (int s = 0; s < 4; ++s) p.G[r][s] = G[4 * r + s];
  }
  freeplay_compiled::solve_contacts(p);
  return p.residual;
}
)";

struct TwoContacts {
  std::array<double, 2> mu, dry;  // dry < 0: a contact with a normal row
  std::array<double, 16> G;
  std::array<double, 4> c;
};

// Two contacts with friction: both closing, one or both opening, and dry friction beside a contact.
std::vector<TwoContacts> solvable_problems() {
  const std::array<double, 16> G = {2, 0.1, 0.3, 0, 0.1, 1.5, 0, 0.2, 0.3, 0, 2.5, -0.1, 0, 0.2, -0.1, 1.2};
  std::vector<TwoContacts> problems;
  for (const double first : {-1.0, 1.0}) {
    for (const double second : {-0.5, 0.7}) {
      problems.push_back({{0.3, 0.2}, {-1, -1}, G, {first, 0.4, second, -0.1}});
      problems.push_back({{0.9, 0.9}, {-1, -1}, G, {first, 0.01, second, -0.01}});
    }
  }
  std::array<double, 16> with_dry = G;  // the second has no normal row
  for (std::size_t k = 0; k < 4; ++k) with_dry[4 * 2 + k] = with_dry[4 * k + 2] = 0;
  problems.push_back({{0.3, 0}, {-1, 0.2}, with_dry, {-1, 0.4, 0, 2}});
  problems.push_back({{0.3, 0}, {-1, 5}, with_dry, {1, 0.4, 0, 2}});
  return problems;
}

TEST_F(NotANumber, IsNeverAResidualThatPasses) {
  const std::string rules =
      "#define FP_KEEPS_CONTACTS 1\n#define FP_MIDPOINT_FORCES 0\n#define FP_ANTICIPATES 0\n#define FP_SHARED_LAWS "
      "0\n#define "
      "FP_NOTES_IMPACTS 0\n#define FP_NOTES_BLOWS 0\n#define FP_MOST_ACTIVE 8\n";
  const CachedObject object = compile_object(rules + step_text() + kResidualOfTwo, processor_toolchain());
  const std::shared_ptr<void> library(dlopen(object.file.c_str(), RTLD_NOW | RTLD_LOCAL), &dlclose);
  ASSERT_NE(library, nullptr) << dlerror();
  using Function = double(const double*, const double*, const double*, const double*);
  const auto function = reinterpret_cast<Function*>(dlsym(library.get(), "residual_of_two"));
  ASSERT_NE(function, nullptr);
  const auto residual = [&](const TwoContacts& p) {
    return function(p.mu.data(), p.dry.data(), p.G.data(), p.c.data());
  };
  for (const TwoContacts& problem : solvable_problems()) {
    EXPECT_LE(residual(problem), 1e-12);
    for (std::size_t i = 0; i < 4; ++i) {
      TwoContacts without = problem;
      without.c[i] = kNone;
      const bool is_row = i != 2 || problem.dry[1] < 0;
      if (is_row) {
        EXPECT_FALSE(residual(without) <= 1e300) << "c " << i;
      }
      for (std::size_t k = 0; k < 4 && is_row; ++k) {
        if (k == 2 && problem.dry[1] >= 0) continue;
        without = problem;
        without.G[4 * i + k] = kNone;
        EXPECT_FALSE(residual(without) <= 1e300) << "G " << i << ' ' << k;
      }
    }
  }
}

struct GivenNumbers {
  std::vector<double> LaneData::*list;
  const char* name;
};
constexpr std::array kGivenNumbers = {GivenNumbers{&LaneData::member, "member"}, GivenNumbers{&LaneData::laws, "laws"},
                                      GivenNumbers{&LaneData::state, "state"}};

// A family that has all its numbers as inputs, and one lane of it.
struct CrankFamily {
  std::vector<LoadedModel> members;
  std::vector<CompiledFamily::Sample> samples;
  explicit CrankFamily(const std::string& rule) {
    for (int k = 0; k < 4; ++k)
      members.push_back(load_example(
          "slider_crank", {fmt::format("c={} mm", 0.3 + 0.2 * k), fmt::format("l1={} mm", 153 + k),
                           fmt::format("m3={} g", 76 + k), fmt::format("J1={} kg m^2", 7.4e-5 * (1 + 0.1 * k)),
                           fmt::format("friction={}", 0.01 * (1 + k)), fmt::format("restitution={}", 0.4 + 0.1 * k),
                           "slider_omega=1 rad/s", "duration=5 ms", "simulate.lasting_contacts=" + rule}));
    for (const LoadedModel& member : members) samples.push_back({member.file, member.model});
  }
};

TEST_F(NotANumber, GivenToALaneMarksIt) {
  const CrankFamily cranks("kept");
  const CompiledFamily family(cranks.samples, {});
  const DeviceFamily on_device(cranks.samples, processor_toolchain());
  const LaneData start = family.lane(cranks.samples[1]).value();
  LaneData whole = start;
  family.run({&whole, 1}, {});
  ASSERT_EQ(whole.status, 0);
  for (const GivenNumbers& numbers : kGivenNumbers) {
    ASSERT_FALSE((start.*numbers.list).empty()) << numbers.name;
    for (std::size_t i = 0; i < (start.*numbers.list).size(); ++i) {
      std::vector<LaneData> lanes(2, start), device_lanes(2, start);
      (lanes[1].*numbers.list)[i] = (device_lanes[1].*numbers.list)[i] = kNone;
      family.run(lanes, {});
      on_device.run(device_lanes);
      EXPECT_EQ(lanes[1].status, kLaneIsNotFinite) << numbers.name << ' ' << i;
      EXPECT_EQ(device_lanes[1].status, kLaneIsNotFinite) << numbers.name << ' ' << i;
      EXPECT_EQ(lanes[0].state, whole.state);  // whatever becomes of its neighbour
      EXPECT_EQ(device_lanes[0].status, 0);
    }
  }
}

// Numbers out of all bounds: steps compute infinities and differences of infinities from them. A lane that passes has
// numbers at its end.
TEST_F(NotANumber, ComputedByALaneMarksIt) {
  for (const std::string rule : {"paper", "kept"}) {
    const CrankFamily cranks(rule);
    const CompiledFamily family(cranks.samples, {});
    const LaneData start = family.lane(cranks.samples[1]).value();
    int marked = 0, tried = 0;
    for (const GivenNumbers& numbers : kGivenNumbers) {
      for (std::size_t i = 0; i < (start.*numbers.list).size(); ++i) {
        for (const double wild : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                  0.0, 1e300, -1e300, 1e-300}) {
          LaneData lane = start;
          (lane.*numbers.list)[i] = wild;
          family.run({&lane, 1}, {});
          ++tried;
          if (lane.status != 0) {
            ++marked;
            continue;
          }
          for (std::size_t k = 0; k < 6; ++k)  // q and u; the rest is remembered under the rule `kept` alone
            ASSERT_TRUE(std::isfinite(lane.state[k])) << fmt::format("{}, {} {} = {}", rule, numbers.name, i, wild);
        }
      }
    }
    EXPECT_GT(marked, tried / 10);
  }
}

}  // namespace
}  // namespace freeplay::test
