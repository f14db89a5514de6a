// The checkpoint of a result file: every field comes back, and a damaged one is refused in words.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "freeplay/core/error.h"
#include "freeplay/io/result/checkpoint.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::checkpoint_file_test {
namespace {

using namespace result_test;
using testing::HasSubstr;

// Every number differs from its default and from its neighbours.
Checkpoint some_checkpoint() {
  Checkpoint c;
  c.integrator = "moreau-midpoint";
  c.state.t = 0.1;
  c.state.q = VecX::LinSpaced(5, 1, 2);
  c.state.u = VecX::LinSpaced(4, -3, 7);
  c.state.account = {1.5, 2.5, 3.5, 4.5};
  c.state.contacts.resize(2);
  ContactMemory& m = c.state.contacts[1];
  m.mode = ContactMode::kStick;
  m.normal_impulse = 11;
  m.impulse = {12, 13, 14};
  m.tangential_force = {15, 16};
  m.is_touching = true;
  m.contact_loss = 17;
  c.state.method = {0.25, -0.0, 18};
  c.counts.evaluations = 19;
  c.counts.injected_J = 20;
  c.report.iterations = 21;
  c.report.gaps_are_open = true;
  c.summary.status = RunStatus::kInterrupted;
  c.summary.message = "a text";
  c.summary.steps = 22;
  c.summary.account = {23, 24, 25, 26};
  c.summary.wall_seconds = 27;
  c.grid_index = 28;
  c.first_row_waits = true;
  c.ledger = {29, 30};
  c.advice = {31, true, false, true, false, true, false, true, false, true, false, true, true};
  c.summary.lowered_restitution_steps = 40;
  c.report.lowered_restitution = true;
  c.summary.kept_gap_steps = 41;
  c.summary.divided_steps = 43;
  c.summary.gaining_impacts = 42;
  c.summary.impact_gain_J = 43;
  c.report.impact_gain_J = 44;
  c.report.kept_gaps = true;
  c.summary.warnings = {"one", "and another"};
  c.drift_at_look_J = 39;
  c.doubtful_J = 43;
  c.contacts = {32, 33, 34};
  c.channels = {35, -36, 37, 38};
  c.passages = {5, 1e-3, 0.25};
  return c;
}

std::string reason_against(const std::vector<std::byte>& record) {
  try {
    static_cast<void>(decode_checkpoint(record));
    return "";
  } catch (const IoError& error) {
    return error.what();
  }
}

TEST(CheckpointRecord, GivesBackEveryField) {
  const Checkpoint before = some_checkpoint();
  const Checkpoint after = decode_checkpoint(encode_checkpoint(before));
  EXPECT_EQ(after.integrator, before.integrator);
  EXPECT_EQ(after.state.t, before.state.t);
  EXPECT_EQ(after.state.q, before.state.q);
  EXPECT_EQ(after.state.u, before.state.u);
  EXPECT_EQ(after.state.account.friction_loss, 4.5);
  ASSERT_EQ(after.state.contacts.size(), 2u);
  EXPECT_EQ(after.state.contacts[0].mode, ContactMode::kOpen);
  EXPECT_EQ(after.state.contacts[1].mode, ContactMode::kStick);
  EXPECT_EQ(after.state.contacts[1].impulse, Vec3(12, 13, 14));
  EXPECT_EQ(after.state.contacts[1].tangential_force, Vec2(15, 16));
  EXPECT_TRUE(after.state.contacts[1].is_touching);
  EXPECT_EQ(after.state.contacts[1].contact_loss, 17);
  ASSERT_EQ(after.state.method.size(), 3u);
  EXPECT_TRUE(std::signbit(after.state.method[1]));
  EXPECT_EQ(after.counts.evaluations, 19);
  EXPECT_EQ(after.counts.injected_J, 20);
  EXPECT_EQ(after.report.iterations, 21);
  EXPECT_TRUE(std::isnan(after.report.equation_residual_N));
  EXPECT_EQ(after.summary.status, RunStatus::kInterrupted);
  EXPECT_EQ(after.summary.message, "a text");
  EXPECT_EQ(after.summary.account.friction_loss, 26);
  EXPECT_EQ(after.grid_index, 28);
  EXPECT_TRUE(after.first_row_waits);
  EXPECT_EQ(after.ledger.largest_kinetic_J, 30);
  EXPECT_EQ(after.advice.first_rank, 31);
  EXPECT_TRUE(after.advice.told_fallback);
  EXPECT_FALSE(after.advice.told_restitution);
  EXPECT_EQ(after.summary.lowered_restitution_steps, 40);
  EXPECT_TRUE(after.report.lowered_restitution);
  EXPECT_EQ(after.summary.kept_gap_steps, 41);
  EXPECT_EQ(after.summary.divided_steps, 43);
  EXPECT_EQ(after.summary.gaining_impacts, 42);
  EXPECT_EQ(after.summary.impact_gain_J, 43);
  EXPECT_EQ(after.report.impact_gain_J, 44);
  EXPECT_TRUE(after.report.kept_gaps);
  EXPECT_TRUE(after.advice.told_kept_gaps);
  EXPECT_FALSE(after.advice.told_wall);
  EXPECT_TRUE(after.advice.told_doubt);
  EXPECT_FALSE(after.advice.told_stiff);
  EXPECT_TRUE(after.advice.told_crowd);
  EXPECT_FALSE(after.advice.told_gain);
  EXPECT_TRUE(after.advice.told_deflection);
  EXPECT_TRUE(after.advice.told_division);
  EXPECT_EQ(after.drift_at_look_J, 39);
  EXPECT_EQ(after.doubtful_J, 43);
  EXPECT_EQ(after.summary.warnings, before.summary.warnings);
  EXPECT_EQ(after.contacts, before.contacts);
  EXPECT_EQ(after.channels, before.channels);
  EXPECT_EQ(after.passages, before.passages);
  // Whatever is not named above.
  EXPECT_EQ(encode_checkpoint(after), encode_checkpoint(before));
}

TEST(CheckpointRecord, ThatIsDamagedAnywhereIsRefused) {
  const std::vector<std::byte> whole = encode_checkpoint(some_checkpoint());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::byte> changed = whole;
    changed[i] ^= std::byte{4};
    EXPECT_NE(reason_against(changed), "") << "byte " << i;
    EXPECT_NE(reason_against({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(i)}), "") << i << " bytes";
  }
  std::vector<std::byte> longer = whole;
  longer.push_back({});
  EXPECT_THAT(reason_against(longer), HasSubstr("checksum"));
  EXPECT_EQ(reason_against(whole), "");
}

