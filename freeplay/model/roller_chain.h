// The scene `roller_chain`: a closed chain of links around two pulleys, driven by friction alone. Links are free planar
// bodies, pins between them elastic, and the start of each link is a point that may touch both rims. The model of the
// chain of Pfeiffer (1999), with numbers of our own (docs/examples/roller_chain.md).
#pragma once

#include "freeplay/model/coded_scene.h"

namespace freeplay::model {

SceneEntry roller_chain();

}  // namespace freeplay::model
