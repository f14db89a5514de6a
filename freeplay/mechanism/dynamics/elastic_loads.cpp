#include "freeplay/mechanism/dynamics/elastic_loads.h"

#include <cmath>

#include "freeplay/mechanism/description/beam_stress.h"

namespace freeplay::mechanism {

namespace {

double load_at(const MatX& per_mode, Eigen::Index place, const Mechanism::ElasticBody& body, const ConstVecRef& q) {
  double load = 0;
  for (int j = 0; j < body.count; ++j) load += per_mode(place, j) * q[body.q + j];
  return load;
}

}  // namespace

double largest_moment(const Mechanism::ElasticBody& body, const ConstVecRef& q) {
  double largest = 0;
  for (Eigen::Index i = 0; i < body.stations.moment.rows(); ++i) {
    const double moment =
        std::hypot(load_at(body.stations.moment, i, body, q), load_at(body.stations.moment_xz, i, body, q));
    // A NaN stays, so that a run does not tell of loads that it has lost.
    if (!(moment <= largest)) largest = moment;
  }
  return largest;
}

double node_stress(const Mechanism::ElasticBody& body, std::size_t place, const ConstVecRef& q) {
  const MatX& per_mode = body.stations.stresses[place];
  Eigen::Matrix<double, 6, 1> stress = Eigen::Matrix<double, 6, 1>::Zero();
  for (int j = 0; j < body.count; ++j) {
    for (Eigen::Index i = 0; i < 6; ++i) stress[i] += per_mode(i, j) * q[body.q + j];
  }
  return equivalent_stress(stress);
}

double largest_stress(const Mechanism::ElasticBody& body, const ConstVecRef& q) {
  if (body.beam.nodes) {
    double largest = 0;
    for (std::size_t i = 0; i < body.stations.stresses.size(); ++i) {
      if (body.stations.stresses[i].size() == 0) continue;
      const double stress = node_stress(body, i, q);
      if (!(stress <= largest)) largest = stress;
    }
    return largest;
  }
  const std::optional<StressFactors> factors = stress_factors(body.beam);
  if (!factors) return 0;
  double largest = 0;
  for (Eigen::Index i = 0; i < body.stations.moment.rows(); ++i) {
    const double stress =
        factors->largest(load_at(body.stations.moment, i, body, q), load_at(body.stations.moment_xz, i, body, q),
                         load_at(body.stations.axial_force, i, body, q));
    if (!(stress <= largest)) largest = stress;
  }
  return largest;
}

}  // namespace freeplay::mechanism
