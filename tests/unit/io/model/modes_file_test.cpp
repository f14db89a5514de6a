// Elastic bodies from files of nodes and modes, and what is refused about them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "freeplay/io/model/model_build.h"
#include "freeplay/io/modes/modes_file.h"
#include "freeplay/mechanism/description/beam_shapes.h"
#include "freeplay/mechanism/mechanism.h"
#include "model_test_support.h"
#include "support/linear_algebra.h"

namespace freeplay::test::modes_file_test {
namespace {

using testing::HasSubstr;

// A cantilever of 1 m, 1 kg/m and E I = 100 N m^2 by finite elements with cubic Hermite functions, and its lowest
// modes: what a finite-element program would hand over.
struct FiniteElementBeam {
  MatX K, M;    // deflection and slope of every node but the clamp
  MatX modes;   // columns
  VecX values;  // w^2

  FiniteElementBeam(int elements, int count) {
    const int n = 2 * elements;
    K = M = MatX::Zero(n, n);
    const double h = 1.0 / elements, stiffness = 100 / (h * h * h), mass = h / 420;
    const double k[4][4] = {{12, 6 * h, -12, 6 * h},
                            {6 * h, 4 * h * h, -6 * h, 2 * h * h},
                            {-12, -6 * h, 12, -6 * h},
                            {6 * h, 2 * h * h, -6 * h, 4 * h * h}};
    const double c[4][4] = {{156, 22 * h, 54, -13 * h},
                            {22 * h, 4 * h * h, 13 * h, -3 * h * h},
                            {54, 13 * h, 156, -22 * h},
                            {-13 * h, -3 * h * h, -22 * h, 4 * h * h}};
    for (int e = 0; e < elements; ++e) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          const int row = 2 * e - 2 + i, column = 2 * e - 2 + j;
          if (row < 0 || column < 0) continue;
          K(row, column) += stiffness * k[i][j];
          M(row, column) += mass * c[i][j];
        }
      }
    }
    modes.resize(n, count);
    values.resize(count);
    for (int mode = 0; mode < count; ++mode) {  // inverse iteration, the modes found so far kept out
      VecX v = VecX::LinSpaced(n, 1, 2);
      for (int i = 0; i < 40; ++i) {
        v = solve_dense(K, M * v);
        for (int other = 0; other < mode; ++other) v -= modes.col(other).dot(M * v) * modes.col(other);
        v /= std::sqrt(v.dot(M * v));
      }
      modes.col(mode) = v;
      values[mode] = v.dot(K * v);
    }
  }

  // Masses of the intervals at their ends. `by`: "frequencies", or "stiffness" with the modal mass.
  std::string text(const std::string& by) const {
    const int nodes = static_cast<int>(K.rows()) / 2;
    std::string csv = "# a cantilever\nnodes\nnode, x, y, mass\n";
    for (int i = 0; i <= nodes; ++i) {
      csv += fmt::format("{},{:.17g},0,{:.17g}\n", i + 1, 1.0 * i / nodes, (i == 0 || i == nodes ? 0.5 : 1.0) / nodes);
    }
    csv += "modes\nmode,node,ux,uy,rz\n";
    for (int mode = 0; mode < modes.cols(); ++mode) {
      csv += fmt::format("{},1,0,0,0\n", mode + 1);
      for (int i = 1; i <= nodes; ++i) {
        csv +=
            fmt::format("{},{},0,{:.17g},{:.17g}\n", mode + 1, i + 1, modes(2 * i - 2, mode), modes(2 * i - 1, mode));
      }
    }
    const auto matrix = [&](const VecX& diagonal) {
      std::string rows;
      for (int i = 0; i < diagonal.size(); ++i) {
        for (int j = 0; j < diagonal.size(); ++j)
          rows += fmt::format("{}{:.17g}", j == 0 ? "" : ", ", i == j ? diagonal[i] : 0);
        rows += '\n';
      }
      return rows;
    };
    if (by == "stiffness") return csv + "stiffness\n" + matrix(values) + "mass\n" + matrix(VecX::Ones(values.size()));
    csv += "frequencies\n";
    for (int i = 0; i < values.size(); ++i) csv += fmt::format("{:.17g}\n", std::sqrt(values[i]) / 6.283185307179586);
    return csv;
  }
};

std::string model_with(const std::string& elastic, const std::string& joint = "fixed") {
  return "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\nbodies:\n  beam:\n    elastic: {" + elastic +
         "}\njoints: {root: {type: " + joint + ", parent: ground, child: beam, initial: {" +
         (joint == "fixed" ? "" : "q: 0.3 rad, u: 20 rad/s") + "}}}\nsimulate: {duration: 1 s}\n";
}

