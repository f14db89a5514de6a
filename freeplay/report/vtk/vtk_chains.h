// Chains of forces: the bodies of every loaded contact, joined by lines.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "freeplay/math/frame.h"
#include "freeplay/report/vtk/vtk_file.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::report {

// From the centre of the one body to the contact point and on to that of the other; a partner without a centre (the
// ground, a section of an elastic body, a body that was not recorded) is left out. `centre_of`: of a body by its
// number.
VtkGrid chain_grid(double time_s, std::span<const ContactForce> forces,
                   const std::function<std::optional<Vec3>(int body)>& centre_of);

}  // namespace freeplay::report
