// The scene `belt_drive`: a flat belt around a small driver and a larger pulley, as a wound chain of short elastic
// links (wound_chain.h). docs/examples/belt_drive.md.
#pragma once

#include "freeplay/model/coded_scene.h"

namespace freeplay::model {

SceneEntry belt_drive();

}  // namespace freeplay::model
