#include "freeplay/mechanism/building/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/math/rotation.h"

namespace freeplay::mechanism {

State assemble_initial_state(const MechanismSpec& spec, const std::shared_ptr<const Mechanism>& mechanism,
                             std::vector<std::string>& notes) {
  return Assembler(spec, mechanism).assemble(notes);
}

void Assembler::number_trees() {
  for (const Mechanism::Node& node : mechanism_.nodes) {
    const bool moves = node.joint_velocities() > 0 || node.elastic >= 0;
    const int above = tree_of_node_.empty() ? -1 : tree_of_node_[static_cast<std::size_t>(node.parent)];
    tree_of_node_.push_back(moves ? mechanism_.mass_structure().block_of[static_cast<std::size_t>(node.u)] : above);
  }
}

Assembler::Together Assembler::together(const std::vector<Wish>& wishes, const ConstVecRef& missed, double tolerance) {
  const std::vector<int>& tree_of_velocity = mechanism_.mass_structure().block_of;
  std::vector<bool> is_in(mechanism_.mass_structure().blocks.size(), false);
  VecX values(velocities_);
  for (int r = 0; r < rows_; ++r) {
    std::array<RowPart, 2> parts;
    dynamics_->row_parts(r, parts, values.data());
    for (const RowPart& part : parts) {
      if (part.size > 0) is_in[static_cast<std::size_t>(tree_of_velocity[static_cast<std::size_t>(part.first)])] = true;
    }
  }
  const auto tree_of = [&](const Wish& wish) {
    const int node = mechanism_.node_of_body[static_cast<std::size_t>(wish.body)];
    return tree_of_node_[static_cast<std::size_t>(node)];
  };
  Together on;
  // What is fixed to the ground has no tree: a wish that it misses is missed for good, but must be seen to be.
  const auto is_missed = [&](std::size_t i) { return !(std::abs(missed[static_cast<Eigen::Index>(i)]) <= tolerance); };
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const int tree = tree_of(wishes[i]);
    if (tree >= 0 && is_missed(i)) is_in[static_cast<std::size_t>(tree)] = true;
  }
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const int tree = tree_of(wishes[i]);
    if (tree < 0 ? is_missed(i) : is_in[static_cast<std::size_t>(tree)]) on.wishes.push_back(static_cast<int>(i));
  }
  for (int k = 0; k < velocities_; ++k) {
    const int tree = tree_of_velocity[static_cast<std::size_t>(k)];
    if (is_in[static_cast<std::size_t>(tree)]) on.velocities.push_back(k);
  }
  return on;
}

MatX Assembler::jacobian(const std::vector<Wish>& wishes, const Together& on) {
  MatX J(rows_ + static_cast<Eigen::Index>(on.wishes.size()), static_cast<Eigen::Index>(on.velocities.size()));
  dynamics_->row_jacobian(workspace_.rows);
  J.topRows(rows_) = workspace_.rows.W(on.velocities, Eigen::all).transpose();
  write_wish_rates(wishes, on, J.bottomRows(J.rows() - rows_));
  return J;
}

void Assembler::collect_wishes() {
  const char* axes[] = {"x", "y", "z"};
  const bool planar = mechanism_.space == Space::kPlanar;
  for (std::size_t i = 0; i < spec_.bodies.size(); ++i) {
    const BodyInitialSpec& initial = spec_.bodies[i].initial;
    const std::string path = "bodies." + spec_.bodies[i].name + ".initial";
    const int body = static_cast<int>(i) + 1;
    for (int k = 0; k < 3; ++k) {
      const std::size_t kk = static_cast<std::size_t>(k);
      if (initial.position_m[kk]) {
        position_wishes_.push_back(
            {body, Wish::Kind::kPosition, k, *initial.position_m[kk], {}, fmt::format("{}.{}", path, axes[k])});
      }
      if (initial.velocity_m_s[kk]) {
        velocity_wishes_.push_back(
            {body, Wish::Kind::kVelocity, k, *initial.velocity_m_s[kk], {}, fmt::format("{}.v{}", path, axes[k])});
      }
      if (initial.angular_velocity[kk]) {
        velocity_wishes_.push_back({body,
                                    Wish::Kind::kOmega,
                                    k,
                                    *initial.angular_velocity[kk],
                                    {},
                                    planar ? path + ".omega" : fmt::format("{}.omega_{}", path, axes[k])});
      }
    }
    if (initial.angle) position_wishes_.push_back({body, Wish::Kind::kAngle, 0, *initial.angle, {}, path + ".angle"});
    if (initial.quaternion) {
      const Mat3 R = rotation_from_quaternion(*initial.quaternion);
      for (int k = 0; k < 3; ++k) position_wishes_.push_back({body, Wish::Kind::kAttitude, k, 0, R, path + ".e0"});
    }
  }
}