// Acceleration of the joint, and of the tip along y per unit of the frame's own: independent of how modes are scaled.
struct Motion {
  VecX frequencies;
  double joint_acceleration = 0, tip_deflection = 0;
};

Motion motion_of(const ModelFile& file) {
  const auto system = build_system(file);
  const auto& mechanism = dynamic_cast<const Mechanism&>(*system);
  const Mechanism::ElasticBody& body = mechanism.elastic_bodies[0];
  const auto dynamics = system->make_dynamics();
  const State state = system->initial_state();
  const int n = system->velocity_count();
  dynamics->set_position(0, state.q);
  dynamics->set_velocity(state.u);
  VecX h(n), du(n);
  dynamics->forces(h);
  EXPECT_TRUE(dynamics->free_accelerations(du));
  Motion motion;
  motion.joint_acceleration = n > body.count ? du[0] : 0;
  MassMatrix M(system->mass_structure());
  dynamics->mass_matrix(M);
  const MatX modal = M.to_dense().bottomRightCorner(body.count, body.count);
  const VecX scale = modal.diagonal().cwiseSqrt().cwiseInverse();
  // The modes hardly couple: their frequencies are those of the diagonals, up to the squares of what couples them.
  motion.frequencies = eigenvalues_of_symmetric(scale.asDiagonal() * body.stiffness * scale.asDiagonal()).cwiseSqrt();
  if (n == body.count) {
    const VecX q = solve_dense(body.stiffness, h);
    for (const Mechanism::Section& section : mechanism.sections) {
      if (section.rest.x() >= 1 - 1e-12 && section.mass_kg > 0) motion.tip_deflection = section.shapes.row(1).dot(q);
    }
  }
  return motion;
}

class ModesOfAFile : public testing::Test {
 protected:
  ModelFile load(const std::string& model) const { return load_model(folder_.write("model.yaml", model)); }
  Diagnostic mistake(const std::string& csv, const std::string& elastic = "file: modes.csv") const {
    folder_.write("modes.csv", csv);
    try {
      build_system(load(model_with(elastic)));
    } catch (const ModelError& error) {
      return error.diagnostics().front();
    }
    ADD_FAILURE() << "the model was accepted";
    return {};
  }
  ScratchFolder folder_;
};

// 60 elements are exact to 1e-7 for the lowest modes. From the frequencies of the file these are kept, from its
// stiffness they have the error of the masses at the nodes, which falls with the square of the distance like all the
// rest.
TEST_F(ModesOfAFile, AFiniteElementBeamMovesAsTheAnalyticOneDoes) {
  const std::string beam =
      "length: 1 m, mass_per_length: 1 kg/m, start: [0, 0], bending: cantilever, bending_modes: 3, "
      "bending_stiffness: 100 N m^2";
  const double turning = motion_of(load(model_with(beam, "revolute"))).joint_acceleration;
  const FiniteElementBeam coarse(30, 3), fine(60, 3);
  for (const char* by : {"frequencies", "stiffness"}) {
    SCOPED_TRACE(by);
    const auto error_of_motion = [&](const FiniteElementBeam& elements) {
      folder_.write("modes.csv", elements.text(by));
      return motion_of(load(model_with("file: modes.csv", "revolute"))).joint_acceleration / turning - 1;
    };
    const double error = error_of_motion(coarse);
    EXPECT_NEAR(std::log2(error / error_of_motion(fine)), 2, 0.2);
    EXPECT_NEAR(error_of_motion(fine), 0, 5e-3);
    const Motion held = motion_of(load(model_with("file: modes.csv")));
    const double expected[] = {35.160153, 220.344916, 616.972144};
    const double tolerance = std::string(by) == "frequencies" ? 2e-6 : 1e-3;
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(held.frequencies[j] / expected[j], 1, tolerance) << j;
    EXPECT_NEAR(held.tip_deflection / (-9.81 / 800), 1, 1e-3);  // under its weight, q L^4/(8 E I)
  }
}

TEST_F(ModesOfAFile, TheFirstOnesCanBeChosenAndStart) {
  folder_.write("data/modes.csv", FiniteElementBeam(20, 3).text("stiffness"));
  const ModelFile model = load(model_with("file: data/modes.csv, modes: 2, initial_modes: [1 mm, 2 mm]"));
  const BodySpec& body = model.mechanism.bodies.at(0);
  EXPECT_EQ(body.elastic->mode_count(), 2);
  EXPECT_NEAR(body.mass_kg, 1, 1e-12);
  EXPECT_EQ(build_system(model)->initial_state().q, Vec2(1e-3, 2e-3));
  EXPECT_THAT(mistake(FiniteElementBeam(20, 2).text("stiffness"), "file: modes.csv, modes: 3").message,
              HasSubstr("has 2 modes"));
}

