// `include:`, and the merging of included files.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "freeplay/io/model/model_sources.h"
#include "freeplay/io/model/resolved_text.h"
#include "freeplay/io/yaml/folder_file.h"
#include "freeplay/io/yaml/text_guard.h"
#include "freeplay/io/yaml/yaml_text.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxIncludeDepth = 8;
constexpr int kMaxFiles = 64;
constexpr std::size_t kMaxIncludedBytes = kMaxModelBytes;  // of all included files together, each time they are

using KeyIndex = std::map<std::string, std::size_t>;  // key -> entry; a linear search per key would be quadratic

KeyIndex index_of(const YamlNode& node) {
  KeyIndex index;
  for (std::size_t i = 0; i < node.entries.size(); ++i) index.emplace(node.entries[i].key, i);
  return index;
}

// Joins two files that are included side by side: neither can win, so what both say is a mistake.
void join_siblings(YamlNode& first, YamlNode second, const std::string& path, MistakeList& mistakes,
                   const SourceTexts& texts) {
  const KeyIndex known = index_of(first);
  for (YamlEntry& entry : second.entries) {
    const auto found = known.find(entry.key);
    if (found == known.end()) {
      first.entries.push_back(std::move(entry));
      continue;
    }
    YamlEntry& other = first.entries[found->second];
    const std::string entry_path = path.empty() ? entry.key : path + "." + entry.key;
    if (other.value.kind == YamlNode::Kind::kMap && entry.value.kind == YamlNode::Kind::kMap) {
      join_siblings(other.value, std::move(entry.value), entry_path, mistakes, texts);
    } else if (entry_path != "freeplay") {
      mistakes.add(
          entry.key_at, entry_path,
          fmt::format("also stands in {}, which is included beside this file", texts.name(other.key_at.source)),
          "keep one of them, or say it in the including file");
    }
  }
}

class IncludeLoader {
 public:
  IncludeLoader(ModelSources& sources, fs::path folder, MistakeList& mistakes)
      : sources_(sources), folder_(std::move(folder)), mistakes_(mistakes) {}

  bool is_complete() const { return is_complete_; }

  // The tree of one source with its includes merged in. `chain` holds the files that are being included.
  YamlNode load(int source, const fs::path& file, std::vector<fs::path> chain) {
    std::optional<YamlNode> parsed = parse_yaml(sources_.texts, source, mistakes_);
    if (!parsed || parsed->kind != YamlNode::Kind::kMap) {
      is_complete_ = false;
      if (parsed) report_no_block(*parsed, source);
      return {};
    }
    YamlNode root = std::move(*parsed);
    const YamlEntry* include = root.find("include");
    if (include == nullptr) return root;
    chain.push_back(file);
    YamlNode base;
    base.kind = YamlNode::Kind::kMap;
    for (const YamlNode* name : file_names(*include)) {
      YamlNode included = load_included(*name, file, chain);
      join_siblings(base, std::move(included), "", mistakes_, sources_.texts);
    }
    merge_below(root, std::move(base));
    return root;
  }

 private:
  void report_no_block(const YamlNode& root, int source) {
    const bool empty = root.kind == YamlNode::Kind::kNull;
    mistakes_.add({source, std::max(1, root.at.line), std::max(1, root.at.column)}, "",
                  empty ? "the file holds no model"
                        : fmt::format("a model is a block of keys, but this is {}", describe(root.kind)),
                  "start with 'freeplay: 1'; docs/guide/model_file.md has a complete example");
  }

  void report(const YamlNode& at, std::string message, std::string hint) {
    is_complete_ = false;
    mistakes_.add(at.at, "include", std::move(message), std::move(hint));
  }

  std::vector<const YamlNode*> file_names(const YamlEntry& include) {
    std::vector<const YamlNode*> names;
    if (include.value.kind == YamlNode::Kind::kList) {
      for (const YamlNode& item : include.value.items) names.push_back(&item);
    } else {
      names.push_back(&include.value);
    }
    return names;
  }

