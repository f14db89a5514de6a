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
