// What a run comes to: blows from impacts, time in contact, the judgement of the drift, and what a result file keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "freeplay/report/findings/blows.h"
#include "freeplay/report/findings/blows_csv.h"
#include "freeplay/report/findings/contact_times.h"
#include "freeplay/report/findings/run_findings.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::findings_test {

using testing::HasSubstr;

ImpactRecord impact_at(double time_s, std::int32_t contact, double impulse, double lost_J = 0) {
  ImpactRecord impact;
  impact.time_s = time_s;
  impact.contact = contact;
  impact.normal_impulse = impulse;
  impact.normal_velocity_before = -impulse;
  impact.energy_lost_J = lost_J;
  return impact;
}

const BlowRule kRule{.window_s = 1e-3, .hop_share = 0.1, .hop_windows = 100};

TEST(Blows, TheCornersOfAGuideStrikeTogether) {
  BlowGrouper grouper(kRule, {0, 0}, nullptr);
  grouper.add(impact_at(0.1, 0, 2, 0.25));
  grouper.add(impact_at(0.1005, 1, 3, 0.5));
  const std::vector<Blow> blows = grouper.finish();
  ASSERT_EQ(blows.size(), 1u);
  EXPECT_EQ(blows[0].impacts, 2);
  EXPECT_EQ(blows[0].impulse, 5);
  EXPECT_EQ(blows[0].hardest, 3);
  EXPECT_EQ(blows[0].hardest_s, 0.1005);
  EXPECT_EQ(blows[0].approach_m_s, 3);
  EXPECT_EQ(blows[0].energy_lost_J, 0.75);
  EXPECT_EQ(blows[0].time_s, 0.1);
  EXPECT_EQ(blows[0].end_s, 0.1005);
}

// Every 0.4 windows for 10 windows: a blow has the impacts of one window, that is three.
TEST(Blows, ARattleFasterThanTheWindowIsNotOneEndlessBlow) {
  BlowGrouper grouper(kRule, {0}, nullptr);
  for (int i = 0; i < 24; ++i) grouper.add(impact_at(0.4e-3 * i, 0, 1));
  EXPECT_EQ(grouper.finish().size(), 8u);
}

TEST(Blows, OfTwoElementsAreTwo) {
  BlowGrouper grouper(kRule, {0, 1}, nullptr);
  grouper.add(impact_at(0.1, 0, 2));
  grouper.add(impact_at(0.1, 1, 3));
  EXPECT_EQ(grouper.finish().size(), 2u);
}

// A ball with restitution e = 0.4 rebounds with impulses 1, e, e^2, ...: those from e^3 = 0.064 on are hops of the blow
// before them, whatever their number.
TEST(Blows, OfABouncingBallTheSmallHopsBelongToTheLastRebound) {
  BlowGrouper grouper(kRule, {0}, nullptr);
  double impulse = 1, time_s = 0, flight_s = 0.05;
  for (int i = 0; i < 20; ++i) {
    grouper.add(impact_at(time_s, 0, impulse));
    time_s += flight_s;
    impulse *= 0.4;
    flight_s *= 0.4;
  }
  const std::vector<Blow> blows = grouper.finish();
  ASSERT_EQ(blows.size(), 3u);
  EXPECT_EQ(blows[0].impacts, 1);
  EXPECT_EQ(blows[1].impacts, 1);
  EXPECT_EQ(blows[2].impacts, 18);
  EXPECT_NEAR(blows[2].impulse, 0.16 * (1 - std::pow(0.4, 18)) / 0.6, 1e-12);
}

TEST(Blows, ASoftImpactLongAfterAHardOneIsABlowOfItsOwn) {
  BlowGrouper grouper(kRule, {0}, nullptr);
  grouper.add(impact_at(0, 0, 1));
  grouper.add(impact_at(0.099, 0, 0.05));  // a hop: 100 windows have not passed
  grouper.add(impact_at(0.3, 0, 0.05));
  EXPECT_EQ(grouper.finish().size(), 2u);
}

TEST(Blows, AContactThatIsHeldAndPressedAgainIsOne) {
  for (const bool was_held : {true, false}) {
    BlowGrouper grouper(kRule, {0}, [&](std::size_t, double from_s, double to_s) {
      EXPECT_EQ(from_s, 0.1);
      EXPECT_EQ(to_s, 0.2);
      return was_held;
    });
    grouper.add(impact_at(0.1, 0, 1));
    grouper.add(impact_at(0.2, 0, 2));
    EXPECT_EQ(grouper.finish().size(), was_held ? 1u : 2u);
  }
}

