// The viewer's page with the data of a result in it.
#pragma once

#include <string>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::report {

// `viewer` is the built page, which has a place for data (viewer/dist/viewer.html).
// A page that holds its data, compressed: one file that needs nothing else.
std::string view_page(std::string_view viewer, std::string_view block);
// Two runs over each other, each with the name that the page calls it by.
struct NamedBlock {
  std::string_view block, label;
};
std::string view_page_of_two(std::string_view viewer, const NamedBlock& first, const NamedBlock& second);
// Pages that ask whoever has served them for their data.
std::string served_page(std::string_view viewer);
std::string served_page_of_two(std::string_view viewer, std::string_view first_label, std::string_view second_label);

}  // namespace freeplay::report
