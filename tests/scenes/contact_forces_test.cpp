// Contact forces of rows (record.contact_forces): what they are, that the file keeps them through a kill, and what
// pictures make of them.
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/schema/record_layout.h"
#include "freeplay/report/rows/force_list.h"
#include "freeplay/report/view/view_data.h"
#include "freeplay/report/vtk/vtk_export.h"
#include "physics/model_run.h"
#include "support/places.h"
#include "unit/io/model/model_test_support.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::contact_forces_test {
namespace {

using namespace result_test;
using testing::HasSubstr;

// Three balls of 2 kg, one on top of the other on a floor: the contacts bear the weight of three, two and one.
ModelFile tower(int contact_forces) {
  const std::vector<std::string> overrides{"record.contact_forces=" + std::to_string(contact_forces)};
  return load_model(test_dir() + "/models/physics/tower_of_balls.yaml", overrides);
}

// By height: what presses from below.
std::map<int, double> loads_by_height(std::span<const ContactForce> forces) {
  std::map<int, double> loads;
  for (const ContactForce& force : forces) {
    EXPECT_NEAR(force.x_m, 0, 1e-6);
    EXPECT_LT(std::hypot(force.fx_N, force.fy_N), 1e-4) << "nothing pushes sideways";
    loads[static_cast<int>(std::lround(1000 * force.z_m))] = size_of(force);
  }
  return loads;
}

TEST(ContactForces, OfATowerAreTheWeightsAboveThem) {
  const ModelFile file = tower(100);
  ASSERT_EQ(file.record.contact_forces, 100);
  const ModelRun run = run_model(file, file.record);
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  ASSERT_EQ(run.record.forces_of_rows.size(), run.rows());
  EXPECT_TRUE(run.record.forces_of_rows.front().empty()) << "no step yet";
  for (std::size_t row = 1; row < run.rows(); ++row) {
    const std::map<int, double> loads = loads_by_height(run.record.forces_of_rows[row]);
    ASSERT_EQ(loads.size(), 3U);
    // Steps are solved to 1e-9 m/s, with 2 kg in 1 ms 2e-6 N for each ball; single precision has 4e-6 N of 60.
    EXPECT_NEAR(loads.at(0), 60, 1e-5);
    EXPECT_NEAR(loads.at(100), 40, 1e-5);
    EXPECT_NEAR(loads.at(200), 20, 1e-5);
  }
  // The sum of the vertical ones on the floor is what the channel of the group has of all.
  EXPECT_NEAR(run["pile.normal_force"].back(), 120, 1e-4);
  for (const ContactForce& force : run.record.forces_of_rows.back()) {
    const bool is_up = force.fz_N > 0;
    EXPECT_EQ(is_up, force.first > force.second) << "the force on the upper one of the two goes up";
  }
}

TEST(ContactForces, AreTheStrongestIfThereAreMore) {
  const ModelFile file = tower(2);
  const ModelRun run = run_model(file, file.record);
  const std::map<int, double> loads = loads_by_height(run.record.forces_of_rows.back());
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_NEAR(loads.at(0), 60, 1e-5);
  EXPECT_NEAR(loads.at(100), 40, 1e-5);
}

TEST(ContactForces, AreNotThereUnlessTheyAreAskedFor) {
  const ModelFile file = tower(0);
  EXPECT_TRUE(run_model(file, file.record).record.forces_of_rows.empty());
}

// Row r has r % 4 contacts, of r and their number.
std::vector<ContactForce> forces_of_row(std::int64_t row) {
  std::vector<ContactForce> forces;
  for (int k = 0; k < row % 4; ++k)
    forces.push_back({k, k + 1, static_cast<float>(row), 0, 0, 0, 0, static_cast<float>(k + 1)});
  return forces;
}

void expect_known_forces(const ResultReader& reader) {
  std::vector<StoredContactForce> all(static_cast<std::size_t>(reader.contact_force_count()));
  reader.read_contact_forces(0, all);
  std::size_t next = 0;
  for (std::int64_t row = 0; row < reader.rows(); ++row) {
    for (const ContactForce& force : forces_of_row(row)) {
      ASSERT_LT(next, all.size()) << "row " << row << " has come without its forces";
      ASSERT_EQ(all[next].row, row);
      ASSERT_EQ(all[next].force.x_m, force.x_m);
      ASSERT_EQ(all[next++].force.fz_N, force.fz_N);
    }
  }
  EXPECT_EQ(next, all.size()) << "forces behind the last row are passed over";
}

RecordLayout layout_with_forces() {
  RecordLayout layout = layout_with_channels(3);
  layout.contact_forces = 4;
  return layout;
}

void write_rows_with_forces(ResultWriter& writer, std::int64_t first, std::int64_t count) {
  for (std::int64_t row = first; row < first + count; ++row) {
    writer.contact_forces(forces_of_row(row));
    write_rows(writer, 3, row, 1);
  }
}

TEST(ContactForces, AreReadAsTheyWereWritten) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5", {.rows_per_chunk = 16});
  writer.begin(layout_with_forces());
  write_rows_with_forces(writer, 0, 100);
  writer.contact_forces(forces_of_row(3));  // of a row that never comes
  writer.flush();
  expect_known_forces(ResultReader(folder / "result.h5"));
  EXPECT_EQ(ResultReader(folder / "result.h5").contact_force_count(), 150);
}