TEST_F(ModesOfAFile, SpatialNodesMayLackRotations) {
  const std::string csv =
      "nodes\nnode,x,y,z,mass,Ixx,Iyy,Izz\na,0,0,0,1,0.1,0.1,0.1\nb,1,0,0,1,0.1,0.1,0.1\n"
      "modes\nmode,node,ux,uy,uz,rx,ry,rz\n1,a,0,0,0,0,0,0\n1,b,0,1,0.5,,,\nfrequencies\n3\n";
  const ModesFile file = read_modes_text(csv, "modes.csv", Space::kSpatial, 0);
  ASSERT_TRUE(file.problem.empty()) << file.problem.message;
  EXPECT_TRUE(file.body->nodes[0].turns);
  EXPECT_FALSE(file.body->nodes[1].turns);
  EXPECT_EQ(file.body->nodes[1].shapes(2, 0), 0.5);
  EXPECT_NEAR(file.body->frequencies_rad_s[0], 18.849555921538759, 1e-12);
}

// Of the nodes where they are known, in any order of rows; with all modes or with the first.
TEST_F(ModesOfAFile, StressesAndMomentsAreReadWhereTheyAreKnown) {
  const std::string csv =
      "nodes\nnode,x,y,mass\na,0,0,1\nb,1,0,1\nmodes\nmode,node,ux,uy,rz\n1,a,0,0,0\n1,b,0,1,1.5\n2,a,0,0,0\n"
      "2,b,0,1,-3\nfrequencies\n3, 9\n"
      "stresses\nmode,node,sxy,sxx\n2,a,-7,8\n1,a,5,6\n"
      "moments\nmode,node,moment\n1,a,40\n2,a,50\n1,b,0\n2,b,0\n";
  const ModesFile file = read_modes_text(csv, "modes.csv", Space::kPlanar, 0);
  ASSERT_TRUE(file.problem.empty()) << file.problem.message;
  const ElasticNode &a = file.body->nodes[0], &b = file.body->nodes[1];
  MatX stresses = MatX::Zero(6, 2), moments = MatX::Zero(2, 2);
  stresses.row(0) << 6, 8;
  stresses.row(3) << 5, -7;
  moments.row(0) << 40, 50;
  EXPECT_EQ(a.stresses, stresses);
  EXPECT_EQ(a.moments, moments);
  EXPECT_EQ(b.stresses.size(), 0);
  EXPECT_EQ(b.moments, MatX::Zero(2, 2));
  const ModesFile first = read_modes_text(csv, "modes.csv", Space::kPlanar, 1);
  EXPECT_EQ(first.body->nodes[0].stresses, stresses.leftCols(1));
  EXPECT_EQ(first.body->nodes[0].moments, moments.leftCols(1));
}

TEST_F(ModesOfAFile, StationsAreNodesByName) {
  folder_.write("modes.csv", FiniteElementBeam(20, 2).text("frequencies"));
  const auto system = build_system(load(model_with("file: modes.csv, station_nodes: [21, 3]")));
  EXPECT_GE(find_channel(*system, "beam.displacement_y_2"), 0);
  EXPECT_GE(find_channel(*system, "beam.x_1"), 0);
  EXPECT_LT(find_channel(*system, "beam.max_stress"), 0);
  EXPECT_EQ(load(model_with("file: modes.csv, station_nodes: 21")).mechanism.bodies.at(0).elastic->station_nodes,
            std::vector<std::string>{"21"});
  const std::string sound = FiniteElementBeam(20, 2).text("frequencies");
  const Diagnostic found = mistake(sound, "file: modes.csv, station_nodes: [22]");
  EXPECT_THAT(found.message, HasSubstr("there is no node '22'"));
  EXPECT_EQ(found.mark.line, 6);
  EXPECT_THAT(mistakes_in(model_with("length: 1 m, mass_per_length: 1 kg/m, station_nodes: [22]")).at(0).message,
              HasSubstr("nodes of a file"));
}

constexpr const char* kNodes = "nodes\nnode,x,y,mass\n1,0,0,1\n2,1,0,1\n";
constexpr const char* kModes = "modes\nmode,node,ux,uy,rz\n1,1,0,0,0\n1,2,0,1,1.5\n";

