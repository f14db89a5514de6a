// A marker: a body and a place on it. Whatever attaches to a body (joints, springs, loads, shapes, channels) refers to
// a marker and asks dynamics/marker_evaluation.h where it is and how it moves.
#pragma once

#include "freeplay/core/index.h"
#include "freeplay/math/frame.h"

namespace freeplay::mechanism {

// `place`: from the marker's axes to the body's, seen from its centre of mass, where the body is not deformed. That
// this stays so while the mechanism moves is known to the evaluation alone.
struct Marker {
  BodyIndex body{};
  Frame place;
  int section = -1;  // into Mechanism::sections: what carries it on an elastic body. -1: the body's axes
};

// The marker that every body has of itself: its centre of mass and its axes. They are the first of all markers.
constexpr MarkerIndex marker_of(BodyIndex body) {
  return MarkerIndex{to_int(body)};
}

// What a force acts on: a marker, or a body by its own one.
struct Attachment {
  MarkerIndex marker{};

  constexpr Attachment() = default;
  // Implicit, so that either can be written down. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Attachment(MarkerIndex at) : marker(at) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Attachment(BodyIndex body) : marker(marker_of(body)) {}
};

}  // namespace freeplay::mechanism
