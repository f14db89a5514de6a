// An order of points in which neighbours are alike.
#pragma once

#include <cstddef>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::study {

// Along a curve of Morton through the box of all values: points that are near to each other in every parameter come
// near to each other. Points with equal values, or none, keep their order.
std::vector<std::size_t> order_of_likeness(const std::vector<std::vector<double>>& values);

}  // namespace freeplay::study