void Assembler::set_unit_quaternions() {
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr) continue;
    int q = node.q;
    for (const ElementaryMotion& motion : node.type->motions) {
      if (motion.kind == ElementaryMotion::Kind::kBall) state_.q[q] = 1;
      q += motion.q_count();
    }
  }
}

// The values of a joint in the tree. They are held: what is missing to close a loop comes from the others.
void Assembler::set_values_of(const JointSpec& spec, const Mechanism::Node& node) {
  for (std::size_t k = 0; k < spec.initial_q.size(); ++k) {
    if (spec.initial_q[k]) state_.q[node.q + static_cast<int>(k)] = *spec.initial_q[k];
  }
  int q = 0, u = node.u;
  for (const ElementaryMotion& motion : node.type->motions) {
    bool given = false;
    for (int k = 0; k < motion.q_count(); ++k, ++q) {
      given = given || (q < static_cast<int>(spec.initial_q.size()) && spec.initial_q[static_cast<std::size_t>(q)]);
    }
    for (int k = 0; k < motion.u_count(); ++k, ++u) held_q_[static_cast<std::size_t>(u)] = given;
  }
  for (std::size_t k = 0; k < spec.initial_u.size(); ++k) {
    if (!spec.initial_u[k]) continue;
    state_.u[node.u + static_cast<int>(k)] = *spec.initial_u[k];
    held_u_[static_cast<std::size_t>(node.u) + k] = true;
  }
}

// A driver decides where its joint starts.
void Assembler::set_driven_values(std::vector<std::string>& notes) {
  const std::vector<double> variables(spec_.variables.size(), 0.0);  // t = 0
  for (const Mechanism::Driver& driver : mechanism_.drivers) {
    if (driver.row < 0) continue;
    const Mechanism::Row& row = mechanism_.rows[static_cast<std::size_t>(driver.row)];
    if (row.kind != Mechanism::Row::Kind::kCoordinate) continue;
    const TimeJet motion = driver.motion->evaluate_jet(variables);
    const std::size_t velocity = static_cast<std::size_t>(row.u);
    const std::string& joint = mechanism_.joints[static_cast<std::size_t>(driver.joint)].name;
    const auto overrule = [&](const char* symbol, bool held, double given, double driven) {
      if (!held || std::abs(given - driven) <= kClosed * std::max(1.0, std::abs(driven))) return;
      notes.push_back(fmt::format("{}.initial.{} = {:.6g} is overruled by driver '{}', which starts with {:.6g}", joint,
                                  symbol, given, driver.name, driven));
    };
    overrule("q", held_q_[velocity], state_.q[row.q], motion.value);
    overrule("u", held_u_[velocity], state_.u[row.u], motion.rate);
    state_.q[row.q] = motion.value;
    state_.u[row.u] = motion.rate;
    held_q_[velocity] = held_u_[velocity] = true;
  }
}

// The modes of elastic bodies start as given, or not deformed and at rest, and stay so: loops are closed by joints.
void Assembler::set_modal_values() {
  for (const Mechanism::ElasticBody& body : mechanism_.elastic_bodies) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(body.count); ++j) {
      const int q = body.q + static_cast<int>(j), u = body.u + static_cast<int>(j);
      if (j < body.beam.initial_q.size()) state_.q[q] = body.beam.initial_q[j];
      if (j < body.beam.initial_u.size()) state_.u[u] = body.beam.initial_u[j];
      held_q_[static_cast<std::size_t>(u)] = held_u_[static_cast<std::size_t>(u)] = true;
      modal_[static_cast<std::size_t>(u)] = true;
    }
  }
}

