// Elastic bodies as pictures show them, against the mechanism's own sections: the positions of stations, and rigid
// bodies that are fixed to the beam.
#include "freeplay/report/draw/bent_beam.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "freeplay/core/error.h"
#include "freeplay/io/result/tables/model_geometry.h"
#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_request.h"
#include "freeplay/report/vtk/vtk_export.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::bent_beam_test {
namespace {

using BeamJson = nlohmann::ordered_json;
using result_test::TemporaryFolder;

const std::vector<double> kStations = {0, 0.31, 1.1, 1.5};

// On a hinge, with a rigid body fixed to it near its end, beside the axis.
ModelSpec model_of(Space space, BendingShapes shapes, int modes) {
  ModelSpec model;
  model.mechanism.space = space;
  ElasticSpec beam;
  beam.length_m = 1.5;
  beam.mass_per_length_kg_m = 2;
  beam.start_m = Vec3(-0.1, 0.2, 0);
  beam.bending = shapes;
  beam.bending_modes = modes;
  beam.bending_stiffness_Nm2 = 100;
  beam.axial = AxialShapes::kFixedFree;
  beam.axial_modes = 2;
  beam.axial_stiffness_N = 1e4;
  beam.stations_m = kStations;
  if (space == Space::kSpatial) {
    beam.bending_stiffness_xz_Nm2 = 50;
    beam.polar_inertia_per_length_kg_m = 0.02;
    beam.torsion = AxialShapes::kFixedFree;
    beam.torsion_modes = 2;
    beam.torsional_stiffness_Nm2 = 40;
  }
  BodySpec body, rider;
  body.name = "beam";
  body.elastic = beam;
  rider.name = "rider";
  rider.mass_kg = 1;
  rider.inertia_kg_m2 = 0.1 * Mat3::Identity();
  model.mechanism.bodies = {body, rider};
  JointSpec hinge, seat;
  hinge.name = "hinge";
  hinge.type = "revolute";
  hinge.parent = "ground";
  hinge.child = "beam";
  hinge.at_child_m = *beam.start_m;
  seat.name = "seat";
  seat.type = "fixed";
  seat.parent = "beam";
  seat.child = "rider";
  seat.at_parent_m = Vec3(1.2, 0.25, 0);
  model.mechanism.joints = {hinge, seat};
  return model;
}

// The mechanism at a random position, with deflections of some hundredths of the length.
class Posed {
 public:
  Posed(const ModelSpec& model, unsigned seed)
      : mechanism_(Mechanism::build(model.mechanism)), dynamics_(mechanism_->make_dynamics()) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    VecX q = mechanism_->initial_state().q;
    q[0] = uniform(engine);
    for (Eigen::Index i = 1; i < q.size(); ++i) q[i] = 0.03 * uniform(engine);
    dynamics_->set_position(0, q);
    dynamics_->set_velocity(VecX::Zero(mechanism_->velocity_count()));
  }
  double channel(const std::string& name) const {
    const int index[] = {find_channel(*mechanism_, name)};
    if (index[0] < 0) return 0;  // z of the plane
    double value = 0;
    dynamics_->read_channels(index, {&value, 1});
    return value;
  }
  Vec3 place(const std::string& prefix, const std::string& suffix = "") const {
    return {channel(prefix + ".x" + suffix), channel(prefix + ".y" + suffix), channel(prefix + ".z" + suffix)};
  }
  Frame pose(const std::string& body) const {
    Frame frame;
    frame.p = place(body);
    if (mechanism_->space == Space::kPlanar) {
      frame.R = rotation_about(Vec3::UnitZ(), channel(body + ".angle"));
    } else {
      frame.R = rotation_from_quaternion(
          {channel(body + ".e0"), channel(body + ".e1"), channel(body + ".e2"), channel(body + ".e3")});
    }
    return frame;
  }
  std::vector<double> modal() const {
    std::vector<double> q;
    for (int j = 1; find_channel(*mechanism_, fmt::format("beam.modal_{}", j)) >= 0; ++j)
      q.push_back(channel(fmt::format("beam.modal_{}", j)));
    return q;
  }

