#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/command_test.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class ListCommand : public CommandTest {};

TEST_F(ListCommand, EveryNameHasADescription) {
  const json all = json::parse(freeplay({"list", "--json"}).out);
  for (const char* topic : {"integrators", "solvers", "laws", "joints", "shapes", "systems", "units", "functions"})
    EXPECT_TRUE(all.contains(topic)) << topic;
  for (const auto& [topic, entries] : all.items()) {
    for (const json& entry : entries)
      EXPECT_GT(entry["description"].get<std::string>().size(), 2u) << topic << ": " << entry["name"];
  }
}

TEST_F(ListCommand, OneTopicAlone) {
  const CommandResult result = freeplay({"list", "integrators"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, testing::StartsWith("integrators\n  dopri5  "));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("revolute")));
  EXPECT_EQ(json::parse(freeplay({"list", "units", "--json"}).out).size(), 1u);
}

TEST_F(ListCommand, LawsAreThoseOfModelFiles) {
  const CommandResult laws = freeplay({"list", "laws"});
  for (const char* law :
       {"exact-restitution", "johnson", "dubowsky-freudenstein", "regularised-coulomb", "stribeck", "coulomb", "table"})
    EXPECT_THAT(laws.out, HasSubstr(law));
}

TEST_F(ListCommand, UnknownTopicIsAUsageError) {
  const CommandResult result = freeplay({"list", "jints"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'joints'?"));
}

TEST_F(ListCommand, PrintsWhatTheDocumentationIsMadeOf) {
  EXPECT_THAT(freeplay({"list", "--model-reference"}).out, HasSubstr("simulate"));
  EXPECT_TRUE(json::parse(freeplay({"list", "--json-schema"}).out).is_object());
}

}  // namespace

}  // namespace freeplay::test
