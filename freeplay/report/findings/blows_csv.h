// Blows as comma-separated values.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "freeplay/report/findings/blows.h"

namespace freeplay::report {

// A line of names, then one line per blow: where, first and last impact, how many, sum and unit of the impulses, the
// hardest impact and when, fastest approach, energy lost (negative: gained). Numbers and names as in csv_export.h.
// Throws IoError when the output fails.
void write_blows_csv(const ResultReader& result, std::ostream& out);
void write_blows_csv(const ResultReader& result, const std::filesystem::path& path);

}  // namespace freeplay::report
