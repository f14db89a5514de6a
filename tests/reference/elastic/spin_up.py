#!/usr/bin/env python3
"""Tip deflection of a beam that is spun up (examples/spinning_beam.yaml), by another route than the engine's.

The beam is an inextensible elastica with exact rotations: its angle is psi(t) + beta(s, t), beta a sum of integrated
Legendre polynomials, its place r = e^{i psi} int_0^s e^{i beta}. Nothing is small, and there is no floating frame, no
mode of vibration and no foreshortening to second order. Virtual displacements i e^{i psi} Z_j with
Z_j = int_0^s phi_j e^{i beta} give

  sum_k M_jk a_k'' = -psi'' M_j0 + rho A int Re(conj(i Z_j) Q) - EI a_j / (2 j - 1),
  M_jk = rho A int Re(conj(Z_j) Z_k),   Q = int_0^s (psi' + beta')^2 e^{i beta},   phi_0 = 1.

Usage: spin_up.py [SPIN_UP_s [POLYNOMIALS [STEP_s]]] > FILE
  spin_up.py 2 > spin_up.csv; spin_up.py 4 > slow_spin_up.csv
Made with 7 polynomials and 0.1 ms; 8 polynomials change the deflection by less than 1e-9 m. Standard library only; a
minute or two.
"""
import cmath
import math
import sys

EI, SPEED, DURATION, ROW = 100.0, 60.0, 4.0, 0.02  # length, mass per length: 1
QUADRATURE = 12


def legendre(n, x):
    """P_n(x) on [-1, 1]; P_-1 = 1 serves the integral of P_0."""
    before, value = 1.0, 1.0
    if n <= 0:
        return 1.0
    value = x
    for k in range(2, n + 1):
        before, value = value, ((2 * k - 1) * x * value - (k - 1) * before) / k
    return value


def integrated_legendre(j, s):
    """int_0^s P_{j-1}(2 sigma - 1) d sigma."""
    x = 2 * s - 1
    return s if j == 1 else (legendre(j, x) - legendre(j - 2, x)) / (2 * (2 * j - 1))


def gauss(n):
    """Points and weights on [0, 1]."""
    points, weights = [], []
    for i in range(n):
        x = math.cos(math.pi * (n - i - 0.25) / (n + 0.5))
        for _ in range(50):
            value = legendre(n, x)
            slope = n * (x * value - legendre(n - 1, x)) / (x * x - 1)
            x -= value / slope
        points.append((x + 1) / 2)
        weights.append(1 / ((1 - x * x) * slope * slope))
    return points, weights


def integration_matrix(points, weights):
    """C[i][k]: int_0^{s_i} f = sum_k C[i][k] f(s_k), by the Legendre series of f, exact to degree n - 1."""
    n = len(points)
    return [[weights[k] * sum((2 * j - 1) * legendre(j - 1, 2 * points[k] - 1) * integrated_legendre(j, points[i])
                              for j in range(1, n + 1)) for k in range(n)] for i in range(n)]


def solve(A, b):
    """Cholesky, in place."""
    n = len(b)
    for j in range(n):
        for k in range(j):
            A[j][k] = (A[j][k] - sum(x * y for x, y in zip(A[j][:k], A[k][:k]))) / A[k][k]
        A[j][j] = math.sqrt(A[j][j] - sum(x * x for x in A[j][:j]))
        b[j] = (b[j] - sum(x * y for x, y in zip(A[j][:j], b[:j]))) / A[j][j]
    for j in reversed(range(n)):
        b[j] = (b[j] - sum(A[k][j] * b[k] for k in range(j + 1, n))) / A[j][j]
    return b


class Elastica:
    def __init__(self, polynomials, spin_up):
        self.n = polynomials
        self.spin_up = spin_up
        self.points, self.weights = gauss(QUADRATURE)
        self.C = integration_matrix(self.points, self.weights)
        self.phi = [[1.0] * QUADRATURE] + [[integrated_legendre(j, s) for s in self.points]
                                          for j in range(1, polynomials + 1)]

    def sum_of(self, a):
        return [sum(x * phi[i] for x, phi in zip(a, self.phi[1:])) for i in range(QUADRATURE)]

    def integrals(self, values):
        return [sum(c * v for c, v in zip(row, values)) for row in self.C]

    def tip(self, a):
        return sum(w * cmath.exp(1j * b) for w, b in zip(self.weights, self.sum_of(a)))

    def accelerations(self, t, a, rates):
        T = self.spin_up
        tau = min(t, T)
        hub_rate = SPEED / T * (tau - T / (2 * math.pi) * math.sin(2 * math.pi * tau / T))
        hub_acceleration = SPEED / T * (1 - math.cos(2 * math.pi * tau / T))
        directions = [cmath.exp(1j * b) for b in self.sum_of(a)]
        Z = [self.integrals([p * d for p, d in zip(phi, directions)]) for phi in self.phi]
        Q = self.integrals([(hub_rate + b) ** 2 * d for b, d in zip(self.sum_of(rates), directions)])
        weighted = [[w * z for w, z in zip(self.weights, z_j)] for z_j in Z]

        def product(j, other):  # int Re(conj(Z_j) other)
            return sum(z.real * o.real + z.imag * o.imag for z, o in zip(weighted[j], other))

        M = [[product(j, Z[k]) for k in range(1, j + 1)] + [0.0] * (self.n - j) for j in range(1, self.n + 1)]
        turned = [-1j * q for q in Q]  # Re(conj(i Z) Q) = Re(conj(Z) (-i Q))
        right = [product(j, turned) - hub_acceleration * product(j, Z[0]) - EI * a[j - 1] / (2 * j - 1)
                 for j in range(1, self.n + 1)]
        return solve(M, right)


def main():
    spin_up = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    polynomials = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    steps_per_row = round(ROW / (float(sys.argv[3]) if len(sys.argv) > 3 else 1e-4))
    beam = Elastica(polynomials, spin_up)
    h = ROW / steps_per_row
    a, u = [0.0] * polynomials, [0.0] * polynomials

    def moved(x, rate, part):
        return [value + part * h * r for value, r in zip(x, rate)]

    print("time_s,tip_x_m,tip_deflection_m")
    for row in range(round(DURATION / ROW) + 1):
        tip = beam.tip(a)
        print(f"{row * ROW:.2f},{tip.real:.12g},{tip.imag:.12g}", flush=True)
        for i in range(steps_per_row):  # the classical Runge-Kutta method
            t = row * ROW + i * h
            k1 = beam.accelerations(t, a, u)
            u2 = moved(u, k1, 0.5)
            k2 = beam.accelerations(t + h / 2, moved(a, u, 0.5), u2)
            u3 = moved(u, k2, 0.5)
            k3 = beam.accelerations(t + h / 2, moved(a, u2, 0.5), u3)
            u4 = moved(u, k3, 1)
            k4 = beam.accelerations(t + h, moved(a, u3, 1), u4)
            a = moved(a, [(p + 2 * q + 2 * r + s) / 6 for p, q, r, s in zip(u, u2, u3, u4)], 1)
            u = moved(u, [(p + 2 * q + 2 * r + s) / 6 for p, q, r, s in zip(k1, k2, k3, k4)], 1)


if __name__ == "__main__":
    main()
