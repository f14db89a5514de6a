// Random contact problems of rigid bodies, planar and spatial: what a time step of a pile of bodies hands to a solver.
#pragma once

#include <cmath>
#include <random>

#include "unit/complementarity/contact_problem.h"

namespace freeplay::test {

struct RigidContacts {
  ContactProblem problem;
  MatX W;  // mass-normalised: G = W^T W
  VecX u;  // mass-normalised velocity before: c = W^T u

  VecX velocity_after(const VecX& Lambda) const { return u + W * Lambda; }
};

// Each contact lies between two of the bodies, or a body and the ground, with a random normal and lever arms. With few
// bodies G is rank-deficient.
inline RigidContacts rigid_contacts(std::mt19937_64& random, int dimension, int contacts, int bodies, double mu_most) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  const int freedoms = dimension == 2 ? 3 : 6;
  RigidContacts result;
  result.W = MatX::Zero(freedoms * bodies, dimension * contacts);
  std::vector<double> root_mass(bodies), root_inertia(bodies);
  for (int b = 0; b < bodies; ++b) {
    const double mass = std::pow(10, uniform(random) - 0.5);
    root_mass[b] = std::sqrt(mass);
    root_inertia[b] = std::sqrt(0.1 * mass * (0.5 + uniform(random)));
  }
  const auto random3 = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  for (int k = 0; k < contacts; ++k) {
    Vec3 axes[3];  // normal and tangents
    if (dimension == 2) {
      const double angle = 6.3 * uniform(random);
      axes[0] = Vec3(std::cos(angle), std::sin(angle), 0);
      axes[1] = Vec3(-axes[0].y(), axes[0].x(), 0);
    } else {
      axes[0] = random3().normalized();
      axes[1] = axes[0].cross(random3()).normalized();
      axes[2] = axes[0].cross(axes[1]);
    }
    const int first = static_cast<int>(uniform(random) * bodies);
    const int second = static_cast<int>(uniform(random) * (bodies + 1)) - 1;  // -1: the ground
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? first : second;
      if (body < 0 || (side == 1 && body == first)) continue;
      const double sign = side == 0 ? 1 : -1;
      const Vec3 arm = 0.5 * random3();
      for (int row = 0; row < dimension; ++row) {
        auto column = result.W.col(dimension * k + row).segment(freedoms * body, freedoms);
        const Vec3 moment = arm.cross(axes[row]) / root_inertia[body];
        if (dimension == 2) {
          column += sign * Vec3(axes[row].x() / root_mass[body], axes[row].y() / root_mass[body], moment.z());
        } else {
          column.head(3) += sign * axes[row] / root_mass[body];
          column.tail(3) += sign * moment;
        }
      }
    }
    const double mu = mu_most * uniform(random);
    if (dimension == 2) {
      result.problem.contact(mu);
    } else {
      result.problem.spatial_contact(mu);
    }
  }
  result.u = VecX::NullaryExpr(result.W.rows(), [&] { return normal(random); });
  result.problem.G = result.W.transpose() * result.W;
  result.problem.c = result.W.transpose() * result.u;
  return result;
}

}  // namespace freeplay::test
