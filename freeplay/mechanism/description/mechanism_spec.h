// A mechanism as plain data: what a model file says, in SI units, before anything is checked against anything else.
// The reader fills it, C++ users fill it by hand, Mechanism::build() turns it into a frozen, checked Mechanism.
// Planar mechanisms use the same structs: z components are zero, rotations are about z, inertia is inertia(2, 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/math/frame.h"
#include "freeplay/math/types.h"
#include "freeplay/mechanism/description/coupling_spec.h"
#include "freeplay/mechanism/description/elastic_spec.h"

namespace freeplay::mechanism {

enum class Space : std::uint8_t { kPlanar, kSpatial };

// Absolute initial values of a body; what is not given follows from its joint.
struct BodyInitialSpec {
  std::array<std::optional<double>, 3> position_m;        // x y z of the centre of mass
  std::optional<double> angle;                            // planar, rad
  std::optional<Vec4> quaternion;                         // spatial, (e0, e1, e2, e3), body to world
  std::array<std::optional<double>, 3> velocity_m_s;      // vx vy vz
  std::array<std::optional<double>, 3> angular_velocity;  // rad/s; planar: [2]; spatial: body axes
};

struct BodySpec {
  std::string name;
  double mass_kg = 0;
  Mat3 inertia_kg_m2 = Mat3::Zero();  // about the centre of mass, body axes
  BodyInitialSpec initial;
  // A beam instead of a rigid body: mass and inertia then follow from it, and the body's axes are the floating frame.
  std::optional<ElasticSpec> elastic{};
  // Where it is meant to stand, roughly; of its values only those of the position count. Chooses among the positions
  // that close the loops (assembly_guess.cpp), and need not be one.
  BodyInitialSpec guess{};
};

// A place on a body for what is attached beside the elements of the mechanism, such as a shape (marker.h).
struct MarkerSpec {
  std::string body;  // or "ground"
  Frame place;       // body axes
  // Of an elastic body: the place whose section of the beam carries the marker; otherwise that of the marker itself.
  std::optional<Vec3> carried_at_m{};
  std::string
      owner{};  // what it is there for: "shapes.NAME" of the body, "joints.NAME" with play; empty: anything else
};

// Bounds of a coordinate of a joint, rad or m, kept by impacts.
struct JointStopsSpec {
  std::optional<double> lower, upper;
  double restitution = 0;
};

// An elastic element between the two frames of a joint, which then holds nothing by itself. Per direction of the
// joint's frame on the parent  F = stiffness d + cubic_stiffness d^3 + damping dd/dt,  and the same for turning
// (bushing.h). Planar: x and y, and the turn about z.
struct BushingSpec {
  Vec3 stiffness_N_m = Vec3::Zero(), cubic_stiffness_N_m3 = Vec3::Zero(), damping_Ns_m = Vec3::Zero();
  Vec3 torsional_stiffness_Nm_rad = Vec3::Zero(), torsional_cubic_stiffness_Nm_rad3 = Vec3::Zero();
  Vec3 torsional_damping_Nms_rad = Vec3::Zero();
};

struct JointSpec {
  std::string name;
  std::string type;    // a row of the joint table: "revolute", ...
  std::string parent;  // a body's name or "ground"
  std::string child;
  Vec3 at_parent_m = Vec3::Zero();
  Vec3 at_child_m = Vec3::Zero();
  std::optional<Vec3> axis;                      // in the parent's axes; default: the type's own axis
  std::optional<Vec3> second_axis;               // the same, of a type that has two
  Eigen::Quaterniond rotation{1, 0, 0, 0};       // of the child's axes in the parent's axes at q = 0
  bool as_constraint = false;                    // bilateral rows even where the joint could be a tree edge
  std::vector<std::optional<double>> initial_q;  // relative; size 0 or the joint's coordinate count
  std::vector<std::optional<double>> initial_u;
  double dry_friction = 0;              // largest friction effort on the first coordinate, N m or N
  std::optional<JointStopsSpec> stops;  // of the first coordinate
  // The same of the second one: of a cylindrical joint or a pin in a slot the turn.
  double second_dry_friction = 0;
  std::optional<JointStopsSpec> second_stops{};
  std::optional<double> slot_radius_m{};         // pin_in_slot: of the arc on which the pin runs; otherwise a line
  std::optional<BushingSpec> bushing;            // instead of an ideal joint; starts as if it were one
  std::vector<std::optional<double>> guess_q{};  // as initial_q, but a guess as BodySpec::guess is one
  // With play: how many of MechanismSpec::joints come before it. An ideal joint would be part of the tree or close a
  // loop by that, and it starts as if it were one. Otherwise it comes behind all of them.
  std::optional<std::size_t> joints_before{};
};

// Linear spring-damper between two points:  F = preload + k (L - L0) + c dL/dt,  positive F pulls the points together.
struct SpringSpec {
  std::string name;
  std::string parent, child;
  Vec3 at_parent_m = Vec3::Zero(), at_child_m = Vec3::Zero();
  double stiffness_N_m = 0, damping_Ns_m = 0, preload_N = 0;
  std::optional<double> free_length_m;  // default: the length in the initial state
};

// Torsional spring-damper on the coordinate of a revolute joint, ideal or not:  M = preload + k (q - q0) + c u  against
// q.
struct TorsionalSpringSpec {
  std::string name;
  std::string joint;
  double stiffness_Nm_rad = 0, damping_Nms_rad = 0, preload_Nm = 0;
  double free_angle = 0;
};

// A variable of an expression: t (variable 0) or a channel of the state ("crank.omega"). Expressions of a mechanism
// index into MechanismSpec::variables.
struct VariableSpec {
  std::string channel;  // "t" for the time
};

// A force on a point of a body or a torque on a body.
struct AppliedLoadSpec {
  enum class Kind : std::uint8_t { kForce, kTorque };
  std::string name;
  Kind kind = Kind::kForce;
  std::string body;
  Vec3 at_m = Vec3::Zero();         // body axes; a torque needs it on elastic bodies only
  bool in_body_axes = false;        // components of `value` in body axes instead of world axes
  std::array<Expression, 3> value;  // N or N m; planar torque: value[2]
};

// The effort of a driver as a sampled controller gives it: found at the multiples of the period, each value acts from
// `delay_s` after its instant on, until the next one does. Before the first one it is 0.
struct SamplingSpec {
  double period_s = 0, delay_s = 0;
};

// A controller of the effort F, with e = target - of and the limit of the driver:
//   v = p e + i I + d de/dt,   F = v within the limit,   dI/dt = e - (v - F) / (i anti_windup_s)
struct PidSpec {
  double p = 0, i = 0, d = 0;           // N m (or N) per unit of `of`, of its integral and of its rate
  Expression of, of_rate;               // a channel, and its rate, which only `d` needs
  Expression target;                    // of t alone where there is a `d` and no sampling
  std::optional<double> anti_windup_s;  // none: the integral goes on while the limit holds the effort
};

// Acts on the coordinate of a joint with one degree of freedom: prescribed motion (a bilateral row) or effort.
struct DriverSpec {
  std::string name;
  std::string joint;
  std::optional<Expression> motion;  // rad or m, of t and parameters
  std::optional<Expression> effort;  // N m or N, of t, parameters and channels
  std::optional<PidSpec> pid{};      // in the place of `effort`
  std::optional<SamplingSpec> sampling{};
  // Largest effort, either way. A motion with a limit prescribes the rate alone: it slips, as a clutch does, rather
  // than to exceed it (a contact point, contact/play/joint_rows.h).
  std::optional<double> limit{};
};

// A strand of a chain whose joints are bushings and run through it: at any time those of `joints` whose point on the
// parent lies between the two corners. A channel tells the mean of their elastic forces, the tension.
struct StrandSpec {
  std::string name;
  std::vector<std::string> joints;
  Vec3 lower_corner_m = Vec3::Zero(), upper_corner_m = Vec3::Zero();  // world axes; planar: x and y count
};

struct MechanismSpec {
  Space space = Space::kPlanar;
  Vec3 gravity_m_s2 = Vec3::Zero();
  std::vector<BodySpec> bodies;
  std::vector<MarkerSpec> markers;
  std::vector<JointSpec> joints;
  // Joints with play: contacts hold them, here they hold nothing. Their coordinates are measured between their frames;
  // channels, springs, drivers, stops and dry friction are those of ideal joints. In Mechanism::joints they stand
  // behind all others.
  std::vector<JointSpec> joints_with_play;
  std::vector<SpringSpec> springs;
  std::vector<TorsionalSpringSpec> torsional_springs;
  std::vector<AppliedLoadSpec> loads;
  std::vector<DriverSpec> drivers;
  std::vector<StrandSpec> strands;
  std::vector<CouplingSpec> couplings{};
  std::vector<VariableSpec> variables{{"t"}};
};

// The coordinates of a joint type, for readers that must know how many values `initial: {q: [...]}` takes.
struct JointCoordinates {
  int q = 0, u = 0;
};
// nullopt for an unknown type.
std::optional<JointCoordinates> joint_coordinates(std::string_view type, Space space);
std::vector<std::string> joint_type_names();
// Dimension of coordinate k of a joint (a length or an angle), and of its rate (per second).
Dimension joint_coordinate_dimension(std::string_view type, Space space, int k);
Dimension joint_rate_dimension(std::string_view type, Space space, int k);

}  // namespace freeplay::mechanism
