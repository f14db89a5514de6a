#include "terminal/json_output.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace freeplay::app {

void print_json(const nlohmann::ordered_json& object) {
  // Names come from files, so a byte that is no UTF-8 is replaced instead of being an error.
  fmt::print(stdout, "{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace freeplay::app
