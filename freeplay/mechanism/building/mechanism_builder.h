// Turns a MechanismSpec into a Mechanism: checks, chooses tree edges, numbers coordinates and rows.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/building/elastic_shapes.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

class MechanismBuilder {
 public:
  explicit MechanismBuilder(const MechanismSpec& spec, std::optional<State> start = {})
      : spec_(spec), start_(std::move(start)), mechanism_(new Mechanism()) {}
  std::shared_ptr<const Mechanism> build();

 private:
  void add_bodies();
  void add_given_markers();
  // `carried_at`: what of an elastic body carries it; otherwise the marker's own place.
  // `path`: where the description says the place.
  MarkerIndex add_marker(BodyIndex body, const Frame& place, const std::string& path,
                         const std::optional<Vec3>& carried_at = {});
  void add_body_markers();
  bool check_elastic(const ElasticSpec& beam, const std::string& path);
  void check_elastic_stiffness(const ElasticSpec& beam, const std::string& path);
  bool check_elastic_nodes(const ElasticSpec& spec, const std::string& path);
  void check_elastic_knots(const ElasticSpec& beam, const std::string& path);
  void check_section_of_knots(const ElasticSpec& beam, const std::string& path);
  bool check_elastic_damping(const ElasticSpec& body, const std::string& path);
  void check_modes(const Mechanism::ElasticBody& body, const MatX& mass, const std::string& path);
  void check_place(const Mechanism::ElasticBody& body, const Vec3& place, const Vec3& carrier, const std::string& path);
  void add_elastic_body(BodyIndex body, const ElasticSpec& spec, const std::string& path);
  int section_at(BodyIndex body, const Vec3& place, const std::string& path);
  bool moves_in_its_body(MarkerIndex marker) const;
  void insert_sections();
  void add_joints();
  void add_joint(const JointSpec& spec, bool has_play);
  const JointSpec& spec_of_joint(std::size_t joint) const;
  void count_turns();
  bool must_count_turns(std::size_t index) const;
  void set_initial_turns(Dynamics& dynamics, State& state) const;
  // Makes `joint`, which will be the next in the list, a bushing.
  void add_bushing(const JointSpec& spec, const std::string& path, Mechanism::Joint& joint);
  void choose_tree();
  void number_nodes();
  std::optional<BodyIndex> walk_along(int index, BodyIndex body);
  void append_node(int parent_node, BodyIndex body, int joint);
  void order_velocities();
  void add_rows();
  void add_forces();
  void add_drivers();
  void check_control(const DriverSpec& spec, const std::string& path);
  void append_integrals();
  void place_control();
  void check_efforts(const State& state);
  void add_strands();
  void add_couplings();
  // Index of the coordinate that a term names, or a joint of -1 after reporting what is wrong.
  Mechanism::Coupling::Term find_term(const CouplingTerm& term, const std::string& path);
  void check_coupling(const CouplingSpec& spec, const std::string& path);
  std::optional<Mechanism::Mesh> place_mesh(const Mechanism::Coupling& coupling, const std::string& path);
  std::optional<Mechanism::Mesh> place_rack(const Mechanism::Coupling& coupling, double radius_m,
                                            const std::string& path);
  bool set_opening(const CouplingSpec& spec, Mechanism::Mesh& mesh, const std::string& path);
  bool gives_way(const Mechanism::Coupling& coupling) const;
  bool gives_way(const Mechanism::Joint& joint) const;
  std::optional<Mechanism::Mesh> mesh_of(const CouplingSpec& spec, const Mechanism::Coupling& coupling,
                                         const std::string& path);
  void check_trains();
  std::vector<std::pair<int, int>> coupled_velocities(const MassStructure& structure) const;
  void add_channels();
  void set_initial_state();
  double smallest_pivot(Dynamics& dynamics) const;
  void report_massless_motion(Dynamics& dynamics);

  void fail(const std::string& path, std::string message, std::string hint = {});
  void throw_if_failed() const;
  // Index of a body ("ground" is 0); reports an unknown name under `path`.
  std::optional<BodyIndex> find_body(const std::string& name, const std::string& path);
  // Index of a joint with one degree of freedom, or -1 after reporting what is wrong.
  int find_single_joint(const std::string& name, const std::string& path);
  void claim_name(const std::string& name, const std::string& path);
  double slot_radius_of(const JointSpec& spec, const std::string& path);
  Frame parent_frame_of(const JointSpec& joint, const JointType& type, const std::string& path);
  void turn_to_second_axis(const JointSpec& joint, const JointType& type, const std::string& path, Frame& frame);

  const MechanismSpec& spec_;
  std::optional<State> start_;  // instead of an assembled state
  std::shared_ptr<Mechanism> mechanism_;
  std::unordered_map<std::string, std::string> name_owner_;  // name -> path
  std::unordered_map<std::string, BodyIndex> body_of_name_;
  std::unordered_map<std::string, int> joint_of_name_;
  std::map<BodyIndex, int> elastic_of_body_;
  std::vector<std::unique_ptr<const ElasticShapes>> elastic_shapes_;  // per elastic body
  std::vector<Diagnostic> diagnostics_;
};

// Initial q and u from the description: relative values of joints, absolute values of bodies, then the loops closed in
// position and velocity. Appends notes on values that had to move. Throws ModelError if the loops cannot be closed.
State assemble_initial_state(const MechanismSpec& spec, const std::shared_ptr<const Mechanism>& mechanism,
                             std::vector<std::string>& notes);

std::unique_ptr<BodyDynamics> make_mechanism_dynamics(std::shared_ptr<const Mechanism> mechanism);

}  // namespace freeplay::mechanism
