// The data block of a viewer page, read back by somebody who knows nothing but its description.
#include "freeplay/report/view/view_data.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <limits>
#include <numbers>

#include "freeplay/core/error.h"
#include "unit/report/report_test_support.h"

namespace freeplay::test::view_data {
namespace {

using namespace report_test;
using result_test::TemporaryFolder;
using testing::HasSubstr;

DecodedBlock block_of(const std::filesystem::path& path, const ViewDataOptions& options = {}) {
  return DecodedBlock(make_view_data(ResultReader(path), options).block);
}

TEST(ViewData, HoldsTheTextsOfTheRun) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 10);
  const DecodedBlock block = block_of(folder / "result.h5");
  const Json& header = block.header();
  EXPECT_EQ(header["freeplay_view"], 1);
  EXPECT_EQ(header["title"], "Crank <script>alert(1)</script>");
  EXPECT_EQ(header["model_text"], "freeplay: 1\n");
  EXPECT_EQ(header["solver"], "") << "a text that the file does not have";
  EXPECT_EQ(header["parameters"]["speed"]["value"], 2.0);
  EXPECT_EQ(header["overrides"][0], "c=1 mm");
  EXPECT_EQ(header["status"], "completed");
  EXPECT_EQ(header["summary"]["steps"], 10);
  EXPECT_EQ(header["summary"]["max_penetration"], 0.125);
  EXPECT_EQ(header["summary_units"]["max_penetration"], "m");
  EXPECT_EQ(header["geometry"]["bodies"][1]["name"], "crank");
  EXPECT_EQ(header["contacts"], Json({"guide_1", "guide_2"}));
  EXPECT_EQ(header["time_from"], 0.0);
  EXPECT_EQ(header["time_to"], crank_time(9));
}

TEST(ViewData, AShortResultIsWhole) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 300);
  const DecodedBlock block = block_of(folder / "result.h5");
  EXPECT_EQ(block.header()["total_rows"], 300);
  EXPECT_EQ(block.header()["rows"], 300);
  EXPECT_EQ(block.header()["columns"][0]["name"], "time");
  const std::vector<double> time = block.column("time"), y = block.column("crank.y");
  for (std::size_t i = 0; i < 300; ++i) {
    const auto row = static_cast<std::int64_t>(i);
    ASSERT_EQ(time[i], crank_time(row)) << "time is exact";
    ASSERT_EQ(y[i], static_cast<double>(static_cast<float>(crank_values(row)[1])));
  }
}

TEST(ViewData, PosesAndContactPointsNameTheirColumns) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 10);
  const DecodedBlock block = block_of(folder / "result.h5");
  const Json& pose = block.header()["poses"]["crank"];
  EXPECT_NEAR(block.column(pose["x"].get<std::size_t>())[5], std::cos(0.05), 1e-7);
  EXPECT_NEAR(block.column(pose["angle"].get<std::size_t>())[5], 0.05, 1e-8);
  EXPECT_FALSE(pose.contains("e0"));
  EXPECT_FALSE(block.header()["poses"].contains("ground"));

  const Json& points = block.header()["contact_points"];
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0]["name"], "guide_1");
  EXPECT_TRUE(points[0]["gap"].is_null()) << "not recorded";
  EXPECT_EQ(points[1]["contact"], "guide");
  EXPECT_EQ(block.column(points[1]["gap"].get<std::size_t>())[0], 0.25);
  EXPECT_EQ(block.column(points[1]["point"][1].get<std::size_t>())[0], 0.5);
  EXPECT_TRUE(points[1]["point"][2].is_null()) << "planar";
  EXPECT_TRUE(points[1]["force"].is_null());
  EXPECT_EQ(points[1]["tangent"], 90) << "an upper point of a guide";
}

