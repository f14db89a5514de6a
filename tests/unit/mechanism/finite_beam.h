// A cantilever of cubic beam elements (Euler, Bernoulli) that turns about its root: an independent model of what the
// elastic bodies compute by modes in a floating frame. In the unknowns (w, w') of every node but the first,
//   M = rho A int N N^T,   K = EI int N'' N''^T + Omega^2 rho A int (L^2 - s^2)/2 N' N'^T,
// the second term being the tension of the centrifugal force; in the plane of rotation K - Omega^2 M.
#pragma once

#include <array>

#include "elastic_models.h"
#include "freeplay/mechanism/description/beam_shapes.h"

namespace freeplay::test {

struct FiniteBeam {
  int elements = 40;
  double length_m = 1, mass_per_length_kg_m = 1, bending_stiffness_Nm2 = 100;

  struct Matrices {
    MatX M, bending, tension;  // tension: per Omega^2
  };

  Matrices assemble() const {
    const int n = 2 * (elements + 1);
    Matrices sum{MatX::Zero(n, n), MatX::Zero(n, n), MatX::Zero(n, n)};
    const double h = length_m / elements;
    for (int e = 0; e < elements; ++e) {
      for (const QuadraturePoint& point : gauss_points(6, h)) {
        const double x = point.s / h, s = e * h + point.s;
        using Vec4 = Eigen::Vector4d;
        const Vec4 N(1 - 3 * x * x + 2 * x * x * x, h * (x - 2 * x * x + x * x * x), 3 * x * x - 2 * x * x * x,
                     h * (x * x * x - x * x));
        const Vec4 slope =
            Vec4(-6 * x + 6 * x * x, h * (1 - 4 * x + 3 * x * x), 6 * x - 6 * x * x, h * (3 * x * x - 2 * x)) / h;
        const Vec4 curvature = Vec4(-6 + 12 * x, h * (-4 + 6 * x), 6 - 12 * x, h * (6 * x - 2)) / (h * h);
        const double pull = mass_per_length_kg_m * (length_m * length_m - s * s) / 2;
        for (int i = 0; i < 4; ++i) {
          for (int k = 0; k < 4; ++k) {
            sum.M(2 * e + i, 2 * e + k) += point.weight * mass_per_length_kg_m * N[i] * N[k];
            sum.bending(2 * e + i, 2 * e + k) += point.weight * bending_stiffness_Nm2 * curvature[i] * curvature[k];
            sum.tension(2 * e + i, 2 * e + k) += point.weight * pull * slope[i] * slope[k];
          }
        }
      }
    }
    const auto free_part = [n](const MatX& A) { return MatX(A.bottomRightCorner(n - 2, n - 2)); };
    return {free_part(sum.M), free_part(sum.bending), free_part(sum.tension)};
  }

  // Angular frequencies across the plane of rotation, ascending. In the plane w^2 is less by Omega^2.
  VecX flapping(double speed_rad_s) const {
    const Matrices parts = assemble();
    const int n = static_cast<int>(parts.M.rows());
    return frequencies(MassStructure::dense(n), parts.M, parts.bending + speed_rad_s * speed_rad_s * parts.tension);
  }
  VecX lead_lag(double speed_rad_s) const {
    const Matrices parts = assemble();
    const int n = static_cast<int>(parts.M.rows());
    const MatX K = parts.bending + speed_rad_s * speed_rad_s * (parts.tension - parts.M);
    return frequencies(MassStructure::dense(n), parts.M, K);
  }
};

}  // namespace freeplay::test