TEST(ContactForces, OfEveryRowSurviveAKillAtAnyMoment) {
  const TemporaryFolder folder;
  int files = 0;
  for (int round = 0; round < 12 || files < 6; ++round) {
    ASSERT_LT(round, 300) << "kills come too early to test anything";
    const std::filesystem::path path = folder / ("result_" + std::to_string(round) + ".h5");
    ChildProcess child([&](int) {
      ResultWriter writer(path, {.rows_per_chunk = round % 2 == 0 ? 16 : 256, .flush_interval_s = 0.001});
      writer.begin(layout_with_forces());
      for (std::int64_t row = 0;; row += 10) write_rows_with_forces(writer, row, 10);
    });
    ::usleep(static_cast<useconds_t>(3000 + 4000 * (round % 13)));
    ::kill(child.id(), SIGKILL);
    child.wait();
    if (!std::filesystem::exists(path)) continue;
    ++files;
    const ResultReader reader(path);
    expect_known_rows(reader);
    expect_known_forces(reader);
  }
}

class TowerResult : public testing::Test {
 protected:
  void SetUp() override {
    const ModelFile file = tower(100);
    const Model model = build_model(file);
    ResultWriter writer(path());
    const RunSummary summary = build_simulation(file, model)->run(writer, {}, record_layout(file));
    ASSERT_EQ(summary.status, RunStatus::kCompleted) << summary.message;
  }
  std::filesystem::path path() const { return folder_ / "result.h5"; }
  TemporaryFolder folder_;
};

TEST_F(TowerResult, OfSomeRowsHasTheForcesOfTheseRows) {
  const ResultReader result(path());
  const std::vector<std::int64_t> rows = {0, 3, 10};
  const ForceList list = forces_at(result, rows, 1000);
  ASSERT_EQ(list.begins, (std::vector<std::size_t>{0, 0, 3, 6}));
  EXPECT_FALSE(list.is_cut);
  EXPECT_NEAR(loads_by_height(list.of(2)).at(100), 40, 1e-5);
}

TEST_F(TowerResult, GivesThePageItsChains) {
  const std::string block = make_view_data(ResultReader(path())).block;
  std::uint32_t length = 0;
  std::memcpy(&length, block.data(), sizeof length);
  const auto header = nlohmann::json::parse(block.substr(4, length));
  const nlohmann::json& forces = header["contact_forces"];
  EXPECT_EQ(forces["shown"], 30);  // three in each of ten rows after a step
  std::vector<std::int32_t> begins(header["rows"].get<std::size_t>() + 1);
  std::memcpy(begins.data(), block.data() + 4 + length + forces["begins"]["offset"].get<std::size_t>(),
              begins.size() * sizeof begins[0]);
  EXPECT_EQ(begins.front(), 0);
  EXPECT_EQ(begins[2], 3);
  EXPECT_EQ(begins.back(), 30);
}

TEST_F(TowerResult, GivesParaViewLinesBetweenCentres) {
  const std::filesystem::path film = folder_ / "film";
  static_cast<void>(export_vtk(ResultReader(path()), film, 2, 1));
  std::ostringstream text;
  text << std::ifstream(film / "chains_00001.vtu").rdbuf();
  // Five lines: the lowest contact has one body, the two others have two.
  EXPECT_THAT(text.str(), HasSubstr("NumberOfCells=\"5\""));
  EXPECT_THAT(text.str(), HasSubstr("Name=\"force\""));
  std::ostringstream collection;
  collection << std::ifstream(film / "motion.pvd").rdbuf();
  EXPECT_THAT(collection.str(), HasSubstr("chains_00001.vtu"));
}

}  // namespace
}  // namespace freeplay::test::contact_forces_test
