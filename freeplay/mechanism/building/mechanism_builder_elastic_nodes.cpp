// What can be wrong with an elastic body of nodes, and with its modes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "freeplay/math/least_squares.h"
#include "freeplay/mechanism/building/mechanism_builder.h"

namespace freeplay::mechanism {

namespace {

constexpr int kMostGivenModes = 100;
constexpr double kRigidShare = 1e-5;     // of a mode: what a rigid motion leaves, with the digits of a file
constexpr double kNegativeShare = 1e-9;  // of the largest eigenvalue: rounding makes those of rigid motions
constexpr double kWrongMassShare = 0.1;  // of a modal mass: the nodes' masses are too coarse for the mode

// How a node moves per rigid motion of the body: along its axes, and about them through the origin. Turns count by the
// arm `size`.
MatX rigid_motions(const Vec3& place, bool is_spatial, double size) {
  MatX motions = MatX::Zero(6, 6);
  for (int axis = 0; axis < 3; ++axis) {
    motions(axis, axis) = 1;
    motions(axis + 3, axis + 3) = size;
    motions.col(axis + 3).head<3>() = Vec3::Unit(axis).cross(place);
  }
  if (is_spatial) return motions;
  MatX planar(6, 3);
  planar << motions.col(0), motions.col(1), motions.col(5);
  return planar;
}

VecX node_motion(const ElasticNode& node, int mode, double size) {
  VecX motion = node.shapes.col(mode);
  motion.tail(3) *= size;
  return motion;
}

// Whether the body moves as a rigid one: the rest, when the rigid motion that is nearest has been taken off.
bool is_rigid_motion(const ElasticNodes& body, int mode, bool is_spatial) {
  const Eigen::Index r = is_spatial ? 6 : 3;
  const double size = body.size_m();
  MatX normal = MatX::Zero(r, r);
  VecX right = VecX::Zero(r);
  const auto rows_of = [&](const ElasticNode& node) { return node.turns ? 6 : 3; };
  for (const ElasticNode& node : body.nodes) {
    const MatX motions = rigid_motions(node.at_m, is_spatial, size).topRows(rows_of(node));
    normal += motions.transpose() * motions;
    right += motions.transpose() * node_motion(node, mode, size).head(rows_of(node));
  }
  const VecX nearest = least_squares(normal, right);
  double rest = 0, all = 0;
  for (const ElasticNode& node : body.nodes) {
    const VecX motion = node_motion(node, mode, size).head(rows_of(node));
    rest += (motion - rigid_motions(node.at_m, is_spatial, size).topRows(rows_of(node)) * nearest).squaredNorm();
    all += motion.squaredNorm();
  }
  return rest <= kRigidShare * kRigidShare * all;
}

// Empty if nothing is wrong with the sizes of the arrays and with single numbers.
std::string problem_of(const ElasticNodes& body, bool is_spatial) {
  const Eigen::Index n = body.mode_count();
  if (n < 1 || n > kMostGivenModes) return fmt::format("it has {} modes, not 1 to {}", n, kMostGivenModes);
  double mass = 0;
  for (const ElasticNode& node : body.nodes) {
    const auto at = [&](const char* what) { return fmt::format("node {}: {}", node.name, what); };
    if (node.shapes.rows() != 6 || node.shapes.cols() != n) return at("its shapes are not 6 numbers per mode");
    if (!node.shapes.allFinite() || !node.at_m.allFinite()) return at("a number is not finite");
    for (const auto& [loads, rows, what] : {std::tuple(&node.stresses, 6, "its stresses are not 6 numbers per mode"),
                                            std::tuple(&node.moments, 2, "its moments are not 2 numbers per mode")}) {
      if (loads->size() > 0 && (loads->rows() != rows || loads->cols() != n || !loads->allFinite())) return at(what);
    }
    if (!(node.mass_kg >= 0) || !std::isfinite(node.mass_kg)) return at("its mass is negative or not finite");
    if (!(node.inertia_kg_m2.minCoeff() >= 0) || !node.inertia_kg_m2.allFinite())
      return at("its inertia is negative or not finite");
    if (!is_spatial && (node.at_m.z() != 0 || !node.shapes.middleRows(2, 3).isZero(0)))
      return at("it is not in the plane, or moves out of it");
    mass += node.mass_kg;
  }
  if (!(mass > 0)) return "its nodes have no mass";
  if ((body.stiffness.size() > 0) == (body.frequencies_rad_s.size() > 0))
    return "it needs either a stiffness or frequencies";
  if (body.stiffness.size() > 0 && (body.stiffness.rows() != n || body.stiffness.cols() != n))
    return fmt::format("its stiffness is not a {0} x {0} matrix", n);
  if (body.frequencies_rad_s.size() > 0 && body.frequencies_rad_s.size() != n)
    return fmt::format("it has {} frequencies for {} modes", body.frequencies_rad_s.size(), n);
  if (body.mass.size() > 0 && (body.mass.rows() != n || body.mass.cols() != n))
    return fmt::format("its modal mass is not a {0} x {0} matrix", n);
  return {};
}

bool is_symmetric(const MatX& matrix) {
  constexpr double kTypedDigits = 1e-6;
  return (matrix - matrix.transpose()).cwiseAbs().maxCoeff() <= kTypedDigits * matrix.cwiseAbs().maxCoeff();
}

// Of numbers the nearest one is no better guess than any other.
std::string names_beside(const std::string& name, const ElasticNodes& body) {
  constexpr std::size_t kMostListed = 16;
  std::vector<std::string> names;
  for (const ElasticNode& node : body.nodes) names.push_back(node.name);
  if (name.find_first_not_of("0123456789") != std::string::npos) return core::did_you_mean(name, names);
  if (names.size() <= kMostListed) return fmt::format("its nodes are {}", fmt::join(names, ", "));
  return fmt::format("it has {} nodes, from {} to {}", names.size(), names.front(), names.back());
}

}  // namespace

bool MechanismBuilder::check_elastic_nodes(const ElasticSpec& spec, const std::string& path) {
  const std::size_t before = diagnostics_.size();
  const ElasticNodes& body = *spec.nodes;
  if (const std::string problem = problem_of(body, spec_.space == Space::kSpatial); !problem.empty()) {
    fail(path + ".file", problem, "see docs/theory/elastic.md for what such a body needs");
    return false;
  }
  if (std::none_of(body.nodes.begin(), body.nodes.end(), [](const ElasticNode& node) { return node.turns; })) {
    fail(path + ".file", "no node has rotations, so that nothing can be attached",
         "give the nodes that carry joints and forces their rotations");
  }
  if (!spec.stations_m.empty()) {
    fail(path + ".stations", "a body of nodes has no axis", "name its nodes in 'station_nodes'");
  }
  for (std::size_t i = 0; i < spec.station_nodes.size(); ++i) {
    const std::string& name = spec.station_nodes[i];
    if (body.find(name) != nullptr) continue;
    fail(fmt::format("{}.station_nodes[{}]", path, i), fmt::format("there is no node '{}'", name),
         names_beside(name, body));
  }
  for (const MatX* matrix : {&body.stiffness, &body.mass}) {
    if (matrix->size() > 0 && !is_symmetric(*matrix)) {
      fail(path + ".file", fmt::format("the {} matrix is not symmetric", matrix == &body.mass ? "mass" : "stiffness"),
           "write all of it, rows and columns in the order of the modes");
    }
  }
  check_elastic_damping(spec, path);
  return diagnostics_.size() == before;
}

// The modes of a beam are its own, and right. `mass`: of the nodes.
void MechanismBuilder::check_modes(const Mechanism::ElasticBody& body, const MatX& mass, const std::string& path) {
  if (!body.beam.nodes) return;
  const ElasticNodes& nodes = *body.beam.nodes;
  const std::string at = path + ".file";
  const char* no_rigid_modes = "leave rigid-body modes out: the floating frame has these motions already";
  for (const MatX* matrix : {&nodes.mass, &mass}) {
    const int mode = first_mode_without_pivot(*matrix);
    if (mode < 0) continue;
    fail(at, fmt::format("the mass of the modes is not positive definite at mode {}", mode + 1),
         "check the nodes' masses and the modal mass; a mode must move some mass, and not be a sum of others");
    return;
  }
  if (const int mode = first_mode_without_pivot(body.stiffness); mode >= 0) {
    const VecX eigenvalues = Eigen::SelfAdjointEigenSolver<MatX>(body.stiffness).eigenvalues();
    if (eigenvalues.minCoeff() < -kNegativeShare * eigenvalues.maxCoeff())
      fail(at, "the stiffness is indefinite: some deformation pushes itself on",
           "check the signs of the terms that couple the modes; the matrix must be positive definite");
    else
      fail(at, fmt::format("the stiffness is not positive definite: mode {} finds no resistance", mode + 1),
           no_rigid_modes);
    return;
  }
  for (int j = 0; j < body.count; ++j) {
    if (is_rigid_motion(nodes, j, spec_.space == Space::kSpatial)) {
      fail(at, fmt::format("mode {} is a motion of the rigid body", j + 1), no_rigid_modes);
      return;
    }
    if (nodes.mass.size() == 0 || std::abs(mass(j, j) / nodes.mass(j, j) - 1) <= kWrongMassShare) continue;
    fail(at,
         fmt::format("the modal mass of mode {} is {:.6g} kg by the file, but {:.6g} kg by the nodes' masses", j + 1,
                     nodes.mass(j, j), mass(j, j)),
         "write more nodes, with the masses around them, or fewer modes");
    return;
  }
}

}  // namespace freeplay::mechanism
