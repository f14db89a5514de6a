// A system with constant matrices, M du/dt = h - K q - D u, dq/dt = u: small motions of a textbook's model. Its
// contacts, where it has any, are linear too (contact/points/linear_contacts.h).
#pragma once

#include <string>
#include <vector>

#include "freeplay/mechanism/systems/minimal_dynamics.h"

namespace freeplay::mechanism {

struct LinearSystemSpec {
  // A coordinate and its velocity are the channels.
  struct Coordinate {
    std::string channel, velocity_channel;  // "body.y", "body.vy"
    bool is_angle = false;
  };
  std::vector<Coordinate> coordinates;
  MatX M, K;  // symmetric; SI
  MatX D;     // symmetric, positive semidefinite; empty where nothing is damped
  VecX h;     // constant forces
  VecX initial_q, initial_u;
};

class LinearSystem final : public System {
 public:
  explicit LinearSystem(LinearSystemSpec spec);

  const LinearSystemSpec& spec() const { return spec_; }
  int coordinate_count() const override { return static_cast<int>(spec_.coordinates.size()); }
  int velocity_count() const override { return coordinate_count(); }
  int row_count() const override { return 0; }
  std::string row_name(int) const override { return {}; }
  const MassStructure& mass_structure() const override { return structure_; }
  const std::vector<ChannelDescription>& channels() const override { return channels_; }
  State initial_state() const override;
  std::unique_ptr<Dynamics> make_dynamics() const override;

 private:
  LinearSystemSpec spec_;
  MassStructure structure_;
  std::vector<ChannelDescription> channels_;
};

// Its evaluator, which tells those that compute gaps where it stands.
class LinearDynamics final : public MinimalDynamics {
 public:
  explicit LinearDynamics(const LinearSystemSpec& spec);

  const VecX& position() const { return q_; }
  const VecX& velocity() const { return u_; }

  void set_position(double, const ConstVecRef& q) override { q_ = q; }
  void set_velocity(const ConstVecRef& u) override { u_ = u; }
  void mass_matrix(MassMatrix& M) override;
  void forces(VecRef h) override;
  double potential_energy() override;
  Energies energies() override;
  bool has_sources() const override { return spec_.D.size() > 0; }
  Powers powers(const ConstVecRef& lambda) override;
  void read_channels(std::span<const int> channels, std::span<double> values) override;

 private:
  const LinearSystemSpec& spec_;
  VecX q_, u_, product_;
};

}  // namespace freeplay::mechanism
