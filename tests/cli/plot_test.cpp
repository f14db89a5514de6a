#include <gmock/gmock.h>

#include <cstdlib>

#include "cli/command_test.h"

namespace freeplay::test::plot_test {

namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A journal in its play, and a ball on the floor: all kinds of plots have something to show.
const std::string kPlay = R"(freeplay: 1
name: "A 'journal' in <its> play & more; `date`"
space: planar
parameters: {c: 1 mm, e: 0.5}
gravity: [0, -9.81 m/s^2]
bodies:
  arm: {mass: 1 kg, inertia: 0.01 kg m^2}
  ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {x: 1 m, y: 0.2 m}, shapes: {skin: {type: circle, radius: 100 mm}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
joints:
  pin: {type: revolute, model: clearance, parent: ground, child: arm, at_child: [-0.2 m, 0], clearance: c,
        journal_radius: 10 mm, contact: {impact: newton, restitution: e, friction: 0.1}}
contacts:
  bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: e, friction: 0.3}
simulate: {integrator: moreau-midpoint, step: 0.5 ms, duration: 0.4 s}
)";

class PlotCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("play.yaml", kPlay);
    ASSERT_EQ(freeplay({"run", "play.yaml", "--quiet"}).exit_code, 0);
  }
  // The SVG that the arguments give; checks that it is one.
  std::string svg(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"plot", "results/play"});
    arguments.insert(arguments.end(), {"-o", "out.svg"});
    const CommandResult result = freeplay(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out, "out.svg\n");
    const std::string text = read("out.svg");
    EXPECT_THAT(text, StartsWith("<?xml"));
    EXPECT_THAT(text, HasSubstr("</svg>"));
    return text;
  }
  int exit_code(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"plot", "results/play"});
    return freeplay(arguments).exit_code;
  }
};

