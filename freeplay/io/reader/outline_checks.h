// Whether a list of points bounds an area. Private to freeplay/io.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::io {

// The check for crossing edges looks at all pairs.
inline constexpr std::size_t kMaxOutlinePoints = 2000;

// Why the points, joined by straight edges, do not bound a polygon; empty if they do. An outline that touches itself is
// refused too: there the inside, and with it the normal of a contact, is not defined. A corner of 180 degrees is
// harmless. `shape` and `corner` are the words for the message: "polygon", "corner".
std::string outline_problem(std::string_view shape, std::string_view corner, const std::vector<Vec3>& vertices,
                            bool may_be_clockwise);

}  // namespace freeplay::io