// 100 rows per second for a second. The first corner is closed from 0.2 s to 0.5 s, the second one from 0.4 s to 0.6 s.
class FindingsOfFile : public testing::Test {
 protected:
  void write(const RunSummary& summary, const std::vector<ImpactRecord>& impacts = {}, const char* simulate = "") {
    RecordLayout layout;
    layout.channels = {{"guide.mode_1", "1"}, {"guide.mode_2", "1"}, {"crank.angle", "rad"}, {"energy.kinetic", "J"}};
    layout.contacts = {"guide_1", "guide_2"};
    layout.attributes = {{"integrator", "moreau-midpoint"}, {"force_window", "0.002"}};
    if (*simulate != '\0') layout.attributes["simulate"] = simulate;
    ResultWriter writer(file());
    writer.begin(layout);
    for (const ImpactRecord& impact : impacts) writer.impact(impact);
    for (int row = 0; row <= 100; ++row) {
      const double t = 0.01 * row;
      writer.row(t, std::vector{row > 20 && row <= 50 ? 1.0 : 0.0, row > 40 && row <= 60 ? 2.0 : 0.0, 8 * M_PI * t,
                                3 + std::sin(2 * M_PI * t)});
    }
    writer.end(summary);
  }
  std::filesystem::path file() const { return folder_ / "r.h5"; }
  result_test::TemporaryFolder folder_;
};

TEST_F(FindingsOfFile, AContactIsClosedWhileAnyOfItsPointsIs) {
  write({});
  const ResultReader result(file());
  const auto points = find_contact_points(result.contacts(), result.channels());
  const ContactTimes times(result, points);
  EXPECT_NEAR(times.share_closed({0}), 0.3, 1e-12);
  EXPECT_NEAR(times.share_closed({1}), 0.2, 1e-12);
  EXPECT_NEAR(times.share_closed({0, 1}), 0.4, 1e-12) << "they overlap for a tenth of a second";
  EXPECT_TRUE(times.was_held(0, 0.25, 0.45));
  EXPECT_FALSE(times.was_held(0, 0.25, 0.55));
  EXPECT_FALSE(times.was_held(1, 0.25, 0.45));
}

TEST_F(FindingsOfFile, BlowsAreCountedPerTurnAndHeldContactsOnce) {
  // The second impact of corner 1 comes while it is held; that of corner 2 after it has opened and closed again.
  write({}, {impact_at(0.21, 0, 1), impact_at(0.3, 0, 2), impact_at(0.41, 1, 1), impact_at(0.9, 1, 4, -0.5)});
  const RunFindings findings = find_out(ResultReader(file()));
  ASSERT_EQ(findings.blows.all.size(), 3u);
  EXPECT_EQ(findings.blows.rule.window_s, 0.002) << "that of the forces";
  EXPECT_EQ(findings.blows.elements.at(0), "guide");
  EXPECT_EQ(findings.blows.all[0].impulse, 3);
  ASSERT_TRUE(findings.turns);
  EXPECT_NEAR(findings.turns->turns, 4, 1e-12);
  EXPECT_NEAR(*findings.blows_per_turn(), 0.75, 1e-12);
  EXPECT_THAT(hardest_blows(findings.blows, 1), testing::ElementsAre(2u));
  const nlohmann::ordered_json json = findings_json(findings, 2);
  EXPECT_EQ(json["blows"]["count"], 3);
  EXPECT_EQ(json["blows"]["hardest"].size(), 2u);
  EXPECT_EQ(json["blows"]["hardest"][0]["energy_lost"], -0.5);
  EXPECT_NEAR(json["contact_share"]["guide"].get<double>(), 0.4, 1e-12);
}

