// The scene `roller_chain`: a chain around two pulleys of one size (wound_chain.h). The model of the chain of Pfeiffer
// (1999), with numbers of our own (docs/examples/roller_chain.md).
#pragma once

#include "freeplay/model/coded_scene.h"

namespace freeplay::model {

SceneEntry roller_chain();

}  // namespace freeplay::model
