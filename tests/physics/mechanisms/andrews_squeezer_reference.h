// An oracle for Andrews' squeezing mechanism: the benchmark's seven equations of motion, derived here from its position
// formulas alone and integrated in extended precision with small fixed steps. Shares nothing with the library but
// Eigen.
#pragma once

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <complex>
#include <vector>

namespace freeplay::test {

class SqueezerReference {
 public:
  using Real = long double;
  using Complex = std::complex<Real>;
  using Angles = Eigen::Matrix<Real, 7, 1>;  // beta, Theta, gamma, Phi, delta, Omega, epsilon

  // The angles after `steps` equal steps to 0.03 s; of order 5, so that halving the step tells the error.
  Angles angles_at_end(int steps) const {
    // Weights of Dormand and Prince's fifth-order method.
    static constexpr Real a[7][6] = {
        {},
        {1 / 5.L},
        {3 / 40.L, 9 / 40.L},
        {44 / 45.L, -56 / 15.L, 32 / 9.L},
        {19372 / 6561.L, -25360 / 2187.L, 64448 / 6561.L, -212 / 729.L},
        {9017 / 3168.L, -355 / 33.L, 46732 / 5247.L, 49 / 176.L, -5103 / 18656.L},
        {35 / 384.L, 0, 500 / 1113.L, 125 / 192.L, -2187 / 6784.L, 11 / 84.L},
    };
    const Real h = 0.03L / steps;
    State y = start();
    std::array<State, 6> k;
    for (int step = 0; step < steps; ++step) {
      State stage = y;
      for (std::size_t i = 0; i < 6; ++i) {
        k[i] = rate(stage);
        stage = y;
        for (std::size_t j = 0; j <= i; ++j) stage += (h * a[i + 1][j]) * k[j];
      }
      y = stage;
    }
    return y.head<7>();
  }

 private:
  using State = Eigen::Matrix<Real, 14, 1>;  // angles and rates

  // A vector of fixed length: `arm` turned by the sum of the angles in `angles` (a bit for each), or not turned at all.
  struct Arm {
    Complex arm;
    unsigned angles = 0;
  };
  using Point = std::vector<Arm>;
  enum : unsigned {
    kBeta = 1,
    kTheta = 2,
    kGamma = 4,
    kPhi = 8,
    kDelta = 16,
    kOmega = 32,
    kEpsilon = 64,
    kK2 = kBeta | kTheta,
    kK4 = kDelta | kPhi,
    kK6 = kEpsilon | kOmega
  };

  struct Body {
    Real mass, inertia;
    unsigned angles;  // its orientation
    Point centre;
  };

  static Real sum(const auto& values, unsigned angles) {
    Real total = 0;
    for (int k = 0; k < 7; ++k) {
      if ((angles >> k & 1) != 0) total += values[k];
    }
    return total;
  }

  // Position, derivatives by the angles, and acceleration where the angles' second derivatives vanish.
  struct Motion {
    Complex position, bias;
    std::array<Complex, 7> columns{};
    Real column_dot(int k, Complex v) const { return (std::conj(columns[static_cast<std::size_t>(k)]) * v).real(); }
  };
  static Motion motion(const Point& point, const State& y) {
    Motion m;
    for (const Arm& part : point) {
      const Complex v = part.arm * std::polar(Real(1), sum(y.head<7>(), part.angles));
      const Real omega = sum(y.tail<7>(), part.angles);
      m.position += v;
      m.bias -= omega * omega * v;
      for (unsigned k = 0; k < 7; ++k) {
        if ((part.angles >> k & 1) != 0) m.columns[k] += Complex(0, 1) * v;
      }
    }
    return m;
  }

