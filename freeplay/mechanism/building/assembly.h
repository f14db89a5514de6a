// Assembly of the initial state: values of joints (relative), then of bodies (absolute, they win), then loops.
// Private to assembly*.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "freeplay/mechanism/building/mechanism_builder.h"
#include "freeplay/mechanism/rows/projection.h"

namespace freeplay::mechanism {

// One value that a body asks for:  channel(q) = value, or for an attitude the rotation vector to the wanted one = 0.
struct Wish {
  int body = 0;
  // The last two are guesses of a joint's coordinate; `body` is the joint.
  enum class Kind : std::uint8_t { kPosition, kAngle, kAttitude, kVelocity, kOmega, kTurn, kShift } kind{};
  int component = 0;
  double value = 0;
  Mat3 attitude = Mat3::Identity();
  std::string path;

  bool is_length() const { return kind == Kind::kPosition || kind == Kind::kVelocity || kind == Kind::kShift; }
};

class Assembler {
 public:
  Assembler(const MechanismSpec& spec, const std::shared_ptr<const Mechanism>& mechanism)
      : spec_(spec),
        mechanism_(*mechanism),
        dynamics_(make_mechanism_dynamics(mechanism)),
        workspace_(*mechanism),
        rows_(mechanism->row_count()),
        velocities_(mechanism->velocity_count()),
        held_q_(static_cast<std::size_t>(velocities_), false),
        held_u_(static_cast<std::size_t>(velocities_), false),
        modal_(static_cast<std::size_t>(velocities_), false) {
    state_.q = VecX::Zero(mechanism->coordinate_count());
    state_.u = VecX::Zero(velocities_);
    for (std::size_t c = 0; c < mechanism_.channel_table.size(); ++c) {
      const Mechanism::Channel& channel = mechanism_.channel_table[c];
      channel_of_[{channel.kind, channel.index, channel.component}] = static_cast<int>(c);
    }
    number_trees();
    measure_size();
  }

  State assemble(std::vector<std::string>& notes) {
    collect_wishes();
    set_joint_values(notes);
    collect_guesses();
    meet_position_wishes_of_each_body();
    close_positions(notes);
    meet_velocity_wishes_of_each_body();
    close_velocities(notes);
    return state_;
  }

  static constexpr double kClosed = 1e-10;  // residual (m or a number) below which a loop counts as closed
  static constexpr double kSmallMove =
      1e-2;  // given values may be moved by this much (rad, m, or relative) with a note

 private:
  void number_trees();
  void collect_wishes();
  void set_joint_values(std::vector<std::string>& notes);
  void set_unit_quaternions();
  void set_modal_values();
  void set_values_of(const JointSpec& spec, const Mechanism::Node& node);
  void set_driven_values(std::vector<std::string>& notes);
  void meet_position_wishes_of_each_body();
  void close_positions(std::vector<std::string>& notes);
  void project_positions();
  bool all_is_given() const;
  bool close_many_loops(std::vector<std::string>& notes);
  [[noreturn]] void throw_open_where_given(const VecX& residual);
  struct Closure {
    VecX q;               // the best position found
    double residual = 0;  // by how much the loops stay open there; infinite if they close with a joint turned only
    int turned_joint = -1;
    VecX least_open;  // the position of the smallest opening, however little smaller
    double least = 0;
  };
  Closure search_closure(const VecX& given);
  static int restarts_of(std::size_t velocities, double open);
  [[noreturn]] void throw_open(const VecX& least_open, const VecX* loose);
  VecX nearest_to_initial_values(const VecX& given, const VecX& closed);
  VecX close_by_moving_values(const VecX& given, const Closure& best, std::vector<std::string>& notes);
  void meet_velocity_wishes_of_each_body();
  // The wishes of one body that can move by itself.
  struct BodyWishes {
    const Mechanism::Node* node = nullptr;
    std::vector<const Wish*> wishes;
    bool is_met = false;
  };
  // Bodies with wishes by their depth in the tree, the roots first: bodies of one level do not move each other, so they
  // are evaluated together, and a thousand free bodies cost as many evaluations as one.
  std::vector<std::vector<BodyWishes>> by_level(const std::vector<Wish>& wishes) const;
  static std::vector<const Wish*> wishes_of(const std::vector<Wish>& wishes, const Mechanism::Node& node);
  // Derivatives of the wishes of each body that are not met by the velocities of its own joint, at the position set.
  std::vector<MatX> own_rates(const std::vector<BodyWishes>& level);
  VecX missed_velocities();
  bool many_loops_are_met(double tolerance);
  void close_velocities(std::vector<std::string>& notes);

