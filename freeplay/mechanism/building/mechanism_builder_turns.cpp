// The turns of spatial joints that are no tree edges: which of them are counted, and where they start.
#include <algorithm>

#include "freeplay/mechanism/building/mechanism_builder.h"

namespace freeplay::mechanism {

namespace {

// The place of the one turn among the coordinates of a joint type.
std::size_t coordinate_of_turn(const JointType& type) {
  std::size_t place = 0;
  for (const ElementaryMotion& motion : type.motions) {
    if (motion.kind == ElementaryMotion::Kind::kRotate) break;
    place += static_cast<std::size_t>(motion.q_count());
  }
  return place;
}

}  // namespace

const JointSpec& MechanismBuilder::spec_of_joint(std::size_t joint) const {
  const std::size_t others = spec_.joints.size();
  return joint < others ? spec_.joints[joint] : spec_.joints_with_play[joint - others];
}

// In the plane the bodies' angles count turns. A joint that closes a loop is given a counter only where something acts
// on its angle: an ideal mechanism has no other coordinates than those of its tree.
bool MechanismBuilder::must_count_turns(std::size_t index) const {
  const Mechanism::Joint& joint = mechanism_->joints[index];
  if (spec_.space == Space::kPlanar || joint.is_edge() || joint.type->turn_count() != 1) return false;
  const JointSpec& spec = spec_of_joint(index);
  if (joint.is_loose() || spec.stops || spec.second_stops) return true;
  const auto is_on_it = [&](const Mechanism::TorsionalSpring& spring) {
    return spring.joint == static_cast<int>(index);
  };
  const auto couples_it = [&](const CouplingSpec& coupling) {
    return std::any_of(coupling.terms.begin(), coupling.terms.end(),
                       [&](const CouplingTerm& term) { return term.joint == joint.name; });
  };
  if (std::any_of(spec_.couplings.begin(), spec_.couplings.end(), couples_it)) return true;
  const auto names_it = [&](const VariableSpec& variable) { return variable.channel == joint.name + ".q"; };
  return std::any_of(mechanism_->torsional_springs.begin(), mechanism_->torsional_springs.end(), is_on_it) ||
         std::any_of(spec_.variables.begin(), spec_.variables.end(), names_it);
}

void MechanismBuilder::count_turns() {
  for (std::size_t j = 0; j < mechanism_->joints.size(); ++j) {
    if (!must_count_turns(j)) continue;
    mechanism_->joints[j].turn = static_cast<int>(mechanism_->turns.size());
    mechanism_->turns.push_back({static_cast<int>(j), mechanism_->q_count_++});
  }
}

// A driver says how often its joint has turned, or `initial` does; otherwise it starts within half a turn. A given
// state may come from a twin of the mechanism that counts other turns: only the coordinates of the tree are taken.
// Controllers have not sampled anything yet.
void MechanismBuilder::set_initial_turns(Dynamics& dynamics, State& state) const {
  const Eigen::Index count = mechanism_->coordinate_count();
  const Eigen::Index of_tree = count - mechanism_->held_count() - static_cast<Eigen::Index>(mechanism_->turns.size());
  VecX q = VecX::Zero(count);
  q.head(of_tree) = state.q.head(of_tree);
  const std::vector<double> variables(spec_.variables.size(), 0.0);  // t = 0
  for (const Mechanism::Turn& turn : mechanism_->turns) {
    const std::size_t j = static_cast<std::size_t>(turn.joint);
    const JointSpec& spec = spec_of_joint(j);
    const std::size_t k = coordinate_of_turn(*mechanism_->joints[j].type);
    if (k < spec.initial_q.size()) q[turn.q] = spec.initial_q[k].value_or(0);
    for (const Mechanism::Driver& driver : mechanism_->drivers) {
      if (driver.joint == turn.joint && driver.motion) q[turn.q] = driver.motion->evaluate_jet(variables).value;
    }
  }
  state.q = q;
  if (!mechanism_->turns.empty()) dynamics.normalise(state.q);
}

}  // namespace freeplay::mechanism
