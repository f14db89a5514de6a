// What can be wrong with the description of an elastic beam. Bodies of nodes: mechanism_builder_elastic_nodes.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/mechanism/building/mechanism_builder.h"
#include "freeplay/mechanism/description/beam_splines.h"

namespace freeplay::mechanism {

namespace {

constexpr int kMostModes = 100;
constexpr std::size_t kMostKnots = 200;
constexpr double kNearestKnots = 1e-6;   // of the length: nearer ones would leave no digits
constexpr double kSameStiffness = 1e-6;  // of the largest: typed digits
constexpr double kAtEnd = 1e-9;          // of the length

bool is_positive(double value) {
  return value > 0 && std::isfinite(value);
}
bool is_not_negative(double value) {
  return value >= 0 && std::isfinite(value);
}
bool is_mode_count(int count) {
  return count >= 1 && count <= kMostModes;
}

}  // namespace

// True if nothing is.
bool MechanismBuilder::check_elastic(const ElasticSpec& beam, const std::string& path) {
  if (beam.nodes) return check_elastic_nodes(beam, path);
  const std::size_t before = diagnostics_.size();
  const auto need = [&](bool is_right, const char* key, const char* message, const char* hint) {
    if (!is_right) fail(fmt::format("{}.{}", path, key), message, hint);
  };
  need(is_positive(beam.length_m), "length", "the length is not positive", "give a length greater than 0");
  check_elastic_damping(beam, path);
  if (!beam.knots.empty()) check_elastic_knots(beam, path);
  check_elastic_stiffness(beam, path);
  const auto is_on_axis = [&](double s) { return s >= 0 && s <= beam.length_m; };
  need(std::all_of(beam.stations_m.begin(), beam.stations_m.end(), is_on_axis), "stations",
       "a station lies outside of the beam", "count from the beginning of its axis, from 0 to its length");
  return diagnostics_.size() == before;
}

// Damping and initial values, which beams and bodies of nodes have alike.
bool MechanismBuilder::check_elastic_damping(const ElasticSpec& body, const std::string& path) {
  const std::size_t before = diagnostics_.size();
  if (!is_not_negative(body.damping_ratio)) {
    fail(path + ".damping_ratio", "the damping is negative", "give 0 or more");
  }
  if (body.rayleigh && body.damping_ratio != 0) {
    fail(path + ".rayleigh", "the damping is given twice", "give either 'damping_ratio' or 'rayleigh'");
  } else if (body.rayleigh && !(is_not_negative(body.rayleigh->alpha_1_s) && is_not_negative(body.rayleigh->beta_s))) {
    fail(path + ".rayleigh", "the damping is negative", "give 0 or more for alpha and beta");
  }
  const std::size_t count = static_cast<std::size_t>(std::max(0, body.mode_count()));
  for (const bool is_rate : {false, true}) {
    if ((is_rate ? body.initial_u : body.initial_q).size() <= count) continue;
    fail(path + (is_rate ? ".initial_rates" : ".initial_modes"), "there are more values than modes",
         "give one value per mode, in the order of the modes");
  }
  return diagnostics_.size() == before;
}

void MechanismBuilder::check_elastic_knots(const ElasticSpec& beam, const std::string& path) {
  const std::vector<BeamKnot>& knots = beam.knots;
  const std::string at = path + ".knots";
  if (knots.size() < 2 || knots.size() > kMostKnots) {
    fail(at, fmt::format("there are {} knots", knots.size()),
         fmt::format("give 2 to {} of them, from 0 m to the length", kMostKnots));
    return;
  }
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    if (knots[k + 1].s_m - knots[k].s_m > kNearestKnots * beam.length_m) continue;
    fail(at, fmt::format("the knots do not increase: {:.9g} m comes after {:.9g} m", knots[k + 1].s_m, knots[k].s_m),
         "sort them, and give each once; a jump of the section is two knots at least 1e-6 of the length apart");
    return;
  }
  if (!(std::abs(knots.front().s_m) <= kAtEnd * beam.length_m &&
        std::abs(knots.back().s_m - beam.length_m) <= kAtEnd * beam.length_m)) {
    fail(at,
         fmt::format("the knots reach from {:.9g} m to {:.9g} m, but the axis from 0 m to {:.9g} m", knots.front().s_m,
                     knots.back().s_m, beam.length_m),
         "the first knot is 0 m, the last one the length");
    return;
  }
  const auto check_count = [&](int modes, int splines, const char* key) {
    if (modes <= splines) return;
    fail(fmt::format("{}.{}", path, key), fmt::format("{} knots carry only {} such modes", knots.size(), splines),
         "give more knots, about two per mode, or fewer modes");
  };
  if (beam.bending != BendingShapes::kNone)
    check_count(beam.bending_modes, spline_count(beam.bending, knots.size()), "bending_modes");
  if (beam.axial != AxialShapes::kNone)
    check_count(beam.axial_modes, spline_count(beam.axial, knots.size()), "axial_modes");
  if (beam.torsion != AxialShapes::kNone)
    check_count(beam.torsion_modes, spline_count(beam.torsion, knots.size()), "torsion_modes");
  check_section_of_knots(beam, path);
}