TEST(CheckpointRecord, OfAnotherVersionIsRefusedByItsNumber) {
  std::vector<std::byte> record = encode_checkpoint(some_checkpoint());
  record[std::strlen("freeplay checkpoint\n")] = std::byte{99};
  EXPECT_THAT(reason_against(record), HasSubstr("version 99"));
}

TEST(CheckpointRecord, ComesBackFromTheFileWithTheRowsUpToIt) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "result.h5";
  ResultWriter writer(path);
  writer.begin(layout_with_channels(2));
  write_rows(writer, 2, 0, 5);
  writer.checkpoint(some_checkpoint());
  EXPECT_EQ(writer.rows_flushed(), 5) << "a checkpoint vouches for the rows before it";
  writer.end({});
  const ResultReader reader(path);
  expect_known_rows(reader);
  EXPECT_EQ(encode_checkpoint(read_checkpoint(reader)), encode_checkpoint(some_checkpoint()));
}

TEST(CheckpointRecord, IsMissedInWordsWhereTheRunHasLeftNone) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "result.h5";
  ResultWriter writer(path);
  writer.begin(layout_with_channels(2));
  write_rows(writer, 2, 0, 5);
  writer.flush();
  try {
    static_cast<void>(read_checkpoint(ResultReader(path)));
    FAIL() << "there is none";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot go on from " + path.string() + ": it has no checkpoint"));
  }
}

}  // namespace
}  // namespace freeplay::test::checkpoint_file_test