void Assembler::set_joint_values(std::vector<std::string>& notes) {
  std::vector<Diagnostic> problems;
  set_unit_quaternions();
  set_modal_values();
  for (std::size_t j = 0; j < spec_.joints.size(); ++j) {
    const JointSpec& spec = spec_.joints[j];
    const Mechanism::Joint& joint = mechanism_.joints[j];
    if (spec.initial_q.empty() && spec.initial_u.empty()) continue;
    if (joint.role == Mechanism::JointRole::kBushing) continue;  // start_as_ideal.h has met them
    if (joint.role == Mechanism::JointRole::kConstraint) {
      problems.push_back({{},
                          "joints." + spec.name + ".initial",
                          "this joint is a constraint and has no coordinate of its own",
                          "give the initial value on a body or on another joint of the loop",
                          {}});
    } else {
      set_values_of(spec, mechanism_.nodes[static_cast<std::size_t>(joint.node)]);
    }
  }
  dynamics_->normalise(state_.q);
  set_driven_values(notes);
  if (!problems.empty()) throw ModelError(problems);
}

std::vector<const Wish*> Assembler::wishes_of(const std::vector<Wish>& wishes, const Mechanism::Node& node) {
  std::vector<const Wish*> result;
  if (node.type == nullptr || node.type->u_count() == 0) return result;
  // They stand in the order of the bodies.
  const auto before = [](const Wish& wish, int body) { return wish.body < body; };
  auto wish = std::lower_bound(wishes.begin(), wishes.end(), to_int(node.body), before);
  for (; wish != wishes.end() && wish->body == to_int(node.body); ++wish) result.push_back(&*wish);
  return result;
}

double Assembler::read(Mechanism::Channel::Kind kind, int body, int component) {
  const int channel = channel_of_.at({kind, body, component});
  double value = 0;
  dynamics_->read_channels(std::span(&channel, 1), std::span(&value, 1));
  return value;
}

double Assembler::rate_of(const Wish& wish) {
  using Kind = Mechanism::Channel::Kind;
  const bool linear = wish.kind == Wish::Kind::kPosition || wish.kind == Wish::Kind::kVelocity;
  const int component = wish.kind == Wish::Kind::kAngle ? 2 : wish.component;
  return read(linear ? Kind::kBodyVelocity : Kind::kBodyOmega, wish.body, component);
}

std::vector<std::vector<Assembler::BodyWishes>> Assembler::by_level(const std::vector<Wish>& wishes) const {
  std::vector<std::vector<BodyWishes>> levels;
  std::vector<std::size_t> depth(mechanism_.nodes.size(), 0);
  for (std::size_t i = 1; i < mechanism_.nodes.size(); ++i) {
    const Mechanism::Node& node = mechanism_.nodes[i];
    depth[i] = depth[static_cast<std::size_t>(node.parent)] + 1;
    std::vector<const Wish*> own = wishes_of(wishes, node);
    if (own.empty()) continue;
    if (levels.size() < depth[i]) levels.resize(depth[i]);
    levels[depth[i] - 1].push_back({&node, std::move(own)});
  }
  return levels;
}

// Velocities are linear in u, so unit velocities give exact derivatives.
std::vector<MatX> Assembler::own_rates(const std::vector<BodyWishes>& level) {
  std::vector<MatX> rates;
  int most = 0;
  for (const BodyWishes& body : level) {
    const int columns = body.is_met ? 0 : body.node->type->u_count();
    rates.emplace_back(static_cast<Eigen::Index>(body.wishes.size()), columns);
    most = std::max(most, columns);
  }
  for (int k = 0; k < most; ++k) {
    VecX u = VecX::Zero(velocities_);
    for (std::size_t b = 0; b < level.size(); ++b) {
      if (k < rates[b].cols()) u[level[b].node->u + k] = 1;
    }
    dynamics_->set_velocity(u);
    for (std::size_t b = 0; b < level.size(); ++b) {
      if (k >= rates[b].cols()) continue;
      for (std::size_t i = 0; i < level[b].wishes.size(); ++i) {
        rates[b](static_cast<Eigen::Index>(i), k) = rate_of(*level[b].wishes[i]);
      }
    }
  }
  return rates;
}

