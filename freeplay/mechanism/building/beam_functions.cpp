// The shapes of a straight beam: functions along its axis, those of a uniform beam or splines.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <variant>

#include "freeplay/mechanism/building/elastic_shapes.h"
#include "freeplay/mechanism/description/beam_shapes.h"
#include "freeplay/mechanism/description/beam_splines.h"

namespace freeplay::mechanism {

namespace {

constexpr double kRounding = 1e-13;       // of a shape function whose largest value is about 1
constexpr int kPointsOfMass = 4;          // per interval of splines: exact for two of them and a mass that is linear
constexpr int kPointsOfSplineSlopes = 3;  // exact for the product of two slopes
constexpr int kPointsOfSlopes = 12;       // per wave of the highest mode: down to rounding
// Where the largest load is looked for. A mode has half a wave per 16 pieces or more, so that its top is missed by
// 1 - cos(pi/32) = 0.5 % at most.
constexpr int kLeastPiecesAlong = 64, kPiecesAlongPerMode = 16;

// What one mode does at a place of the axis.
struct AxisMode {
  BeamDirection direction{};
  std::variant<BeamShape, BeamSpline> shape;

  double value(double s) const {
    return std::visit([&](const auto& f) { return f.value(s); }, shape);
  }
  double slope(double s) const {
    return std::visit([&](const auto& f) { return f.slope(s); }, shape);
  }
  double curvature(double s) const {
    return std::visit([&](const auto& f) { return f.curvature(s); }, shape);
  }
  bool bends() const { return direction == BeamDirection::kY || direction == BeamDirection::kZ; }
};

void append_splines(BeamDirection direction, const std::vector<BeamSpline>& shapes, std::vector<AxisMode>& modes) {
  for (const BeamSpline& shape : shapes) modes.push_back({direction, shape});
}

// In the order of beam_modes.
std::vector<AxisMode> axis_modes(const ElasticSpec& beam) {
  std::vector<AxisMode> modes;
  if (beam.knots.empty()) {
    for (const BeamMode& mode : beam_modes(beam)) modes.push_back({mode.direction, mode.shape});
    return modes;
  }
  for (int plane = 0; plane < beam.bending_planes(); ++plane) {
    const BeamDirection direction = plane == 0 ? BeamDirection::kY : BeamDirection::kZ;
    append_splines(direction, bending_splines(beam.bending, beam.bending_modes, beam.knots, direction), modes);
  }
  for (const auto& [direction, kind, count] : {std::tuple(BeamDirection::kX, beam.axial, beam.axial_modes),
                                               std::tuple(BeamDirection::kTwist, beam.torsion, beam.torsion_modes)}) {
    append_splines(direction, axial_splines(kind, count, beam.knots, direction), modes);
  }
  return modes;
}

int most_modes(const ElasticSpec& beam) {
  const int bending = beam.bending_planes() == 0 ? 0 : beam.bending_modes;
  return std::max({1, bending, beam.axial_mode_count(), beam.torsion_mode_count()});
}

// A uniform beam: enough for products of four shape functions, which are in the kinetic energy of the foreshortening;
// with half as many points per wave Gauss's rule has reached rounding for the products of two (tests/unit/mechanism).
std::vector<QuadraturePoint> mass_rule(const ElasticSpec& beam, const std::vector<double>& places) {
  if (beam.knots.empty()) return gauss_points(8 + 6 * most_modes(beam), beam.length_m);
  return gauss_points_between(places, kPointsOfMass);
}

class BeamFunctions final : public ElasticShapes {
 public:
  explicit BeamFunctions(const ElasticSpec& beam) : beam_(beam), modes_(axis_modes(beam)), profile_(beam.profile()) {
    if (beam.knots.empty()) {
      const int panels = most_modes(beam);
      for (int k = 0; k <= panels; ++k) panels_m_.push_back(beam.length_m * k / panels);
    } else {
      for (const BeamKnot& knot : beam.knots) panels_m_.push_back(knot.s_m);
    }
    if (beam_.foreshortening && beam_.bending_planes() > 0) sum_up_foreshortening();
  }

