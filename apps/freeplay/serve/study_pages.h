// The page of a study, and pages of its runs, which are made when they are asked for.
#pragma once

#include <filesystem>
#include <optional>

#include "freeplay/study/sweep/pictures/study_page.h"
#include "serve/loopback_server.h"

namespace freeplay::app {

// For a page at `page`, which may link to the pages of runs that are there.
StudyPageData study_page_data(const std::filesystem::path& study, const std::filesystem::path& page,
                              std::vector<Waterfall> waterfalls = {});

//   /                 the page of the study; /data: its data, read anew each time, so that a study that goes on grows
//   /run/17/          the page of a run, /run/17/data its data: as of a result
//   /run/17/make      makes it, in a process of its own, and says how far it is: {"state": ..., "message": ...}
WebHandler pages_of_study(const std::filesystem::path& study, const std::optional<std::filesystem::path>& model);

}  // namespace freeplay::app