TEST_F(FindingsOfFile, PeaksAndLossesOfTheSummaryAreKept) {
  RunSummary summary;
  summary.account.input = 5;
  summary.account.impact_loss = 2;
  summary.account.friction_loss = 1;
  summary.account.damping_loss = 0.5;
  summary.max_energy_drift_J = 0.07;
  summary.peak_forces = {{"pin \"a\",\n", "N", 120, 1e-3, 0.25}, {"motor", "N m", 500, 0, 0.5}, {"arm", "N", 80, 0, 1}};
  write(summary);
  const ResultReader result(file());
  const RunSummary& read = *result.summary();
  EXPECT_EQ(read.account.input, 5);
  EXPECT_EQ(read.account.damping_loss, 0.5);
  ASSERT_EQ(read.peak_forces.size(), 3u);
  EXPECT_EQ(read.peak_forces[0].name, "pin \"a\",\n");
  EXPECT_EQ(read.peak_forces[0].window_s, 1e-3);
  EXPECT_EQ(read.peak_forces[1].unit, "N m");
  const RunFindings findings = find_out(result);
  EXPECT_EQ(findings.peak_force->value, 120) << "a torque is no force";
  EXPECT_NEAR(findings.drift.share(), 0.02, 1e-12);
  EXPECT_EQ(findings.drift.grade, DriftJudgement::Grade::kNoticeable);
}

TEST_F(FindingsOfFile, OfTooManyPeaksTheLargestAreKept) {
  RunSummary summary;
  for (int i = 0; i < 1000; ++i)
    summary.peak_forces.push_back({"contact_" + std::to_string(i), "N", static_cast<double>((i * 617) % 1000), 0, 0});
  write(summary);
  const std::vector<PeakForce> peaks = ResultReader(file()).summary()->peak_forces;
  ASSERT_GT(peaks.size(), 50u);
  double least = INFINITY, most = 0;
  for (const PeakForce& peak : peaks) least = std::min(least, peak.value), most = std::max(most, peak.value);
  EXPECT_EQ(most, 999);
  EXPECT_EQ(least, 1000.0 - static_cast<double>(peaks.size())) << "all others are smaller";
}

TEST_F(FindingsOfFile, TheTableOfBlowsHasALinePerBlow) {
  write({}, {impact_at(0.21, 0, 1, 0.5), impact_at(0.9, 1, 4, -0.25)});
  std::ostringstream out;
  write_blows_csv(ResultReader(file()), out);
  EXPECT_EQ(out.str(),
            "element,time,end,impacts,impulse,unit,hardest,hardest_time,approach,energy_lost\n"
            "guide,0.21,0.21,1,1,N s,1,0.21,1,0.5\n"
            "guide,0.9,0.9,1,4,N s,4,0.9,4,-0.25\n");
}

TEST(Drift, IsJudgedByTheLossesAndWithoutThemByTheMotion) {
  using Grade = DriftJudgement::Grade;
  EXPECT_EQ(judge_drift(0.009, 1, 100).grade, Grade::kSmall);
  EXPECT_EQ(judge_drift(-0.05, 1, 100).grade, Grade::kNoticeable);
  EXPECT_EQ(judge_drift(0.2, 1, 100).grade, Grade::kLarge) << "small against the motion, large against the losses";
  EXPECT_EQ(judge_drift(0.2, 0, 100).grade, Grade::kSmall);
  EXPECT_FALSE(judge_drift(0.2, 0, 100).is_of_losses);
  EXPECT_EQ(judge_drift(0, 0, 0).grade, Grade::kUnknown) << "nothing happens";
  EXPECT_EQ(drift_sentence(judge_drift(0.16, 1, 0)),
            "the energy drift reaches 16 % of the losses: too much to trust them");
  EXPECT_EQ(drift_sentence(judge_drift(1e-5, 1, 0)), "the energy drift stays below 0.1 % of the losses");
  EXPECT_EQ(drift_advice(judge_drift(1e-5, 1, 0)), "");
}

// A scheme that takes forces at the start of a step has a cure, which the sentence names; one that is not asked for is
// not.
TEST_F(FindingsOfFile, ADriftOfForcesAtTheStartOfAStepNamesItsCure) {
  const auto sentence = [&](const char* simulate) {
    RunSummary summary;
    summary.max_energy_drift_J = 0.16;
    summary.account.impact_loss = 1;
    write(summary, {}, simulate);
    return findings_json(find_out(ResultReader(file())), 1)["drift"]["sentence"].get<std::string>();
  };
  const std::string large = "the energy drift reaches 16 % of the losses: too much to trust them";
  EXPECT_EQ(sentence(R"({"velocity_forces": "start"})"),
            large + "; 'velocity_forces: midpoint' makes it smaller where bodies turn fast");
  EXPECT_EQ(sentence(R"({"velocity_forces": "midpoint"})"), large);
  EXPECT_EQ(sentence(""), large) << "results of old versions keep no options";
  EXPECT_EQ(sentence(R"("start")"), large) << "and a damaged one may keep anything";
}

}  // namespace freeplay::test::findings_test
