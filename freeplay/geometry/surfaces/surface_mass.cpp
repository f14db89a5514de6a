#include "freeplay/geometry/surfaces/surface_mass.h"

#include <array>

namespace freeplay::geometry {

namespace {

// Moments of the region inside, from its boundary (Gauss), with dS = x_u x x_v du dv; no sums over indices:
//   V = 1/3 int x . dS,  int x_i dV = 1/2 int x_i^2 dS_i,  int x_i^2 dV = 1/3 int x_i^3 dS_i,
//   int x_i x_j dV = 1/2 int x_i^2 x_j dS_i.
struct Moments {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  void add(const Vec3& x, const Vec3& dS) {
    volume += x.dot(dS) / 3;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      first[i] += x[i] * x[i] * dS[i] / 2;
      second(i, i) += x[i] * x[i] * x[i] * dS[i] / 3;
      second(i, j) += x[i] * x[i] * x[j] * dS[i] / 2;
    }
  }
};

// Gauss and Legendre with eight points: exact up to degree 15, and so on the pieces of bicubic splines.
constexpr std::array<double, 8> kPlaces{-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                        -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                        0.7966664774136267,  0.9602898564975363};
constexpr std::array<double, 8> kWeights{0.1012285362903763, 0.2223810344533745, 0.3137066458778873,
                                         0.3626837833783620, 0.3626837833783620, 0.3137066458778873,
                                         0.2223810344533745, 0.1012285362903763};

}  // namespace

SpatialMass mass_inside(const SurfaceChart& chart, double density_kg_m3) {
  const double half_u = (chart.u_to - chart.u_from) / chart.panels_u / 2;
  const double half_v = (chart.v_to - chart.v_from) / chart.panels_v / 2;
  const Vec3 origin = chart.at(chart.u_from, chart.v_from).x;  // near it, so that distant shapes lose no digits
  Moments m;
  for (int i = 0; i < chart.panels_u; ++i) {
    for (std::size_t k = 0; k < kPlaces.size(); ++k) {
      const double u = chart.u_from + (2 * i + 1 + kPlaces[k]) * half_u;
      for (int j = 0; j < chart.panels_v; ++j) {
        for (std::size_t l = 0; l < kPlaces.size(); ++l) {
          const SurfaceJet jet = chart.at(u, chart.v_from + (2 * j + 1 + kPlaces[l]) * half_v);
          m.add(jet.x - origin, half_u * half_v * kWeights[k] * kWeights[l] * jet.x_u.cross(jet.x_v));
        }
      }
    }
  }
  const Vec3 centre = m.first / m.volume;
  for (int i = 0; i < 3; ++i) m.second((i + 1) % 3, i) = m.second(i, (i + 1) % 3);
  const Mat3 squares = m.second - m.volume * centre * centre.transpose();
  return {density_kg_m3 * m.volume, origin + centre, density_kg_m3 * (squares.trace() * Mat3::Identity() - squares)};
}

}  // namespace freeplay::geometry
