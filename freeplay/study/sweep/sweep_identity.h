// Whether a file holds this study or another one.
#pragma once

#include <filesystem>

#include "freeplay/io/sweep/sweep_table.h"

namespace freeplay::study {

// Throws OtherStudy, with what is different.
void require_same_study(const SweepHeader& ours, const SweepHeader& theirs, const std::filesystem::path& path);

}  // namespace freeplay::study