  // K = integral of E I W_i'' W_j'', of E A A_i' A_j' and of G I_t T_i' T_j'.
  MatX stiffness() const override {
    MatX K = MatX::Zero(count(), count());
    for (const QuadraturePoint& point : mass_rule(beam_, panels_m_)) {
      const BeamKnot at = beam_at(profile_, point.s);
      VecX strain(count());
      for (Eigen::Index i = 0; i < count(); ++i) {
        strain[i] = mode(i).bends() ? mode(i).curvature(point.s) : mode(i).slope(point.s);
      }
      for (Eigen::Index j = 0; j < count(); ++j) {
        for (Eigen::Index i = 0; i < count(); ++i) {
          if (mode(i).direction != mode(j).direction) continue;
          K(i, j) += point.weight * stiffness_of(at, mode(j).direction) * (strain[i] * strain[j]);
        }
      }
    }
    return K;
  }

  std::vector<Mechanism::Section> mass_points() const override {
    std::vector<Mechanism::Section> points;
    for (const QuadraturePoint& point : mass_rule(beam_, panels_m_)) {
      const BeamKnot at = beam_at(profile_, point.s);
      points.push_back(section(point.s));
      points.back().mass_kg = point.weight * at.mass_per_length_kg_m;
      points.back().inertia_kg_m2 =
          point.weight * Vec3(at.polar_inertia_per_length_kg_m, at.rotary_inertia_per_length_xz_kg_m,
                              at.rotary_inertia_per_length_kg_m);
    }
    return points;
  }

  Mechanism::Section section_near(const Vec3& place) const override {
    return section(std::clamp(place.x() - beam_.start().x(), 0.0, beam_.length_m));
  }

  // E I W'', E A A' and G I_t T' per modal coordinate, at the stations and along the axis, and where the stations are.
  Mechanism::ElasticBody::Stations stations() const override {
    const std::vector<double> places = places_of_loads();
    const Eigen::Index rows = static_cast<Eigen::Index>(places.size());
    Mechanism::ElasticBody::Stations stations;
    for (const double s : beam_.stations_m) stations.sections.push_back(section(s));
    stations.moment = stations.moment_xz = stations.axial_force = stations.torque = MatX::Zero(rows, count());
    for (Eigen::Index i = 0; i < rows; ++i) {
      const double s = places[static_cast<std::size_t>(i)];
      const BeamKnot at = beam_at(profile_, s);
      for (Eigen::Index j = 0; j < count(); ++j) {
        const BeamDirection direction = mode(j).direction;
        const double load = stiffness_of(at, direction) * (mode(j).bends() ? mode(j).curvature(s) : mode(j).slope(s));
        if (direction == BeamDirection::kY) stations.moment(i, j) = load;
        if (direction == BeamDirection::kZ) stations.moment_xz(i, j) = load;
        if (direction == BeamDirection::kX) stations.axial_force(i, j) = load;
        if (direction == BeamDirection::kTwist) stations.torque(i, j) = load;
      }
    }
    return stations;
  }

  double size_m() const override { return beam_.length_m; }

 private:
  Eigen::Index count() const { return static_cast<Eigen::Index>(modes_.size()); }
  const AxisMode& mode(Eigen::Index i) const { return modes_[static_cast<std::size_t>(i)]; }

  // The stations, both ends and places between them, and all knots, since curvatures of splines have kinks there.
  std::vector<double> places_of_loads() const {
    std::vector<double> places = beam_.stations_m;
    const int pieces = std::max(kLeastPiecesAlong, kPiecesAlongPerMode * most_modes(beam_));
    for (int k = 0; k <= pieces; ++k) places.push_back(beam_.length_m * k / pieces);
    for (const BeamKnot& knot : beam_.knots) places.push_back(knot.s_m);
    return places;
  }

  static double stiffness_of(const BeamKnot& at, BeamDirection direction) {
    switch (direction) {
      case BeamDirection::kY:
        return at.bending_stiffness_Nm2;
      case BeamDirection::kZ:
        return at.bending_stiffness_xz_Nm2;
      case BeamDirection::kX:
        return at.axial_stiffness_N;
      case BeamDirection::kTwist:
        return at.torsional_stiffness_Nm2;
    }
    return 0;
  }

