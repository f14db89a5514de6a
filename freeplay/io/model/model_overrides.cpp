// `--set key=value`; the value ~, nothing in YAML, takes the key away (`--unset key`).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "freeplay/io/fields/field_table.h"
#include "freeplay/io/model/model_parameters.h"
#include "freeplay/io/model/model_sources.h"

namespace freeplay::io {

namespace {

struct Override {
  int source = -1;
  std::string key;
  YamlNode value;
  bool is_parameter = false;
  bool is_removal = false;
  YamlNode replaced;  // the parameter's value in the file
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string> keys_of(const YamlNode& node) {
  std::vector<std::string> keys;
  for (const YamlEntry& entry : node.entries) keys.push_back(entry.key);
  return keys;
}

// Positions of a value that was parsed on its own become positions in the whole text of the override.
void shift(YamlNode& node, int source, int columns) {
  const auto move = [&](SourcePosition& at) {
    at.source = source;
    if (at.line == 1) at.column += columns;
  };
  move(node.at);
  for (YamlNode& item : node.items) shift(item, source, columns);
  for (YamlEntry& entry : node.entries) {
    move(entry.key_at);
    shift(entry.value, source, columns);
  }
}

class OverrideApplier {
 public:
  OverrideApplier(ModelSources& sources, MistakeList& mistakes) : sources_(sources), mistakes_(mistakes) {}

  void apply(std::span<const std::string> texts) {
    MistakeList ignored;  // mistakes of the file's own parameters are reported when the final ones are resolved
    const ResolvedParameters before = resolve_parameters(parameter_block(), sources_.texts, ignored);
    std::vector<Override> overrides;
    for (const std::string& text : texts) {
      if (std::optional<Override> parsed = parse(text)) overrides.push_back(std::move(*parsed));
    }
    for (Override& override : overrides) {
      if (is_chosen_before(override)) continue;
      if (override.is_removal)
        remove_path(override);
      else
        override.is_parameter ? set_parameter(override) : set_path(override);
    }
    check_dimensions(overrides, before);
  }

 private:
  bool is_chosen_before(const Override& override) {
    if (std::string_view(override.key).substr(0, override.key.find('.')) != "variants") return false;
    report(override.source, 1, "variants are chosen before anything is set, so this would change nothing",
           "set the word that chooses, or the value at its place in the model");
    return true;
  }

  const YamlNode* parameter_block() const {
    const YamlEntry* entry = sources_.root.find("parameters");
    return entry == nullptr ? nullptr : &entry->value;
  }

  void report(int source, int column, std::string message, std::string hint) {
    mistakes_.add({source, 1, column}, "", std::move(message), std::move(hint));
  }

  std::optional<Override> parse(const std::string& text) {
    Override override;
    override.source = sources_.texts.add("--set", text);
    const std::size_t equals = text.find('=');
    override.key = trimmed(std::string_view(text).substr(0, equals));
    if (equals == std::string::npos || override.key.empty()) {
      report(override.source, 1, fmt::format("{} is not of the form key=value", in_quotes(text)),
             "write --set c=0.5mm");
      return std::nullopt;
    }
    const std::string_view value = trimmed(std::string_view(text).substr(equals + 1));
    const int column =
        static_cast<int>(value.empty() ? equals + 1 : static_cast<std::size_t>(value.data() - text.data())) + 1;
    if (value.empty()) {
      report(override.source, column, fmt::format("'{}' is given no value", override.key), "write --set c=0.5mm");
      return std::nullopt;
    }
    constexpr std::string_view parameters = "parameters.";
    if (override.key.substr(0, parameters.size()) == parameters) override.key.erase(0, parameters.size());
    const bool is_path =
        override.key.find('.') != std::string::npos || block_table("model").find(override.key) != nullptr;
    const YamlNode* block = parameter_block();
    override.is_parameter = !is_path || (block != nullptr && block->find(override.key) != nullptr);

    override.is_removal = value == "~";
    // Lists, blocks and quoted texts are YAML; everything else is taken as it is, so that no shell user has to think of
    // YAML's special characters.
    if (std::string_view("[{'\"").find(value.front()) != std::string_view::npos) {
      const int alone = sources_.texts.add("--set", std::string(value));
      std::optional<YamlNode> node = parse_yaml(sources_.texts, alone, mistakes_);
      if (!node) return std::nullopt;
      override.value = std::move(*node);
      shift(override.value, override.source, column - 1);
    } else {
      override.value.kind = YamlNode::Kind::kScalar;
      override.value.text = value;
      override.value.at = {override.source, 1, column};
    }
    return override;
  }

