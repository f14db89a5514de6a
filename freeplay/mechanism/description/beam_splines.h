// Shape functions of beams whose section changes along the axis: the lowest modes among the cubic splines on given
// knots (Ritz's method, once and before the run).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "freeplay/mechanism/description/beam_shapes.h"
#include "freeplay/mechanism/description/elastic_spec.h"

namespace freeplay::mechanism {

// A cubic polynomial in s - knot between any two knots, with two continuous derivatives.
struct BeamSpline {
  std::vector<double> knots_m;
  std::vector<std::array<double, 4>> pieces;  // coefficients of 1, x, x^2, x^3 per interval

  double value(double s) const;
  double slope(double s) const;      // dW/ds
  double curvature(double s) const;  // d2W/ds2
};

// What the beam is like at s, between the knots linearly.
BeamKnot beam_at(const std::vector<BeamKnot>& knots, double s);

// How many splines hold what the shapes hold in the frame: no more modes can be made of them.
int spline_count(BendingShapes kind, std::size_t knots);
int spline_count(AxialShapes kind, std::size_t knots);

// The first `count` modes, scaled as those of a uniform beam are (beam_shapes.h). Requires that there are so many, and
// that stiffness and mass are positive at all knots.
std::vector<BeamSpline> bending_splines(BendingShapes kind, int count, const std::vector<BeamKnot>& knots,
                                        BeamDirection plane);
std::vector<BeamSpline> axial_splines(AxialShapes kind, int count, const std::vector<BeamKnot>& knots,
                                      BeamDirection direction);

// Points and weights with which products of two such splines and of a linear function are integrated exactly, as are
// polynomials up to degree 2 per_interval - 1 in every interval.
std::vector<QuadraturePoint> gauss_points_between(const std::vector<double>& knots_m, int per_interval);

}  // namespace freeplay::mechanism
