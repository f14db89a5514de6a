// Groups whose members keep the order in which they were made. Internal to freeplay/io.
#pragma once

#include <string>
#include <vector>

#include "freeplay/io/hdf5/hdf5_handle.h"

namespace freeplay::io::hdf5 {

Group make_ordered_group(hid_t file, const char* name);
// Names of its members.
std::vector<std::string> links_in_order(const Group& group);

}  // namespace freeplay::io::hdf5