  void set_parameter(Override& override) {
    YamlNode& root = sources_.root;
    YamlEntry* block = root.find("parameters");
    YamlEntry* entry = block == nullptr ? nullptr : block->value.find(override.key);
    if (entry != nullptr) {
      override.replaced = entry->value;
      YamlEntry* word = entry->value.find("word");
      (word != nullptr && override.value.kind == YamlNode::Kind::kScalar ? word->value : entry->value) = override.value;
      return;
    }
    // A built-in system has parameters with defaults that its file need not list; it checks their names itself.
    if (root.find("system") != nullptr) {
      if (block == nullptr) {
        root.entries.push_back({"parameters", {override.source, 1, 1}, {}});
        block = &root.entries.back();
        block->value.at = block->key_at;
      }
      block->value.kind = YamlNode::Kind::kMap;
      block->value.entries.push_back({override.key, {override.source, 1, 1}, override.value});
      return;
    }
    const std::vector<std::string> names = block == nullptr ? std::vector<std::string>{} : keys_of(block->value);
    report(override.source, 1, fmt::format("the model has no parameter {}", in_quotes(override.key)),
           names.empty() ? "it has no parameters at all; a path such as simulate.step=1us can be set"
                         : suggestion(override.key, names));
  }

  void set_path(Override& override) {
    YamlNode* node = &sources_.root;
    std::string_view rest = override.key;
    std::string path;
    for (int level = 0;; ++level) {
      const std::size_t dot = rest.find('.');
      const std::string component(rest.substr(0, dot));
      path += path.empty() ? component : "." + component;
      const bool last = dot == std::string_view::npos;
      if (node->kind == YamlNode::Kind::kNull) node->kind = YamlNode::Kind::kMap;
      if (node->kind != YamlNode::Kind::kMap) {
        report(override.source, 1, fmt::format("{} is not a block, so nothing can be set in it", in_quotes(path)),
               "check the path");
        return;
      }
      YamlEntry* entry = node->find(component);
      if (entry == nullptr) {
        if (!may_be_added(override, level, component, *node)) return;
        node->entries.push_back({component, {override.source, 1, 1}, {}});
        entry = &node->entries.back();
        entry->value.kind = YamlNode::Kind::kMap;
        entry->value.at = entry->key_at;
      }
      if (last) {
        entry->value = override.value;
        return;
      }
      node = &entry->value;
      rest.remove_prefix(dot + 1);
    }
  }

  // Paths of the file whose last key begins as `word` does.
  static void find_paths(const YamlNode& node, const std::string& path, std::string_view word,
                         std::vector<std::string>& found) {
    for (const YamlEntry& entry : node.entries) {
      const std::string own = path.empty() ? entry.key : path + "." + entry.key;
      if (entry.key.starts_with(word)) found.push_back(own);
      find_paths(entry.value, own, word, found);
    }
  }

  static std::string path_hint(const YamlNode& node, const std::string& path, const std::string& word) {
    std::vector<std::string> found;
    find_paths(node, path, word, found);
    return found.size() == 1 ? fmt::format("did you mean '{}'?", found[0]) : suggestion(word, keys_of(node));
  }

  void remove_path(const Override& override) {
    const YamlNode* parameters = parameter_block();
    if (override.is_parameter && (parameters == nullptr || parameters->find(override.key) == nullptr)) {
      report(override.source, 1, fmt::format("the file has no {} to take away", in_quotes(override.key)),
             path_hint(sources_.root, "", override.key));
      return;
    }
    if (override.is_parameter) {
      report(override.source, 1,
             fmt::format("{} is a parameter, which the model needs wherever it is named", in_quotes(override.key)),
             "give it another value: --set c=0.5mm");
      return;
    }
    YamlNode* node = &sources_.root;
    std::string_view rest = override.key;
    std::string path;
    for (;;) {
      const std::size_t dot = rest.find('.');
      const std::string component(rest.substr(0, dot));
      YamlEntry* entry = node->find(component);
      if (entry == nullptr) {
        report(override.source, 1, fmt::format("the file has no {} to take away", in_quotes(override.key)),
               path_hint(*node, path, component));
        return;
      }
      path += path.empty() ? component : "." + component;
      if (dot == std::string_view::npos) {
        node->entries.erase(node->entries.begin() + (entry - node->entries.data()));
        return;
      }
      node = &entry->value;
      rest.remove_prefix(dot + 1);
    }
  }

