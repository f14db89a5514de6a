// The data of a study's page: a header in JSON and columns of numbers, in one block of bytes
// (docs/reference/view_data.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/study/sweep/pictures/waterfall.h"

namespace freeplay::study {

struct StudyPageOptions {
  std::string folder;                  // of the study, as a shell takes it: for the commands that the page shows
  std::string run_pages;               // where the pages of single runs are, seen from this one: "" or "path/"
  std::vector<std::int64_t> recorded;  // runs that have such a page
  // Of the columns. Compressed, these stay with the viewer below 5 MB; more rows or crossings are thinned.
  std::size_t most_bytes = std::size_t{3} << 20;
  std::vector<Waterfall> waterfalls;  // to be shown beside the pictures of its measures
};

struct StudyPageData {
  std::string block;
  std::int64_t rows = 0, total_rows = 0;
  std::int64_t crossings = 0, total_crossings = 0;
};

StudyPageData make_study_page(const SweepTable& table, const StudyPageOptions& options);

}  // namespace freeplay::study