 private:
  static Mat3 rotation_about(const Vec3& axis, double angle) {
    return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  }
  std::shared_ptr<const Mechanism> mechanism_;
  std::unique_ptr<Dynamics> dynamics_;
};

BentBeam beam_of(const ModelSpec& model) {
  return BentBeam(BeamJson::parse(geometry_json(model)).at("bodies").at(1).at("elastic"));
}

TEST(BentBeam, IsWhereTheMechanismHasItsSections) {
  unsigned seed = 0;
  for (const Space space : {Space::kPlanar, Space::kSpatial}) {
    for (const BendingShapes shapes : {BendingShapes::kCantilever, BendingShapes::kFreeFree,
                                       BendingShapes::kSimplySupported, BendingShapes::kClampedClamped}) {
      for (const int modes : {2, 9}) {
        const ModelSpec model = model_of(space, shapes, modes);
        const BentBeam beam = beam_of(model);
        const Posed posed(model, ++seed);
        const Frame frame = posed.pose("beam");
        for (std::size_t i = 0; i < kStations.size(); ++i) {
          const Vec3 drawn = frame.point(beam.section(kStations[i], posed.modal()).p);
          EXPECT_LT((drawn - posed.place("beam", fmt::format("_{}", i + 1))).norm(), 1e-12) << seed << ' ' << i;
        }
        // What a section carries: place and axes of the body that is fixed beside the axis.
        const Vec3 seat(1.2, 0.25, 0);
        const Frame carried = beam.carried(beam.section_of(seat), posed.modal()), rider = posed.pose("rider");
        EXPECT_LT((frame.point(carried.point(seat)) - rider.p).norm(), 1e-12) << seed;
        EXPECT_LT((frame.R * carried.R - rider.R).norm(), 1e-12) << seed;
      }
    }
  }
}

TEST(BentBeam, NodesAreSectionsAndLoadsAreThoseOfTheStations) {
  const ModelSpec model = model_of(Space::kSpatial, BendingShapes::kCantilever, 3);
  const BentBeam beam = beam_of(model);
  const Posed posed(model, 5);
  const std::vector<Frame> sections = beam.sections(posed.modal());
  for (std::size_t i = 0; i < sections.size(); i += 7)
    EXPECT_LT((sections[i].p - beam.section(beam.nodes()[i], posed.modal()).p).norm(), 1e-14);
  for (std::size_t i = 0; i < kStations.size(); ++i) {
    const BentBeam::Loads loads = beam.loads(kStations[i], posed.modal());
    EXPECT_NEAR(loads.moment, posed.channel(fmt::format("beam.moment_{}", i + 1)), 1e-10);
    EXPECT_NEAR(loads.moment_xz, posed.channel(fmt::format("beam.moment_xz_{}", i + 1)), 1e-10);
    EXPECT_NEAR(loads.axial_force, posed.channel(fmt::format("beam.axial_force_{}", i + 1)), 1e-9);
    EXPECT_NEAR(loads.torque, posed.channel(fmt::format("beam.torque_{}", i + 1)), 1e-10);
  }
}

// As if the modal coordinates were larger: the deflection grows by M, the foreshortening by its square.
TEST(BentBeam, IsMagnifiedByItsModalCoordinates) {
  const ModelSpec model = model_of(Space::kPlanar, BendingShapes::kCantilever, 3);
  const BentBeam beam = beam_of(model);
  std::vector<double> modal = Posed(model, 7).modal(), larger = modal;
  for (double& q : larger) q *= 4;
  for (const double s : {0.4, 1.5}) {
    const Frame magnified = beam.section(s, modal, 4), expected = beam.section(s, larger);
    EXPECT_LT((magnified.p - expected.p).norm(), 1e-13);
    EXPECT_LT((magnified.R - expected.R).norm(), 1e-13);
    EXPECT_NEAR(magnified.p.y() - beam.rest(s).y(), 4 * (beam.section(s, modal).p.y() - beam.rest(s).y()), 1e-13);
  }
}