TEST(ViewData, ABodyInSpaceHasItsQuaternion) {
  const TemporaryFolder folder;
  RecordLayout layout;
  for (const char* name : {"top.x", "top.y", "top.z", "top.e0", "top.e1", "top.e2", "top.e3", "half.x", "half.y"})
    layout.channels.push_back({name, "1"});
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout);
  writer.row(0, std::vector<double>{1, 2, 3, 0.5, -0.5, 0.5, -0.5, 7, 8});
  writer.end({});
  const DecodedBlock block = block_of(folder / "result.h5");
  const Json& pose = block.header()["poses"]["top"];
  EXPECT_EQ(block.column(pose["z"].get<std::size_t>())[0], 3);
  EXPECT_EQ(block.column(pose["e3"].get<std::size_t>())[0], -0.5);
  EXPECT_FALSE(block.header()["poses"].contains("half")) << "a part of a pose is none";
}

TEST(ViewData, PosesThatTheFileKeepsForPicturesAreColumnsToo) {
  const TemporaryFolder folder;
  RecordLayout layout = crank_layout();
  layout.channels = {{"energy.total", "J"}, {"crank.x", "m"}, {"crank.y", "m"}, {"crank.angle", "rad"}};
  layout.motion_channels = 3;
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout);
  writer.row(0, std::vector<double>{10, 1, 2, 3});
  writer.end({});
  const DecodedBlock block = block_of(folder / "result.h5");
  const Json& pose = block.header()["poses"]["crank"];
  EXPECT_EQ(block.column(pose["y"].get<std::size_t>())[0], 2);
  EXPECT_EQ(block.column("energy.total")[0], 10);
}

TEST(ViewData, TheTurnOfACamIsAColumn) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 200);
  const DecodedBlock block = block_of(folder / "result.h5");
  const std::vector<double> turn = block.column(block.header()["turns"]["ground.cam"].get<std::size_t>());
  EXPECT_NEAR(turn[150], 2 * 1.5 + std::numbers::pi / 2, 1e-14);  // speed * t + 90 deg
}

TEST(ViewData, ModesOfSmoothIntegratorsSayNoMoreThanThatAContactLasts) {
  for (const auto& [integrator, meaning] :
       {std::pair{"dopri5", "contact"}, std::pair{"cvode-bdf", "contact"}, std::pair{"cvode-adams", "contact"},
        std::pair{"moreau-midpoint", "set_valued"}, std::pair{"moreau-jean", "set_valued"},
        std::pair{"nlp-variable-step", "set_valued"}, std::pair{"of somebody else", "set_valued"}}) {
    const TemporaryFolder folder;
    RecordLayout layout = crank_layout();
    layout.attributes["integrator"] = integrator;
    write_crank(folder / "result.h5", 3, {}, layout);
    EXPECT_EQ(block_of(folder / "result.h5").header()["modes"], meaning) << integrator;
  }
}

TEST(ViewData, ThinningKeepsTheRowsAroundTheHardestImpacts) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 10'000, {1003, 2005, 3007, 9001});
  ViewDataOptions options;
  options.most_rows = 12;  // six for impacts: the three hardest
  const ViewData data = make_view_data(ResultReader(folder / "result.h5"), options);
  const DecodedBlock block(data.block);
  EXPECT_EQ(data.total_rows, 10'000);
  EXPECT_LE(data.rows, 12);
  EXPECT_EQ(block.header()["rows"], data.rows);
  const std::vector<double> time = block.column("time");
  const auto has = [&](std::int64_t row) { return std::find(time.begin(), time.end(), crank_time(row)) != time.end(); };
  for (const std::int64_t row : {0, 9999, 9000, 9001, 3006, 3007, 2004, 2005}) EXPECT_TRUE(has(row)) << row;
  EXPECT_FALSE(has(1002));
  EXPECT_TRUE(std::is_sorted(time.begin(), time.end()));
  EXPECT_EQ(block.impact_column("time")[3], crank_time(9001) - 0.005);
  EXPECT_EQ(block.impact_column("contact")[3], 1);
  EXPECT_EQ(block.impact_column("normal_impulse")[3], 4);
  EXPECT_EQ(DecodedBlock::named(block.header()["impacts"]["columns"], "contact")["type"], "i32");
}

