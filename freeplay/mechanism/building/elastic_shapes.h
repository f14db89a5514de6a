// What the shapes of an elastic body do, wherever they come from: a beam's functions along its axis, or nodes of a
// file. Private to the building of mechanisms.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

class ElasticShapes {
 public:
  virtual ~ElasticShapes() = default;

  virtual MatX stiffness() const = 0;
  // Where the mass is gathered.
  virtual std::vector<Mechanism::Section> mass_points() const = 0;
  // What carries a place in body axes, without a mass.
  virtual Mechanism::Section section_near(const Vec3& place) const = 0;
  virtual Mechanism::ElasticBody::Stations stations() const = 0;
  virtual double size_m() const = 0;
};

// The description has been checked.
std::unique_ptr<const ElasticShapes> make_beam_functions(const ElasticSpec& beam);
std::unique_ptr<const ElasticShapes> make_node_shapes(const ElasticSpec& body);

// M of the modes in the frame held fast, from the points alone.
MatX modal_mass(const std::vector<Mechanism::Section>& points, int modes);

// The first mode whose pivot in the factors of the symmetric matrix is not positive, or only by rounding; -1: none.
int first_mode_without_pivot(const MatX& matrix);

}  // namespace freeplay::mechanism
