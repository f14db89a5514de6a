// Every row of the option table reaches the reader, the result file, the reference page and the schema.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "freeplay/io/fields/model_reference.h"
#include "freeplay/io/schema/record_layout.h"
#include "unit/io/model/model_test_support.h"
#include "unit/simulation/another_option_value.h"

namespace freeplay::test::simulate_options_test {

using nlohmann::json;
using testing::HasSubstr;

// As a file or --set would say it.
std::string text_of(const Option& option, const OptionValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  const std::string number = fmt::format("{}", std::get<double>(value));
  const std::string unit = option.dimension.si_unit();
  if (unit.starts_with("1/")) return fmt::format("{}/(1 {})", number, unit.substr(2));
  return option.dimension.is_dimensionless() ? number : number + " " + unit;
}

ModelFile model_with(const Option& option, const std::string& text) {
  return parse_model(kSmallModel, "model.yaml",
                     std::vector<std::string>{fmt::format("simulate.{}={}", option.key, text)});
}

TEST(SimulateOptions, EveryRowIsReadAndCanBeSetFromTheCommandLine) {
  for (const Option& option : option_table()) {
    const OptionValue value = another_value(option);
    EXPECT_EQ(option.value(model_with(option, text_of(option, value)).simulate), value) << option.key;
  }
}

TEST(SimulateOptions, EveryRowIsWrittenToTheResult) {
  for (const Option& option : option_table()) {
    const OptionValue value = another_value(option);
    const ModelFile file = model_with(option, text_of(option, value));
    const json written = json::parse(record_layout(file).attributes.at("simulate"));
    if (option.is_shorthand()) {
      EXPECT_EQ(written.at("relative_tolerance"), std::get<double>(value));
      EXPECT_EQ(written.at("absolute_tolerance"), std::get<double>(value));
      continue;
    }
    ASSERT_TRUE(written.contains(option.key)) << option.key;
    if (option.words().empty()) {
      EXPECT_EQ(written.at(std::string(option.key)), std::get<double>(value)) << option.key;
    } else {
      EXPECT_EQ(written.at(std::string(option.key)), std::get<std::string>(value)) << option.key;
    }
  }
}

TEST(SimulateOptions, EveryRowStandsInTheReferenceAndTheSchema) {
  const std::string page = model_reference_markdown();
  const json schema = json::parse(model_json_schema());
  const json& properties = schema.at("$defs").at("simulate").at("properties");
  EXPECT_EQ(properties.size(), option_table().size());
  for (const Option& option : option_table()) {
    EXPECT_THAT(page, HasSubstr(fmt::format("\n| `{}` | ", option.key)));
    EXPECT_THAT(page, HasSubstr(std::string(option.meaning)));
    EXPECT_THAT(properties.at(std::string(option.key)).at("description"), HasSubstr(std::string(option.meaning)));
  }
}

TEST(SimulateOptions, TheReferenceNamesWhoUsesAnOption) {
  const std::string page = model_reference_markdown();
  EXPECT_THAT(page, HasSubstr("When a contact is taken as closed. Used by `moreau-midpoint`. |"));
  EXPECT_THAT(page, HasSubstr("Used by `dopri5`, `cvode-bdf`, `cvode-adams`. |"));
  EXPECT_THAT(page, HasSubstr("Used by the solver `prox-jacobi`. |"));
  EXPECT_THAT(page, HasSubstr("Length of the run. |"));
}

// What the page calls a default is what an absent key means.
TEST(SimulateOptions, ADefaultThatIsWrittenOutChangesNothing) {
  for (const Option& option : option_table()) {
    if (option.default_text().empty()) continue;
    EXPECT_TRUE(option.is_default(model_with(option, option.default_text()).simulate)) << option.key;
  }
}

TEST(SimulateOptions, TolerancesOfTheirOwnWinOverTheOneForBothInAnyOrder) {
  const auto options = parse_model(kSmallModel, "model.yaml",
                                   std::vector<std::string>{"simulate={relative_tolerance: 1e-6, tolerance: 1e-4, "
                                                            "duration: 1 s}"})
                           .simulate;
  EXPECT_EQ(options.relative_tolerance, 1e-6);
  EXPECT_EQ(options.absolute_tolerance, 1e-4);
}

}  // namespace freeplay::test::simulate_options_test
