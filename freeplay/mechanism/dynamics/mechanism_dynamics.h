// The evaluator of a Mechanism. One template serves plane and space; mechanism_dynamics.cpp instantiates it for space
// and planar_dynamics.cpp for the plane, with other compiler options.
#pragma once

#include "freeplay/math/rotation_measure.h"
#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/rows/row_laws.h"
#include "freeplay/mechanism/rows/slot_way.h"
#include "freeplay/mechanism/trees/marker_evaluation.h"
#include "freeplay/mechanism/trees/tree_algorithms.h"

namespace freeplay::mechanism {

template <class Algebra>
class MechanismDynamics final : public BodyDynamics {
 public:
  explicit MechanismDynamics(std::shared_ptr<const Mechanism> mechanism);

  void set_position(double t, const ConstVecRef& q) override;
  void set_velocity(const ConstVecRef& u) override;
  void mass_matrix(MassMatrix& M) override { composite_mass_matrix(model_, data_, M); }
  void row_positions(VecRef g) override;
  void row_jacobian(BilateralRows& rows) override;
  double row_parts(int index, std::array<RowPart, 2>& parts, double* values) override;
  double potential_energy() override;
  void forces(VecRef h) override { generalised_forces(model_, data_, h); }
  void row_bias(VecRef zeta) override;
  Energies energies() override;
  bool has_sources() const override { return has_loads_ || !mechanism_->drivers.empty(); }
  Powers powers(const ConstVecRef& lambda) override;
  bool free_accelerations(VecRef du) override;
  void free_accelerations_again(VecRef du) override;
  void velocity_to_rate(const ConstVecRef& q, const ConstVecRef& u, VecRef q_rate) const override;
  void displace(VecRef q, const ConstVecRef& delta) const override;
  void displace_straight(VecRef q, const ConstVecRef& delta) const override;
  bool normalise(VecRef q) const override;
  void set_accelerations(const ConstVecRef& du, const ConstVecRef& lambda) override;
  std::vector<double> channel_memory() const override;
  void set_channel_memory(std::span<const double> numbers) override;
  void read_channels(std::span<const int> channels, std::span<double> values) override;

  double time() const override { return t_; }
  void placements(std::span<const MarkerIndex> markers, std::span<Frame> out) const override;
  void marker_columns(MarkerIndex marker, Eigen::Ref<MatX> W) const override;
  void interaction_parts(const Interaction& interaction, std::array<RowPart, 2>& parts, double* column) override;
  double coordinate_of_joint(JointAxis axis) const override { return joint_coordinate(axis.joint, axis.coordinate); }
  void joint_parts(JointAxis axis, std::array<RowPart, 2>& parts, double* column) const override;
  void velocities(std::span<const MarkerIndex> markers, std::span<MarkerVelocity> out) const override;
  void biases(std::span<const MarkerIndex> markers, std::span<MarkerBias> out) const override;
  std::string undefined_effort() override;
  void take_samples(State& state) override;
  double flank_gap(const Flank& flank) const override;
  void flank_parts(const Flank& flank, std::array<RowPart, 2>& parts, double* column) const override;
  double flank_velocity(const Flank& flank) const override;
  double flank_bias(const Flank& flank) const override;
  void add_flank_load(const Flank& flank, double force) override;
  double velocity_of_joint(JointAxis axis) const override { return joint_velocity(axis.joint, axis.coordinate); }
  double bias_of_joint(JointAxis axis) const override;
  std::array<double, 6> bushing_load(int joint) const override;
  void add_load(const Interaction& interaction, double force) override;
  void add_effort(JointAxis axis, double effort) override;
  void clear_contact_forces() override;
  void add_contact_force(const Interaction& interaction, double force) override;
  void add_contact_effort(JointAxis axis, double effort) override;
  void add_contact_flank_force(const Flank& flank, double force) override;

 private:
  using Force = typename Algebra::Force;
  using Row = Mechanism::Row;
  using Channel = Mechanism::Channel;

  using JointPlacement = JointPlacementOf<Algebra>;
  using JointEfforts = std::array<double, 6>;  // per velocity of a joint, N m or N

  // Where two wheels mesh, world axes.
  struct MeshPlace {
    Vec3 n = Vec3::Zero(), t = Vec3::Zero();  // along the line of centres, and z x n
    Vec3 pitch_point = Vec3::Zero();
    double distance = 0, turn = 0;  // of the centres, and of their line
    double line_angle = 0;          // of the line of action: the working pressure angle
  };
  // Of `distance` and `turn`.
  struct MeshRate {
    double distance = 0, turn = 0;
  };

