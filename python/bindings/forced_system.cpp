#include "forced_system.h"

#include <algorithm>

namespace freeplay::app::python {

namespace {

// Passes everything on, and adds the loads where a velocity is set: from there on they count in forces,
// accelerations and reactions.
class ForcedDynamics final : public BodyDynamics {
 public:
  ForcedDynamics(std::unique_ptr<BodyDynamics> plain, const std::vector<FunctionLoad>& loads)
      : plain_(std::move(plain)), loads_(loads) {
    std::size_t most = 0;
    for (const FunctionLoad& load : loads_) most = std::max(most, load.channels.size());
    channels_.resize(most);
  }

  void set_position(double t, const ConstVecRef& q) override { plain_->set_position(t, q); }
  void set_velocity(const ConstVecRef& u) override {
    plain_->set_velocity(u);
    power_ = 0;
    for (const FunctionLoad& load : loads_) apply(load);
  }
  Powers powers(const ConstVecRef& lambda) override {
    Powers powers = plain_->powers(lambda);
    powers.input += power_;
    return powers;
  }
  bool has_sources() const override { return true; }

  void mass_matrix(MassMatrix& M) override { plain_->mass_matrix(M); }
  void row_positions(VecRef g) override { plain_->row_positions(g); }
  void row_jacobian(BilateralRows& rows) override { plain_->row_jacobian(rows); }
  double row_parts(int row, std::array<RowPart, 2>& parts, double* values) override {
    return plain_->row_parts(row, parts, values);
  }
  double potential_energy() override { return plain_->potential_energy(); }
  void forces(VecRef h) override { plain_->forces(h); }
  void row_bias(VecRef zeta) override { plain_->row_bias(zeta); }
  Energies energies() override { return plain_->energies(); }
  bool free_accelerations(VecRef du) override { return plain_->free_accelerations(du); }
  void free_accelerations_again(VecRef du) override { plain_->free_accelerations_again(du); }
  void velocity_to_rate(const ConstVecRef& q, const ConstVecRef& u, VecRef q_rate) const override {
    plain_->velocity_to_rate(q, u, q_rate);
  }
  void displace(VecRef q, const ConstVecRef& delta) const override { plain_->displace(q, delta); }
  void displace_straight(VecRef q, const ConstVecRef& delta) const override { plain_->displace_straight(q, delta); }
  bool normalise(VecRef q) const override { return plain_->normalise(q); }
  void set_accelerations(const ConstVecRef& du, const ConstVecRef& lambda) override {
    plain_->set_accelerations(du, lambda);
  }
  std::vector<double> channel_memory() const override { return plain_->channel_memory(); }
  void set_channel_memory(std::span<const double> numbers) override { plain_->set_channel_memory(numbers); }
  void read_channels(std::span<const int> channels, std::span<double> values) override {
    plain_->read_channels(channels, values);
  }

  double time() const override { return plain_->time(); }
  void placements(std::span<const MarkerIndex> markers, std::span<Frame> out) const override {
    plain_->placements(markers, out);
  }
  void marker_columns(MarkerIndex marker, Eigen::Ref<MatX> W) const override { plain_->marker_columns(marker, W); }
  void interaction_parts(const Interaction& interaction, std::array<RowPart, 2>& parts, double* column) override {
    plain_->interaction_parts(interaction, parts, column);
  }
  double coordinate_of_joint(JointAxis axis) const override { return plain_->coordinate_of_joint(axis); }
  void joint_parts(JointAxis axis, std::array<RowPart, 2>& parts, double* column) const override {
    plain_->joint_parts(axis, parts, column);
  }
  void velocities(std::span<const MarkerIndex> markers, std::span<MarkerVelocity> out) const override {
    plain_->velocities(markers, out);
  }
  void biases(std::span<const MarkerIndex> markers, std::span<MarkerBias> out) const override {
    plain_->biases(markers, out);
  }
  double velocity_of_joint(JointAxis axis) const override { return plain_->velocity_of_joint(axis); }
  double bias_of_joint(JointAxis axis) const override { return plain_->bias_of_joint(axis); }
  std::array<double, 6> bushing_load(int joint) const override { return plain_->bushing_load(joint); }
  void add_load(const Interaction& interaction, double force) override { plain_->add_load(interaction, force); }
  void add_effort(JointAxis axis, double effort) override { plain_->add_effort(axis, effort); }
  std::string undefined_effort() override { return plain_->undefined_effort(); }
  void take_samples(State& state) override { plain_->take_samples(state); }
  double flank_gap(const Flank& flank) const override { return plain_->flank_gap(flank); }
  void flank_parts(const Flank& flank, std::array<RowPart, 2>& parts, double* column) const override {
    plain_->flank_parts(flank, parts, column);
  }
  double flank_velocity(const Flank& flank) const override { return plain_->flank_velocity(flank); }
  double flank_bias(const Flank& flank) const override { return plain_->flank_bias(flank); }
  void add_flank_load(const Flank& flank, double force) override { plain_->add_flank_load(flank, force); }
  void add_contact_flank_force(const Flank& flank, double force) override {
    plain_->add_contact_flank_force(flank, force);
  }
  void clear_contact_forces() override { plain_->clear_contact_forces(); }
  void add_contact_force(const Interaction& interaction, double force) override {
    plain_->add_contact_force(interaction, force);
  }
  void add_contact_effort(JointAxis axis, double effort) override { plain_->add_contact_effort(axis, effort); }

 private:
  void apply(const FunctionLoad& load) {
    const std::span<double> values(channels_.data(), load.channels.size());
    plain_->read_channels(load.channels, values);
    const Vec3 value = load.value(plain_->time(), values);
    const MarkerIndex marker = marker_of(load.body);
    Frame frame;
    MarkerVelocity velocity;
    plain_->placements({&marker, 1}, {&frame, 1});
    plain_->velocities({&marker, 1}, {&velocity, 1});
    const Vec3 point = frame.point(load.at_m);
    if (load.is_torque) {
      apply_torque(marker, point, value);
      power_ += value.dot(velocity.w);
    } else {
      plain_->add_load({marker, kGround, value, point, point}, 1);
      power_ += value.dot(velocity.v + velocity.w.cross(point - frame.p));
    }
  }

  // A pair of forces a metre apart: x x y = z, and so on.
  void apply_torque(MarkerIndex marker, const Vec3& point, const Vec3& torque) {
    for (int axis = 0; axis < 3; ++axis) {
      if (torque[axis] == 0) continue;
      const Vec3 arm = 0.5 * Vec3::Unit((axis + 1) % 3), direction = Vec3::Unit((axis + 2) % 3);
      plain_->add_load({marker, marker, direction, point + arm, point - arm}, torque[axis]);
    }
  }

  std::unique_ptr<BodyDynamics> plain_;
  const std::vector<FunctionLoad>& loads_;
  std::vector<double> channels_;
  double power_ = 0;  // W, of the loads at the velocity set
};

}  // namespace

std::unique_ptr<Dynamics> ForcedSystem::make_dynamics() const {
  std::unique_ptr<Dynamics> plain = mechanism_->make_dynamics();
  auto* bodies = dynamic_cast<BodyDynamics*>(plain.get());
  FREEPLAY_ASSERT(bodies != nullptr);  // a mechanism has bodies
  static_cast<void>(plain.release());
  return std::make_unique<ForcedDynamics>(std::unique_ptr<BodyDynamics>(bodies), loads_);
}

}  // namespace freeplay::app::python