TEST_F(ModesOfAFile, MistakesInItAreToldWithTheirLineAndACure) {
  const std::string sound = std::string(kNodes) + kModes + "frequencies\n3\n";
  folder_.write("modes.csv", sound);
  EXPECT_NO_THROW(build_system(load(model_with("file: modes.csv"))));
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string text = sound;
    text.replace(text.find(old), old.size(), now);
    return text;
  };
  const std::pair<std::string, const char*> mistakes[] = {
      {with("1,2,0,1,1.5", "1,2,0,nan,1.5"), "line 8 of 'modes.csv': 'nan' is not a finite number"},
      {with("2,1,0,1", "2,inf,0,1"), "line 4 of 'modes.csv': 'inf' is not a finite number"},
      {with("2,1,0,1", "2,1,0,-1"), "node 2 has a negative mass"},
      {with("2,1,0,1", "1,1,0,1"), "there is a second node 1"},
      {with("1,2,0,1,1.5", "1,7,0,1,1.5"), "there is no node '7'"},
      {with("1,2,0,1,1.5", "1,1,0,1,1.5"), "mode 1 moves node 1 twice"},
      {with("1,2,0,1,1.5\n", ""), "mode 1 has no row for node 2"},
      {with("1,2,0,1,1.5", "1.5,2,0,1,1.5"), "1.5 is not the number of a mode"},
      {with("mode,node,ux,uy,rz", "mode,node,ux,uz,rz"), "'uz' is not a column"},
      {with("node,x,y,mass", "node,x,y"), "the column 'mass' is missing"},
      {with("frequencies\n3\n", "frequencies\n3, 4\n"), "there are 2 frequencies for 1 modes"},
      {with("frequencies\n3\n", "frequencies\n0\n"), "the frequency 0 Hz is not positive"},
      {with("frequencies\n3\n", ""), "needs either a block 'stiffness' or a block 'frequencies'"},
      {with("frequencies\n3\n", "stiffness\n1, 2\n"), "a row of 'stiffness' has 2 numbers"},
      {with("frequencies\n3\n", "stiffness\n-1\n"), "the stiffness is indefinite"},
      {sound + "mass\n-1\n", "the mass of the modes is not positive definite"},
      {sound + "mass\n1\n1\n", "'mass' ends after 2 rows"},
      {sound + "stresses\nmode,node,sxx\n1,1,nan\n", "'nan' is not a finite number"},
      {sound + "stresses\nmode,node,sxz\n1,1,2\n", "'sxz' is not a column"},
      {sound + "stresses\nmode,node,sxx\n2,1,5\n", "there is no mode 2"},
      {sound + "moments\nmode,node,moment\n1,7,5\n", "there is no node '7'"},
      {sound + "moments\nmode,node,moment\n1,1,5\n1,1,5\n", "mode 1 has node 1 twice"},
      {std::string(kNodes) + kModes + "2,1,0,0,0\n2,2,0,1,-3\nfrequencies\n3,9\nmoments\nmode,node,moment\n1,1,5\n",
       "'moments' has node 1 in 1 of 2 modes"},
      {with("nodes\n", "knots\n"), "'knots' is not in a block"},
      {std::string(kModes), "has no block 'nodes'"},
      {"", "has no block 'nodes'"}};
  for (const auto& [csv, message] : mistakes) {
    const Diagnostic found = mistake(csv);
    EXPECT_THAT(found.message, HasSubstr(message));
    EXPECT_EQ(found.path, "bodies.beam.elastic.file");
    EXPECT_EQ(found.mark.line, 6) << message;
    EXPECT_GT(found.mark.column, 1) << message;
    EXPECT_FALSE(found.hint.empty()) << message;
  }
}

TEST_F(ModesOfAFile, FilesThatAreNotThereOrNotInTheFolderAreRefused) {
  const std::string sound = std::string(kNodes) + kModes + "frequencies\n3\n";
  EXPECT_THAT(mistake(sound, "file: other.csv").message, HasSubstr("cannot be found"));
  EXPECT_THAT(mistake(sound, "file: /etc/passwd").message, HasSubstr("outside the model's folder"));
  EXPECT_THAT(mistake(sound, "file: ../.").message, HasSubstr("outside"));
  EXPECT_THAT(mistake(sound, "file: .").message, testing::AnyOf(HasSubstr("not a file"), HasSubstr("outside")));
  folder_.write("modes.dat", sound);
  EXPECT_THAT(mistake(sound, "file: modes.dat").message, HasSubstr("format"));
  EXPECT_THAT(mistake(sound, "file: modes.csv, length: 1 m").message, HasSubstr("belongs to a beam"));
  EXPECT_THAT(mistake(sound, "file: modes.csv, stations: [1 m]").message, HasSubstr("belongs to a beam"));
  EXPECT_THAT(mistake(sound, "file: modes.csv, modes: 0").message, HasSubstr("must be 1 or more"));
  EXPECT_THAT(mistake(std::string("nodes\nnode,x,y,mass\n1,0,0,1\n2,1,0.5,1\n") + kModes + "frequencies\n3\n",
                      "file: modes.csv, foreshortening: true")
                  .message,
              HasSubstr("line along x"));
  EXPECT_THAT(mistakes_in(model_with("file: modes.csv")).at(0).message, HasSubstr("does not come from a file"));
}

}  // namespace
}  // namespace freeplay::test::modes_file_test