// A beam of changing section has no formulas in a result, but 41 stations: there it is where the mechanism has it.
TEST(BentBeam, OfChangingSectionIsDrawnByItsStations) {
  for (const Space space : {Space::kPlanar, Space::kSpatial}) {
    ModelSpec model = model_of(space, BendingShapes::kCantilever, 3);
    ElasticSpec& spec = *model.mechanism.bodies[0].elastic;
    spec.foreshortening = false;  // what stations leave out
    for (int k = 0; k <= 10; ++k) {
      BeamKnot knot;
      knot.s_m = 0.15 * k;
      knot.mass_per_length_kg_m = 2 - 0.1 * k;
      knot.polar_inertia_per_length_kg_m = 0.02;
      knot.bending_stiffness_Nm2 = 100 - 5 * k;
      knot.bending_stiffness_xz_Nm2 = space == Space::kSpatial ? 50 : 0;
      knot.axial_stiffness_N = 1e4;
      knot.torsional_stiffness_Nm2 = 40;
      spec.knots.push_back(knot);
    }
    spec.stations_m = {0, 0.3, 1.125, 1.5};  // some of the 41
    const Posed posed(model, 5);
    const std::vector<DrawnBeam> beams = find_beams(BeamJson::parse(geometry_json(model)), {});
    ASSERT_EQ(beams.size(), 1U);
    const BentBeam& beam = beams[0].beam;
    const Frame frame = posed.pose("beam");
    EXPECT_TRUE(beam.is_axis());
    EXPECT_NEAR(beam.length_m(), 1.5, 1e-14);
    EXPECT_EQ(beam.has(BeamMode::Direction::kZ), space == Space::kSpatial);
    for (std::size_t i = 0; i < spec.stations_m.size(); ++i) {
      const Vec3 drawn = frame.point(beam.section(spec.stations_m[i], posed.modal()).p);
      EXPECT_LT((drawn - posed.place("beam", fmt::format("_{}", i + 1))).norm(), 1e-12) << i;
    }
    // The section is turned as what is fixed to it, but for the chord between two stations: h^2/6 of the third
    // derivative, which is of the order of 100/m^2 times the deflection of some hundredths.
    const Vec3 tangent = frame.R * beam.section(1.3, posed.modal()).R.col(0);
    EXPECT_LT((tangent - posed.pose("rider").R.col(0)).norm(), 2e-3);
  }
}

