#include "freeplay/io/model/model_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "freeplay/io/model/scattered_parameters.h"

namespace freeplay::io {

namespace {

// Thrown out of the parser when it meets a parameter whose value is not known yet. Depth-first resolution with a stack
// of our own: a chain of ten thousand parameters must not become ten thousand nested calls.
struct NeedsFirst {
  std::string name;
};

enum class Progress : std::uint8_t { kUntouched, kWaiting, kDone, kFailed };

struct Entry {
  const YamlEntry* source = nullptr;
  Progress progress = Progress::kUntouched;
  ModelParameter result;
};

class Resolver {
 public:
  Resolver(const SourceTexts& texts, MistakeList& mistakes) : texts_(texts), mistakes_(mistakes) {}

  ResolvedParameters resolve(const YamlNode& block) {
    for (const YamlEntry& source : block.entries) declare(source);
    for (const std::string& name : order_) settle(name);
    ResolvedParameters resolved;
    for (const std::string& name : order_) {
      Entry& entry = entries_.at(name);
      if (entry.progress == Progress::kDone)
        resolved.parameters.push_back(std::move(entry.result));
      else
        resolved.failed.push_back(name);
    }
    return resolved;
  }

 private:
  static std::string path_of(const std::string& name) { return "parameters." + name; }

  void declare(const YamlEntry& source) {
    const std::string& name = source.key;
    Entry entry{&source, Progress::kUntouched, {}};
    entry.result.name = name;
    if (!is_identifier(name)) {
      mistakes_.add(source.key_at, "parameters", fmt::format("{} cannot be the name of a parameter", in_quotes(name)),
                    "use letters, digits and '_', and start with a letter");
      entry.progress = Progress::kFailed;
    } else if (is_reserved_parameter(name)) {
      mistakes_.add(source.key_at, path_of(name), fmt::format("the name '{}' is reserved", name),
                    "choose another name");
      entry.progress = Progress::kFailed;
    }
    order_.push_back(name);
    entries_.emplace(name, std::move(entry));
  }

  void settle(const std::string& first) {
    std::vector<std::string> waiting = {first};
    while (!waiting.empty()) {
      Entry& entry = entries_.at(waiting.back());
      if (entry.progress == Progress::kDone || entry.progress == Progress::kFailed) {
        waiting.pop_back();
        continue;
      }
      entry.progress = Progress::kWaiting;
      try {
        entry.progress = evaluate(entry) ? Progress::kDone : Progress::kFailed;
      } catch (const NeedsFirst& needed) {
        if (entries_.at(needed.name).progress == Progress::kWaiting)
          report_circle(waiting, needed.name);
        else
          waiting.push_back(needed.name);
      }
    }
  }

  void report_circle(const std::vector<std::string>& waiting, const std::string& start) {
    constexpr std::ptrdiff_t kMaxNamed = 8;
    const auto begin = std::find(waiting.begin(), waiting.end(), start);
    const auto shown_end = std::min(waiting.end(), begin + kMaxNamed);
    const std::string circle = fmt::format("{} -> {}{}", fmt::join(begin, shown_end, " -> "),
                                           shown_end == waiting.end() ? "" : "... -> ", start);
    mistakes_.add(entries_.at(start).source->at(), path_of(start), "parameters are defined by each other: " + circle,
                  "give one of them a value of its own");
    for (auto name = begin; name != waiting.end(); ++name) entries_.at(*name).progress = Progress::kFailed;
  }

  // False: wrong, and reported (or it uses a parameter for which that is so).
  bool evaluate(Entry& entry) {
    const YamlNode& node = entry.source->value;
    const std::string path = path_of(entry.result.name);
    if (node.find("word") != nullptr) return read_word(entry);
    if (node.kind == YamlNode::Kind::kMap) {
      const auto parse_constant = [this](const auto&... where) { return parse(where...); };
      return read_scatter(*entry.source, path, parse_constant, mistakes_, entry.result);
    }
    entry.result.text = node.text;
    const std::optional<Expression> value = parse(node, path, "1 mm, or {word: name}");
    if (!value) return false;
    entry.result.value = {value->constant_value(), value->dimension()};
    entry.result.is_bare_zero = value->is_bare_zero();
    return true;
  }

  bool read_word(Entry& entry) {
    const YamlNode& node = entry.source->value;
    const YamlEntry* word = node.find("word");
    const bool is_word = node.entries.size() == 1 && word != nullptr && word->value.kind == YamlNode::Kind::kScalar;
    if (!is_word || word->value.text.empty()) {
      mistakes_.add(entry.source->key_at, path_of(entry.result.name), "must be a quantity or a word",
                    "write '1 mm', or '{word: name}' for a name");
      return false;
    }
    entry.result.text = word->value.text;
    entry.result.word = word->value.text;
    return true;
  }

  // A constant expression of parameters. Nothing: wrong, and reported.
  std::optional<Expression> parse(const YamlNode& node, const std::string& path, const char* example) {
    // The scope of the parameters known so far; the parser's questions about others are answered by NeedsFirst.
    MechanismSpec no_mechanism;
    if (!ValueReader(texts_, mistakes_, {}, no_mechanism).is_scalar(node, path, example)) return std::nullopt;
    bool uses_failed = false;
    std::string word_parameter;
    SymbolScope scope;
    scope.lookup = [&](std::string_view name) -> std::optional<Symbol> {
      const auto found = entries_.find(name);
      if (found == entries_.end()) return std::nullopt;
      const Entry& other = found->second;
      if (other.progress == Progress::kUntouched || other.progress == Progress::kWaiting)
        throw NeedsFirst{std::string(name)};
      uses_failed = other.progress == Progress::kFailed;
      if (other.result.word) word_parameter = name;
      if (uses_failed || other.result.word) return std::nullopt;
      Symbol symbol;
      symbol.constant = other.result.value;
      symbol.bare_zero = other.result.is_bare_zero;
      return symbol;
    };
    scope.known_names = [&] { return mistakes_.is_full() ? std::vector<std::string>{} : order_; };
    try {
      return Expression::parse(node.text, scope);
    } catch (const ExpressionError& error) {
      if (uses_failed) return std::nullopt;
      const SourcePosition at = position_in_scalar(texts_, node, error.offset());
      std::string hint = error.hint();
      if (hint.empty())
        hint = fmt::format("write a quantity such as 1 mm; a word is written '{{word: {}}}'", node.text.substr(0, 20));
      if (word_parameter.empty()) {
        mistakes_.add(at, path, error.what(), hint);
      } else {
        mistakes_.add(at, path, fmt::format("the parameter '{}' is a word, not a number", word_parameter),
                      "use it only where a name is expected");
      }
      return std::nullopt;
    }
  }

  const SourceTexts& texts_;
  MistakeList& mistakes_;
  std::vector<std::string> order_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace

ResolvedParameters resolve_parameters(const YamlNode* block, const SourceTexts& texts, MistakeList& mistakes) {
  if (block == nullptr || block->kind == YamlNode::Kind::kNull) return {};
  if (block->kind != YamlNode::Kind::kMap) {
    mistakes.add(block->at, "parameters", fmt::format("must be a block of names, but is {}", describe(block->kind)),
                 "write 'name: value' below it, one line each");
    return {};
  }
  return Resolver(texts, mistakes).resolve(*block);
}

bool is_reserved_parameter(std::string_view name) {
  return name == "t" || name == "pi";
}

bool is_reserved_name(std::string_view name) {
  return name == "ground" || name == "energy" || is_reserved_parameter(name);
}

}  // namespace freeplay::io
