#include "freeplay/io/study/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "freeplay/io/yaml/text_guard.h"
#include "freeplay/io/yaml/yaml_document.h"

namespace freeplay::io {

namespace {

constexpr std::array<const char*, 16> kStudyKeys = {"study",  "model",    "set",     "over",   "sample", "seed",
                                                    "worst",  "measure",  "section", "point",  "skip",   "turns",
                                                    "follow", "lyapunov", "orbit",   "backend"};
constexpr std::array<const char*, 4> kStudyBackends = {"engine", "compiled", "cuda", "auto"};

class StudyReader {
 public:
  StudyReader(const SourceTexts& texts, const YamlNode& root, MistakeList& mistakes)
      : texts_(texts), root_(root), mistakes_(mistakes) {}

  StudyFile read(const std::filesystem::path& folder) {
    if (root_.kind != YamlNode::Kind::kMap) {
      const SourcePosition at = root_.at.line > 0 ? root_.at : SourcePosition{0, 1, 1};  // of an empty file
      mistakes_.add(at, "", "a study is a block of keys", "write study: 1, model: FILE, over: ..., measure: ...");
      return {};
    }
    if (const YamlEntry* const model = root_.find("freeplay"); model != nullptr && root_.find("study") == nullptr) {
      mistakes_.add(model->key_at, "", "this is a model, and a study is a file that names one",
                    "run it by 'freeplay run', or write a file with study: 1, model: FILE, over: ..., measure: ...");
      return {};
    }
    for (const YamlEntry& entry : root_.entries) {
      if (std::ranges::find(kStudyKeys, entry.key) == kStudyKeys.end())
        mistakes_.add(entry.key_at, entry.key, "a study has no such key",
                      did_you_mean(entry.key, {kStudyKeys.begin(), kStudyKeys.end()}));
    }
    StudyFile study;
    if (text("study") != "1")
      mistakes_.add(root_.at, "study", "the format of the file is missing or not known", "write study: 1");
    const std::string model = text("model");
    if (model.empty()) mistakes_.add(root_.at, "model", "the model is missing", "write model: crank.yaml");
    study.model = folder / model;
    study.set = named_texts("set", Lists::kAreValues);
    study.over = named_texts("over");
    study.measures = named_texts("measure");
    study.points = named_texts("point");
    study.sample = text("sample");
    study.worst = text("worst");
    study.section = text("section");
    study.follow = text("follow");
    study.orbit = text("orbit");
    if (root_.find("backend") != nullptr) study.backend = text("backend");
    if (std::ranges::find(kStudyBackends, study.backend) == kStudyBackends.end())
      mistakes_.add(root_.find("backend")->at(), "backend", fmt::format("{} is no backend", in_quotes(study.backend)),
                    "possible: engine, compiled, cuda or auto");
    study.seed = static_cast<std::uint64_t>(whole_number("seed", 0).value_or(0));
    study.skip = whole_number("skip", 0).value_or(0);
    study.turns = whole_number("turns", 1);
    if (root_.find("lyapunov") != nullptr) study.lyapunov = text("lyapunov");
    for (const YamlEntry& entry : root_.entries) add_places(entry, study.places);
    return study;
  }

