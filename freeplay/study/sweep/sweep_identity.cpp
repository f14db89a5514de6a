#include "freeplay/study/sweep/sweep_identity.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "freeplay/study/sweep/sweep.h"

namespace freeplay::study {

namespace {

// Which of the things that make a study are different.
std::string differences(const std::string& ours, const std::string& theirs) {
  const auto a = nlohmann::ordered_json::parse(ours, nullptr, false);
  const auto b = nlohmann::ordered_json::parse(theirs, nullptr, false);
  if (!a.is_object() || !b.is_object()) return "its description is damaged";
  std::string text;
  for (const auto& [key, value] : a.items()) {
    if (b.contains(key) && b[key] == value) continue;
    const std::string there = b.contains(key) ? b[key].dump() : "missing";
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        key == "model" ? std::string("the model's text differs")
                                       : fmt::format("'{}' is {} there and {} here", key, there, value.dump()));
  }
  for (const auto& [key, value] : b.items()) {
    if (!a.contains(key))
      text += fmt::format("{}'{}' is {} there and missing here", text.empty() ? "" : ", ", key, value.dump());
  }
  return text;
}

}  // namespace

void require_same_study(const SweepHeader& ours, const SweepHeader& theirs, const std::filesystem::path& path) {
  const std::string& text = ours.attributes.at("study");
  const auto found = theirs.attributes.find("study");
  if (found != theirs.attributes.end() && found->second == text) {
    if (ours.is_compiled() == theirs.is_compiled()) return;
    throw OtherStudy(
        fmt::format("{} was begun by an earlier version, whose rows do not say which of them compiled code has done",
                    path.string()));
  }
  throw OtherStudy(
      fmt::format("{} holds another study: {}", path.string(),
                  found == theirs.attributes.end() ? "it does not say which" : differences(text, found->second)));
}

}  // namespace freeplay::study
