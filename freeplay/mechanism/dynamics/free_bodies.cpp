#include "freeplay/mechanism/dynamics/free_bodies.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/math/entrywise.h"
#include "freeplay/math/rotation.h"

namespace freeplay::mechanism {
namespace {

bool is_plain(const Frame& frame) {
  return frame.R == Mat3::Identity() && frame.p == Vec3::Zero();
}

// Translations along the axes of the world, then a ball.
bool is_free_joint(const JointType& type) {
  using MotionKind = ElementaryMotion::Kind;
  if (type.motions.size() != 4 || type.motions[3].kind != MotionKind::kBall) return false;
  for (int k = 0; k < 3; ++k) {
    const ElementaryMotion& motion = type.motions[static_cast<std::size_t>(k)];
    if (motion.kind != MotionKind::kTranslate || motion.axis != k) return false;
  }
  return true;
}

bool is_free_node(const Mechanism& mechanism, std::size_t i) {
  const Mechanism::Node& node = mechanism.nodes[i];
  const int place = static_cast<int>(i) - 1;
  return node.parent == 0 && node.joint < 0 && node.type != nullptr && node.sign == 1 && node.elastic < 0 &&
         node.section < 0 && !node.is_memory && to_size(node.body) == i && is_free_joint(*node.type) &&
         node.q == FreeBodies::kCoordinates * place && node.u == FreeBodies::kVelocities * place &&
         is_plain(mechanism.marker(node.parent_marker).place) && is_plain(mechanism.marker(node.child_marker).place);
}

}  // namespace

bool has_free_bodies_alone(const Mechanism& mechanism) {
  if (mechanism.space != Space::kSpatial || mechanism.nodes.size() != mechanism.bodies.size()) return false;
  const bool has_more = !mechanism.joints.empty() || !mechanism.rows.empty() || !mechanism.springs.empty() ||
                        !mechanism.torsional_springs.empty() || !mechanism.bushings.empty() ||
                        !mechanism.turns.empty() || !mechanism.loads.empty() || !mechanism.drivers.empty() ||
                        !mechanism.strands.empty() || !mechanism.couplings.empty() ||
                        !mechanism.elastic_bodies.empty() || !mechanism.sections.empty() ||
                        !mechanism.expression_variables.empty() || mechanism.held_count() > 0;
  if (has_more || mechanism.nodes.size() < 2) return false;
  const int bodies = static_cast<int>(mechanism.bodies.size()) - 1;
  if (mechanism.coordinate_count() != FreeBodies::kCoordinates * bodies) return false;
  if (mechanism.velocity_count() != FreeBodies::kVelocities * bodies) return false;
  for (std::size_t i = 1; i < mechanism.nodes.size(); ++i) {
    if (!is_free_node(mechanism, i)) return false;
  }
  return true;
}

FreeBodies::FreeBodies(std::shared_ptr<const Mechanism> mechanism)
    : mechanism_(std::move(mechanism)), last_quaternion_(mechanism_->bodies.size(), Vec4(1, 0, 0, 0)) {
  const std::size_t bodies = mechanism_->bodies.size() - 1;
  mass_.reserve(bodies);
  kind_.reserve(bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    const Mechanism::Body& body = mechanism_->bodies[i + 1];
    mass_.push_back(body.mass_kg);
    if (kinds_.empty() || kinds_[static_cast<std::size_t>(kind_.back())].J != body.inertia_kg_m2) {
      const Eigen::LLT<Mat3> factor(body.inertia_kg_m2);
      has_positive_mass_ = has_positive_mass_ && factor.info() == Eigen::Success;
      kinds_.push_back({body.inertia_kg_m2, factor.solve(Mat3::Identity())});
    }
    kind_.push_back(static_cast<int>(kinds_.size()) - 1);
    has_positive_mass_ = has_positive_mass_ && body.mass_kg > 0;
  }
  body_of_marker_.reserve(mechanism_->markers.size());
  place_of_marker_.reserve(mechanism_->markers.size());
  for (const Marker& marker : mechanism_->markers) {
    body_of_marker_.push_back(to_int(marker.body) - 1);
    place_of_marker_.push_back(is_plain(marker.place) ? -1 : static_cast<int>(places_.size()));
    if (place_of_marker_.back() >= 0) places_.push_back({marker.place});
  }
  u_ = VecX::Zero(mechanism_->velocity_count());
  frames_.resize(bodies);
  turning_.resize(bodies, Vec3::Zero());
}

void FreeBodies::set_position(double t, const ConstVecRef& q) {
  t_ = t;
  has_velocities_ = false;
  const double* at = q.data();
  for (Frame& frame : frames_) {
    frame.p = Vec3(at[0], at[1], at[2]);
    frame.R = rotation_from_quaternion(Vec4(at[3], at[4], at[5], at[6]));
    at += kCoordinates;
  }
}

void FreeBodies::set_velocity(const ConstVecRef& u) {
  if (has_loads_) std::fill(loads_.begin(), loads_.end(), Wrench{});
  has_loads_ = false;
  // The parts of a step ask for the velocities of its start one after the other.
  if (has_velocities_ && std::equal(u_.data(), u_.data() + u_.size(), u.data())) return;
  has_velocities_ = true;
  copy_entries(u, u_);
  const double* at = u_.data() + 3;
  for (std::size_t i = 0; i < frames_.size(); ++i, at += kVelocities)
    turning_[i] = frames_[i].R * Vec3(at[0], at[1], at[2]);
}

void FreeBodies::mass_matrix(MassMatrix& M) {
  for (int i = 0; i < count(); ++i) {
    const int first = kVelocities * i;
    const Mat3& J = inertia(i);
    for (int k = 0; k < kVelocities; ++k) {
      double* row = M.row(first + k) + first;
      for (int j = 0; j <= k; ++j) row[j] = k < 3 ? (j == k ? mass(i) : 0) : j < 3 ? 0 : J(k - 3, j - 3);
    }
  }
}

double FreeBodies::potential_energy() {
  double energy = 0;
  for (int i = 0; i < count(); ++i) energy -= mass(i) * mechanism_->gravity.dot(frame(i).p);
  return energy;
}

Energies FreeBodies::energies() {
  Energies result;
  for (int i = 0; i < count(); ++i) {
    const Eigen::Map<const Vec3> v(u_.data() + kVelocities * i), omega(u_.data() + kVelocities * i + 3);
    result.kinetic += 0.5 * (mass(i) * v.squaredNorm() + omega.dot(inertia(i) * omega));
  }
  result.potential = potential_energy();
  return result;
}

// -omega x J omega and what loads add, in the axes of the body.
Vec3 FreeBodies::torque_of_gyration(int body) const {
  const Vec3 omega(u_.data() + kVelocities * body + 3);
  Vec3 torque = -omega.cross(inertia(body) * omega);
  if (has_loads_) torque += frame(body).R.transpose() * loads_[static_cast<std::size_t>(body)].moment;
  return torque;
}

void FreeBodies::forces(VecRef h) {
  for (int i = 0; i < count(); ++i) {
    Vec3 force = mass(i) * mechanism_->gravity;
    if (has_loads_) force += loads_[static_cast<std::size_t>(i)].force;
    h.segment<3>(kVelocities * i) = force;
    h.segment<3>(kVelocities * i + 3) = torque_of_gyration(i);
  }
}

bool FreeBodies::free_accelerations(VecRef du) {
  free_accelerations_again(du);
  return has_positive_mass_;
}

void FreeBodies::free_accelerations_again(VecRef du) {
  for (int i = 0; i < count(); ++i) {
    Vec3 acceleration = mechanism_->gravity;
    if (has_loads_) acceleration += loads_[static_cast<std::size_t>(i)].force / mass(i);
    du.segment<3>(kVelocities * i) = acceleration;
    du.segment<3>(kVelocities * i + 3) = inverse_inertia(i) * torque_of_gyration(i);
  }
}

void FreeBodies::velocity_to_rate(const ConstVecRef& q, const ConstVecRef& u, VecRef q_rate) const {
  for (int i = 0; i < count(); ++i) {
    const int at_q = kCoordinates * i, at_u = kVelocities * i;
    q_rate.segment<3>(at_q) = u.segment<3>(at_u);
    q_rate.segment<4>(at_q + 3) = quaternion_rate(q.segment<4>(at_q + 3), u.segment<3>(at_u + 3));
  }
}

void FreeBodies::displace(VecRef q, const ConstVecRef& delta) const {
  for (int i = 0; i < count(); ++i) {
    double* at = q.data() + kCoordinates * i;
    const double* by = delta.data() + kVelocities * i;
    for (int k = 0; k < 3; ++k) at[k] += by[k];
    const Vec4 turned = quaternion_product(Vec4(at[3], at[4], at[5], at[6]),
                                           quaternion_from_rotation_vector(Vec3(by[3], by[4], by[5])));
    Eigen::Map<Vec4>(at + 3) = turned / turned.norm();
  }
}

void FreeBodies::displace_straight(VecRef q, const ConstVecRef& delta) const {
  for (int i = 0; i < count(); ++i) {
    const int at_q = kCoordinates * i, at_u = kVelocities * i;
    q.segment<3>(at_q) += delta.segment<3>(at_u);
    const Vec4 e = q.segment<4>(at_q + 3);
    const double square = e.squaredNorm();
    const Vec4 rate = quaternion_rate(e, delta.segment<3>(at_u + 3));
    q.segment<4>(at_q + 3) += (rate + 0.5 * (1 - square) * e) / square;
  }
}

bool FreeBodies::normalise(VecRef q) const {
  for (int i = 0; i < count(); ++i) q.segment<4>(kCoordinates * i + 3).normalize();
  return true;
}

}  // namespace freeplay::mechanism
