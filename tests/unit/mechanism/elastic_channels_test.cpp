// Channels of the stations of elastic bodies, against a rigid body that is fixed to the beam at the same place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "elastic_models.h"
#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/description/beam_shapes.h"

namespace freeplay::test::elastic_channels_test {
namespace {

constexpr double kStation = 0.63;

ElasticSpec beam_with_station(BendingShapes shapes) {
  ElasticSpec beam = reference_beam(3, shapes);
  beam.axial = AxialShapes::kFixedFree;
  beam.axial_modes = 2;
  beam.axial_stiffness_N = 400;
  beam.stations_m = {0, kStation};
  beam.start_m = Vec3(-0.2, 0.1, 0);
  return beam;
}

// The body's own joint may sit on a section that moves in the floating frame.
MechanismSpec with_rider(const ElasticSpec& beam, Space space) {
  MechanismSpec spec = held_beam(beam, "revolute");
  spec.space = space;
  BodySpec rider;
  rider.name = "rider";
  rider.mass_kg = 0.3;
  rider.inertia_kg_m2 = 0.01 * Mat3::Identity();
  spec.bodies.push_back(rider);
  JointSpec seat;
  seat.name = "seat";
  seat.type = "fixed";
  seat.parent = "beam";
  seat.child = "rider";
  seat.at_parent_m = beam.start() + Vec3(kStation, 0, 0);
  spec.joints.push_back(seat);
  return spec;
}

class Channels {
 public:
  explicit Channels(const MechanismSpec& spec)
      : mechanism_(Mechanism::build(spec)), dynamics_(mechanism_->make_dynamics()) {}
  void set(std::uint64_t seed) {
    ElasticState state = random_elastic_state(*mechanism_, seed);
    // No section turns by more than a right angle, so that its angles can be told from its axes.
    for (const Mechanism::ElasticBody& body : mechanism_->elastic_bodies) state.q.segment(body.q, body.count) *= 0.1;
    dynamics_->set_position(0, state.q);
    dynamics_->set_velocity(state.u);
  }
  double operator[](const std::string& name) const {
    const int channel[] = {find_channel(*mechanism_, name)};
    EXPECT_GE(channel[0], 0) << name;
    double value = 0;
    dynamics_->read_channels(channel, {&value, 1});
    return value;
  }
  bool has(const std::string& name) const { return find_channel(*mechanism_, name) >= 0; }
  Mat3 axes(const std::string& body) const {
    const Channels& self = *this;
    return rotation_from_quaternion({self[body + ".e0"], self[body + ".e1"], self[body + ".e2"], self[body + ".e3"]});
  }
  Vec3 place(const std::string& body) const {
    const Channels& self = *this;
    return {self[body + ".x"], self[body + ".y"], self[body + ".z"]};
  }