TEST_F(PlotCommand, WithoutMoreItDrawsASheetBesideTheResult) {
  const CommandResult result = freeplay({"plot", "results/play"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "results/play/result.svg\n");
  const std::string text = read("results/play/result.svg");
  EXPECT_THAT(text, HasSubstr("A 'journal' in &lt;its> play &amp; more; `date`"));
  for (const char* part :
       {"moreau-midpoint", "impacts", "arm.omega", "pin: journal in its clearance", "bounce, gap in mm",
        "contact modes", "impulse of blows in", "energy.kinetic", "energy.drift", "step.residual"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(PlotCommand, EachKindShowsWhatItPromises) {
  EXPECT_THAT(svg({"arm.omega", "ball.y"}), testing::AllOf(HasSubstr("arm.omega in rad/s"), HasSubstr("ball.y in mm")));
  EXPECT_THAT(svg({"--phase", "ball.y,ball.vy"}),
              testing::AllOf(HasSubstr("ball.y in mm"), HasSubstr("ball.vy in m/s")));
  EXPECT_THAT(svg({"--orbit", "pin"}), HasSubstr("pin.eccentricity_x in mm"));
  EXPECT_THAT(svg({"--gaps", "bounce"}), HasSubstr("bounce, gap in mm"));
  EXPECT_THAT(svg({"--modes"}), testing::AllOf(HasSubstr("slip"), HasSubstr("bounce"), HasSubstr("pin")));
  EXPECT_THAT(svg({"--impacts"}), testing::AllOf(HasSubstr("impulse in N s"), HasSubstr("bounce")));
  EXPECT_THAT(svg({"--impacts=bounce"}), HasSubstr("bounce, impulse in N s"));
  EXPECT_THAT(svg({"--energy"}), testing::AllOf(HasSubstr("energy.kinetic"), HasSubstr("energy.drift in")));
  EXPECT_THAT(svg({"--steps"}), testing::AllOf(HasSubstr("step.size in us"), HasSubstr("step.residual")));
  EXPECT_THAT(svg({"ball.y", "--against", "ball.angle in deg"}), HasSubstr("ball.angle in deg"));
  EXPECT_THAT(svg({"height = ball.y/c"}), HasSubstr("height"));
  EXPECT_THAT(svg({"ball.y", "--title", "Mine", "--from", "10ms", "--to", "0.2", "--log", "y"}),
              testing::AllOf(HasSubstr("Mine"), HasSubstr("time in ms")));
  EXPECT_THAT(svg({"ball.y", "--size", "400x300", "--style", "screen"}), HasSubstr("width=\"400\" height=\"300\""));
}

TEST_F(PlotCommand, WritesPngAndPdf) {
  EXPECT_EQ(exit_code({"ball.y", "-o", "out.png"}), 0);
  EXPECT_THAT(read("out.png"), StartsWith("\x89PNG\r\n"));
  EXPECT_EQ(exit_code({"ball.y", "-o", "out.pdf"}), 0);
  const std::string first = read("out.pdf");
  EXPECT_THAT(first, StartsWith("%PDF-"));
  EXPECT_THAT(first, HasSubstr("(D:19700101000000"));
}

TEST_F(PlotCommand, SeveralResultsAreOverlaidAndTheLegendSaysWhatDiffers) {
  ASSERT_EQ(freeplay({"run", "play.yaml", "--quiet", "--set", "e=0.9", "--out", "other"}).exit_code, 0);
  EXPECT_THAT(svg({"other", "ball.y"}),
              testing::AllOf(HasSubstr("e=0.5"), HasSubstr("e=0.9"), HasSubstr("ball.y in mm")));
  EXPECT_THAT(svg({"lively=other", "ball.y"}), HasSubstr("lively"));
  EXPECT_THAT(svg({"other", "--phase", "ball.y,ball.vy", "--panels", "run"}), HasSubstr("e=0.9"));
}

TEST_F(PlotCommand, TheSameCommandGivesTheSameBytes) {
  EXPECT_EQ(svg({}), svg({}));
}

TEST_F(PlotCommand, MistakesOfTheCommandLineAreExplained) {
  const auto err = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"plot", "results/play", "-o", "none.svg"});
    const CommandResult result = freeplay(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    return result.err;
  };
  EXPECT_THAT(err({"ball.yy"}), HasSubstr("did you mean \"ball.y\""));
  EXPECT_THAT(err({"--orbit", "pinn"}), HasSubstr("did you mean 'pin'"));
  EXPECT_THAT(err({"--gaps", "bonce"}), HasSubstr("did you mean 'bounce'"));
  EXPECT_THAT(err({"--impacts=bonce"}), HasSubstr("did you mean 'bounce'"));
  EXPECT_THAT(err({"--phase", "ball.y"}), HasSubstr("X,Y"));
  EXPECT_THAT(err({"ball.y", "--from", "3 kg"}), HasSubstr("not a time"));
  EXPECT_THAT(err({"ball.y", "--size", "10x10"}), HasSubstr("not a size"));
  EXPECT_THAT(err({"ball.y", "--style", "prin"}), HasSubstr("did you mean 'print'"));
  EXPECT_THAT(err({"ball.y", "--panels", "chanel"}), HasSubstr("did you mean 'channel'"));
  EXPECT_THAT(err({"ball.y", "--log", "z"}), HasSubstr("possible: x, y, xy"));
  EXPECT_FALSE(exists("none.svg"));
  EXPECT_EQ(exit_code({"ball.y", "-o", "out.jpg"}), 2);
}

TEST_F(PlotCommand, FilesThatAreNoResultsEndWithSix) {
  const std::string whole = read("results/play/result.h5");
  write("cut.h5", whole.substr(0, whole.size() / 3));
  for (const char* path : {"cut.h5", "play.yaml", "missing.h5", "results"}) {
    const CommandResult result = freeplay({"plot", path});
    EXPECT_EQ(result.exit_code, 6) << path << result.err;
    EXPECT_EQ(result.exit_code, freeplay({"export", path, "--csv", "-"}).exit_code);
  }
  EXPECT_EQ(exit_code({"missing.h5", "ball.y"}), 6);
  EXPECT_EQ(exit_code({"-o", "no/such/folder/out.svg"}), 6);
}

TEST_F(PlotCommand, WithoutGnuplotItSaysWhatIsMissing) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder_.c_str(), 1);
  const CommandResult result = freeplay({"plot", "results/play", "-o", "out.svg"});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("gnuplot"));
  EXPECT_FALSE(exists("out.svg"));
}

}  // namespace

}  // namespace freeplay::test::plot_test
