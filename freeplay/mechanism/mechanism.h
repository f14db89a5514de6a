// A mechanism: bodies and joints as a forest of joint trees, loop closures and drivers as bilateral rows.
// Frozen after build(); MechanismDynamics evaluates it.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/core/index.h"
#include "freeplay/math/frame.h"
#include "freeplay/mechanism/description/joint_table.h"
#include "freeplay/mechanism/description/marker.h"
#include "freeplay/mechanism/description/mechanism_spec.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

class Mechanism final : public System, public std::enable_shared_from_this<Mechanism> {
 public:
  struct Body {
    std::string name;
    double mass_kg = 0;
    Mat3 inertia_kg_m2 = Mat3::Zero();
  };

  enum class JointRole : std::uint8_t {
    kTree,        // a tree edge, from parent to child
    kReversed,    // a tree edge walked from child to parent
    kConstraint,  // bilateral rows
    kBushing,     // a force element
    kPlay         // held by contacts alone
  };

  struct Joint {
    std::string name;
    const JointType* type = nullptr;
    BodyIndex parent{}, child{};
    MarkerIndex parent_marker{}, child_marker{};  // its frames on the two bodies
    JointRole role = JointRole::kTree;
    bool closes_loop = false;  // kConstraint because the bodies were connected already
    int node = 0;              // tree edges: the node it moves
    int bushing = -1;          // kBushing: index into bushings
    int turn = -1;             // index into turns, if its turns are counted
    double slot_radius_m = 0;  // of a pin in a curved slot (rows/slot_way.h); 0: what slides does so along a line

    bool is_edge() const { return role == JointRole::kTree || role == JointRole::kReversed; }
    // Its frames move against each other in all directions.
    bool is_loose() const { return role == JointRole::kBushing || role == JointRole::kPlay; }
  };

  // The angle of a spatial joint outside of the tree, which two attitudes give but for whole turns. The state has it as
  // a coordinate behind all others, without a velocity of its own: whatever moves the bodies moves it along, so that it
  // counts turns and a state is still all of the state.
  struct Turn {
    int joint = -1;
    int q = 0;
  };

  // A node of the forest: one body and the motions that connect it to its parent node. Nodes stand in the order in
  // which the recursions visit them, parents first and tree by tree; node 0 is the ground.
  struct Node {
    BodyIndex body{};
    int parent = 0;
    int joint = -1;   // index into joints, or -1 for a free body
    double sign = 1;  // -1 for a reversed joint: its coordinate runs against the walk
    const JointType* type = nullptr;
    MarkerIndex parent_marker{}, child_marker{};  // of the joint, on the parent node's body and on this node's body
    int q = 0, u = 0;                             // first coordinate and velocity
    int elastic = -1;                             // into elastic_bodies, if this is the floating frame of one
    int section = -1;                             // into sections, if this is one: `type` is then nullptr
    // Not a body but the integral of a controller: a turn about an axis with the inertia 1, whose velocity is the
    // integral of the effort on it. So every integrator integrates it as it does velocities. It has no energy.
    bool is_memory = false;

    // Velocities of the joint, and of the modes behind them.
    int joint_velocities() const { return type == nullptr ? 0 : type->u_count(); }
  };

  // A place along the axis of an elastic body, a node behind the body's own: it carries what is attached there, or a
  // part of the mass. In the floating frame it is displaced by  shapes q - 1/2 (q^T foreshortening q) e_x  and turned
  // by the angles of `shapes`.
  struct Section {
    int elastic = 0;                    // into elastic_bodies
    Vec3 rest = Vec3::Zero();           // where it is in body axes, the beam not deformed
    double mass_kg = 0;                 // of a point where the mass is gathered
    Vec3 inertia_kg_m2 = Vec3::Zero();  // about its axes, the same
    MatX shapes;          // 6 x count: displacements along x, y, z and rotations about x, y, z of the frame
    MatX foreshortening;  // count x count, or empty
    int node = 0;

    // Whether it moves in the floating frame at all.
    bool moves() const { return !shapes.isZero(0) || !foreshortening.isZero(0); }
  };

  // A body that deforms: the sum of `count` shape functions in a floating frame, which is the body's node. Its mass is
  // in its sections.
  struct ElasticBody {
    BodyIndex body{};
    int q = 0, u = 0, count = 0;  // modal coordinates and velocities
    MatX stiffness, damping;      // N/m and N s/m, of the modes
    double size_m = 0;            // its length, or the diagonal of the box around its nodes
    struct Stations {
      std::vector<Section> sections;  // where they are; no nodes
      // Station x mode: per modal coordinate. Of a beam there are more rows than stations: behind these come places
      // along the whole axis, so close that the largest load is at one of them.
      MatX moment, moment_xz, axial_force, torque;
      std::vector<MatX>
          stresses;  // 6 x mode, of nodes: of those that are stations, then of all others; empty: not known
    } stations;
    ElasticSpec beam;
  };