  // Kinematics at another position than the one set.
  struct Probe {
    Probe(const Mechanism& mechanism, const TreeModel<Algebra>& model)
        : q(VecX::Zero(mechanism.coordinate_count())), data(model), markers(mechanism, model, data) {}
    VecX q;
    TreeData<Algebra> data;
    MarkerEvaluation<Algebra> markers;  // reads the one above
  };

  // O of the node; only the position counts.
  const typename Algebra::Pose& origin(std::size_t node) const {
    return data_.pose[static_cast<std::size_t>(model_.nodes[node].origin)];
  }
  JointPlacement placement(const Mechanism::Joint& joint) const { return placement_of(joint, markers_); }
  // As kept, or found now: what nothing acts on is seldom asked for.
  JointPlacement placement_now(int index) const;
  // Of a joint that is no tree edge: the unit wrench along a coordinate, the direction in which it slides and the axis
  // about which it turns.
  Wrench coordinate_wrench(int index, int k) const;
  SlotWay slot_way(const Mechanism::Joint& joint, const JointPlacement& at) const;
  Vec3 sliding_rate(const Mechanism::Joint& joint, const JointPlacement& at) const;
  Vec3 axis_of_slide(const Mechanism::Joint& joint, const JointPlacement& at, int axis) const;
  Vec3 axis_of_turn(const Mechanism::Joint& joint, const JointPlacement& at, int axis) const;
  Vec3 axis_of_turn_rate(const Mechanism::Joint& joint, const JointPlacement& at, int axis) const;
  // Its angle: up to whole turns, and counted from the last one.
  double angle_within_a_turn(const Mechanism::Joint& joint, const JointPlacement& at) const;
  double counted_angle(const Mechanism::Turn& turn, const JointPlacement& at, double near) const;
  void place_turns();
  void move_turns(VecRef q) const;
  void place_rows();
  double motion_value(const Row& row) const {
    return row.driver < 0 ? 0 : motion_[static_cast<std::size_t>(row.driver)].value;
  }

  // A coordinate of a joint and one of its velocities, tree edge or not.
  double joint_coordinate(int index, int k = 0) const;
  double joint_velocity(int index, int k = 0) const;
  void add_joint_effort(int index, double effort, int k = 0);
  void apply_effort(int index, double effort, int k = 0);  // without counting it as one of springs and drivers

  MeshPlace mesh_place(const Mechanism::Mesh& mesh) const;
  MeshPlace rack_place(const Mechanism::Mesh& mesh) const;
  MeshRate mesh_rate(const Mechanism::Mesh& mesh, const MeshPlace& at) const;
  MeshRate mesh_bias(const Mechanism::Mesh& mesh, const MeshPlace& at, const MeshRate& rate) const;
  Wrench mesh_wrench(const Mechanism::Mesh& mesh, int side) const;
  template <class Add>
  void for_each_tilting_couple(const Mechanism::Coupling& coupling, int side, const Vec3& force, const Add& add) const;
  template <class Forces>
  void add_mesh_force(const Mechanism::Coupling& coupling, int side, double force, Forces& on) const;
  double coupling_position(const Mechanism::Coupling& coupling) const;
  double coupling_rate(const Mechanism::Coupling& coupling) const;
  double coupling_bias(const Mechanism::Coupling& coupling) const;
  double coupling_energy(std::size_t c) const;
  int coupling_parts(const Mechanism::Coupling& coupling, int side, std::array<RowPart, 2>& parts,
                     double* column) const;
  void add_coupling_load(const Mechanism::Coupling& coupling, int side, double force);
  void add_coupling_reaction(const Mechanism::Coupling& coupling, int side, double force, std::vector<Force>& on_nodes,
                             std::vector<JointEfforts>& on_joints);
  void add_row_reaction(const Mechanism::Coupling& coupling, double effort);