  // Adds the integral of W_i' W_j' from a to b, between which no function has a joint.
  void add_slope_products(double a, double b, MatX& G) const {
    const int points = beam_.knots.empty() ? kPointsOfSlopes : kPointsOfSplineSlopes;
    VecX slope(count());
    for (const QuadraturePoint& point : gauss_points(points, b - a)) {
      for (Eigen::Index i = 0; i < count(); ++i) slope[i] = mode(i).bends() ? mode(i).slope(a + point.s) : 0;
      for (Eigen::Index j = 0; j < count(); ++j) {
        for (Eigen::Index i = j; i < count() && mode(i).direction == mode(j).direction; ++i) {
          const double product = point.weight * (slope[i] * slope[j]);
          G(i, j) += product;
          if (i != j) G(j, i) += product;
        }
      }
    }
  }

  // G at the ends of the panels: from 0 on for every section by itself, sixty modes took most of a minute.
  void sum_up_foreshortening() {
    foreshortening_.emplace_back(MatX::Zero(count(), count()));
    for (std::size_t k = 0; k + 1 < panels_m_.size(); ++k) {
      foreshortening_.push_back(foreshortening_.back());
      add_slope_products(panels_m_[k], panels_m_[k + 1], foreshortening_.back());
    }
  }

  // G(s) = integral of W_i' W_j' from 0 to s.
  MatX foreshortening_at(double s) const {
    if (foreshortening_.empty()) return {};
    const auto above = std::upper_bound(panels_m_.begin() + 1, panels_m_.end() - 1, s);
    const std::size_t k = static_cast<std::size_t>(above - panels_m_.begin()) - 1;
    MatX G = foreshortening_[k];
    if (s > panels_m_[k]) add_slope_products(panels_m_[k], s, G);
    return G;
  }

  Mechanism::Section section(double s) const {
    Mechanism::Section section;
    section.rest = beam_.start() + Vec3(s, 0, 0);
    section.shapes = MatX::Zero(6, count());
    const auto cleaned = [](double value, double scale) { return std::abs(value) < kRounding * scale ? 0 : value; };
    for (Eigen::Index j = 0; j < count(); ++j) {
      const double W = cleaned(mode(j).value(s), 1), slope = cleaned(mode(j).slope(s), wave_number(mode(j)));
      switch (mode(j).direction) {
        case BeamDirection::kX:
          section.shapes(0, j) = W;
          break;
        case BeamDirection::kTwist:
          section.shapes(3, j) = W;
          break;
        case BeamDirection::kY:
          section.shapes(1, j) = W;
          section.shapes(5, j) = slope;
          break;
        case BeamDirection::kZ:  // a slope in z turns the section about -y
          section.shapes(2, j) = W;
          section.shapes(4, j) = -slope;
          break;
      }
    }
    section.foreshortening = foreshortening_at(s);
    return section;
  }

  // How large a slope may be.
  double wave_number(const AxisMode& mode) const {
    const BeamShape* uniform = std::get_if<BeamShape>(&mode.shape);
    return uniform != nullptr ? uniform->wave_number_1_m : static_cast<double>(panels_m_.size()) / beam_.length_m;
  }

  const ElasticSpec beam_;
  std::vector<AxisMode> modes_;
  std::vector<BeamKnot> profile_;
  std::vector<double> panels_m_;      // intervals of the axis in which all functions are smooth and wave little
  std::vector<MatX> foreshortening_;  // at the panels' ends; empty: none
};

}  // namespace

std::unique_ptr<const ElasticShapes> make_beam_functions(const ElasticSpec& beam) {
  return std::make_unique<BeamFunctions>(beam);
}

MatX modal_mass(const std::vector<Mechanism::Section>& points, int modes) {
  MatX M = MatX::Zero(modes, modes);
  for (const Mechanism::Section& point : points) {
    for (int d = 0; d < 6; ++d) {
      const double inertia = d < 3 ? point.mass_kg : point.inertia_kg_m2[d - 3];
      if (inertia == 0) continue;
      for (int j = 0; j < modes; ++j) {
        for (int i = 0; i < modes; ++i) M(i, j) += inertia * (point.shapes(d, i) * point.shapes(d, j));
      }
    }
  }
  return M;
}

}  // namespace freeplay::mechanism
