// Random contact problems of mechanisms whose joints have play, in space: sleeves on rods that touch at more points
// than there are directions to move in, so that G is rank-deficient.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "solvers_random/rigid_contacts.h"

namespace freeplay::test {

enum class Targets {
  kGaps,             // gaps that may still close, from rounding to a tenth of a millimetre; no restitution
  kOneRestitution,   // all contacts have the same
  kSomeRestitution,  // only those that approach fast have one: the others last
};

struct RedundantJoints {
  RigidContacts contacts;
  VecX target;  // of restitution, within c: e gamma_N; zero elsewhere
};

// A chain of up to four links from the ground, or a ring of them. A joint touches at both ends of its sleeve, there on
// one side or on both, and at its collars.
inline RedundantJoints redundant_joints(std::mt19937_64& random, Targets targets, double mu_most) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  const auto random3 = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  const int links = 1 + static_cast<int>(4 * uniform(random));
  const bool is_ring = links > 1 && uniform(random) < 0.3;
  struct Contact {
    int first, second;  // links; -1: the ground
    Vec3 place, axes[3];
  };
  std::vector<Contact> list;
  std::vector<Vec3> centre(static_cast<std::size_t>(links));
  Vec3 joint = Vec3::Zero();
  for (int b = 0; b < links + (is_ring ? 1 : 0); ++b) {
    const Vec3 axis = random3().normalized(), side = axis.cross(random3()).normalized(), up = axis.cross(side);
    const double radius = 0.01 + 0.02 * uniform(random), half_length = 0.01 + 0.03 * uniform(random);
    const int first = b < links ? b : -1, second = b - 1;
    const auto touch = [&](double along, double angle, bool is_collar) {
      const Vec3 out = std::cos(angle) * side + std::sin(angle) * up;
      Contact contact{first, second, joint + along * axis + radius * out, {}};
      contact.axes[0] = is_collar ? Vec3(along > 0 ? -axis : axis) : Vec3(-out);
      contact.axes[1] = contact.axes[0].cross(random3()).normalized();
      contact.axes[2] = contact.axes[0].cross(contact.axes[1]);
      list.push_back(contact);
    };
    const double kind = uniform(random), angle = 6.3 * uniform(random);
    touch(half_length, angle, false);
    touch(-half_length, kind < 0.5 ? angle + 3.1 : 6.3 * uniform(random), false);
    if (kind < 0.3) touch(half_length, angle + 2 + uniform(random), false);
    if (kind > 0.2) touch(half_length, 6.3 * uniform(random), true);
    if (kind > 0.6) touch(-half_length, 6.3 * uniform(random), true);
    if (b < links) {
      centre[static_cast<std::size_t>(b)] = joint + 0.2 * random3();
      joint = centre[static_cast<std::size_t>(b)] + 0.2 * random3();
    }
  }
  RedundantJoints result;
  RigidContacts& item = result.contacts;
  item.W = MatX::Zero(6 * links, 3 * static_cast<Eigen::Index>(list.size()));
  std::vector<double> mass(static_cast<std::size_t>(links));
  for (double& m : mass) m = std::pow(10, uniform(random));
  const double mu = mu_most * uniform(random);
  for (std::size_t k = 0; k < list.size(); ++k) {
    for (const int body : {list[k].first, list[k].second}) {
      if (body < 0) continue;
      const double sign = body == list[k].first ? 1 : -1, m = mass[static_cast<std::size_t>(body)];
      const Vec3 arm = list[k].place - centre[static_cast<std::size_t>(body)];
      for (int row = 0; row < 3; ++row) {
        auto column = item.W.col(3 * static_cast<Eigen::Index>(k) + row).segment(6 * body, 6);
        column.head(3) += sign * list[k].axes[row] / std::sqrt(m);
        column.tail(3) += sign * arm.cross(list[k].axes[row]) / std::sqrt(0.01 * m);
      }
    }
    item.problem.spatial_contact(mu);
  }
  const double speed = std::pow(10, 3 * uniform(random) - 3), e = uniform(random);
  item.u = VecX::NullaryExpr(item.W.rows(), [&] { return speed * normal(random); });
  item.problem.G = item.W.transpose() * item.W;
  item.problem.c = item.W.transpose() * item.u;
  result.target = VecX::Zero(item.problem.size());
  for (Eigen::Index row = 0; row < item.problem.c.size(); row += 3) {
    const double approach = item.problem.c[row];
    if (targets == Targets::kGaps) {
      item.problem.c[row] += uniform(random) < 0.5 ? std::pow(10, 9 * uniform(random) - 9) : 0;  // gap over step
    } else if (targets == Targets::kOneRestitution || -approach > speed) {
      item.problem.c[row] += result.target[row] = e * approach;
    }
  }
  return result;
}

}  // namespace freeplay::test