  // One bilateral row.
  struct Row {
    enum class Kind : std::uint8_t {
      kPoint,
      kDot,
      kWay,  // how far a pin is to the left of the way in its curved slot
      kCoordinate,
      kRelativeTranslation,
      kRelativeRotation,
      kCoupling
    };
    Kind kind = Kind::kPoint;
    int joint = -1;
    int axis_parent = 0, axis_child = 0;
    int q = -1, u = -1;  // kCoordinate
    int driver = -1;     // the driver whose motion it follows
    int coupling = -1;   // kCoupling; it has no joint
    std::string name;
  };

  struct Spring {
    std::string name;
    MarkerIndex parent{}, child{};
    double stiffness = 0, damping = 0, preload = 0, free_length = 0;
  };
  struct TorsionalSpring {
    std::string name;
    int joint = -1;
    double stiffness = 0, damping = 0, preload = 0, free_angle = 0;
  };
  struct Bushing {
    int joint = -1;
    BushingSpec law;
  };
  struct Load {
    std::string name;
    bool is_torque = false;
    MarkerIndex at{};
    bool in_marker_axes = false;  // instead of world axes
    std::array<Expression, 3> value;
  };
  struct Driver {
    std::string name;
    int joint = -1;
    std::optional<Expression> motion, effort;
    int row = -1;  // of a motion without a limit
    std::optional<PidSpec> pid{};
    std::optional<SamplingSpec> sampling{};
    double limit = std::numeric_limits<double>::infinity();  // of the effort
    int integral_u = -1;  // of a controller that is not sampled: the velocity that is its integral
    // Of a sampled one, behind the turns in q: the effort that acts, the values that wait, newest first, the integral.
    int held_q = -1, integral_q = -1;
    int waiting = 0;

    bool is_slipping_motion() const { return motion && row < 0; }
  };

  // The teeth of two wheels. The pitch point divides the line of centres by the radii; the radius of a ring is
  // negative, and so may be `distance`, the sum of both; that of a rack counts as 0 (mechanism_dynamics_mesh.h).
  struct Mesh {
    MarkerIndex first{}, second{};  // of the joints on the two wheels: their centres
    MarkerIndex reference{};        // where both centres rest in ideal bearings; z is the axis
    Vec3 line = Vec3::Zero();       // from the first centre to the second in axes of `reference`, in ideal bearings
    double first_radius = 0, distance = 0, pressure_angle = 0;
    double opening = 0;  // of each flank, along the pitch line, since ideal bearings may be farther apart than that
  };
  // CouplingSpec, resolved.
  struct Coupling {
    struct Term {
      int joint = -1, coordinate = 0;
      double factor = 0;
    };
    std::string name;
    CouplingSpec::Model model = CouplingSpec::Model::kIdeal;
    std::vector<Term> terms;
    double offset = 0;
    bool is_angle = false;
    double play = 0;
    Expression stiffness;
    double damping = 0;
    std::optional<Mesh> mesh{};
    int row = -1;                      // of an ideal one
    std::vector<MarkerIndex> moved{};  // markers of all trees that it acts on; with a mesh only where this tilts

    // Its flanks can come apart: efforts act by one of them.
    bool has_flanks() const { return mesh || play > 0; }
  };

  struct Strand {
    std::vector<int> bushings;
    Vec3 lower_corner = Vec3::Zero(), upper_corner = Vec3::Zero();
  };

  // What a channel reads. Components count in the order of the design's channel names.
  struct Channel {
    enum class Kind : std::uint8_t {
      kBodyPosition,
      kBodyVelocity,
      kBodyAngle,
      kBodyQuaternion,
      kBodyOmega,
      kJointCoordinate,
      kJointVelocity,
      kJointForce,
      kJointMoment,
      kEccentricity,
      kSpringLength,
      kSpringForce,
      kTorsionalMoment,
      kDriverEffort,
      kStrandTension,
      kCouplingPosition,
      kCouplingRate,
      kCouplingEffort,
      kModalCoordinate,
      kModalVelocity,
      kStrainEnergy,
      kDeflection,
      kBendingMoment,
      kAxialForce,
      kBendingStress,
      kDeflectionXz,
      kBendingMomentXz,
      kTwist,
      kTorque,
      kStationPosition,  // component: 3 times the station, and the axis
      kBodyAttitude,     // roll, pitch, yaw
      kDriverIntegral,
      kLargestMoment,  // along the axis of an elastic body
      kLargestStress,
      kNodeDisplacement,  // component: 3 times the station, and the axis of the body
      kNodeStress
    };
    Kind kind = Kind::kBodyPosition;
    int index = 0;  // body, joint, spring, driver, strand, coupling or elastic body
    int component = 0;
  };

