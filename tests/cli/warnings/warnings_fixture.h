// The warnings of a run, as the command prints them.
#pragma once

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command_test.h"

namespace freeplay::test {

class WarningsOfARun : public CommandTest {
 protected:
  // The warnings of a planar model whose run is completed. All that speak of warnings speak of the same list.
  std::vector<std::string> of(const std::string& model) {
    write("model.yaml", "freeplay: 1\nspace: planar\n" + model);
    const CommandResult result = freeplay({"run", "model.yaml", "--json", "--strict"});
    const nlohmann::json report = nlohmann::json::parse(result.out);
    EXPECT_EQ(report["status"], "completed");
    const std::vector<std::string> warnings = report["warnings"];
    EXPECT_EQ(result.exit_code, warnings.empty() ? 0 : 5);
    EXPECT_EQ(report["exit_code"], result.exit_code);
    const CommandResult info = freeplay({"info", "results/model", "--json"});
    EXPECT_EQ(nlohmann::json::parse(info.out)["warnings"], report["warnings"]) << "the result file has the same list";
    return warnings;
  }
};

}  // namespace freeplay::test