 private:
  std::shared_ptr<const Mechanism> mechanism_;
  std::unique_ptr<Dynamics> dynamics_;
};

TEST(StationChannels, PositionsInThePlaneAreThoseOfABodyThatIsFixedThere) {
  for (const BendingShapes shapes : {BendingShapes::kCantilever, BendingShapes::kFreeFree}) {
    Channels channels(with_rider(beam_with_station(shapes), Space::kPlanar));
    for (std::uint64_t draw = 0; draw < 10; ++draw) {
      channels.set(draw);
      EXPECT_NEAR(channels["beam.x_2"], channels["rider.x"], 1e-13);
      EXPECT_NEAR(channels["beam.y_2"], channels["rider.y"], 1e-13);
    }
    EXPECT_FALSE(channels.has("beam.z_2"));
    EXPECT_FALSE(channels.has("beam.twist_2"));
  }
}

// A section is displaced in the axes of the frame, and turned about z, y and x: R_21 / R_22 is the tangent of the
// twist.
TEST(StationChannels, InSpaceTellBothPlanesAndTheTwist) {
  ElasticSpec beam = beam_with_station(BendingShapes::kCantilever);
  beam.bending_stiffness_xz_Nm2 = 70;
  beam.polar_inertia_per_length_kg_m = 0.01;
  beam.torsion = AxialShapes::kFixedFree;
  beam.torsion_modes = 1;
  beam.torsional_stiffness_Nm2 = 30;
  Channels channels(with_rider(beam, Space::kSpatial));
  const BeamShape torsion = axial_shapes(AxialShapes::kFixedFree, 1, 1).front();
  const std::vector<BeamShape> bending = bending_shapes(BendingShapes::kCantilever, 3, 1);
  for (std::uint64_t draw = 0; draw < 10; ++draw) {
    channels.set(100 + draw);
    const Mat3 beam_axes = channels.axes("beam"), turn = beam_axes.transpose() * channels.axes("rider");
    const Vec3 place = channels.place("rider");
    EXPECT_NEAR(channels["beam.x_2"], place.x(), 1e-13);
    EXPECT_NEAR(channels["beam.y_2"], place.y(), 1e-13);
    EXPECT_NEAR(channels["beam.z_2"], place.z(), 1e-13);
    const Vec3 inside = beam_axes.transpose() * (place - channels.place("beam")) - beam.start();
    EXPECT_NEAR(channels["beam.deflection_2"], inside.y(), 1e-13);
    EXPECT_NEAR(channels["beam.deflection_xz_2"], inside.z(), 1e-13);
    EXPECT_NEAR(channels["beam.twist_2"], std::atan2(turn(2, 1), turn(2, 2)), 1e-12);
    // G I_t dT/ds of T = sin(pi s / 2 L), and E I W'' of the second plane, which is modes 4 to 6.
    const double twist_at_end = channels["beam.modal_9"];
    EXPECT_NEAR(channels["beam.torque_2"],
                30 * twist_at_end * std::numbers::pi / 2 * std::cos(std::numbers::pi / 2 * kStation), 1e-12);
    EXPECT_NEAR(channels["beam.twist_2"], twist_at_end * torsion.value(kStation), 1e-13);
    double moment = 0;
    for (int j = 0; j < 3; ++j) {
      moment +=
          70 * bending[static_cast<std::size_t>(j)].curvature(kStation) * channels[fmt::format("beam.modal_{}", 4 + j)];
    }
    EXPECT_NEAR(channels["beam.moment_xz_2"], moment, 1e-10 * (1 + std::abs(moment)));
  }
}

// A bar of steel with a rectangular section, 6 mm high and 9 mm wide.
constexpr double kYoung = 2.1e11, kHeight = 6e-3, kWidth = 9e-3, kArea = kHeight * kWidth;
constexpr double kI = kWidth * kHeight * kHeight * kHeight / 12, kIxz = kHeight * kWidth * kWidth * kWidth / 12;

ElasticSpec steel_bar(Space space, int modes) {
  ElasticSpec beam = beam_with_station(BendingShapes::kCantilever);
  beam.bending_modes = modes;
  beam.axial_modes = 1;
  beam.bending_stiffness_Nm2 = kYoung * kI;
  beam.axial_stiffness_N = kYoung * kArea;
  beam.section_modulus_m3 = kWidth * kHeight * kHeight / 6;
  beam.height_m = kHeight;
  if (space == Space::kPlanar) return beam;
  beam.bending_stiffness_xz_Nm2 = kYoung * kIxz;
  beam.polar_inertia_per_length_kg_m = 0.01;
  beam.width_m = kWidth;
  return beam;
}

// One mode of a cantilever per direction: all of them have their largest strain at the clamp, so that the largest
// stress is  M c/I  of both planes and N/A  there, with M = E I W''(0) q and N = E A (pi/2L) q.
TEST(LargestLoads, OfOneModeAreThoseAtTheClamp) {
  const double curvature = bending_shapes(BendingShapes::kCantilever, 1, 1)[0].curvature(0);
  for (const Space space : {Space::kPlanar, Space::kSpatial}) {
    const bool is_spatial = space == Space::kSpatial;
    Channels channels(with_rider(steel_bar(space, 1), space));
    for (std::uint64_t draw = 0; draw < 10; ++draw) {
      channels.set(200 + draw);
      const double M = std::abs(kYoung * kI * curvature * channels["beam.modal_1"]);
      const double Mxz = is_spatial ? std::abs(kYoung * kIxz * curvature * channels["beam.modal_2"]) : 0;
      const double N =
          std::abs(kYoung * kArea * std::numbers::pi / 2 * channels[is_spatial ? "beam.modal_3" : "beam.modal_2"]);
      const double stress = M * (kHeight / 2) / kI + Mxz * (kWidth / 2) / kIxz + N / kArea;
      EXPECT_NEAR(channels["beam.max_moment"], std::hypot(M, Mxz), 1e-12 * std::hypot(M, Mxz));
      EXPECT_NEAR(channels["beam.max_stress"], stress, 1e-12 * stress);
    }
  }
}

// Of several modes the largest may be anywhere: against a search at 10000 places.
TEST(LargestLoads, OfSeveralModesAreFoundAlongTheAxis) {
  Channels channels(with_rider(steel_bar(Space::kPlanar, 3), Space::kPlanar));
  const std::vector<BeamShape> bending = bending_shapes(BendingShapes::kCantilever, 3, 1);
  const BeamShape axial = axial_shapes(AxialShapes::kFixedFree, 1, 1)[0];
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    channels.set(300 + draw);
    const double q[] = {channels["beam.modal_1"], channels["beam.modal_2"], channels["beam.modal_3"]};
    const double stretch = channels["beam.modal_4"];
    double moment = 0, stress = 0;
    for (int i = 0; i <= 10000; ++i) {
      const double s = i / 10000.0, N = kYoung * kArea * axial.slope(s) * stretch;
      double M = 0;
      for (std::size_t j = 0; j < 3; ++j) M += kYoung * kI * bending[j].curvature(s) * q[j];
      moment = std::max(moment, std::abs(M));
      stress = std::max(stress, std::abs(M) * (kHeight / 2) / kI + std::abs(N) / kArea);
    }
    // 64 pieces are 26 to half a wave of the third mode: a top is missed by 1 - cos(pi/52) of it at most.
    EXPECT_NEAR(channels["beam.max_moment"], moment, 2e-3 * moment);
    EXPECT_NEAR(channels["beam.max_stress"], stress, 2e-3 * stress);
    EXPECT_LE(channels["beam.max_stress"], stress * (1 + 1e-9)) << "never more than there is";
  }
}

TEST(LargestLoads, StressIsToldWhereTheSectionOfEveryPlaneThatBendsIsKnown) {
  ElasticSpec beam = steel_bar(Space::kSpatial, 1);
  beam.width_m = 0;
  Channels without_width(with_rider(beam, Space::kSpatial));
  EXPECT_FALSE(without_width.has("beam.max_stress"));
  EXPECT_TRUE(without_width.has("beam.max_moment"));
  beam = steel_bar(Space::kPlanar, 1);
  beam.height_m = 0;
  Channels of_bending(with_rider(beam, Space::kPlanar));
  of_bending.set(1);
  const double stress = of_bending["beam.max_moment"] / beam.section_modulus_m3;
  EXPECT_NEAR(of_bending["beam.max_stress"], stress, 1e-12 * stress) << "the force along the axis is left out";
}

// Numbers of the section that are given need no height and no width: the same stress as from these.
TEST(LargestLoads, StressByNumbersOfTheSectionIsThatByItsHeightAndWidth) {
  for (const Space space : {Space::kPlanar, Space::kSpatial}) {
    ElasticSpec by_numbers = steel_bar(space, 2);
    Channels by_size(with_rider(by_numbers, space));
    by_numbers.height_m = by_numbers.width_m = 0;
    by_numbers.area_m2 = kArea;
    if (space == Space::kSpatial) by_numbers.section_modulus_xz_m3 = kHeight * kWidth * kWidth / 6;
    Channels by_section(with_rider(by_numbers, space));
    for (std::uint64_t draw = 0; draw < 10; ++draw) {
      by_size.set(400 + draw);
      by_section.set(400 + draw);
      EXPECT_GT(by_section["beam.max_stress"], 0);
      EXPECT_NEAR(by_section["beam.max_stress"], by_size["beam.max_stress"], 1e-12 * by_size["beam.max_stress"]);
    }
  }
}

// N/A at the clamp, with N = E A (pi/2L) q.
TEST(LargestLoads, ABarThatDoesNotBendHasAStressByItsArea) {
  ElasticSpec bar = steel_bar(Space::kPlanar, 1);
  bar.bending = BendingShapes::kNone;
  bar.bending_modes = 0;
  bar.section_modulus_m3 = bar.height_m = 0;
  EXPECT_FALSE(Channels(with_rider(bar, Space::kPlanar)).has("beam.max_stress"));
  bar.area_m2 = kArea;
  Channels channels(with_rider(bar, Space::kPlanar));
  channels.set(1);
  const double stress = kYoung * std::numbers::pi / 2 * std::abs(channels["beam.modal_1"]);
  EXPECT_NEAR(channels["beam.max_stress"], stress, 1e-12 * stress);
}

}  // namespace
}  // namespace freeplay::test::elastic_channels_test
