// The slider-crank of Flores, Leine and Glocker (Multibody System Dynamics 23, 2010) as the paper prints it: three
// absolute angles, eqs (87) to (114), and the time stepping of steps (iii) to (ix). Nothing of it comes from the
// library, so that the library can be held against it.
//
// Two places depart from the print. The distance of the guide's surfaces, which the paper does not give, is
// d = 2 (b + c). The impulses are split as eq (76) says; step (vii) exchanges P_L and P_R, which would make friction
// push. The complementarity problem is solved by trying all modes of all closed contacts, so that a problem with
// several solutions is noticed.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace freeplay::test::flores {

struct Parameters {
  double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, c = 0.001;  // m
  double m1 = 0.038, m2 = 0.038, m3 = 0.076;                      // kg
  double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;                   // kg m^2
  double restitution = 0.4, tangential_restitution = 0, friction = 0.01;
  double crank_omega = 150, rod_omega = -75, slider_omega = 0;  // rad/s
  double step = 1e-5;                                           // s
  double gravity = 9.81;                                        // m/s^2

  // As `--set` takes them. All digits, so that both sides compute with the same numbers.
  std::vector<std::string> overrides(int steps) const;
};

using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Mat3 = Eigen::Matrix3d;

Mat3 mass(const Parameters& p, const Vec3& q);                   // eqs (90) to (94)
Vec3 forces(const Parameters& p, const Vec3& q, const Vec3& u);  // eqs (95) to (97)
Vec4 gaps(const Parameters& p, const Vec3& q);                   // eqs (98), (100), (102), (104)
double energy(const Parameters& p, const Vec3& q, const Vec3& u);

struct Step {
  Vec3 q_M = Vec3::Zero();
  Vec4 g_M = Vec4::Zero();
  std::vector<int> closed;  // corners 0 to 3 with g_M <= 0
  int solutions = 1;        // of the contact problem; 0 if none was found
};

// Steps (iii) to (ix): q and u from the start to the end of a step.
Step advance(const Parameters& p, Vec3& q, Vec3& u);

}  // namespace freeplay::test::flores