  // Lagrange's equations with multipliers:  M q'' + G^T lambda = f,  G q'' = -bias.
  State rate(const State& y) const {
    Eigen::Matrix<Real, 13, 13> K = Eigen::Matrix<Real, 13, 13>::Zero();
    Eigen::Matrix<Real, 13, 1> rhs = Eigen::Matrix<Real, 13, 1>::Zero();
    for (const Body& body : bodies_) {
      const Motion m = motion(body.centre, y);
      for (int i = 0; i < 7; ++i) {
        for (int j = 0; j < 7; ++j) {
          const bool both_turn = (body.angles >> i & body.angles >> j & 1) != 0;
          K(i, j) +=
              body.mass * m.column_dot(i, m.columns[static_cast<std::size_t>(j)]) + (both_turn ? body.inertia : 0);
        }
        rhs[i] -= body.mass * m.column_dot(i, m.bias);
      }
    }
    rhs[0] += 0.033L;  // the drive
    const Motion hook = motion(hook_, y);
    const Complex to_spring = kC - hook.position;
    const Real length = std::abs(to_spring);
    for (int i = 0; i < 7; ++i) rhs[i] += hook.column_dot(i, 4530 * (length - 0.07785L) / length * to_spring);
    for (int k = 0; k < 3; ++k) {
      const Motion m = motion(loops_[static_cast<std::size_t>(k)], y);
      for (int i = 0; i < 7; ++i) {
        const Complex column = m.columns[static_cast<std::size_t>(i)];
        K(7 + 2 * k, i) = K(i, 7 + 2 * k) = column.real();
        K(8 + 2 * k, i) = K(i, 8 + 2 * k) = column.imag();
      }
      rhs[7 + 2 * k] = -m.bias.real();
      rhs[8 + 2 * k] = -m.bias.imag();
    }
    State result;
    result.head<7>() = y.tail<7>();
    result.tail<7>() = Eigen::PartialPivLU<Eigen::Matrix<Real, 13, 13>>(K).solve(rhs).head<7>();
    return result;
  }

  static State start() {
    State y = State::Zero();
    y[0] = -0.0617138900142764496358948458001L;
    y[2] = 0.455279819163070380255912382449L;
    y[3] = 0.222668390165885884674473185609L;
    y[4] = 0.487364979543842550225598953530L;
    y[5] = -0.222668390165885884674473185609L;
    y[6] = 1.23054744454982119249735015568L;
    return y;
  }

  // Data and formulas of the test set, in metres and kilograms.
  static constexpr Complex kA{-.06934L, -.00227L}, kB{-.03635L, .03273L}, kC{.014L, .072L};
  static constexpr Real rr = 7e-3L, ra = 92e-5L, d = 28e-3L, da = 115e-4L, ss = 35e-3L, sa = 1874e-5L, sb = 1043e-5L,
                        sc = 18e-3L, sd = 2e-2L, e = 2e-2L, ea = 1421e-5L, zt = 4e-2L, ta = 2308e-5L, tb = 916e-5L,
                        zf = 2e-2L, fa = 1421e-5L, u = 4e-2L, ua = 1228e-5L, ub = 449e-5L;
  const std::array<Body, 7> bodies_ = {{
      {.04325L, 2.194e-6L, kBeta, {{ra, kBeta}}},
      {.00365L, 4.410e-7L, kK2, {{rr, kBeta}, {-da, kK2}}},
      {.02373L, 5.255e-6L, kGamma, {{kB}, {{sb, -sa}, kGamma}}},
      {.00706L, 5.667e-7L, kK4, {{kA}, {zt, kDelta}, {{0, ea - e}, kK4}}},
      {.07050L, 1.169e-5L, kDelta, {{kA}, {{ta, tb}, kDelta}}},
      {.00706L, 5.667e-7L, kK6, {{kA}, {{0, -u}, kEpsilon}, {zf - fa, kK6}}},
      {.05498L, 1.912e-5L, kEpsilon, {{kA}, {{-ub, -ua}, kEpsilon}}},
  }};
  const Point hook_ = {{kB}, {{sd, -sc}, kGamma}};  // D, the moving end of the spring
  // The pin P as a point of K2, minus P as a point of K3, K4 and K6.
  const std::array<Point, 3> loops_ = {{
      {{rr, kBeta}, {-d, kK2}, {-kB}, {{0, ss}, kGamma}},
      {{rr, kBeta}, {-d, kK2}, {-kA}, {-zt, kDelta}, {{0, e}, kK4}},
      {{rr, kBeta}, {-d, kK2}, {-kA}, {{0, u}, kEpsilon}, {-zf, kK6}},
  }};
};

}  // namespace freeplay::test
