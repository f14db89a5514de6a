// Shape functions of beams and bars, evaluated without the cancellation of cosh - sinh.
#pragma once

#include <cstdint>
#include <vector>

#include "freeplay/mechanism/description/elastic_spec.h"

namespace freeplay::mechanism {

// W(s) = a cos(k s) + b sin(k s) + c exp(-k s) + d exp(-k (L - s)),  0 <= s <= L. The hyperbolic functions of the
// textbooks are the last two terms: both stay below 1, whatever the mode, where cosh and sinh lose all digits from
// about the tenth mode on.
struct BeamShape {
  double a = 0, b = 0, c = 0, d = 0;
  double wave_number_1_m = 0;  // k
  double length_m = 0;

  double value(double s) const;
  double slope(double s) const;      // dW/ds
  double curvature(double s) const;  // d2W/ds2
};

// The first `count` modes. At a free end W is 1; of simply-supported beams the largest value is 1, of clamped-clamped
// ones the mean of W^2 is 1/4, as it is of the others with a free end.
std::vector<BeamShape> bending_shapes(BendingShapes kind, int count, double length_m);
std::vector<BeamShape> axial_shapes(AxialShapes kind, int count, double length_m);

// What a mode does: a deflection along y or z, a shift along x, or a turn about x.
enum class BeamDirection : std::uint8_t { kY, kZ, kX, kTwist };
struct BeamMode {
  using Direction = BeamDirection;
  Direction direction{};
  BeamShape shape;
};
// Of a uniform beam, in the order of the modal coordinates.
std::vector<BeamMode> beam_modes(const ElasticSpec& beam);

// Points and weights on [0, length] that integrate polynomials of degree 2 count - 1 exactly (Gauss and Legendre).
struct QuadraturePoint {
  double s = 0, weight = 0;
};
std::vector<QuadraturePoint> gauss_points(int count, double length);

}  // namespace freeplay::mechanism
