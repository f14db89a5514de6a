// One line about each law, joint and function that a model file may name.
#pragma once

#include <string_view>

namespace freeplay::app {

// Empty if there is none; a test sees to it that every listed name has one.
std::string_view law_description(std::string_view name);
std::string_view joint_description(std::string_view name);
std::string_view function_description(std::string_view name);

}  // namespace freeplay::app
