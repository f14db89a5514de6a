#include "freeplay/simulation/watch/deflection_watch.h"

#include <algorithm>
#include <cmath>

namespace freeplay::simulation {

namespace {

constexpr double kLargestShare = 0.1;  // of the size, docs/theory/elastic.md

}  // namespace

DeflectionWatch::DeflectionWatch(const System& system) {
  const Mechanism* mechanism = dynamic_cast<const Mechanism*>(&system);
  if (mechanism == nullptr) return;
  for (std::size_t i = 0; i < mechanism->elastic_bodies.size(); ++i) {
    const Mechanism::ElasticBody& body = mechanism->elastic_bodies[i];
    Watched watched{mechanism->bodies[to_size(body.body)].name, body.q, body.count, body.size_m, {}, {}};
    watched.largest.assign(static_cast<std::size_t>(body.count), 0);
    for (const Mechanism::Section& section : mechanism->sections) {
      if (section.elastic != static_cast<int>(i) || section.mass_kg == 0) continue;
      watched.points.emplace_back(section.shapes.topRows(3));
      for (int j = 0; j < body.count; ++j) {
        double& largest = watched.largest[static_cast<std::size_t>(j)];
        largest = std::max(largest, watched.points.back().col(j).norm());
      }
    }
    bodies_.push_back(std::move(watched));
  }
}

std::optional<DeflectionWatch::Finding> DeflectionWatch::look(const State& state) const {
  for (const Watched& body : bodies_) {
    const double bound = kLargestShare * body.size_m;
    double at_most = 0;  // by the triangle inequality: of most steps no more is asked
    for (int j = 0; j < body.count; ++j) {
      at_most += std::abs(state.q[body.q + j]) * body.largest[static_cast<std::size_t>(j)];
    }
    if (at_most <= bound) continue;
    double deflection = 0;
    for (const MatX& point : body.points) {
      Vec3 displacement = Vec3::Zero();
      for (int j = 0; j < body.count; ++j) displacement += state.q[body.q + j] * point.col(j);
      deflection = std::max(deflection, displacement.norm());
    }
    if (deflection > bound) return Finding{body.name, deflection, body.size_m};
  }
  return std::nullopt;
}

}  // namespace freeplay::simulation