TEST(ViewData, OnlyTheHardestOfManyImpactsAreListed) {
  const TemporaryFolder folder;
  std::vector<std::int64_t> all;
  for (std::int64_t row = 1; row < 500; ++row) all.push_back(row);
  write_crank(folder / "result.h5", 500, all);
  ViewDataOptions options;
  options.most_impacts = 10;
  const DecodedBlock block = block_of(folder / "result.h5", options);
  EXPECT_EQ(block.header()["impacts"]["total"], 499);
  EXPECT_EQ(block.header()["impacts"]["shown"], 10);
  EXPECT_EQ(block.impact_column("normal_impulse")[0], 490);
}

// Of a part of the time the page needs to know which mode each contact has where it begins.
TEST(ViewData, EventsAreAllThereOrNone) {
  using enum ContactEventKind;
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin(crank_layout());
  const std::vector<EventRecord> events = {{0.1, 1, kLanding}, {0.2, 0, kLanding}, {0.25, 0, kStick},
                                           {0.3, 0, kImpact},  {0.5, 0, kSlip},    {0.55, 1, kRelease},
                                           {0.9, 0, kRelease}};
  for (const EventRecord& event : events) writer.event(event);
  for (std::int64_t row = 0; row <= 100; ++row) writer.row(crank_time(row), crank_values(row));
  writer.end({});
  const DecodedBlock whole = block_of(folder / "result.h5", {});
  EXPECT_EQ(whole.header()["events"]["total"], 7);
  ASSERT_EQ(whole.header()["events"]["shown"], 7);
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(whole.event_column("time")[i], events[i].time_s);
    EXPECT_EQ(whole.event_column("contact")[i], events[i].contact);
    const std::size_t kind = static_cast<std::size_t>(whole.event_column("kind")[i]);
    EXPECT_EQ(whole.header()["events"]["kinds"][kind], std::string(event_word(events[i].kind)));
  }
  ViewDataOptions part;
  part.from_s = 0.4;
  part.to_s = 0.6;
  const DecodedBlock later = block_of(folder / "result.h5", part);
  EXPECT_EQ(later.header()["events"]["total"], 2);
  EXPECT_EQ(later.event_column("time"), (std::vector<double>{0.25, 0.1, 0.5, 0.55})) << "an impact says no mode";
  ViewDataOptions few;
  few.most_events = 6;
  const DecodedBlock none = block_of(folder / "result.h5", few);
  EXPECT_EQ(none.header()["events"]["total"], 7);
  EXPECT_EQ(none.header()["events"]["shown"], 0);
}

TEST(ViewData, APartOfTheTimeIsDenserAndKnowsTheWhole) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 10'000, {150, 5000});
  ViewDataOptions options;
  options.from_s = 1;
  options.to_s = 2;
  options.most_rows = 200;
  const DecodedBlock block = block_of(folder / "result.h5", options);
  EXPECT_EQ(block.header()["rows"], 103);
  EXPECT_EQ(block.header()["total_rows"], 10'000);
  EXPECT_EQ(block.header()["time_to"], crank_time(9999));
  EXPECT_EQ(block.column("time")[1], 1.0);
  EXPECT_EQ(block.header()["impacts"]["total"], 1);
}

TEST(ViewData, StaysWithinItsSizeHoweverManyChannels) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin(result_test::layout_with_channels(300));
  result_test::write_rows(writer, 300, 0, 2000);
  writer.end({});
  ViewDataOptions options;
  options.most_bytes = 500'000;
  const ViewData data = make_view_data(ResultReader(folder / "result.h5"), options);
  EXPECT_LE(data.block.size(), options.most_bytes);
  EXPECT_GT(data.rows, 100) << "and uses it";
  EXPECT_LT(data.rows, 2000);
}

