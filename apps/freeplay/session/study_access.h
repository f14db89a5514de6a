// Studies as the verbs take them: tried in a process of their own, as results are (result_access.h).
#pragma once

#include <filesystem>

#include "freeplay/io/sweep/sweep_table.h"

namespace freeplay::app {

// Throws IoError if the file is damaged, also where HDF5 cannot cope with that.
void require_readable_study(const std::filesystem::path& study);
SweepTable open_study(const std::filesystem::path& study);

}  // namespace freeplay::app