  // What one system of equations decides together: the velocities of trees that rows act on or in which a wish is
  // missed by more than `tolerance`, and the wishes of their bodies. The others stand as they should; with them a loop
  // beside a thousand free bodies would need a dense matrix of all.
  struct Together {
    std::vector<int> velocities, wishes;  // ascending
  };
  Together together(const std::vector<Wish>& wishes, const ConstVecRef& missed, double tolerance);
  // Derivatives of rows and wishes by these velocities, at the position set last.
  MatX jacobian(const std::vector<Wish>& wishes, const Together& on);
  struct VelocityEquations {
    Together on;
    MatX J;
    VecX wanted;
  };
  VelocityEquations velocity_equations(Together on);
  VecX solve_velocities(const VelocityEquations& equations, const std::vector<bool>& held, VecX& u) const;
  VecX meet_velocities(const VelocityEquations& equations, double tolerance, std::vector<std::string>& notes) const;
  [[noreturn]] void throw_contradicting_velocities(const VelocityEquations& equations, const VecX& residual) const;
  void check_held_velocities(const VecX& u, double scale) const;
  // What may be changed where velocities contradict each other.
  std::string velocity_cure() const;
  const Mechanism::Driver* driver_of(int velocity) const;  // of a tree joint's coordinate; nullptr: nothing drives it
  bool has_initial_velocities() const;
  std::string row_rate_text(int row, double rate) const;  // with its unit
  void project_velocities();

  // Closing from far away (assembly_damped.cpp). Moves are in the units of size_m_ and rad.
  void measure_size();
  std::vector<int> free_velocities() const;
  void move(const std::vector<int>& free, const VecX& by, VecX& q);
  bool is_length(int row) const;  // of a row, and behind the rows of a wish
  bool is_shift(int velocity) const;
  VecX closure_residual();  // at the position set last
  MatX closure_jacobian(const std::vector<int>& free);
  void minimise(const std::vector<int>& free, const std::function<VecX()>& residual_there,
                const std::function<MatX()>& jacobian_there, VecX& q);
  double close_damped(const std::vector<int>& free, VecX& q);
  static MatX null_space(const MatX& J);
  Vec3 opening_m(int joint);
  std::string opening_text(const VecX& open);
  std::string position_text(const VecX& q) const;

  // Guesses (assembly_guess.cpp).
  static constexpr double kLongestSlide = 0.3;
  static constexpr std::size_t kMany = 60;  // velocities that are searched over
  void collect_guesses();
  void collect_guesses_of_joint(std::size_t index, std::vector<Diagnostic>& problems);
  VecX guess_differences();
  MatX guess_jacobian(const std::vector<int>& velocities);
  double slide_to_guesses(const std::vector<int>& free, VecX& q);
  void meet_guesses(const std::vector<int>& free, VecX& q);
  std::optional<VecX> nearest_to_guesses();
  std::string guess_note();

  // Newton's method on loops and wishes over the coordinates that are not held. The final residual.
  double solve_positions(const std::vector<bool>& held, bool with_wishes, VecX& q);
  bool step_downhill(const VecX& step, bool with_wishes, VecX& q, VecX& residual);
  VecX position_residual(const VecX& q, bool with_wishes);
  // A constraint joint that is closed with its frames turned by half a turn, at the position set last; -1 if none.
  int turned_joint();
  // How far the values that were given are missed: joints' coordinates and bodies' absolute values.
  double largest_move(const VecX& given, const VecX& moved);
  double largest_modal_move(const VecX& given, const VecX& moved) const;  // of modal coordinates
  double read(Mechanism::Channel::Kind kind, int body, int component);
  // Derivatives of the wishes of `on` by its velocities, at the position set last.
  void write_wish_rates(const std::vector<Wish>& wishes, const Together& on, Eigen::Ref<MatX> rates);
  std::vector<int> moved_by(const Wish& wish) const;
  double rate_of(const Wish& wish);   // at the velocity set last
  double value_of(const Wish& wish);  // residual of a position, at the position set last
  int max_row(const VecX& residual) const;
  std::string worst_row(const VecX& residual) const;
  std::string path_of_row(int row) const;
  std::string coordinate_name(int velocity) const;

  const MechanismSpec& spec_;
  const Mechanism& mechanism_;
  std::unique_ptr<BodyDynamics> dynamics_;
  BilateralWorkspace workspace_;
  int rows_, velocities_;
  State state_;
  std::vector<bool> held_q_, held_u_;  // per velocity
  std::vector<bool> modal_;            // the same: those of elastic bodies
  std::vector<int> tree_of_node_;      // the same; -1 for what is fixed to the ground
  std::vector<Wish> position_wishes_, velocity_wishes_, guesses_;
  double size_m_ = 1;            // of the mechanism
  std::vector<double> unit_of_;  // per velocity: size_m_ of a shift, 1 of a turn
  std::map<std::tuple<Mechanism::Channel::Kind, int, int>, int> channel_of_;
};

}  // namespace freeplay::mechanism
