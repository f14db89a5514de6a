#include "physics/slider_crank/flores_2010.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "support/linear_algebra.h"

namespace freeplay::test::flores {

std::vector<std::string> Parameters::overrides(int steps) const {
  std::vector<std::string> list;
  const auto set = [&](const char* name, double value, const char* unit) {
    list.push_back(fmt::format("{}={:.17g}{}{}", name, value, *unit == 0 ? "" : " ", unit));
  };
  set("l1", l1, "m"), set("l2", l2, "m"), set("a", a, "m"), set("b", b, "m"), set("c", c, "m");
  set("m1", m1, "kg"), set("m2", m2, "kg"), set("m3", m3, "kg");
  set("J1", J1, "kg m^2"), set("J2", J2, "kg m^2"), set("J3", J3, "kg m^2");
  set("restitution", restitution, ""), set("tangential_restitution", tangential_restitution, "");
  set("friction", friction, "");
  set("crank_omega", crank_omega, "rad/s"), set("rod_omega", rod_omega, "rad/s");
  set("slider_omega", slider_omega, "rad/s");
  set("step", step, "s"), set("duration", steps * step, "s");
  return list;
}

Mat3 mass(const Parameters& p, const Vec3& q) {  // eqs (90) to (94)
  Mat3 M = Mat3::Zero();
  M(0, 0) = p.J1 + (p.m1 / 4 + p.m2 + p.m3) * p.l1 * p.l1;
  M(0, 1) = M(1, 0) = (p.m2 / 2 + p.m3) * p.l1 * p.l2 * std::cos(q[1] - q[0]);
  M(1, 1) = p.J2 + (p.m2 / 4 + p.m3) * p.l2 * p.l2;
  M(2, 2) = p.J3;
  return M;
}

Vec3 forces(const Parameters& p, const Vec3& q, const Vec3& u) {  // eqs (95) to (97)
  const double coupling = (p.m2 / 2 + p.m3) * p.l1 * p.l2 * std::sin(q[1] - q[0]);
  return {coupling * u[1] * u[1] - (p.m1 / 2 + p.m2 + p.m3) * p.gravity * p.l1 * std::cos(q[0]),
          -coupling * u[0] * u[0] - (p.m2 / 2 + p.m3) * p.gravity * p.l2 * std::cos(q[1]), 0};
}

Vec4 gaps(const Parameters& p, const Vec3& q) {  // eqs (98), (100), (102), (104)
  const double d = 2 * (p.b + p.c), y = p.l1 * std::sin(q[0]) + p.l2 * std::sin(q[1]);
  const double as = p.a * std::sin(q[2]), bc = p.b * std::cos(q[2]);
  return {d / 2 - y + as - bc, d / 2 - y - as - bc, d / 2 + y - as - bc, d / 2 + y + as - bc};
}

double energy(const Parameters& p, const Vec3& q, const Vec3& u) {
  const double height1 = p.l1 * std::sin(q[0]), height2 = p.l2 * std::sin(q[1]);
  const double weight_moments =
      p.m1 * height1 / 2 + p.m2 * (height1 + height2 / 2) + p.m3 * (height1 + height2);  // kg m
  return u.dot(mass(p, q) * u) / 2 + p.gravity * weight_moments;
}

namespace {

Vec3 w_N(const Parameters& p, const Vec3& q, int i) {  // eqs (106), (108), (110), (112)
  const double side = i < 2 ? -1 : 1, end = i == 0 || i == 3 ? 1 : -1;
  return {side * p.l1 * std::cos(q[0]), side * p.l2 * std::cos(q[1]),
          end * p.a * std::cos(q[2]) + p.b * std::sin(q[2])};
}

Vec3 w_T(const Parameters& p, const Vec3& q, int i) {  // eqs (107), (109), (111), (113)
  const double side = i < 2 ? -1 : 1, end = i % 2 == 0 ? 1 : -1;
  return {-p.l1 * std::sin(q[0]), -p.l2 * std::sin(q[1]), end * p.a * std::sin(q[2]) + side * p.b * std::cos(q[2])};
}

// ---- The contact problem -------------------------------------------------------------------------------------------

struct ContactSolution {
  Eigen::VectorXd impulses;  // P_N, P_T of the first closed contact, of the second, ...
  double violation = std::numeric_limits<double>::infinity();  // of its inequalities and equations, m/s
  int different = 0;  // solutions that move the mechanism differently; 1 if it is unique
};

enum class Mode { kOpen, kStick, kForward, kBackward };  // sliding towards +x or -x

// xi = G P + c and the conditions (71), (72) for one choice of modes; rows as in ContactSolution::impulses.
ContactSolution solve_modes(const Eigen::MatrixXd& G, const Eigen::VectorXd& c, double mu,
                            const std::vector<Mode>& modes) {
  const int rows = static_cast<int>(c.size());
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(rows, rows);  // impulses from the unknown ones
  std::vector<int> equations;                                 // rows with xi = 0
  for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
    const Mode mode = modes[static_cast<std::size_t>(i)];
    if (mode == Mode::kOpen) continue;
    basis(2 * i, static_cast<int>(equations.size())) = 1;
    if (mode != Mode::kStick) {
      basis(2 * i + 1, static_cast<int>(equations.size())) = mode == Mode::kForward ? -mu : mu;
    }
    equations.push_back(2 * i);
    if (mode != Mode::kStick) continue;
    basis(2 * i + 1, static_cast<int>(equations.size())) = 1;
    equations.push_back(2 * i + 1);
  }
  const int unknowns = static_cast<int>(equations.size());
  ContactSolution solution;
  solution.impulses = Eigen::VectorXd::Zero(rows);
  if (unknowns > 0) {
    const Eigen::MatrixXd B = basis.leftCols(unknowns);
    const Eigen::MatrixXd A = G(equations, Eigen::all) * B;
    // Two corners of one face that both stick share their friction in any way: of minimum norm, and the residual below
    // tells whether the equations could be met at all.
    const Eigen::VectorXd b = -c(equations);
    const Eigen::VectorXd x = solve_dense(A, b);
    solution.impulses = B * x;
  }
  const Eigen::VectorXd& P = solution.impulses;
  const Eigen::VectorXd xi = G * P + c;
  double worst = 0;
  for (const int row : equations) worst = std::max(worst, std::abs(xi[row]));
  for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
    const Mode mode = modes[static_cast<std::size_t>(i)];
    const int N = 2 * i, T = 2 * i + 1;
    if (mode == Mode::kOpen) {
      worst = std::max(worst, -xi[N]);
      continue;
    }
    worst = std::max(worst, -P[N] * G(N, N));  // impulses count as the velocities that they cause
    if (mode == Mode::kStick) worst = std::max(worst, (std::abs(P[T]) - mu * P[N]) * G(T, T));
    if (mode == Mode::kForward) worst = std::max(worst, -xi[T]);
    if (mode == Mode::kBackward) worst = std::max(worst, xi[T]);
  }
  solution.violation = worst;
  return solution;
}