 private:
  std::string text(const char* key) {
    const YamlEntry* const entry = root_.find(key);
    if (entry == nullptr || entry->value.kind == YamlNode::Kind::kNull) return "";
    return scalar(entry->value, key);
  }
  std::string scalar(const YamlNode& node, const std::string& path) {
    if (node.kind == YamlNode::Kind::kScalar) return node.text;
    mistakes_.add(node.at, path, fmt::format("a text is wanted here, and this is {}", describe(node.kind)),
                  "write it in one line");
    return "";
  }
  // A list is what the command line has between commas.
  // A list of values to take, as --over has it; or one value that is a list, as --set has it.
  enum class Lists : std::uint8_t { kOfValues, kAreValues };
  std::string value_text(const YamlNode& node, const std::string& path, Lists lists) {
    if (node.kind != YamlNode::Kind::kList) return scalar(node, path);
    std::string joined;
    for (const YamlNode& item : node.items) joined += (joined.empty() ? "" : ",") + value_text(item, path, lists);
    return lists == Lists::kAreValues ? "[" + joined + "]" : joined;
  }
  std::vector<std::string> named_texts(const char* key, Lists lists = Lists::kOfValues) {
    const YamlEntry* const entry = root_.find(key);
    if (entry == nullptr) return {};
    if (entry->value.kind != YamlNode::Kind::kMap) {
      mistakes_.add(entry->at(), key, "a block of names and values is wanted here",
                    fmt::format("write {}: {{NAME: VALUE}}", key));
      return {};
    }
    std::vector<std::string> texts;
    for (const YamlEntry& named : entry->value.entries)
      texts.push_back(
          fmt::format("{}={}", named.key, value_text(named.value, fmt::format("{}.{}", key, named.key), lists)));
    return texts;
  }
  std::optional<std::int64_t> whole_number(const char* key, std::int64_t least) {
    const YamlEntry* const entry = root_.find(key);
    if (entry == nullptr) return std::nullopt;
    const std::string digits = scalar(entry->value, key);
    std::int64_t number = 0;
    const std::from_chars_result result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (result.ec == std::errc() && result.ptr == digits.data() + digits.size() && number >= least) return number;
    mistakes_.add(entry->at(), key, fmt::format("{} is no number of this kind", in_quotes(digits)),
                  fmt::format("write a whole number from {} on", least));
    return std::nullopt;
  }
  void add_places(const YamlEntry& entry, std::vector<StudyPlace>& places) const {
    const std::string option = "--" + entry.key;
    for (const YamlEntry& named : entry.value.entries)
      places.push_back({option, named.key, texts_.mark(named.key_at), texts_.excerpt(named.key_at)});
    places.push_back({option, "", texts_.mark(entry.key_at), texts_.excerpt(entry.key_at)});
  }

  const SourceTexts& texts_;
  const YamlNode& root_;
  MistakeList& mistakes_;
};

// Whether a message about an option that stands for several names is about this one.
bool tells_of(const Diagnostic& diagnostic, const std::string& name) {
  const auto has = [&](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  return diagnostic.path == name || diagnostic.path.ends_with("." + name) ||
         diagnostic.excerpt.starts_with(name + "=") || has(diagnostic.message, "'" + name + "'") ||
         has(diagnostic.message, "'" + name + "=");
}

}  // namespace

void StudyFile::forget_place(const std::string& option, const std::string& name) {
  std::erase_if(places, [&](const StudyPlace& place) { return place.option == option && place.name == name; });
}

ModelError StudyFile::located(const ModelError& error) const {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    const auto place = std::ranges::find_if(places, [&](const StudyPlace& each) {
      return each.option == diagnostic.mark.file && !each.name.empty() && tells_of(diagnostic, each.name);
    });
    const auto block = std::ranges::find_if(
        places, [&](const StudyPlace& each) { return each.option == diagnostic.mark.file && each.name.empty(); });
    const auto found = place != places.end() ? place : block;
    if (found == places.end()) continue;
    diagnostic.mark = found->mark;
    diagnostic.excerpt = found->excerpt;
  }
  return ModelError(std::move(diagnostics));
}

StudyFile read_study_file(const std::filesystem::path& path) {
  SourceTexts texts;
  MistakeList mistakes;
  const int source = texts.add(path.string(), read_model_text(path, path.string()));
  const std::optional<YamlNode> root = parse_yaml(texts, source, mistakes);
  if (!root) mistakes.throw_if_any(texts);
  StudyFile study = StudyReader(texts, *root, mistakes).read(path.parent_path());
  mistakes.throw_if_any(texts);
  return study;
}

}  // namespace freeplay::io
