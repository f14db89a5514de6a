// `variants:`, parts of a model that the word of a parameter chooses.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "freeplay/io/fields/field_table.h"
#include "freeplay/io/model/model_sources.h"
#include "freeplay/io/yaml/value_reader.h"

namespace freeplay::io {

namespace {

// What cannot be chosen: it is read before, or says what kind of file this is.
constexpr std::array<std::string_view, 3> kFixedKeys = {"freeplay", "include", "variants"};

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The word that `--set name=word` gives, the last one if there are several; empty if there is none.
std::string_view word_that_is_set(std::string_view name, std::span<const std::string> overrides) {
  constexpr std::string_view kBlock = "parameters.";
  std::string_view word;
  for (const std::string_view text : overrides) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    std::string_view key = without_blanks(text.substr(0, equals));
    if (key.starts_with(kBlock)) key.remove_prefix(kBlock.size());
    if (key == name) word = without_blanks(text.substr(equals + 1));
  }
  return word;
}

class VariantChooser {
 public:
  VariantChooser(ModelSources& sources, std::span<const std::string> overrides, MistakeList& mistakes)
      : sources_(sources), overrides_(overrides), mistakes_(mistakes) {}

  void choose() {
    const YamlEntry* block = sources_.root.find("variants");
    if (block == nullptr || block->value.kind == YamlNode::Kind::kNull) return;
    if (!is_block(block->value, "variants", "write the name of a parameter below it, and below that its words")) return;
    const YamlNode variants = block->value;  // a copy: what is chosen changes the tree
    if (!words_stay(variants)) return;
    for (const YamlEntry& choice : variants.entries) choose_one(choice);
  }

 private:
  bool is_block(const YamlNode& node, const std::string& path, const char* hint) {
    if (node.kind == YamlNode::Kind::kMap) return true;
    mistakes_.add(node.at, path, fmt::format("must be a block, but is {}", describe(node.kind)), hint);
    return false;
  }

  // A word that a variant changed would choose or not, depending on the order in the file.
  bool words_stay(const YamlNode& variants) {
    bool all_stay = true;
    for (const YamlEntry& choice : variants.entries) {
      for (const YamlEntry& variant : choice.value.entries) {
        const YamlEntry* parameters = variant.value.find("parameters");
        if (parameters == nullptr) continue;
        for (const YamlEntry& parameter : parameters->value.entries) {
          if (variants.find(parameter.key) == nullptr) continue;
          mistakes_.add(parameter.key_at, fmt::format("variants.{}.{}", choice.key, variant.key),
                        fmt::format("'{}' chooses a variant itself, so no variant may change it", parameter.key),
                        "give its word among the parameters of the file, or with --set");
          all_stay = false;
        }
      }
    }
    return all_stay;
  }

  void choose_one(const YamlEntry& choice) {
    const std::string path = "variants." + choice.key;
    if (!is_block(choice.value, path, "write 'word: {...}' below it, with what the model then has")) return;
    std::vector<std::string> words;
    bool is_readable = true;
    for (const YamlEntry& variant : choice.value.entries) {
      words.push_back(variant.key);
      is_readable = has_known_keys(variant, path + "." + variant.key) && is_readable;
    }
    const std::string word = word_of(choice, path, words);
    if (word.empty() || !is_readable) return;
    const YamlEntry* chosen = choice.value.find(word);
    if (chosen == nullptr) {
      mistakes_.add(choice.key_at, path,
                    fmt::format("the parameter '{}' is {}, and there is no such variant", choice.key, in_quotes(word)),
                    suggestion(word, words));
      return;
    }
    if (chosen->value.kind == YamlNode::Kind::kNull) return;
    YamlNode merged = chosen->value;
    merged.at = sources_.root.at;
    merge_below(merged, std::move(sources_.root));
    sources_.root = std::move(merged);
  }

  // Also of variants that are not chosen: a misspelt key would be found only by the one who asks for it.
  bool has_known_keys(const YamlEntry& variant, const std::string& path) {
    if (variant.value.kind == YamlNode::Kind::kNull) return true;
    if (!is_block(variant.value, path, "write what the model then has, or {} for the file as it stands")) return false;
    bool all_known = true;
    for (const YamlEntry& entry : variant.value.entries) {
      const bool is_fixed = std::find(kFixedKeys.begin(), kFixedKeys.end(), entry.key) != kFixedKeys.end();
      if (!is_fixed && block_table("model").find(entry.key) != nullptr) continue;
      mistakes_.add(entry.key_at, path,
                    is_fixed ? fmt::format("'{}' cannot be chosen by a word", entry.key)
                             : fmt::format("unknown key {}", in_quotes(entry.key)),
                    is_fixed ? "say it once, for the whole file" : suggestion(entry.key, block_table("model").keys()));
      all_known = false;
    }
    return all_known;
  }

  std::string word_of(const YamlEntry& choice, const std::string& path, const std::vector<std::string>& words) {
    const YamlEntry* parameters = sources_.root.find("parameters");
    const YamlEntry* parameter = parameters == nullptr ? nullptr : parameters->value.find(choice.key);
    const YamlEntry* word = parameter == nullptr ? nullptr : parameter->value.find("word");
    if (word == nullptr) {
      mistakes_.add(
          choice.key_at, path, fmt::format("there is no parameter '{}' that is a word", choice.key),
          fmt::format("add '{}: {{word: {}}}' to the parameters", choice.key, words.empty() ? "NAME" : words.front()));
      return {};
    }
    const std::string_view given = word_that_is_set(choice.key, overrides_);
    return given.empty() ? word->value.text : std::string(given);
  }

  ModelSources& sources_;
  std::span<const std::string> overrides_;
  MistakeList& mistakes_;
};

}  // namespace

void choose_variants(ModelSources& sources, std::span<const std::string> overrides, MistakeList& mistakes) {
  VariantChooser(sources, overrides, mistakes).choose();
}

}  // namespace freeplay::io
