// Pictures of elastic bodies by the command: curves of the bent axis, snapshots, cells for ParaView.
#include <gmock/gmock.h>

#include "cli/command_test.h"

namespace freeplay::test::elastic_pictures_test {

namespace {

using testing::HasSubstr;

const std::string kBeam = R"(freeplay: 1
name: A bent beam
space: planar
bodies:
  beam: {elastic: {length: 1 m, mass_per_length: 1 kg/m, bending: cantilever, bending_modes: 2, bending_stiffness: 100 N m^2,
                   start: [0, 0], initial_modes: [20 mm], stations: [1 m]}}
  bob: {mass: 1 kg, inertia: 0.1 kg m^2}
joints:
  root: {type: fixed, parent: ground, child: beam}
  tip: {type: revolute, parent: beam, child: bob, at_parent: [1 m, 0]}
simulate: {integrator: dopri5, step: 10 ms, duration: 0.2 s}
record: [beam.y_1, bob.y]
)";

class ElasticPictures : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("beam.yaml", kBeam);
    ASSERT_EQ(freeplay({"run", "beam.yaml", "--quiet"}).exit_code, 0);
  }
};

TEST_F(ElasticPictures, PlotsSayWhatTheyShow) {
  ASSERT_EQ(freeplay({"plot", "results/beam", "--bend", "beam", "--snapshots", "beam", "--deformation", "5",
                      "--moments", "3", "-o", "out.svg"})
                .exit_code,
            0);
  const std::string text = read("out.svg");
  for (const char* part : {"deflection along y", "deformation × 5", "0 ms", "100 ms", "200 ms"})
    EXPECT_THAT(text, HasSubstr(part));
  ASSERT_EQ(freeplay({"plot", "results/beam", "-o", "sheet.svg"}).exit_code, 0);
  EXPECT_THAT(read("sheet.svg"), HasSubstr("deflection along y"));
}

// Where not all modal coordinates are known, the sheet leaves the beam out, and who asks for it is told.
TEST_F(ElasticPictures, WithoutModalCoordinatesThereIsNoBentAxis) {
  std::string text = kBeam;
  text.replace(text.find("record:"), std::string::npos, "record: {channels: [bob.vy, beam.modal_1], motion: false}\n");
  write("bare.yaml", text);
  ASSERT_EQ(freeplay({"run", "bare.yaml", "--quiet", "--out", "bare"}).exit_code, 0);
  EXPECT_EQ(freeplay({"plot", "bare", "-o", "bare.svg"}).exit_code, 0);
  EXPECT_THAT(read("bare.svg"), testing::Not(HasSubstr("deflection along y")));
  const CommandResult asked = freeplay({"plot", "bare", "--bend", "beam"});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_THAT(asked.err, HasSubstr("no modal coordinates of 'beam'"));
}

TEST_F(ElasticPictures, MistakesAreMistakesOfUse) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"plot", "results/beam", "--snapshots", "bob"},
                                             {"plot", "results/beam", "--deformation", "5"},
                                             {"plot", "results/beam", "--moments", "5"},
                                             {"plot", "results/beam", "--bend", "beam", "--moments", "0"},
                                             {"export", "results/beam", "--csv", "-", "--deformation", "2"},
                                             {"export", "results/beam", "--vtk", "film", "--deformation", "-1"}})
    EXPECT_EQ(freeplay(words).exit_code, 2) << words.back();
}

// Neither a beam of changing section nor nodes of a file have formulas: they are drawn by their stations.
TEST_F(ElasticPictures, BeamsOfChangingSectionAndNodesOfFilesAreDrawnToo) {
  std::string text = kBeam;
  text.replace(text.find("bending_stiffness: 100 N m^2"), 28,
               "knots: [0 m, 0.25 m, 0.5 m, 1 m], bending_stiffness: [100 N m^2, 90 N m^2, 80 N m^2, 60 N m^2]");
  write("knots.yaml", text);
  const std::size_t elastic = kBeam.find("  beam:"), bob = kBeam.find("  bob:");
  write("nodes.yaml", kBeam.substr(0, elastic) + "  beam: {elastic: {file: bar.csv, initial_modes: [20 mm]}}\n" +
                          kBeam.substr(bob, kBeam.find("record:") - bob));
  write("bar.csv",
        "nodes\nnode, x, y, mass\nroot, 0, 0, 0.3\ntip, 1, 0, 0.3\nmiddle, 0.5, 0, 0.4\n"
        "modes\nmode, node, ux, uy, rz\n1, root, 0, 0, 0\n1, tip, 0, 1, 1.4\n1, middle, 0, 0.34, 1.2\n"
        "frequencies\n5.6\n");
  const auto draws = [&](const std::string& model, const char* size) {
    ASSERT_EQ(freeplay({"run", model + ".yaml", "--quiet", "--out", model}).exit_code, 0) << model;
    const CommandResult plot =
        freeplay({"plot", model, "--bend", "beam", "--snapshots", "beam", "--moments", "3", "-o", model + ".svg"});
    EXPECT_EQ(plot.exit_code, 0) << plot.err;
    EXPECT_THAT(read(model + ".svg"), HasSubstr("deflection along y"));
    EXPECT_EQ(freeplay({"export", model, "--vtk", model + "_film", "--frames", "2"}).exit_code, 0);
    EXPECT_THAT(read(model + "_film/beams_00001.vtu"), HasSubstr(size));
  };
  draws("knots", "NumberOfPoints=\"82\" NumberOfCells=\"40\"");
  draws("nodes", "NumberOfPoints=\"6\" NumberOfCells=\"2\"");
}

TEST_F(ElasticPictures, FramesForParaViewHaveTheBeam) {
  const CommandResult result =
      freeplay({"export", "results/beam", "--vtk", "film", "--frames", "3", "--deformation", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("2 times as large as it is"));
  EXPECT_THAT(read("film/motion.pvd"), HasSubstr("beams_00002.vtu"));
  EXPECT_THAT(read("film/beams_00002.vtu"), HasSubstr("Name=\"moment\""));
}

}  // namespace

}  // namespace freeplay::test::elastic_pictures_test