  // A key that the file leaves out may be set; a new block of the top level too, but not a body or joint that is not
  // there.
  bool may_be_added(const Override& override, int level, const std::string& component, const YamlNode& node) {
    const std::string top = override.key.substr(0, override.key.find('.'));
    const Field* field = block_table("model").find(top);
    if (field == nullptr) {
      std::vector<std::string> known = block_table("model").keys();
      report(override.source, 1, fmt::format("the model has no block {}", in_quotes(top)), suggestion(top, known));
      return false;
    }
    const bool holds_names = field->kind == FieldKind::kNamedBlocks || field->kind == FieldKind::kTypedBlocks;
    if (!holds_names || level != 1) return true;
    report(override.source, 1, fmt::format("there is no {} in {}", in_quotes(component), top),
           suggestion(component, keys_of(node)));
    return false;
  }

  // A parameter keeps its kind and its dimension; otherwise every use of it would be reported instead of the cause.
  // Of several values for one parameter the last one counts, and it alone is looked at.
  void check_dimensions(const std::vector<Override>& overrides, const ResolvedParameters& before) {
    MistakeList ignored;
    const ResolvedParameters after = resolve_parameters(parameter_block(), sources_.texts, ignored);
    const ParameterScope old_scope = before.scope(), new_scope = after.scope();
    for (std::size_t i = 0; i < overrides.size(); ++i) {
      const Override& override = overrides[i];
      const ModelParameter* old_value = old_scope.find(override.key);
      const ModelParameter* new_value = new_scope.find(override.key);
      if (!override.is_parameter || old_value == nullptr || new_value == nullptr) continue;
      const auto has_same_key = [&](const Override& other) { return other.is_parameter && other.key == override.key; };
      if (std::any_of(overrides.begin() + static_cast<std::ptrdiff_t>(i) + 1, overrides.end(), has_same_key)) continue;
      const bool fits = old_value->value.dimension == new_value->value.dimension || new_value->is_bare_zero ||
                        old_value->is_bare_zero;
      YamlNode& node = sources_.root.find("parameters")->value.find(override.key)->value;
      if (old_value->word.has_value() == new_value->word.has_value() && fits) {
        // A plain 0 takes the unit of what it replaces, so that `l/2` stays a length.
        if (new_value->is_bare_zero && !old_value->is_bare_zero) node.text = zero_of(old_value->value.dimension);
        continue;
      }
      report_other_kind(override, *old_value, *new_value);
      node = std::find_if(overrides.begin(), overrides.end(), has_same_key)->replaced;  // that of the file
    }
  }

  void report_other_kind(const Override& override, const ModelParameter& old_value, const ModelParameter& new_value) {
    const Dimension &old_dimension = old_value.value.dimension, &new_dimension = new_value.value.dimension;
    const std::string is = old_value.word ? "a word" : old_dimension.describe();
    const std::string would_be = new_value.word ? "a word" : new_dimension.describe();
    const std::string unit = old_dimension.si_unit();
    std::string hint;
    if (old_value.word)
      hint = "give a word";
    else if (old_dimension.is_dimensionless())
      hint = "give a number without unit";
    else if (is_number(override.value.text))
      hint = fmt::format("write {} if SI units are meant: a number needs its unit here", with_unit(override, unit));
    else
      hint = fmt::format("give a value in {} or a unit of the same kind", unit);
    mistakes_.add(override.value.at, "parameters." + override.key,
                  fmt::format("is {} in the file, but {} is {}", is, in_quotes(override.value.text), would_be), hint);
  }

  static bool is_number(const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc() && result.ptr == end;
  }

  // "c=0.0001m", "omega=150/s"
  static std::string with_unit(const Override& override, const std::string& unit) {
    return fmt::format("{}={}{}", override.key, override.value.text, unit.starts_with("1/") ? unit.substr(1) : unit);
  }

  // "0 m", "0/s", "0"
  static std::string zero_of(const Dimension& dimension) {
    if (dimension.is_dimensionless()) return "0";
    const std::string unit = dimension.si_unit();
    return unit.starts_with("1/") ? "0" + unit.substr(1) : "0 " + unit;
  }

  ModelSources& sources_;
  MistakeList& mistakes_;
};

}  // namespace

void apply_overrides(ModelSources& sources, std::span<const std::string> overrides, MistakeList& mistakes) {
  if (overrides.empty()) return;
  OverrideApplier(sources, mistakes).apply(overrides);
}

}  // namespace freeplay::io