// The solution with the smallest violation; `change` maps impulses to velocities, M^-1 W.
ContactSolution solve_contacts(const Eigen::MatrixXd& G, const Eigen::VectorXd& c, double mu,
                               const Eigen::MatrixXd& change) {
  constexpr double kSolved = 1e-11;    // m/s; rounding is near 1e-14
  constexpr double kDifferent = 1e-6;  // rad/s
  const std::size_t contacts = static_cast<std::size_t>(c.size()) / 2;
  std::vector<Mode> modes(contacts);
  ContactSolution best;
  std::vector<Eigen::VectorXd> motions;
  for (int code = 0; code < 1 << (2 * contacts); ++code) {
    for (std::size_t i = 0; i < contacts; ++i) modes[i] = static_cast<Mode>((code >> (2 * i)) & 3);
    const ContactSolution trial = solve_modes(G, c, mu, modes);
    if (trial.violation <= kSolved) {
      const Eigen::VectorXd motion = change * trial.impulses;
      bool is_known = false;
      for (const Eigen::VectorXd& other : motions) is_known = is_known || (motion - other).norm() < kDifferent;
      if (!is_known) motions.push_back(motion);
    }
    if (trial.violation < best.violation) best = trial;
  }
  best.different = static_cast<int>(motions.size());
  return best;
}

}  // namespace

// ---- The time stepping ---------------------------------------------------------------------------------------------

// Steps (iii) to (ix): q and u from the start to the end of a step.
Step advance(const Parameters& p, Vec3& q, Vec3& u) {
  Step step;
  step.q_M = q + p.step / 2 * u;
  step.g_M = gaps(p, step.q_M);
  const Mat3 M_inverse = mass(p, step.q_M).inverse();
  Vec3 u_E = u + p.step * (M_inverse * forces(p, step.q_M, u));
  for (int i = 0; i < 4; ++i) {
    if (step.g_M[i] <= 0) step.closed.push_back(i);
  }
  if (!step.closed.empty()) {
    const int contacts = static_cast<int>(step.closed.size());
    Eigen::MatrixXd W(3, 2 * contacts);
    Eigen::VectorXd e(2 * contacts);
    for (int i = 0; i < contacts; ++i) {
      W.col(2 * i) = w_N(p, step.q_M, step.closed[static_cast<std::size_t>(i)]);
      W.col(2 * i + 1) = w_T(p, step.q_M, step.closed[static_cast<std::size_t>(i)]);
      e[2 * i] = p.restitution;
      e[2 * i + 1] = p.tangential_restitution;
    }
    const Eigen::MatrixXd change = M_inverse * W;
    const Eigen::VectorXd c = W.transpose() * u_E + e.cwiseProduct(W.transpose() * u);  // eqs (69), (70)
    const ContactSolution solution = solve_contacts(W.transpose() * change, c, p.friction, change);
    step.solutions = solution.different;
    u_E += change * solution.impulses;
  }
  q = step.q_M + p.step / 2 * u_E;
  u = u_E;
  return step;
}

}  // namespace freeplay::test::flores
