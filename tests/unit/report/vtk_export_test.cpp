// The files for ParaView, read back as XML and numbers. (VTK itself is not needed; it reads the same files.)
#include "freeplay/report/vtk/vtk_export.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "freeplay/core/error.h"
#include "unit/report/report_test_support.h"

namespace freeplay::test::vtk_export {
namespace {

using namespace report_test;
using result_test::TemporaryFolder;
using testing::HasSubstr;

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Every tag is closed in its turn.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([?]?)([A-Za-z]+)[^>]*?(/?)>");
  for (std::sregex_iterator it(xml.begin(), xml.end(), tag), end; it != end; ++it) {
    if ((*it)[2].length() > 0 || (*it)[4].length() > 0) continue;
    if ((*it)[1].length() == 0) {
      open.push_back((*it)[3]);
    } else {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), (*it)[3]);
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
}

struct Grid {
  explicit Grid(const std::filesystem::path& path) {
    const std::string xml = text_of(path);
    expect_well_formed(xml);
    std::size_t at = 0;
    while ((at = xml.find("<DataArray", at)) != std::string::npos) {
      const std::size_t end = xml.find('>', at), close = xml.find("</DataArray>", end);
      const std::string head = xml.substr(at, end - at);
      std::smatch name;
      std::regex_search(head, name, std::regex("Name=\"([^\"]*)\""));
      std::istringstream numbers(xml.substr(end + 1, close - end - 1));
      std::vector<double>& values = arrays[name[1]];
      for (double value = 0; numbers >> value;) values.push_back(value);
      EXPECT_TRUE(numbers.eof()) << "something in " << name[1] << " is no number";
      at = close;
    }
    const std::size_t points = count(xml, "NumberOfPoints"), cells = count(xml, "NumberOfCells");
    EXPECT_EQ(arrays["Points"].size(), 3 * points);
    EXPECT_EQ(arrays["offsets"].size(), cells);
    EXPECT_EQ(arrays["types"].size(), cells);
    for (const double corner : arrays["connectivity"]) {
      EXPECT_GE(corner, 0);
      EXPECT_LT(corner, static_cast<double>(points));
    }
    if (cells > 0) {
      EXPECT_EQ(arrays["offsets"].back(), static_cast<double>(arrays["connectivity"].size()));
    }
  }
  static std::size_t count(const std::string& xml, const std::string& name) {
    std::smatch match;
    EXPECT_TRUE(std::regex_search(xml, match, std::regex(name + "=\"([0-9]+)\"")));
    return std::stoul(match[1]);
  }
  Vec3 point(std::size_t i) const {
    const std::vector<double>& p = arrays.at("Points");
    return {p.at(3 * i), p.at(3 * i + 1), p.at(3 * i + 2)};
  }
  bool has_point_near(const Vec3& wanted) const {
    for (std::size_t i = 0; i < arrays.at("Points").size() / 3; ++i) {
      if ((point(i) - wanted).norm() < 1e-9) return true;
    }
    return false;
  }
  std::map<std::string, std::vector<double>> arrays;
};

class VtkExportTest : public testing::Test {
 protected:
  VtkExport export_crank(std::int64_t rows, std::int64_t frames) {
    write_crank(folder_ / "result.h5", rows);
    return export_vtk(ResultReader(folder_ / "result.h5"), folder_ / "vtk/new", frames);
  }
  std::filesystem::path file(const std::string& name) const { return folder_ / "vtk/new" / name; }
  TemporaryFolder folder_;
};

TEST_F(VtkExportTest, BodiesAreWhereTheChannelsSay) {
  const VtkExport written = export_crank(101, 101);
  EXPECT_EQ(written.frames, 101);
  EXPECT_THAT(written.notes, testing::IsEmpty());
  for (const std::int64_t row : {0, 50, 100}) {
    const Grid grid(file(fmt::format("bodies_{:05}.vtu", row)));
    const double t = crank_time(row), c = std::cos(t), s = std::sin(t);
    EXPECT_EQ(grid.arrays.at("TimeValue").front(), t);
    EXPECT_TRUE(grid.has_point_near({c, s, 0})) << "centre of mass";
    EXPECT_TRUE(grid.has_point_near({0, 0, 0})) << "the bearing at (-1, 0)";
    // The block of the guide: corner (0.2, 0.1), turned by t.
    EXPECT_TRUE(grid.has_point_near({c + 0.2 * c - 0.1 * s, s + 0.2 * s + 0.1 * c, 0}));
    // The cam on the ground, at (3, 0): its corner (1, 0) from there, turned by 2 t + 90 deg.
    EXPECT_TRUE(grid.has_point_near({3 - std::sin(2 * t), std::cos(2 * t), 0}));
    const std::vector<double>&body = grid.arrays.at("body"), &speed = grid.arrays.at("speed");
    ASSERT_EQ(body.size(), grid.arrays.at("types").size());
    ASSERT_EQ(speed.size(), body.size());
    for (std::size_t i = 0; i < body.size(); ++i) EXPECT_NEAR(speed[i], body[i] == 1 ? 1 : 0, 1e-9);
  }
}

TEST_F(VtkExportTest, TheGroundIsWrittenOnce) {
  export_crank(10, 10);
  const Grid ground(file("ground.vtu"));
  for (std::size_t i = 0; i < ground.arrays.at("body").size(); ++i) EXPECT_EQ(ground.arrays.at("body")[i], 0);
  bool has_floor = false, has_wall = false;
  for (std::size_t i = 0; i < ground.arrays.at("Points").size() / 3; ++i) {
    has_floor |= ground.point(i).y() == -2;
    has_wall |= std::abs(ground.point(i).y() - 0.6) < 1e-12;  // half the width and the clearance
  }
  EXPECT_TRUE(has_floor);
  EXPECT_TRUE(has_wall);
}

// On the upper wall of a guide the normal points down, and the tangent along the guide: 10 N down, 2 N to the right.
TEST_F(VtkExportTest, ContactPointsCarryTheirForces) {
  export_crank(10, 10);
  const Grid contacts(file("contacts_00003.vtu"));
  EXPECT_EQ(contacts.arrays.at("types"), std::vector<double>{1}) << "guide_1 was not recorded";
  EXPECT_NEAR((contacts.point(0) - Vec3(std::cos(0.03), 0.5, 0)).norm(), 0, 1e-9);
  EXPECT_THAT(contacts.arrays.at("force"), testing::ElementsAre(2, -10, 0));
  EXPECT_THAT(contacts.arrays.at("normal"), testing::ElementsAre(0, -1, 0));
  EXPECT_THAT(contacts.arrays.at("contact"), testing::ElementsAre(1));
  EXPECT_THAT(contacts.arrays.at("mode"), testing::ElementsAre(1));
  EXPECT_THAT(contacts.arrays.at("gap"), testing::ElementsAre(0.25));
}

// A point of two surfaces in space. Without force_x and its like only the normal part has a direction.
TEST_F(VtkExportTest, ContactPointsInSpaceHaveTheirNormalAndTheForceThatIsKnown) {
  const auto export_foot = [&](const char* folder, const std::vector<std::string>& forces, std::vector<double> values) {
    RecordLayout layout;
    for (const char* name : {"foot.gap", "foot.mode", "foot.point_x", "foot.point_y", "foot.point_z", "foot.normal_x",
                             "foot.normal_y", "foot.normal_z"})
      layout.channels.push_back({name, "1"});
    for (const std::string& name : forces) layout.channels.push_back({name, "N"});
    layout.contacts = {"foot"};
    layout.geometry_json = R"({"space": "spatial", "bodies": [{"name": "ground"}]})";
    const std::filesystem::path file = folder_ / fmt::format("{}.h5", folder);
    ResultWriter writer(file);
    writer.begin(layout);
    values.insert(values.begin(), {-0.001, 2, 1, 2, 3, 0.6, 0, 0.8});
    writer.row(0, values);
    writer.end({});
    export_vtk(ResultReader(file), folder_ / folder, 10);
    return Grid(folder_ / folder / "contacts_00000.vtu");
  };
  const Grid whole = export_foot("whole", {"foot.force_x", "foot.force_y", "foot.force_z"}, {4, 5, 6});
  EXPECT_EQ(whole.point(0), Vec3(1, 2, 3));
  EXPECT_THAT(whole.arrays.at("normal"), testing::ElementsAre(0.6, 0, 0.8));
  EXPECT_THAT(whole.arrays.at("force"), testing::ElementsAre(4, 5, 6));
  EXPECT_THAT(whole.arrays.at("gap"), testing::ElementsAre(-0.001));
  EXPECT_THAT(whole.arrays.at("mode"), testing::ElementsAre(2));
  const Grid parts = export_foot("parts", {"foot.normal_force", "foot.tangential_force"}, {10, 3});
  EXPECT_THAT(parts.arrays.at("force"), testing::ElementsAre(6, 0, 8));
}

TEST_F(VtkExportTest, TheCollectionNamesFilesThatExistAndTheirTimes) {
  const VtkExport written = export_crank(1001, 5);
  EXPECT_EQ(written.frames, 5);
  const std::string pvd = text_of(written.collection);
  expect_well_formed(pvd);
  const std::regex entry("timestep=\"([^\"]*)\" group=\"\" part=\"([0-9])\" file=\"([^\"]*)\"");
  std::map<double, int> files_at;
  for (std::sregex_iterator it(pvd.begin(), pvd.end(), entry), end; it != end; ++it) {
    EXPECT_TRUE(std::filesystem::exists(written.collection.parent_path() / (*it)[3].str())) << (*it)[3];
    ++files_at[std::stod((*it)[1])];
  }
  EXPECT_THAT(files_at, testing::ElementsAre(testing::Pair(0, 3), testing::Pair(2.5, 3), testing::Pair(5, 3),
                                             testing::Pair(7.5, 3), testing::Pair(10, 3)));
}

TEST_F(VtkExportTest, WhatCannotBeDrawnIsNamed) {
  RecordLayout layout = crank_layout();
  Json geometry = Json::parse(layout.geometry_json);
  geometry["bodies"].push_back({{"name", "rod"}, {"mass", 1}});
  geometry["shapes"].push_back({{"body", "crank"}, {"name", "skin"}, {"type", "klein-bottle"}});
  geometry["shapes"][0]["turn"] = "omega_of_nobody*t";
  layout.geometry_json = geometry.dump();
  write_crank(folder_ / "result.h5", 10, {}, layout);
  const VtkExport written = export_vtk(ResultReader(folder_ / "result.h5"), folder_ / "vtk", 10);
  EXPECT_THAT(written.notes, testing::UnorderedElementsAre(HasSubstr("rod"), HasSubstr("crank.skin"),
                                                           HasSubstr("ground.cam is drawn without its turn")));
}

TEST_F(VtkExportTest, ForeignGeometryAndUnwritableFoldersAreInputOutputErrors) {
  RecordLayout layout = crank_layout();
  layout.geometry_json = R"({"space": "planar", "shapes": [{"body": "ground", "name": "a", "type": "circle"}]})";
  write_crank(folder_ / "result.h5", 10, {}, layout);
  EXPECT_THROW(export_vtk(ResultReader(folder_ / "result.h5"), folder_ / "vtk", 10), IoError);
  write_crank(folder_ / "good.h5", 10);
  EXPECT_THROW(export_vtk(ResultReader(folder_ / "good.h5"), folder_ / "good.h5/vtk", 10), IoError);
}

TEST_F(VtkExportTest, ValuesThatAreNotFiniteAreLeftOut) {
  ResultWriter writer(folder_ / "result.h5");
  writer.begin(crank_layout());
  std::vector<double> values = crank_values(0);
  values[2] = std::nan("");  // the velocity
  writer.row(0, values);
  values[0] = std::numeric_limits<double>::infinity();  // the place
  values[5] = std::numeric_limits<double>::infinity();  // the gap
  writer.row(1, values);
  writer.end({});
  export_vtk(ResultReader(folder_ / "result.h5"), folder_ / "vtk", 10);
  EXPECT_EQ(Grid(folder_ / "vtk/bodies_00000.vtu").arrays.at("speed").back(), -1) << "not known";
  const Grid second(folder_ / "vtk/bodies_00001.vtu");
  EXPECT_THAT(second.arrays.at("body"), testing::Each(0)) << "the cam is still there";
  EXPECT_TRUE(Grid(folder_ / "vtk/contacts_00001.vtu").arrays.at("types").empty());
}

}  // namespace
}  // namespace freeplay::test::vtk_export