// One section modulus says nothing of a section that changes.
void MechanismBuilder::check_section_of_knots(const ElasticSpec& beam, const std::string& path) {
  const auto check = [&](double value, double BeamKnot::*stiffness, const char* key) {
    const auto [least, largest] =
        std::minmax_element(beam.knots.begin(), beam.knots.end(),
                            [&](const BeamKnot& a, const BeamKnot& b) { return a.*stiffness < b.*stiffness; });
    if (!(value > 0) || (*largest).*stiffness - (*least).*stiffness <= kSameStiffness * (*largest).*stiffness) return;
    fail(fmt::format("{}.{}", path, key), "is one value, but the stiffness changes along the beam, as its section does",
         "leave it out, and divide the loads at 'stations' by what the section has there");
  };
  check(beam.section_modulus_m3, &BeamKnot::bending_stiffness_Nm2, "section_modulus");
  check(beam.section_modulus_xz_m3, &BeamKnot::bending_stiffness_xz_Nm2, "section_modulus_xz");
  check(beam.area_m2, &BeamKnot::axial_stiffness_N, "area");
}

void MechanismBuilder::check_elastic_stiffness(const ElasticSpec& beam, const std::string& path) {
  const std::vector<BeamKnot> profile = beam.profile();
  const auto need = [&](bool is_right, const char* key, const char* message, const char* hint) {
    if (!is_right) fail(fmt::format("{}.{}", path, key), message, hint);
  };
  const auto everywhere = [&](double BeamKnot::*member, bool (*is_right)(double)) {
    return std::all_of(profile.begin(), profile.end(), [&](const BeamKnot& at) { return is_right(at.*member); });
  };
  const char* wrong_count = "the number of modes is not between 1 and 100";
  const bool bends = beam.bending != BendingShapes::kNone, stretches = beam.axial != AxialShapes::kNone,
             twists = beam.torsion != AxialShapes::kNone, is_spatial = spec_.space == Space::kSpatial;
  need(everywhere(&BeamKnot::mass_per_length_kg_m, is_positive), "mass_per_length",
       "the mass per length is not positive", "give a value greater than 0");
  need(everywhere(&BeamKnot::polar_inertia_per_length_kg_m, is_not_negative), "polar_inertia_per_length",
       "the inertia is negative", "give 0 or more");
  need(everywhere(&BeamKnot::rotary_inertia_per_length_kg_m, is_not_negative), "rotary_inertia_per_length",
       "the inertia is negative", "give 0 or more");
  need(everywhere(&BeamKnot::rotary_inertia_per_length_xz_kg_m, is_not_negative), "rotary_inertia_per_length_xz",
       "the inertia is negative", "give 0 or more");
  need(bends || stretches || twists, "bending", "the body has no shape functions",
       "give `bending` or `axial`, or leave `elastic` out");
  if (bends) {
    need(is_mode_count(beam.bending_modes), "bending_modes", wrong_count, "four are usual");
    need(everywhere(&BeamKnot::bending_stiffness_Nm2, is_positive), "bending_stiffness",
         "the bending stiffness is not positive", "give E I, Young's modulus times the second moment of area");
  }
  if (stretches) {
    need(is_mode_count(beam.axial_modes), "axial_modes", wrong_count, "four are usual");
    need(everywhere(&BeamKnot::axial_stiffness_N, is_positive), "axial_stiffness",
         "the axial stiffness is not positive", "give E A, Young's modulus times the area of the section");
  }
  if (twists) {
    need(is_spatial, "torsion", "a planar beam does not twist", "leave it out, or use `space: spatial`");
    need(is_mode_count(beam.torsion_modes), "torsion_modes", wrong_count, "two are usual");
    need(everywhere(&BeamKnot::torsional_stiffness_Nm2, is_positive), "torsional_stiffness",
         "the torsional stiffness is not positive",
         "give G I_t, the shear modulus times the torsion constant of the section");
    need(everywhere(&BeamKnot::polar_inertia_per_length_kg_m, is_positive), "polar_inertia_per_length",
         "a beam that twists needs an inertia about its axis", "give a value greater than 0");
  }
  const bool is_stiff_in_xz = profile.front().bending_stiffness_xz_Nm2 == 0;
  const auto is_zero = [](double value) { return value == 0; };
  need(everywhere(&BeamKnot::bending_stiffness_xz_Nm2, is_stiff_in_xz ? is_zero : is_positive), "bending_stiffness_xz",
       "the bending stiffness is negative, or 0 at some knots only", "give E I, or leave it out");
  need(is_spatial || is_stiff_in_xz, "bending_stiffness_xz", "a planar model bends in its plane only",
       "leave it out, or use `space: spatial`");
}

}  // namespace freeplay::mechanism
