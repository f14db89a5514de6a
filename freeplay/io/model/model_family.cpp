#include "freeplay/io/model/model_family.h"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "freeplay/io/model/model_sources.h"
#include "freeplay/io/yaml/text_guard.h"

namespace freeplay::io {

namespace {

// The files that a tree names: tables, meshes, modes.
void list_files(const YamlNode& node, std::vector<std::string>& files) {
  for (const YamlNode& item : node.items) list_files(item, files);
  for (const YamlEntry& entry : node.entries) {
    if (entry.key == "file" && entry.value.kind == YamlNode::Kind::kScalar) files.push_back(entry.value.text);
    list_files(entry.value, files);
  }
}

}  // namespace

ModelFamily::ModelFamily(const std::filesystem::path& path, std::span<const std::string> overrides) {
  const std::string shown_name = path.string();
  std::string text = read_model_text(path, shown_name);
  std::error_code error;
  folder_ = std::filesystem::canonical(std::filesystem::absolute(path, error).parent_path(), error);
  base_.path = path;
  read(std::move(text), shown_name, folder_ / path.filename(), overrides);
}

ModelFamily::ModelFamily(std::string_view text, const std::string& name, std::span<const std::string> overrides) {
  base_.path = name;
  read(std::string(text), name, {}, overrides);
}

void ModelFamily::read(std::string text, const std::string& shown_name, const std::filesystem::path& file,
                       std::span<const std::string> overrides) {
  auto tree = std::make_shared<ModelSources>();
  MistakeList mistakes;
  const int source = tree->texts.add(shown_name, std::move(text));
  load_tree(*tree, source, file, folder_, mistakes);
  mistakes.throw_if_any(tree->texts);
  tree_ = std::move(tree);
  base_.overrides.assign(overrides.begin(), overrides.end());
  base_ = member({});
}

std::vector<std::string> ModelFamily::all_overrides(std::span<const std::string> own) const {
  std::vector<std::string> all = base_.overrides;
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

ModelFile ModelFamily::member(std::span<const std::string> overrides) const {
  ModelFile model = read_tree(std::make_shared<ModelSources>(*tree_), folder_, all_overrides(overrides), {});
  model.path = base_.path;
  if (model.name.empty()) model.name = model.path.stem().string();
  return model;
}

void ModelFamily::check(std::span<const std::string> overrides) const {
  ModelSources sources(*tree_);
  MistakeList mistakes;
  const std::vector<std::string> all = all_overrides(overrides);
  choose_variants(sources, all, mistakes);
  apply_overrides(sources, all, mistakes);
  mistakes.throw_if_any(sources.texts);
}

// FNV-1a.
std::string ModelFamily::fingerprint() const {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  // A study that goes on from the text that it has kept is the same study.
  const std::string_view text = tree_->resolved.empty() ? std::string_view(tree_->texts.text(0)) : tree_->resolved;
  for (const char c : text) add(static_cast<unsigned char>(c));
  add(0);
  std::vector<std::string> files;
  list_files(tree_->root, files);
  for (const std::string& name : files) {
    std::ifstream file(folder_ / name, std::ios::binary);
    for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) add(static_cast<unsigned char>(*at));
    add(0);
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace freeplay::io
