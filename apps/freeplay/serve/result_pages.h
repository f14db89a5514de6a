// What the server of `freeplay view --serve` answers: the page, and the data that it asks for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "serve/loopback_server.h"

namespace freeplay::app {

struct ServedResult {
  std::filesystem::path file;
  std::string label;  // what the page calls it beside another one
};
// "/" is the viewer, "/data?from=T0&to=T1&rows=N" a part of the result file as it is at that moment; "/second" the same
// of a second result, where there is one.
WebHandler pages_of_results(const std::vector<ServedResult>& results);
// The answer to "/data" alone.
WebResponse data_of_result(const std::filesystem::path& result, const std::string& query);

}  // namespace freeplay::app