  YamlNode load_included(const YamlNode& name, const fs::path& including, const std::vector<fs::path>& chain) {
    if (name.kind != YamlNode::Kind::kScalar || name.text.empty()) {
      report(name, "must be the name of a file", "write 'include: parts.yaml'");
      return {};
    }
    if (folder_.empty()) {
      report(name, fmt::format("{} cannot include one", kNotFromFile), "write everything into the text");
      return {};
    }
    std::error_code error;
    const fs::path file = fs::canonical(including.parent_path() / fs::path(name.text), error);
    if (error) {
      report(name, fmt::format("the file {} cannot be found", in_quotes(name.text)),
             "give its name relative to the file that includes it");
      return {};
    }
    // Compared after links are resolved: a link inside the folder may point anywhere.
    const fs::path inside = file.lexically_relative(folder_);
    if (fs::path(name.text).is_absolute() || inside.empty() || *inside.begin() == "..") {
      report(name, fmt::format("the file {} is outside the model's folder", in_quotes(name.text)),
             "included files must lie in the folder of the model or below it; copy the file there");
      return {};
    }
    if (std::find(chain.begin(), chain.end(), file) != chain.end()) {
      report(name, fmt::format("the file {} includes itself", in_quotes(name.text)), "delete this include");
      return {};
    }
    if (chain.size() >= kMaxIncludeDepth || sources_.texts.count() >= kMaxFiles) {
      report(name, "too many included files",
             fmt::format("at most {} files, nested at most {} deep", kMaxFiles, kMaxIncludeDepth));
      return {};
    }
    try {
      const std::string shown = inside.string();
      std::string text = read_model_text(file, shown);
      included_bytes_ += text.size();
      if (included_bytes_ > kMaxIncludedBytes) {
        report(name, fmt::format("the included files have more than {} MB together", kMaxIncludedBytes >> 20U),
               "a file that is included several times counts each time; include it once");
        return {};
      }
      const int source = sources_.texts.add(shown, std::move(text));
      return load(source, file, chain);
    } catch (const IoError& problem) {
      report(name, problem.what(), "include a readable model file");
    } catch (const ModelError& problem) {
      report(name, problem.diagnostics().front().message, problem.diagnostics().front().hint);
    }
    return {};
  }

  ModelSources& sources_;
  fs::path folder_;
  MistakeList& mistakes_;
  bool is_complete_ = true;
  std::size_t included_bytes_ = 0;
};

// One step of a path: a key, or the "[i]" behind it. Advances `path`.
std::string_view next_component(std::string_view& path) {
  if (!path.empty() && path.front() == '.') path.remove_prefix(1);
  const bool is_index = !path.empty() && path.front() == '[';
  const std::size_t end = is_index ? path.find(']') + 1 : std::min(path.find_first_of(".["), path.size());
  const std::string_view component = path.substr(0, end == 0 ? path.size() : end);
  path.remove_prefix(component.size());
  return component;
}

}  // namespace

void merge_below(YamlNode& over, YamlNode base) {
  if (over.kind != YamlNode::Kind::kMap || base.kind != YamlNode::Kind::kMap) return;
  KeyIndex own = index_of(over);
  // The included keys come first: what the including file adds usually builds on them.
  std::vector<YamlEntry> merged;
  for (YamlEntry& entry : base.entries) {
    const auto found = own.find(entry.key);
    if (found == own.end()) {
      merged.push_back(std::move(entry));
    } else {
      YamlEntry& winner = over.entries[found->second];
      merge_below(winner.value, std::move(entry.value));
      merged.push_back(std::move(winner));
      own.erase(found);
    }
  }
  for (YamlEntry& entry : over.entries) {
    // Those that were merged above are gone from the index, and their keys are moved away.
    if (own.contains(entry.key)) merged.push_back(std::move(entry));
  }
  over.entries = std::move(merged);
}

bool load_tree(ModelSources& sources, int root_source, const std::filesystem::path& file,
               const std::filesystem::path& folder, MistakeList& mistakes) {
  IncludeLoader loader(sources, folder, mistakes);
  sources.root = loader.load(root_source, file, {});
  if (sources.root.find("include") != nullptr && loader.is_complete()) {
    YamlNode whole = sources.root;
    std::erase_if(whole.entries, [](const YamlEntry& entry) { return entry.key == "include"; });
    sources.resolved = yaml_text(whole);
  }
  return loader.is_complete();
}

const std::string& resolved_text(const ModelFile& file) {
  return file.sources->resolved;
}

SourcePosition ModelSources::find(std::string_view path) const {
  SourcePosition found{0, 1, 1};
  const YamlNode* node = &root;
  while (!path.empty()) {
    const std::string_view component = next_component(path);
    if (component.empty()) break;
    if (component.front() == '[') {
      const auto index = static_cast<std::size_t>(std::atoi(std::string(component.substr(1)).c_str()));
      if (node->kind != YamlNode::Kind::kList || index >= node->items.size()) break;
      node = &node->items[index];
      found = node->at;
    } else {
      const YamlEntry* entry = node->find(component);
      if (entry == nullptr) break;
      node = &entry->value;
      found = entry->at();
    }
  }
  return found;
}

}  // namespace freeplay::io