// 100 MB, read by a process of its own that may not grow by as much as one whole column, 26 MB. Files of any size are
// read in the same pieces.
TEST(ViewData, MemoryDoesNotGrowWithTheFile) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer keeps what was freed";
#endif
  const TemporaryFolder folder;
  constexpr int kChannels = 3;
  {
    ResultWriter writer(folder / "result.h5");
    writer.begin(result_test::layout_with_channels(kChannels));
    result_test::write_rows(writer, kChannels, 0, 3'200'000);
    writer.end({});
  }
  ASSERT_GT(std::filesystem::file_size(folder / "result.h5"), 100'000'000u);
  result_test::ChildProcess child([&](int pipe) {
    const auto peak_kB = [] {
      rusage usage{};
      ::getrusage(RUSAGE_SELF, &usage);
      return usage.ru_maxrss;
    };
    const long before = peak_kB();
    ViewDataOptions options;
    options.most_rows = 1000;
    make_view_data(ResultReader(folder / "result.h5"), options);
    result_test::tell(pipe, std::to_string(peak_kB() - before));
  });
  const std::string grown_kB = child.read_all();
  ASSERT_EQ(child.wait(), 0);
  EXPECT_LT(std::stol(grown_kB), 20'000);
}

TEST(ViewData, SinglePrecisionIsNotSeen) {
  const TemporaryFolder folder;
  RecordLayout layout;
  layout.channels = {{"a.small_change", "J"}, {"b.x", "m"}, {"b.y", "m"}, {"b.angle", "rad"}, {"c.odd", "1"}};
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout);
  const double odd[] = {-0.0, std::numeric_limits<double>::infinity(), std::nan(""), 1e300, -1e300};
  for (int i = 0; i < 100; ++i)
    writer.row(i, std::vector<double>{5000 + 1e-6 * i, 0.001 * i, 1.0, 100.0 * i, odd[i % 5]});
  writer.end({});
  const DecodedBlock block = block_of(folder / "result.h5");
  EXPECT_EQ(block.column("a.small_change")[50], 5000 + 1e-6 * 50) << "a small change of a large number";
  EXPECT_EQ(block.column("b.angle")[99], 9900.0);
  EXPECT_EQ(DecodedBlock::named(block.header()["columns"], "b.angle")["type"], "f64") << "an angle counts turns";
  EXPECT_EQ(DecodedBlock::named(block.header()["columns"], "b.x")["type"], "f32");
  const std::vector<double> c = block.column("c.odd");
  EXPECT_TRUE(std::signbit(c[0]));
  EXPECT_TRUE(std::isinf(c[1]));
  EXPECT_TRUE(std::isnan(c[2]));
  EXPECT_EQ(c[3], std::numeric_limits<double>::infinity()) << "beyond single precision";
  EXPECT_EQ(c[4], -std::numeric_limits<double>::infinity());
}

TEST(ViewData, HostileNamesAreTexts) {
  const TemporaryFolder folder;
  RecordLayout layout = crank_layout();
  const std::string hostile = "</script><b>\"'\\ \xF0\x9F\x98\x80 " + std::string(10'000, 'x');
  layout.attributes["name"] = hostile;
  layout.attributes["reference"] = "not UTF-8: \xFF";
  write_crank(folder / "result.h5", 5, {}, layout);
  const DecodedBlock block = block_of(folder / "result.h5");
  EXPECT_EQ(block.header()["title"], hostile);
  EXPECT_EQ(block.header()["reference"], "not UTF-8: \xEF\xBF\xBD");
}

TEST(ViewData, AResultWithoutRowsIsAPageWithoutRows) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 0);
  const DecodedBlock block = block_of(folder / "result.h5");
  EXPECT_EQ(block.header()["rows"], 0);
  EXPECT_TRUE(block.column("crank.x").empty());
}

TEST(ViewData, AForeignGeometryIsAnInputOutputError) {
  for (const char* geometry :
       {"no JSON", "[1, 2]", R"({"shapes": 7})", R"({"space": "planar", "joints": [{"at": 3}]})"}) {
    const TemporaryFolder folder;
    RecordLayout layout = crank_layout();
    layout.geometry_json = geometry;
    write_crank(folder / "result.h5", 5, {}, layout);
    EXPECT_THROW(make_view_data(ResultReader(folder / "result.h5")), IoError) << geometry;
  }
}

}  // namespace
}  // namespace freeplay::test::view_data
