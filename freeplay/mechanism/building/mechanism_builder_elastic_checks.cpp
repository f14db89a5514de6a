// What can be wrong with the description of an elastic body.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/mechanism/building/mechanism_builder.h"

namespace freeplay::mechanism {

namespace {

constexpr int kMostModes = 100;

bool is_positive(double value) {
  return value > 0 && std::isfinite(value);
}
bool is_mode_count(int count) {
  return count >= 1 && count <= kMostModes;
}

}  // namespace

// True if nothing is.
bool MechanismBuilder::check_elastic(const ElasticSpec& beam, const std::string& path) {
  const std::size_t before = diagnostics_.size();
  const auto need = [&](bool is_right, const char* key, const char* message, const char* hint) {
    if (!is_right) fail(fmt::format("{}.{}", path, key), message, hint);
  };
  need(is_positive(beam.length_m), "length", "the length is not positive", "give a length greater than 0");
  need(is_positive(beam.mass_per_length_kg_m), "mass_per_length", "the mass per length is not positive",
       "give a value greater than 0");
  need(beam.polar_inertia_per_length_kg_m >= 0, "polar_inertia_per_length", "the inertia is negative",
       "give 0 or more");
  need(beam.damping_ratio >= 0 && std::isfinite(beam.damping_ratio), "damping_ratio", "the damping is negative",
       "give 0 or more");
  check_elastic_stiffness(beam, path);
  const auto is_on_axis = [&](double s) { return s >= 0 && s <= beam.length_m; };
  need(std::all_of(beam.stations_m.begin(), beam.stations_m.end(), is_on_axis), "stations",
       "a station lies outside of the beam", "count from the beginning of its axis, from 0 to its length");
  const std::size_t count = static_cast<std::size_t>(std::max(0, beam.mode_count()));
  need(beam.initial_q.size() <= count, "initial_modes", "there are more values than modes",
       "give one value per mode, in the order of the modes");
  need(beam.initial_u.size() <= count, "initial_rates", "there are more values than modes",
       "give one value per mode, in the order of the modes");
  return diagnostics_.size() == before;
}

void MechanismBuilder::check_elastic_stiffness(const ElasticSpec& beam, const std::string& path) {
  const auto need = [&](bool is_right, const char* key, const char* message, const char* hint) {
    if (!is_right) fail(fmt::format("{}.{}", path, key), message, hint);
  };
  const char* wrong_count = "the number of modes is not between 1 and 100";
  const bool bends = beam.bending != BendingShapes::kNone, stretches = beam.axial != AxialShapes::kNone,
             twists = beam.torsion != AxialShapes::kNone, is_spatial = spec_.space == Space::kSpatial;
  need(bends || stretches || twists, "bending", "the body has no shape functions",
       "give `bending` or `axial`, or leave `elastic` out");
  if (bends) {
    need(is_mode_count(beam.bending_modes), "bending_modes", wrong_count, "four are usual");
    need(is_positive(beam.bending_stiffness_Nm2), "bending_stiffness", "the bending stiffness is not positive",
         "give E I, Young's modulus times the second moment of area");
  }
  if (stretches) {
    need(is_mode_count(beam.axial_modes), "axial_modes", wrong_count, "four are usual");
    need(is_positive(beam.axial_stiffness_N), "axial_stiffness", "the axial stiffness is not positive",
         "give E A, Young's modulus times the area of the section");
  }
  if (twists) {
    need(is_spatial, "torsion", "a planar beam does not twist", "leave it out, or use `space: spatial`");
    need(is_mode_count(beam.torsion_modes), "torsion_modes", wrong_count, "two are usual");
    need(is_positive(beam.torsional_stiffness_Nm2), "torsional_stiffness", "the torsional stiffness is not positive",
         "give G I_t, the shear modulus times the torsion constant of the section");
    need(is_positive(beam.polar_inertia_per_length_kg_m), "polar_inertia_per_length",
         "a beam that twists needs an inertia about its axis", "give a value greater than 0");
  }
  need(beam.bending_stiffness_xz_Nm2 >= 0, "bending_stiffness_xz", "the bending stiffness is negative",
       "give E I, or leave it out");
  need(is_spatial || beam.bending_stiffness_xz_Nm2 == 0, "bending_stiffness_xz",
       "a planar model bends in its plane only", "leave it out, or use `space: spatial`");
}

}  // namespace freeplay::mechanism
