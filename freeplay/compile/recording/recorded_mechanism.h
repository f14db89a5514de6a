// Kinematics and forces of a planar mechanism in recorded numbers: the templates that the engine instantiates with
// double, in the order in which MechanismDynamics calls them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "freeplay/math/recording/recorded.h"
#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/dynamics/force_laws.h"
#include "freeplay/mechanism/rows/row_laws.h"
#include "freeplay/mechanism/trees/tree_algorithms.h"

namespace freeplay::compile {

using RecordedAlgebra = PlanarAlgebraOf<Recorded>;
using RecordedVector = VectorOf<RecordedAlgebra>;

// Rows of M as MassMatrix has them, for composite_mass_matrix().
class RecordedMass {
 public:
  explicit RecordedMass(const MassStructure& structure)
      : structure_(structure), size_(structure.parent.size()), values_(size_ * size_) {}
  const MassStructure& structure() const { return structure_; }
  Recorded* row(int k) { return values_.data() + static_cast<std::size_t>(k) * size_; }

 private:
  const MassStructure& structure_;
  std::size_t size_;
  std::vector<Recorded> values_;
};

class RecordedMechanism {
 public:
  // At t, q and u. `mechanism` must outlive it.
  RecordedMechanism(const Mechanism& mechanism, Recorded t, RecordedVector q, RecordedVector u);

  const MarkerEvaluation<RecordedAlgebra>& markers() const { return markers_; }
  void mass(RecordedMass& M) { composite_mass_matrix(model_, data_, M); }
  RecordedVector forces();
  // A row of W: a force along `direction` at point_a on the first marker, and the opposite at point_b on the second.
  std::vector<Recorded> row(MarkerIndex a, MarkerIndex b, const Eigen::Matrix<Recorded, 2, 1>& direction,
                            const Eigen::Matrix<Recorded, 2, 1>& point_a,
                            const Eigen::Matrix<Recorded, 2, 1>& point_b) const;
  // A bilateral row: g, the entries of W, w~.
  struct Bilateral {
    Recorded position;
    std::vector<Recorded> entries;
    Recorded w_tilde;
  };
  Bilateral bilateral(const Mechanism::Row& row) const;
  static bool can_hold(const Mechanism::Row& row);
  // A coordinate of a joint, in the tree or outside of it, and its row of W.
  struct Coordinate {
    Recorded q;
    std::vector<Recorded> row;
  };
  Coordinate coordinate(JointAxis axis) const;
  // All but a pin's way along a curved slot.
  static bool has_coordinates(const Mechanism::Joint& joint) { return joint.slot_radius_m == 0; }
  // False: there is no recorded form of it.
  bool read(const Mechanism::Channel& channel, Recorded& value) const;
  static bool can_read(const Mechanism& mechanism, const Mechanism::Channel& channel);

 private:
  void apply_loads();
  // Of a joint outside of the tree: on its child, for the effort 1 along the coordinate; and the coordinate itself.
  WrenchOf<Recorded> coordinate_wrench(const Mechanism::Joint& joint, int k) const;
  Recorded coordinate_value(const Mechanism::Joint& joint, int k) const;
  Recorded coordinate_rate(const Mechanism::Joint& joint, int k) const;
  void add_effort(const Mechanism::Joint& joint, const Recorded& effort);
  std::vector<Recorded> row_of(const Mechanism::Joint& joint, const WrenchOf<Recorded>& on_child) const;
  // A column that is kept to the velocities of two trees, as a whole one.
  std::vector<Recorded> whole_row(const std::array<RowPart, 2>& parts, const std::vector<Recorded>& values) const;

  const Mechanism& mechanism_;
  Recorded t_;
  RecordedVector q_, u_;
  TreeModel<RecordedAlgebra> model_;
  TreeData<RecordedAlgebra> data_;
  MarkerEvaluation<RecordedAlgebra> markers_;  // reads the two above
};

}  // namespace freeplay::compile
