// Planar shapes that turn against their bodies as functions of time. Private to contact/points and to what records it.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "freeplay/contact/points/mechanism_contacts.h"

namespace freeplay::contact {

// A shape that stands turned by `angle` about a place of its body.
template <class S>
struct TurnedShape {
  using Vector2 = Eigen::Matrix<S, 2, 1>;
  PlacementOf<S> at;
  Vector2 axis = Vector2::Zero();  // world
  S rate = 0;                      // rad/s
  S acceleration = 0;              // rad/s^2

  TurnedShape() = default;
  template <class Jet>
  TurnedShape(const PlacementOf<S>& body, const Vec2& about, const Jet& angle)
      : axis(body.point(about)), rate(angle.rate), acceleration(angle.acceleration) {
    using std::cos, std::sin;
    const S c = cos(angle.value), s = sin(angle.value);
    at = {body.cos * c - body.sin * s, body.sin * c + body.cos * s, axis.x(), axis.y()};
    const Vector2 origin = at.point(Vec2(-about));
    at.x = origin.x();
    at.y = origin.y();
  }
  // Against its body, at a point in the world.
  Vector2 velocity(const Vector2& point) const {
    return {-rate * (point.y() - axis.y()), rate * (point.x() - axis.x())};
  }
};

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
      shapes_[i] = TurnedShape<double>(body, turn.about, turn.angle.evaluate_jet({&t, 1}));
    }
  }
  // Against its body, at a point in the world; 0 for a shape that does not turn (-1).
  Vec2 velocity(int turn, const Vec2& point) const {
    return turn < 0 ? Vec2(Vec2::Zero()) : shapes_[static_cast<std::size_t>(turn)].velocity(point);
  }
  // The motion of a shape on a body that moves as told; that of the body for a shape that does not turn (-1). Around
  // the axis, which is a place of both.
  PlanarBodyMotion motion(int turn, const PlanarBodyMotion& body) const {
    if (turn < 0) return body;
    const TurnedShape<double>& shape = shapes_[static_cast<std::size_t>(turn)];
    return {shape.axis, body.velocity_at(shape.axis), body.omega + shape.rate, body.acceleration_at(shape.axis),
            body.alpha + shape.acceleration};
  }

 private:
  const MechanismContacts& model_;
  std::vector<TurnedShape<double>> shapes_;
};

}  // namespace freeplay::contact
