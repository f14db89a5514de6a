#include "text/descriptions.h"

#include <span>

namespace freeplay::app {

namespace {

struct Description {
  std::string_view name, text;
};

// e: restitution. The damping of a compliant law is its factor times K delta^n (speed/approach speed).
constexpr Description kLaws[] = {
    {"newton", "impact: separation speed = e times approach speed"},
    {"poisson", "impact: expansion impulse = e times compression impulse"},
    {"beitelschmidt", "tangential part of `poisson`: stored tangential impulse may reverse the sliding"},
    {"glocker", "tangential part of `poisson`: no reversal of the sliding"},
    {"safe", "tangential part of `poisson`: reversal limited so that no energy is gained at a single contact"},
    {"coulomb", "friction: one coefficient at every sliding speed"},
    {"table", "friction: the coefficient as a table over the sliding speed"},
    {"kelvin-voigt", "compliant: linear spring and damper in parallel"},
    {"hertz", "compliant: K delta^n without loss"},
    {"hunt-crossley", "compliant: damping 3(1-e)/2"},
    {"herbert-mcwhannell", "compliant: damping 6(1-e)/((2e-1)^2+3)"},
    {"lee-wang", "compliant: damping 3(1-e)/4"},
    {"lankarani-nikravesh", "compliant: damping 3(1-e^2)/4"},
    {"gonthier", "compliant: damping (1-e^2)/e"},
    {"zhiying-qishao", "compliant: damping 3(1-e^2)exp(2(1-e))/4"},
    {"flores", "compliant: damping 8(1-e)/(5e)"},
    {"hu-guo", "compliant: damping 3(1-e)/(2e)"},
    {"exact-restitution", "compliant: damping chosen so that a free rebound has exactly e"},
    {"johnson", "compliant: two long cylinders (Johnson 1985, ESDU 78035); damping 3(1-e^2)/4"},
    {"radzimovsky", "compliant: two long cylinders (Radzimovsky 1953, Roark); damping 3(1-e^2)/4"},
    {"dubowsky-freudenstein", "compliant: a long journal in its bearing (1971); damping 3(1-e^2)/4"},
    {"regularised-coulomb", "friction of compliant contacts: Coulomb's, with a rise from rest to `slip_speed`"},
    {"stribeck", "friction: falls from `static_friction` to `friction` with the sliding speed"},
};

constexpr Description kJoints[] = {
    {"fixed", "no relative motion"},
    {"revolute", "a turn about the axis (default z)"},
    {"prismatic", "a shift along the axis (default x)"},
    {"cylindrical", "a shift along the axis and a turn about it (default z)"},
    {"planar", "shifts across the axis (default z), the normal of the plane, and a turn about it"},
    {"pin_in_slot", "a pin that slides along a slot (`axis`, default x) and turns in it; a pin and walls with ends"},
    {"universal", "Hooke's joint: a turn about the axis (default x), then one about an axis of the child across it"},
    {"spherical", "any turn about a common point"},
    {"free", "any motion; only measures the position of the child in the parent"},
};

constexpr Description kFunctions[] = {
    {"sin", "sine of an angle"},
    {"cos", "cosine of an angle"},
    {"tan", "tangent of an angle"},
    {"asin", "angle in [-pi/2, pi/2] with this sine"},
    {"acos", "angle in [0, pi] with this cosine"},
    {"atan", "angle in (-pi/2, pi/2) with this tangent"},
    {"atan2", "atan2(y, x): angle of the point (x, y), in (-pi, pi]"},
    {"sinh", "hyperbolic sine"},
    {"cosh", "hyperbolic cosine"},
    {"tanh", "hyperbolic tangent"},
    {"exp", "exponential"},
    {"log", "natural logarithm"},
    {"sqrt", "square root, of any dimension"},
    {"abs", "magnitude, of any dimension"},
    {"sign", "-1, 0 or 1"},
    {"step", "0 below zero, else 1"},
    {"floor", "largest integer that is not greater"},
    {"min", "min(a, b): the smaller of two"},
    {"max", "max(a, b): the larger of two"},
    {"hypot", "hypot(a, b): square root of a^2 + b^2"},
    {"mod", "mod(a, b): a minus a multiple of b, in [0, b)"},
    {"pi", "the constant 3.14159..."},
};

std::string_view find(std::span<const Description> table, std::string_view name) {
  for (const Description& entry : table) {
    if (entry.name == name) return entry.text;
  }
  return {};
}

}  // namespace

std::string_view law_description(std::string_view name) {
  return find(kLaws, name);
}
std::string_view joint_description(std::string_view name) {
  return find(kJoints, name);
}
std::string_view function_description(std::string_view name) {
  return find(kFunctions, name);
}

}  // namespace freeplay::app