  void apply_loads();
  void apply_springs();
  void apply_torsional_springs();
  void apply_bushings();
  void apply_elastic_forces();
  void apply_expressions();
  Vec3 load_value(const Mechanism::Load& load) const;
  void apply_drivers();
  // Of a driver by effort: what it asks for, and how fast its integral grows then.
  double demand(const Mechanism::Driver& driver, double integral) const;
  double integral_rate(const Mechanism::Driver& driver, double demanded) const;
  double integral_of(const Mechanism::Driver& driver) const;
  void take_sample(const Mechanism::Driver& driver, VecX& q) const;
  void apply_couplings();
  double spring_length(const Mechanism::Spring& spring) const;
  double spring_force(const Mechanism::Spring& spring) const;
  // How far a bushing is displaced, and turned by which measure.
  Vec3 displacement(const Mechanism::Bushing& bushing) const;
  Mat3 displacement_gradients(const Mechanism::Joint& joint, const JointPlacement& at) const;
  RotationMeasure rotation(const Mechanism::Bushing& bushing) const;
  double torsional_moment(const Mechanism::TorsionalSpring& spring) const;
  // The mean of the elastic forces in it; not a number while no joint of it is there.
  double strand_tension(const Mechanism::Strand& strand) const;
  double strain_energy(const Mechanism::ElasticBody& body) const;
  double read_elastic(const Channel& channel) const;
  Vec3 station_position(const Mechanism::ElasticBody& body, const Mechanism::Section& section) const;
  void displace_modes(VecRef q, const ConstVecRef& delta) const;

  double read(const Channel& channel);
  bool read_vector(const Channel& channel, Vec4& vector);
  double read_number(const Channel& channel) const;
  void find_channel_numbers();
  const double* number_of(const Channel& channel) const;
  // Force and moment (about the joint's point on the child) that the parent exerts on the child through the joint,
  // springs and drivers on the joint and contacts in its play included.
  struct JointWrench {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  };
  JointWrench joint_wrench(int index) const;  // world axes
  Vec3 joint_reaction(int index, bool is_moment);
  void find_reaction(int index);
  void find_planar_reaction(const Mechanism::Joint& joint);
  Vec4 body_quaternion(std::size_t body);

  std::shared_ptr<const Mechanism> mechanism_;
  TreeModel<Algebra> model_;
  TreeData<Algebra> data_;
  MarkerEvaluation<Algebra> markers_;  // reads the two above
  bool is_shallow_;                    // how free_accelerations() works: by M, as forests with elastic bodies do
  MassMatrix M_;                       // of a shallow forest
  bool has_ball_ = false;
  bool has_plain_coordinates_ = true;  // dq/dt = u
  bool has_loads_ = false;
  bool has_contact_loads_ = false;   // since the last set_velocity()
  bool has_velocities_ = false;      // of u_ at the position set
  bool has_contact_forces_ = false;  // since the last clear_contact_forces()

  double t_ = 0;
  VecX q_, u_, lambda_;
  std::vector<TimeJet> motion_;            // per driver
  std::vector<std::size_t> placed_;        // joints outside of the tree that are held, driven or counted
  std::vector<JointPlacement> placement_;  // per joint; only those are kept up to date
  // Between the bodies of a joint: on the child, the opposite on the parent.
  std::vector<Wrench> row_wrench_;  // per row, of the effort 1
  std::vector<Wrench> bushing_wrench_;
  std::vector<Wrench> play_wrench_;           // per joint: of the contacts in its play, about its point on the child
  std::vector<double> turn_angle_;            // per turn that is counted
  std::unique_ptr<Probe> turn_probe_;         // null: no turns are counted
  std::vector<Force> row_force_;              // per node
  std::vector<Force> contact_force_;          // per node, N
  std::vector<JointEfforts> contact_effort_;  // per joint
  std::vector<double> frame_angle_;           // per joint: child frame minus parent frame at rest; planar
  std::vector<JointEfforts> joint_effort_;    // per joint: of springs and drivers
  std::vector<Wrench> bearing_wrench_;        // per joint: against radial forces of teeth, about its point on the child
  std::vector<JointEfforts> row_effort_;      // per joint: of rows of couplings, outside of the tree
  std::vector<double> driver_effort_;         // per driver
  std::vector<double> coupling_effort_;       // per coupling: of compliant ones
  std::vector<double> coupling_column_;       // a row of W
  std::vector<double> variables_;             // of expressions
  std::vector<const double*> channel_number_;  // per channel: where its number stands; null: it is computed
  std::vector<Vec4> last_quaternion_;          // per body: e and -e are the same attitude, a channel must not jump
  int reaction_joint_ = -1;                    // of reaction_: the last one read at these accelerations
  JointWrench reaction_;
  Vec3 reaction_force_ = Vec3::Zero();  // its force in the axes of the joint's frame on the parent
  Powers load_powers_;
};

// The planar one and the spatial one, whatever the mechanism consists of.
std::unique_ptr<BodyDynamics> make_planar_dynamics(std::shared_ptr<const Mechanism> mechanism);
std::unique_ptr<BodyDynamics> make_spatial_dynamics(std::shared_ptr<const Mechanism> mechanism);

}  // namespace freeplay::mechanism