// Nodes on a line may stand in a file in any order; nodes on no line have no axis.
TEST(BentBeam, BodiesOfNodesAreDrawnByTheirNodes) {
  const auto drawn = [](bool is_line) {
    BeamJson body = {{"name", "plate"}};
    body["stations"] = {{"places", {{1.0, 0.5, 0.0}, {0.0, is_line ? 0.5 : 0.0, 0.0}, {2.0, 0.5, 0.0}}},
                        {"modes", {{{0.0, 0.2, 0.0}, {0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}}},
                        {"is_axis", is_line},
                        {"height", 0.0}};
    BeamJson geometry;
    geometry["bodies"] = {body};
    return find_beams(geometry, {})[0].beam;
  };
  const std::vector<double> modal = {0.1};
  const BentBeam line = drawn(true), cloud = drawn(false);
  EXPECT_EQ(line.nodes(), (std::vector<double>{0, 1, 2}));
  EXPECT_LT((line.section(1, modal).p - Vec3(1, 0.52, 0)).norm(), 1e-15);
  EXPECT_LT((line.section(1.5, modal, 2).p - Vec3(1.5, 0.5 + 2 * 0.06, 0)).norm(), 1e-15);
  EXPECT_FALSE(line.has(BeamMode::Direction::kX));
  EXPECT_FALSE(cloud.is_axis());
  const std::vector<Frame> sections = cloud.sections(modal);
  ASSERT_EQ(sections.size(), 3U);
  EXPECT_LT((sections[0].p - Vec3(1, 0.52, 0)).norm(), 1e-15) << "in the order of the file";
  EXPECT_LT((sections[2].p - Vec3(2, 0.6, 0)).norm(), 1e-15);
}

TEST(BentBeam, RefusesStationsThatDoNotFitTheirModes) {
  const BeamJson stations = {
      {"places", {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}}, {"modes", {{{0.0, 0.0, 0.0}}}}, {"is_axis", true}};
  EXPECT_THROW(StationShapes{stations}, IoError);
}

TEST(BentBeam, RefusesWhatIsNoBeam) {
  BeamJson elastic = BeamJson::parse(geometry_json(model_of(Space::kPlanar, BendingShapes::kCantilever, 2)))
                         .at("bodies")[1]["elastic"];
  elastic["length"] = 0;
  EXPECT_THROW(BentBeam{elastic}, IoError);
  elastic["length"] = 1;
  elastic["modes"][0]["direction"] = "w";
  EXPECT_THROW(BentBeam{elastic}, IoError);
  elastic["modes"][0].erase("direction");
  EXPECT_THROW(BentBeam{elastic}, nlohmann::json::exception);
}

// A result with two rows of a planar beam: at rest in its frame, then bent.
class BeamResultTest : public testing::Test {
 protected:
  BeamResultTest() {
    ModelSpec model = model_of(Space::kPlanar, BendingShapes::kCantilever, 2);
    ShapeSpec tip;
    tip.body = "beam";
    tip.name = "tip";
    tip.type = "point";
    tip.geometry = PointShape{Vec3(1.4, 0.25, 0)};
    model.shapes.push_back(tip);
    beam_.emplace(beam_of(model));
    RecordLayout layout;
    for (const char* name : {"beam.x", "beam.y", "beam.modal_1", "beam.modal_2", "beam.modal_3", "beam.modal_4"})
      layout.channels.push_back({name, "m"});
    layout.channels.push_back({"beam.angle", "rad"});
    layout.geometry_json = geometry_json(model);
    ResultWriter writer(file());
    writer.begin(layout);
    writer.row(0, std::vector<double>{1, 2, 0, 0, 0, 0, 0});
    writer.row(1, std::vector<double>{1, 2, modal_[0], modal_[1], modal_[2], modal_[3], 0.5});
    writer.end({});
    pose_.p = Vec3(1, 2, 0);
    pose_.R = Eigen::AngleAxisd(0.5, Vec3::UnitZ()).toRotationMatrix();
  }
  std::filesystem::path file() const { return folder_ / "result.h5"; }
  // The numbers of an array of a .vtu file.
  std::vector<double> array(const std::string& name, const std::string& which) const {
    std::ostringstream stream;
    stream << std::ifstream(folder_ / "vtk" / name).rdbuf();
    const std::string text = stream.str();
    const std::size_t head = text.find(fmt::format("Name=\"{}\"", which)), begin = text.find('>', head) + 1;
    EXPECT_NE(head, std::string::npos) << which;
    std::istringstream numbers(text.substr(begin, text.find('<', begin) - begin));
    std::vector<double> values;
    for (double value = 0; numbers >> value;) values.push_back(value);
    return values;
  }

  TemporaryFolder folder_;
  std::vector<double> modal_ = {0.05, -0.01, 0.002, 0.001};
  std::optional<BentBeam> beam_;
  Frame pose_;
};

TEST_F(BeamResultTest, VtkHasTheBentBeamAndWhatItCarries) {
  for (const double M : {1.0, 3.0}) {
    const VtkExport written = export_vtk(ResultReader(file()), folder_ / "vtk", 10, M);
    const std::vector<double> points = array("beams_00001.vtu", "Points");
    const std::vector<double> displacement = array("beams_00001.vtu", "displacement");
    const std::vector<double> moment = array("beams_00001.vtu", "moment"), types = array("beams_00001.vtu", "types");
    const std::vector<double>& nodes = beam_->nodes();
    ASSERT_EQ(points.size(), 3 * 2 * nodes.size());
    ASSERT_EQ(types, std::vector<double>(nodes.size() - 1, 9)) << "quads";
    EXPECT_EQ(array("beams_00001.vtu", "deformation_magnification"), std::vector<double>{M});
    for (std::size_t i = 0; i < nodes.size(); i += 8) {
      const auto at = [&](const std::vector<double>& values, std::size_t k) {
        return Vec3(values[3 * k], values[3 * k + 1], values[3 * k + 2]);
      };
      const Vec3 middle = 0.5 * (at(points, 2 * i) + at(points, 2 * i + 1));
      EXPECT_LT((middle - pose_.point(beam_->section(nodes[i], modal_, M).p)).norm(), 1e-10);
      EXPECT_NEAR((at(points, 2 * i + 1) - at(points, 2 * i)).norm(), beam_->height_m(), 1e-10);
      const Vec3 moved = pose_.R * (beam_->section(nodes[i], modal_).p - beam_->rest(nodes[i]));
      EXPECT_LT((0.5 * (at(displacement, 2 * i) + at(displacement, 2 * i + 1)) - moved).norm(), 1e-10)
          << "displacements are the true ones";
      EXPECT_NEAR(moment[2 * i], beam_->loads(nodes[i], modal_).moment, 1e-8);
    }
    // The point beside the end of the axis, which is no cell of the beam itself.
    const std::vector<double> carried = array("bodies_00001.vtu", "Points");
    const Vec3 tip = pose_.point(beam_->carried(1.5, modal_, M).point({1.4, 0.25, 0}));
    ASSERT_EQ(carried.size(), 3U) << "no skeleton of an elastic body; the rider was not recorded";
    EXPECT_LT((Vec3(carried[0], carried[1], carried[2]) - tip).norm(), 1e-10);
    EXPECT_EQ(written.notes.size(), M == 1 ? 1U : 2U);
  }
}

TEST_F(BeamResultTest, PlotsShowTheBentAxis) {
  PlotRequest request;
  request.bends = {"beam"};
  request.snapshots = {"beam"};
  request.deformation = 2;
  request.moments = 2;
  const PlotFigure figure = make_figure(request, open_runs({{file(), ""}}));
  ASSERT_EQ(figure.panels.size(), 3U) << "along y, along x, in the world";
  const std::vector<double>& nodes = beam_->nodes();
  const PlotCurve& bent = figure.panels[0].curves.at(1);
  ASSERT_EQ(bent.points.size(), nodes.size());
  EXPECT_NEAR(bent.points.back().y, beam_->section(1.5, modal_).p.y() - 0.2, 1e-12);
  EXPECT_NEAR(figure.panels[1].curves.at(1).points.back().y, beam_->section(1.5, modal_).p.x() - 1.4, 1e-12);
  const PlotPanel& world = figure.panels[2];
  EXPECT_TRUE(world.equal_axes);
  EXPECT_THAT(world.title, testing::HasSubstr("deformation × 2"));
  const PlotPoint corner = world.curves.at(1).points.at(nodes.size() - 1);
  const Vec3 expected = pose_.point(beam_->section(1.5, modal_, 2).point({0, -0.5 * beam_->height_m(), 0}));
  EXPECT_NEAR(corner.x, expected.x(), 1e-12);
  EXPECT_NEAR(corner.y, expected.y(), 1e-12);
  EXPECT_EQ(world.curves.at(1).points.size(), 2 * nodes.size() + 1) << "a closed outline";
}

TEST_F(BeamResultTest, ABodyThatIsNotElasticIsToldSo) {
  PlotRequest request;
  request.snapshots = {"rider"};
  try {
    make_figure(request, open_runs({{file(), ""}}));
    ADD_FAILURE() << "a rigid body has no bent axis";
  } catch (const PlotError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("no elastic body 'rider'"));
  }
}

}  // namespace
}  // namespace freeplay::test::bent_beam_test
