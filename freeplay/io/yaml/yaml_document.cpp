#include "freeplay/io/yaml/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "freeplay/io/yaml/text_guard.h"

namespace freeplay::io {

namespace {

// Ends the parse: leaves yaml-cpp's recursion at once.
struct FatalYamlError {
  SourcePosition at;
  std::string message, hint;
};

// Depth and size of a finished subtree, so that an alias can be refused before it is copied.
struct Extent {
  std::size_t nodes = 1, bytes = 0;  // bytes of keys and values
  int depth = 1;
};

Extent extent_of(const YamlNode& node) {
  Extent extent;
  extent.bytes = node.text.size();
  const auto include = [&extent](const YamlNode& child) {
    const Extent inner = extent_of(child);
    extent.nodes += inner.nodes;
    extent.bytes += inner.bytes;
    extent.depth = std::max(extent.depth, inner.depth + 1);
  };
  for (const YamlNode& item : node.items) include(item);
  for (const YamlEntry& entry : node.entries) {
    include(entry.value);
    extent.bytes += entry.key.size();
  }
  return extent;
}

// The code of the first control character, 0 if there is none. Escapes in quotes ("\e", "\x9b") get past the check of
// the file's text, and names are printed on terminals.
std::uint32_t control_character_in(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) return byte == 0 ? 0xFFFD : byte;
    if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0)  // U+0080 to U+009F
      return static_cast<unsigned char>(text[i + 1]);
  }
  return 0;
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, int source, MistakeList& mistakes)
      : text_(text), source_(source), mistakes_(mistakes) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_begins_.push_back(i + 1);
    }
  }

  YamlNode take_root() { return std::move(root_); }
  // The line in which the innermost list or block starts whose end has not been seen; 0 if there is none.
  int innermost_open_line() const { return open_.empty() ? 0 : open_.back().node.at.line; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) return;
    // yaml-cpp also starts a document at whatever it cannot attach to the one before.
    if (text_from(position(mark)).substr(0, 3) == "---") {
      throw FatalYamlError{position(mark), "the file holds several YAML documents",
                           "keep one model per file; delete the line '---' and what follows"};
    }
    throw FatalYamlError{position(mark), "the model ends before this",
                         "look for a bracket or quote too many, or for a line that is not 'key: value'"};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(YamlNode::Kind::kNull, mark, ""), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      throw FatalYamlError{position(mark), "the alias refers to a block that contains it",
                           "write the values out instead of referring to the block from inside"};
    }
    const Extent extent = extent_of(found->second);
    count_nodes(extent.nodes, position(mark));
    count_copied_bytes(extent.bytes, position(mark));
    check_depth(static_cast<int>(open_.size()) + extent.depth, position(mark));
    add(YamlNode(found->second), 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(YamlNode::Kind::kScalar, mark, tag);
    node.is_quoted = tag == "!";
    if (node.is_quoted) check_quote_is_closed(node.at);
    if (const std::uint32_t code = control_character_in(value); code != 0) {
      mistakes_.add(node.at, "", fmt::format("the text holds a control character (code {})", code),
                    "delete the escape sequence that stands for it: texts are shown on terminals and pages");
    } else {
      node.text = value;
    }
    add(std::move(node), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(make(YamlNode::Kind::kList, mark, tag), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(make(YamlNode::Kind::kMap, mark, tag), anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  // A list or map whose end has not been seen.
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    std::map<std::string, int> keys;   // kMap: seen so far, and in which line
    std::optional<YamlEntry> pending;  // kMap: its key is read, its value is not
    bool drops_pending = false;        // the pending key is wrong; its value is read and forgotten
  };

  SourcePosition position(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

  std::string_view text_from(SourcePosition at) const {
    const auto line = static_cast<std::size_t>(at.line - 1);
    const std::size_t begin = line < line_begins_.size() ? line_begins_[line] : text_.size();
    return text_.substr(std::min(text_.size(), begin + static_cast<std::size_t>(at.column - 1)));
  }

  // yaml-cpp 0.7 accepts a quote that the end of the file closes, and swallows the rest of the model with it.
  void check_quote_is_closed(SourcePosition at) const {
    std::string_view text = text_from(at);
    while (!text.empty() && (text.front() == '&' || text.front() == '!')) {  // an anchor or a tag before the value
      text.remove_prefix(std::min(text.size(), text.find_first_of(" \n")));
      text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \n")));
    }
    if (text.empty() || (text.front() != '\'' && text.front() != '"')) return;  // a block text
    const char quote = text.front();
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (quote == '"' && text[i] == '\\') {
        ++i;
      } else if (text[i] == quote) {
        const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'';
        if (!doubled) return;
        ++i;
      }
    }
    throw FatalYamlError{at, "the quote that starts here is never closed", fmt::format("close it with {}", quote)};
  }

  void count_nodes(std::size_t more, SourcePosition at) {
    nodes_ += more;
    if (nodes_ > kMaxYamlNodes) {
      throw FatalYamlError{at, fmt::format("the file stands for more than {} values", kMaxYamlNodes),
                           "aliases that refer to aliases multiply; write the model without them"};
    }
  }
  // A long text behind an alias costs memory each time, whatever the number of values.
  void count_copied_bytes(std::size_t more, SourcePosition at) {
    copied_bytes_ += more;
    if (copied_bytes_ > kMaxModelBytes) {
      throw FatalYamlError{
          at, fmt::format("anchors and aliases multiply the text to more than {} MB", kMaxModelBytes >> 20U),
          "write the model without them, or use 'parameters' for what is shared"};
    }
  }
  void check_depth(int depth, SourcePosition at) const {
    if (depth > kMaxYamlDepth) {
      throw FatalYamlError{at, fmt::format("the nesting is deeper than {} levels", kMaxYamlDepth),
                           "no part of a model needs more than 8 levels; look for unclosed brackets"};
    }
  }

  YamlNode make(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    YamlNode node;
    node.kind = kind;
    node.at = position(mark);
    count_nodes(1, node.at);
    // yaml-cpp gives "?" for plain and "!" for quoted values; anything else was written in the file.
    if (!tag.empty() && tag != "?" && tag != "!") {
      mistakes_.add(node.at, "", fmt::format("the YAML tag {} is not supported", in_quotes(tag)),
                    "delete the tag: the place of a value says what it is");
    }
    return node;
  }

  void open(YamlNode node, YAML::anchor_t anchor) {
    check_depth(static_cast<int>(open_.size()) + 1, node.at);
    open_.push_back({std::move(node), anchor, {}, std::nullopt, false});
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.node), done.anchor);
  }

  void add(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != 0) {
      count_copied_bytes(extent_of(node).bytes, node.at);
      anchors_[anchor] = node;
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.pending) {
      begin_entry(parent, std::move(node));
    } else {
      // yaml-cpp places a missing value at the next token, which may be lines below.
      if (node.kind == YamlNode::Kind::kNull) node.at = parent.pending->key_at;
      parent.pending->value = std::move(node);
      if (!parent.drops_pending) parent.node.entries.push_back(std::move(*parent.pending));
      parent.pending.reset();
    }
  }

  void begin_entry(Open& parent, YamlNode key) {
    parent.pending = YamlEntry{key.text, key.at, {}};
    parent.drops_pending = true;
    if (key.kind != YamlNode::Kind::kScalar) {
      mistakes_.add(key.at, "", fmt::format("a key must be a word, but this is {}", describe(key.kind)),
                    "write 'key: value'");
    } else if (key.text == "<<" && !key.is_quoted) {
      mistakes_.add(key.at, "", "merge keys ('<<') are not supported",
                    "write the values out, or use 'parameters' for what is shared");
    } else if (const auto [first, is_new] = parent.keys.emplace(key.text, key.at.line); !is_new) {
      mistakes_.add(key.at, "", fmt::format("the key {} stands here for the second time", in_quotes(key.text)),
                    fmt::format("the first one is in line {}; keep one of them", first->second));
    } else {
      parent.drops_pending = false;
    }
  }

  std::string_view text_;
  std::vector<std::size_t> line_begins_{0};
  int source_;
  MistakeList& mistakes_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  YamlNode root_;
  std::size_t nodes_ = 0, copied_bytes_ = 0;
  int documents_ = 0;
};