// The velocities that move the body of a wish, from its own joint to the root.
std::vector<int> Assembler::moved_by(const Wish& wish) const {
  std::vector<int> velocities;
  const auto add = [&](int first, int count) {
    for (int k = first; k < first + count; ++k) velocities.push_back(k);
  };
  int node = mechanism_.node_of_body[static_cast<std::size_t>(wish.body)];
  for (; node > 0; node = mechanism_.nodes[static_cast<std::size_t>(node)].parent) {
    const Mechanism::Node& n = mechanism_.nodes[static_cast<std::size_t>(node)];
    add(n.u, n.joint_velocities());
    if (n.section < 0) continue;  // behind it the modes count, too
    const Mechanism::Section& section = mechanism_.sections[static_cast<std::size_t>(n.section)];
    const Mechanism::ElasticBody& body = mechanism_.elastic_bodies[static_cast<std::size_t>(section.elastic)];
    add(body.u, body.count);
  }
  return velocities;
}

// One evaluation serves all wishes, and one velocity of every tree at a time, since trees do not move each other: a
// deep tree of n bodies costs n evaluations, where one per wish and velocity on its way would be n^2, of n bodies each.
void Assembler::write_wish_rates(const std::vector<Wish>& wishes, const Together& on, Eigen::Ref<MatX> rates) {
  std::vector<std::vector<int>> moves(static_cast<std::size_t>(velocities_));  // the places of wishes, per velocity
  for (std::size_t i = 0; i < on.wishes.size(); ++i) {
    for (const int k : moved_by(wishes[static_cast<std::size_t>(on.wishes[i])]))
      moves[static_cast<std::size_t>(k)].push_back(static_cast<int>(i));
  }
  const MassStructure& trees = mechanism_.mass_structure();
  std::vector<std::vector<int>> columns_at;  // per place in a tree
  for (std::size_t c = 0; c < on.velocities.size(); ++c) {
    const int k = on.velocities[c];
    if (moves[static_cast<std::size_t>(k)].empty()) continue;
    const int tree = trees.block_of[static_cast<std::size_t>(k)];
    const std::size_t place = static_cast<std::size_t>(k - trees.blocks[static_cast<std::size_t>(tree)].first);
    if (columns_at.size() <= place) columns_at.resize(place + 1);
    columns_at[place].push_back(static_cast<int>(c));
  }
  rates.setZero();
  for (const std::vector<int>& columns : columns_at) {
    if (columns.empty()) continue;
    VecX u = VecX::Zero(velocities_);
    for (const int c : columns) u[on.velocities[static_cast<std::size_t>(c)]] = 1;
    dynamics_->set_velocity(u);
    for (const int c : columns) {
      for (const int i : moves[static_cast<std::size_t>(on.velocities[static_cast<std::size_t>(c)])])
        rates(i, c) = rate_of(wishes[static_cast<std::size_t>(on.wishes[static_cast<std::size_t>(i)])]);
    }
  }
}

int Assembler::max_row(const VecX& residual) const {
  Eigen::Index worst = 0;
  residual.cwiseAbs().maxCoeff(&worst);
  return static_cast<int>(worst);
}

std::string Assembler::worst_row(const VecX& residual) const {
  const int worst = max_row(residual);
  return worst < rows_ ? mechanism_.row_name(worst) : position_wishes_[static_cast<std::size_t>(worst - rows_)].path;
}

std::string Assembler::path_of_row(int row) const {
  const Mechanism::Row& r = mechanism_.rows[static_cast<std::size_t>(row)];
  if (r.coupling >= 0) return "couplings." + mechanism_.couplings[static_cast<std::size_t>(r.coupling)].name;
  if (r.driver >= 0) return "drivers." + mechanism_.drivers[static_cast<std::size_t>(r.driver)].name;
  return "joints." + mechanism_.joints[static_cast<std::size_t>(r.joint)].name;
}

std::string Assembler::coordinate_name(int velocity) const {
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (velocity < node.u || velocity >= node.u + node.joint_velocities()) continue;
    if (node.joint < 0) return mechanism_.bodies[to_size(node.body)].name;
    return mechanism_.joints[static_cast<std::size_t>(node.joint)].name;
  }
  for (const Mechanism::ElasticBody& body : mechanism_.elastic_bodies) {
    if (velocity >= body.u && velocity < body.u + body.count) return mechanism_.bodies[to_size(body.body)].name;
  }
  return "?";
}

}  // namespace freeplay::mechanism
