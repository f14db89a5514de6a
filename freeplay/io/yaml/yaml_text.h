// A tree as a YAML text that gives the same tree, but for the places of its parts.
#pragma once

#include <string>

#include "freeplay/io/yaml/yaml_document.h"

namespace freeplay::io {

// A line for each key of `root`, a block; every scalar in quotes, since the place of a value says what it is.
std::string yaml_text(const YamlNode& root);

}  // namespace freeplay::io
