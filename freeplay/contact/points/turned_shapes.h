// Planar shapes that turn against their bodies as functions of time. Private to contact/points.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "freeplay/contact/points/mechanism_contacts.h"

namespace freeplay::contact {

class TurnedShapes {
 public:
  explicit TurnedShapes(const MechanismContacts& model) : model_(model), shapes_(model.turns.size()) {}

  bool is_empty() const { return shapes_.empty(); }
  const PlanarPlacement& placement(int turn) const { return shapes_[static_cast<std::size_t>(turn)].at; }

  // Where the shapes stand at the time t, their bodies at `bodies` (in the order of MechanismContacts::markers).
  void place(double t, std::span<const PlanarPlacement> bodies) {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const MechanismContacts::Turn& turn = model_.turns[i];
      const PlanarPlacement& body = bodies[static_cast<std::size_t>(turn.placement)];
      const TimeJet angle = turn.angle.evaluate_jet({&t, 1});
      const double c = std::cos(angle.value), s = std::sin(angle.value);
      const Vec2 axis = body.point(turn.about);
      PlanarPlacement at{body.cos * c - body.sin * s, body.sin * c + body.cos * s, axis.x(), axis.y()};
      const Vec2 origin = at.point(-turn.about);
      at.x = origin.x();
      at.y = origin.y();
      shapes_[i] = {at, axis, angle.rate, angle.acceleration};
    }
  }
  // Against its body, at a point in the world; 0 for a shape that does not turn (-1).
  Vec2 velocity(int turn, const Vec2& point) const {
    if (turn < 0) return Vec2::Zero();
    const Turned& shape = shapes_[static_cast<std::size_t>(turn)];
    return {-shape.rate * (point.y() - shape.axis.y()), shape.rate * (point.x() - shape.axis.x())};
  }
  // The motion of a shape on a body that moves as told; that of the body for a shape that does not turn (-1). Around
  // the axis, which is a place of both.
  PlanarBodyMotion motion(int turn, const PlanarBodyMotion& body) const {
    if (turn < 0) return body;
    const Turned& shape = shapes_[static_cast<std::size_t>(turn)];
    return {shape.axis, body.velocity_at(shape.axis), body.omega + shape.rate, body.acceleration_at(shape.axis),
            body.alpha + shape.acceleration};
  }

 private:
  struct Turned {
    PlanarPlacement at;
    Vec2 axis = Vec2::Zero();  // world
    double rate = 0;           // rad/s
    double acceleration = 0;   // rad/s^2
  };
  const MechanismContacts& model_;
  std::vector<Turned> shapes_;
};

}  // namespace freeplay::contact