// yaml-cpp says what its state machine missed; people want to know what to type.
std::string syntax_hint(const std::string& message) {
  struct Cure {
    std::string_view part, hint;
  };
  static constexpr Cure kCures[] = {
      {"end of map flow", "close the block with '}' and separate its entries with commas"},
      {"end of sequence flow", "close the list with ']' and separate its items with commas"},
      {"end of map", "indent the keys of one block equally, and write 'key: value' with a space after the colon"},
      {"end of sequence", "indent the items of one list equally"},
      {"illegal map value",
       "a text that holds ': ' needs quotes; otherwise check the indentation of this line, and the blank after the "
       "colon in the line above"},
      {"illegal block entry", "a list item '- ' cannot stand here; check the indentation"},
      {"illegal flow end", "a closing bracket has no opening one"},
      {"illegal EOF in scalar", "close the quote"},
      {"illegal document indicator in scalar", "close the quote"},
      {"unknown token", "put texts with special characters in quotes"},
      {"the referenced anchor is not defined",
       "define it with '&name' before, or quote the text if it is not an alias"},
      {"unknown escape character", "use single quotes if the backslash is meant literally"},
      {"cannot assign multiple", "give a value at most one anchor"},
  };
  for (const Cure& cure : kCures) {
    if (message.find(cure.part) != std::string::npos) return std::string(cure.hint);
  }
  return "see the YAML rules in docs/guide/model_file.md";
}

}  // namespace

const YamlEntry* YamlNode::find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [key](const YamlEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

YamlEntry* YamlNode::find(std::string_view key) {
  return const_cast<YamlEntry*>(static_cast<const YamlNode*>(this)->find(key));
}

std::string_view describe(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kScalar:
      return "a single value";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a block";
  }
  return "unknown";
}

std::optional<YamlNode> parse_yaml(const SourceTexts& texts, int source, MistakeList& mistakes) {
  if (const std::optional<TextProblem> problem = find_text_problem(texts.text(source))) {
    mistakes.add({source, problem->line, problem->column}, "", problem->message, problem->hint);
    return std::nullopt;
  }
  std::istringstream stream(texts.text(source));
  TreeBuilder builder(texts.text(source), source, mistakes);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const FatalYamlError& error) {
    mistakes.add(error.at, "", error.message, error.hint);
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    const SourcePosition at{source, std::max(0, error.mark.line) + 1, std::max(0, error.mark.column) + 1};
    std::string hint = syntax_hint(error.msg);
    // The parser notices an open bracket only where the next thing does not fit.
    const bool in_brackets = error.msg.find("flow not found") != std::string::npos;
    if (in_brackets && builder.innermost_open_line() > 0) {
      hint += fmt::format("; it starts in line {}", builder.innermost_open_line());
    }
    mistakes.add(at, "", "this is not valid YAML: " + error.msg, std::move(hint));
    return std::nullopt;
  }
  return builder.take_root();
}

}  // namespace freeplay::io
