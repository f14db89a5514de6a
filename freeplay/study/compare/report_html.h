// A comparison as one page that needs nothing beside it: no network, no script.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "freeplay/study/compare/comparison.h"

namespace freeplay::study {

// A page on which the reference and another run move over each other, to be linked to.
struct MovingPage {
  std::string file;               // beside this page
  std::string first, second;      // labels of the two
  std::optional<double> parts_s;  // when the two part, to open it there
};
// `script`: what brings the curves to life (viewer/dist/compare.js); empty: they are pictures.
std::string comparison_html(const Comparison& comparison, const std::optional<MovingPage>& moving = {},
                            std::string_view script = {});

}  // namespace freeplay::study