  // Checks the description, chooses the tree edges, assembles the initial state (building/start_as_ideal.h). Throws
  // ModelError.
  static std::shared_ptr<const Mechanism> build(const MechanismSpec& spec);
  // The same with a given initial state of the right size instead of an assembled one.
  static std::shared_ptr<const Mechanism> build(const MechanismSpec& spec, const State& start);

  int coordinate_count() const override { return q_count_; }
  int velocity_count() const override { return u_count_; }
  int row_count() const override { return static_cast<int>(rows.size()); }
  std::string row_name(int row) const override { return rows[static_cast<std::size_t>(row)].name; }
  const MassStructure& mass_structure() const override { return mass_structure_; }
  const std::vector<ChannelDescription>& channels() const override { return channel_descriptions_; }
  State initial_state() const override { return initial_state_; }
  std::unique_ptr<Dynamics> make_dynamics() const override;
  double next_sample(double t) const override;
  double next_break(double t) const override;
  double shortest_period() const override;
  std::optional<MotionJump> next_motion_jump(double t) const override;

  // Rank of the bilateral rows in the initial state, and the names of rows that follow from the others.
  int row_rank() const { return row_rank_; }
  const std::vector<std::string>& redundant_rows() const { return redundant_rows_; }
  int degrees_of_freedom() const { return u_count_ - memory_count_ - row_rank_; }
  int held_count() const { return held_count_; }  // coordinates of sampled controllers, the last ones of q
  // What assembly did to values that the user gave ("rod.q moved by 2.1e-05 rad to close the loop").
  const std::vector<std::string>& assembly_notes() const { return assembly_notes_; }

  const Marker& marker(MarkerIndex index) const { return markers[to_size(index)]; }
  // The node that carries a marker, and the marker's frame seen from it.
  int node_of(const Marker& marker) const;
  Frame frame_on_node(const Marker& marker) const;
  // Of the description: marker i of MechanismSpec::markers.
  MarkerIndex given_marker(std::size_t i) const { return MarkerIndex{static_cast<std::int32_t>(bodies.size() + i)}; }

  // Read-only to everyone: the object is handed out as a pointer to const.
  Space space = Space::kPlanar;
  Vec3 gravity = Vec3::Zero();
  std::vector<Body> bodies;     // [0] is the ground
  std::vector<Marker> markers;  // of the bodies themselves, of the description, then of whatever is attached
  std::vector<Joint> joints;    // those with play behind all others
  std::vector<Node> nodes;
  std::vector<int> node_of_body;
  std::vector<ElasticBody> elastic_bodies;
  std::vector<Section> sections;
  std::vector<Row> rows;
  std::vector<Spring> springs;
  std::vector<TorsionalSpring> torsional_springs;
  std::vector<Bushing> bushings;
  std::vector<Turn> turns;
  std::vector<Load> loads;
  std::vector<Driver> drivers;
  std::vector<Strand> strands;
  std::vector<Coupling> couplings;
  std::vector<Channel> channel_table;
  std::vector<Channel> expression_variables;  // of variable 1, 2, ...; variable 0 is t

 private:
  friend class MechanismBuilder;
  Mechanism() = default;

  int q_count_ = 0, u_count_ = 0;
  int memory_count_ = 0, held_count_ = 0;  // velocities and coordinates of controllers among them
  int row_rank_ = 0;
  MassStructure mass_structure_;
  std::vector<ChannelDescription> channel_descriptions_;
  State initial_state_;
  std::vector<std::string> redundant_rows_;
  std::vector<std::string> assembly_notes_;
};

// Channels of a description: names, dimensions and what they read, in the order of `freeplay info`.
struct MechanismChannel {
  ChannelDescription description;
  Mechanism::Channel source;
};
std::vector<MechanismChannel> mechanism_channels(const MechanismSpec& spec);
// Whether the channel may stand in an expression of a force.
bool usable_in_expressions(const MechanismChannel& channel);

}  // namespace freeplay::mechanism
