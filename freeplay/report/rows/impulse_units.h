// The unit of a contact point's impulse: N s, or N m s of a stop or a flank that turns.
#pragma once

#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"
#include "freeplay/report/rows/channel_roles.h"

namespace freeplay::report {

// One for each of `points`, which are those of find_contact_points(); by their channels, or by the joint's type where
// none was recorded.
std::vector<std::string> impulse_units(const ResultReader& result, const std::vector<ContactPointChannels>& points);

}  // namespace freeplay::report
