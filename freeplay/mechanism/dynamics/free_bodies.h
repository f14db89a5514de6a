// The evaluator of a mechanism that consists of free rigid bodies alone, as a pile does: no joint, no force element, no
// driver. Plain arrays of bodies in the place of a forest; nothing is passed from body to body. It says what
// MechanismDynamics says of such a mechanism, in less time and in a tenth of the memory.
//
// A body has the velocities v of its centre of mass in world axes and omega in its own axes, so that its block of M is
// constant:  M = diag(m, m, m, J),  h = (m g, -omega x J omega).
#pragma once

#include <memory>
#include <vector>

#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

// Whether a mechanism is of this kind.
bool has_free_bodies_alone(const Mechanism& mechanism);

class FreeBodies final : public BodyDynamics {
 public:
  static constexpr int kCoordinates = 7, kVelocities = 6;  // of a body: place and quaternion, v and omega

  explicit FreeBodies(std::shared_ptr<const Mechanism> mechanism);

  // Bodies count from 0 here, in the order of their velocities; -1 is the ground.
  int count() const { return static_cast<int>(mass_.size()); }
  int body_of(MarkerIndex marker) const { return body_of_marker_[to_size(marker)]; }
  // At the position set.
  const Frame& frame(int body) const { return frames_[static_cast<std::size_t>(body)]; }
  double mass(int body) const { return mass_[static_cast<std::size_t>(body)]; }
  const Mat3& inertia(int body) const { return of_kind(body).J; }
  // M^-1 of a body: 1 / m, and the inverse of J. False where a body has no positive mass or inertia.
  const Mat3& inverse_inertia(int body) const { return of_kind(body).inverse; }
  bool has_positive_mass() const { return has_positive_mass_; }

  void set_position(double t, const ConstVecRef& q) override;
  void set_velocity(const ConstVecRef& u) override;
  void mass_matrix(MassMatrix& M) override;
  void row_positions(VecRef) override {}
  void row_jacobian(BilateralRows&) override {}
  double row_parts(int, std::array<RowPart, 2>&, double*) override;
  double potential_energy() override;
  void forces(VecRef h) override;
  void row_bias(VecRef) override {}
  Energies energies() override;
  bool has_sources() const override { return false; }
  Powers powers(const ConstVecRef&) override { return {}; }
  bool free_accelerations(VecRef du) override;
  void free_accelerations_again(VecRef du) override;
  void velocity_to_rate(const ConstVecRef& q, const ConstVecRef& u, VecRef q_rate) const override;
  void displace(VecRef q, const ConstVecRef& delta) const override;
  void displace_straight(VecRef q, const ConstVecRef& delta) const override;
  bool normalise(VecRef q) const override;
  void set_accelerations(const ConstVecRef&, const ConstVecRef&) override {}  // there are no reactions
  std::vector<double> channel_memory() const override;
  void set_channel_memory(std::span<const double> numbers) override;
  void read_channels(std::span<const int> channels, std::span<double> values) override;

  double time() const override { return t_; }
  void placements(std::span<const MarkerIndex> markers, std::span<Frame> out) const override;
  void marker_columns(MarkerIndex marker, Eigen::Ref<MatX> W) const override;
  void interaction_parts(const Interaction& interaction, std::array<RowPart, 2>& parts, double* column) override;
  // The same along each column of `directions` in the place of the interaction's: three columns, `stride` apart.
  void three_interaction_parts(const Interaction& interaction, const Mat3& directions,
                               const std::array<std::array<RowPart, 2>*, 3>& parts, double* column, std::size_t stride);
  void velocities(std::span<const MarkerIndex> markers, std::span<MarkerVelocity> out) const override;
  void biases(std::span<const MarkerIndex> markers, std::span<MarkerBias> out) const override;
  std::string undefined_effort() override { return {}; }
  void add_load(const Interaction& interaction, double force) override;
  // Contacts act on no joint.
  void clear_contact_forces() override {}
  void add_contact_force(const Interaction&, double) override {}

  // There are no joints and no couplings.
  double coordinate_of_joint(JointAxis) const override;
  void joint_parts(JointAxis, std::array<RowPart, 2>&, double*) const override;
  double flank_gap(const Flank&) const override;
  void flank_parts(const Flank&, std::array<RowPart, 2>&, double*) const override;
  double velocity_of_joint(JointAxis) const override;
  double bias_of_joint(JointAxis) const override;
  std::array<double, 6> bushing_load(int) const override;
  double flank_velocity(const Flank&) const override;
  double flank_bias(const Flank&) const override;
  void add_effort(JointAxis, double) override;
  void add_flank_load(const Flank&, double) override;
  void add_contact_effort(JointAxis, double) override;
  void add_contact_flank_force(const Flank&, double) override;

 private:
  // Bodies of one kind have the same inertia.
  struct Kind {
    Mat3 J = Mat3::Zero(), inverse = Mat3::Zero();
  };
  struct Wrench {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // about the centre of mass, world axes
  };
  // A marker that is not the frame of its body.
  struct Place {
    Frame on_body;
  };

  const Kind& of_kind(int body) const {
    return kinds_[static_cast<std::size_t>(kind_[static_cast<std::size_t>(body)])];
  }
  Frame frame_of(MarkerIndex marker) const;
  Vec3 velocity_of(int body, const Vec3& point) const;
  void add_column(int body, const Vec3& force, const Vec3& point, double* column) const;
  Vec3 torque_of_gyration(int body) const;
  void read_vector(const Mechanism::Channel& channel, Vec4& vector);

  std::shared_ptr<const Mechanism> mechanism_;
  std::vector<double> mass_;
  std::vector<int> kind_;
  std::vector<Kind> kinds_;
  bool has_positive_mass_ = true;
  std::vector<int> body_of_marker_;
  std::vector<int> place_of_marker_;  // into places_; -1: the frame of its body
  std::vector<Place> places_;

  double t_ = 0;
  VecX u_;
  bool has_velocities_ = false;        // u_ is that of the position set
  std::vector<Frame> frames_;          // per body
  std::vector<Vec3> turning_;          // per body: angular velocity, world axes
  std::vector<Wrench> loads_;          // per body; empty until there are any
  bool has_loads_ = false;             // since the last set_velocity()
  std::vector<Vec4> last_quaternion_;  // per body and of the ground: a channel must not jump from e to -e
};

}  // namespace freeplay::mechanism
