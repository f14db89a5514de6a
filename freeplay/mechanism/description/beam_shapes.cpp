#include "freeplay/mechanism/description/beam_shapes.h"

#include <cmath>
#include <numbers>

namespace freeplay::mechanism {

namespace {

using std::numbers::pi;

// cosh(x) cos(x) = sign, as cos(x) - sign / cosh(x) = 0, which neither overflows nor loses digits. The root lies near
// `start` for every mode, and Newton's method settles in a few steps.
double root_of_frequency_equation(double start, double sign) {
  double x = start;
  for (int i = 0; i < 50; ++i) {
    const double f = std::cos(x) - sign / std::cosh(x);
    const double slope = -std::sin(x) + sign * std::tanh(x) / std::cosh(x);
    const double step = f / slope;
    x -= step;
    if (std::abs(step) < 1e-16 * x) break;
  }
  return x;
}

// W = cosh - cos - sigma (sinh - sin), x = k s, halved, and with W = 1 at the free end.
// sigma = (cosh b + cos b) / (sinh b + sin b), b = k L.
BeamShape cantilever(int mode, double length) {
  const double b = root_of_frequency_equation((mode - 0.5) * pi, -1);
  const double e = std::exp(-b), below = 1 - e * e + 2 * e * std::sin(b);
  const double sigma = (1 + e * e + 2 * e * std::cos(b)) / below;
  const double grows = (-e + std::sin(b) - std::cos(b)) / below;  // exp(b) (1 - sigma) / 2
  const double scale = mode % 2 == 1 ? 0.5 : -0.5;
  return {-scale, scale * sigma, scale * (1 + sigma) / 2, scale * grows, b / length, length};
}

// Both have cosh b cos b = 1 and sigma = (cosh b - cos b) / (sinh b - sin b):
// clamped  W = cosh - cos - sigma (sinh - sin),  free  W = cosh + cos - sigma (sinh + sin),  both halved.
BeamShape same_at_both_ends(int mode, double length, bool is_clamped) {
  const double b = root_of_frequency_equation((mode + 0.5) * pi, 1);
  const double e = std::exp(-b), below = 1 - e * e - 2 * e * std::sin(b);
  const double sigma = (1 + e * e - 2 * e * std::cos(b)) / below;
  const double grows = (-e - std::sin(b) + std::cos(b)) / below;
  const double sign = is_clamped ? -0.5 : 0.5;
  return {sign, -sign * sigma, (1 + sigma) / 4, grows / 2, b / length, length};
}

}  // namespace

double BeamShape::value(double s) const {
  const double x = wave_number_1_m * s, y = wave_number_1_m * (length_m - s);
  return a * std::cos(x) + b * std::sin(x) + c * std::exp(-x) + d * std::exp(-y);
}

double BeamShape::slope(double s) const {
  const double x = wave_number_1_m * s, y = wave_number_1_m * (length_m - s);
  return wave_number_1_m * (-a * std::sin(x) + b * std::cos(x) - c * std::exp(-x) + d * std::exp(-y));
}

double BeamShape::curvature(double s) const {
  const double x = wave_number_1_m * s, y = wave_number_1_m * (length_m - s);
  return wave_number_1_m * wave_number_1_m * (-a * std::cos(x) - b * std::sin(x) + c * std::exp(-x) + d * std::exp(-y));
}

std::vector<BeamShape> bending_shapes(BendingShapes kind, int count, double length_m) {
  std::vector<BeamShape> shapes;
  for (int mode = 1; mode <= count; ++mode) {
    switch (kind) {
      case BendingShapes::kNone:
        break;
      case BendingShapes::kCantilever:
        shapes.push_back(cantilever(mode, length_m));
        break;
      case BendingShapes::kSimplySupported:
        shapes.push_back({0, 1, 0, 0, mode * pi / length_m, length_m});
        break;
      case BendingShapes::kClampedClamped:
      case BendingShapes::kFreeFree:
        shapes.push_back(same_at_both_ends(mode, length_m, kind == BendingShapes::kClampedClamped));
        break;
    }
  }
  return shapes;
}

std::vector<BeamShape> axial_shapes(AxialShapes kind, int count, double length_m) {
  std::vector<BeamShape> shapes;
  for (int mode = 1; mode <= count; ++mode) {
    if (kind == AxialShapes::kFixedFree) shapes.push_back({0, 1, 0, 0, (mode - 0.5) * pi / length_m, length_m});
    if (kind == AxialShapes::kFreeFree) shapes.push_back({1, 0, 0, 0, mode * pi / length_m, length_m});
  }
  return shapes;
}

std::vector<BeamMode> beam_modes(const ElasticSpec& beam) {
  using Direction = BeamMode::Direction;
  std::vector<BeamMode> modes;
  for (int plane = 0; plane < beam.bending_planes(); ++plane) {
    for (const BeamShape& shape : bending_shapes(beam.bending, beam.bending_modes, beam.length_m)) {
      modes.push_back({plane == 0 ? Direction::kY : Direction::kZ, shape});
    }
  }
  for (const BeamShape& shape : axial_shapes(beam.axial, beam.axial_modes, beam.length_m)) {
    modes.push_back({Direction::kX, shape});
  }
  for (const BeamShape& shape : axial_shapes(beam.torsion, beam.torsion_modes, beam.length_m)) {
    modes.push_back({Direction::kTwist, shape});
  }
  return modes;
}

// E I / E A = h^2 / 12 of a rectangle; a beam of which only one stiffness is known is drawn slender.
double ElasticSpec::drawn_height() const {
  constexpr double kSlender = 40;
  if (height_m > 0) return height_m;
  const bool has_both = bending_stiffness_Nm2 > 0 && axial_stiffness_N > 0;
  return has_both ? std::sqrt(12 * bending_stiffness_Nm2 / axial_stiffness_N) : length_m / kSlender;
}

double ElasticSpec::drawn_width() const {
  if (width_m > 0) return width_m;
  const bool has_both = bending_stiffness_xz_Nm2 > 0 && axial_stiffness_N > 0;
  return has_both ? std::sqrt(12 * bending_stiffness_xz_Nm2 / axial_stiffness_N) : drawn_height();
}

std::vector<QuadraturePoint> gauss_points(int count, double length) {
  std::vector<QuadraturePoint> points;
  for (int i = count; i >= 1; --i) {
    // Newton's method for the i-th root of the Legendre polynomial P_count, from Tricomi's estimate.
    double x = std::cos(pi * (i - 0.25) / (count + 0.5)), derivative = 1;
    for (int iteration = 0; iteration < 50; ++iteration) {
      double p = 1, before = 0;
      for (int k = 1; k <= count; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      derivative = count * (x * p - before) / (x * x - 1);
      const double step = p / derivative;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    points.push_back({0.5 * length * (1 + x), length / ((1 - x * x) * derivative * derivative)});
  }
  return points;
}

}  // namespace freeplay::mechanism
