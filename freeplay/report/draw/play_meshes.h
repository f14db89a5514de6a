// Pictures of joints with play: the part that the child has in it, and the one that holds it on the parent.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "freeplay/report/draw/mesh.h"

namespace freeplay::report {

struct PlayMeshes {
  Mesh on_child, on_parent;  // in the axes of their bodies; empty where the sizes are not known
};

// A block in its guide, a journal in its bore, a sleeve on its rod, a prism in its channel, a ball in its socket.
// `joint` is an entry of the result file's geometry. Guides, channels and rods have no end: they reach `parent_extent`
// far.
PlayMeshes play_meshes(const nlohmann::ordered_json& joint, bool is_planar, const SceneExtent& parent_extent);

}  // namespace freeplay::report
