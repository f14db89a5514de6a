// The blocks `materials` and `groups`.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "freeplay/io/reader/model_reader.h"

namespace freeplay::io {

namespace {

constexpr int kUnknownMaterial = -2;  // named, and reported: what follows from that is not worth a report

}  // namespace

void ModelReader::read_materials(const YamlEntry* materials) {
  const std::vector<const YamlEntry*> entries = named_entries(values_, materials, "materials");
  for (const YamlEntry* entry : entries) {
    const std::string path = "materials." + entry->key;
    if (!is_identifier(entry->key)) {
      values_.report(entry->key_at, path, fmt::format("{} cannot be the name of a material", in_quotes(entry->key)),
                     "use letters, digits and '_', and start with a letter");
    }
    materials_.push_back({entry->key, {}, entry});
  }
  for (std::size_t i = 0; i < materials_.size(); ++i) {
    const std::string path = "materials." + materials_[i].name;
    BlockReader block(values_, space(), materials_[i].entry->value, materials_[i].entry->key_at, path,
                      block_table("material"));
    materials_[i].density_kg_m3 = block.optional_quantity("density");
    for (const YamlEntry* other : named_entries(values_, block.entry("with"), path + ".with")) {
      const std::string pair_path = path + ".with." + other->key;
      const auto found = std::find_if(materials_.begin(), materials_.end(),
                                      [&](const Material& material) { return material.name == other->key; });
      if (found == materials_.end()) {
        values_.report_unknown(other->key_at, pair_path, "there is no material", other->key, [this] {
          std::vector<std::string> known;
          for (const Material& material : materials_) known.push_back(material.name);
          return known;
        });
        continue;
      }
      BlockReader pair(values_, space(), other->value, other->key_at, pair_path, block_table("material_pair"));
      const ContactLawSpec law = read_law(pair);
      pair.check_all_keys_were_read();
      const std::pair<int, int> key = std::minmax(static_cast<int>(i), static_cast<int>(found - materials_.begin()));
      const auto [known, is_new] = material_pairs_.emplace(key, MaterialPair{law, other->key_at});
      if (!is_new) {
        values_.report(other->key_at, pair_path, "these two materials have a law already",
                       fmt::format("delete one of the two; the other one is in line {}", known->second.at.line));
      }
    }
    block.check_all_keys_were_read();
  }
}

int ModelReader::read_material(BlockReader& block, int otherwise) {
  const YamlEntry* entry = block.entry("material");
  if (entry == nullptr) return otherwise;
  const std::string name = values_.word(entry->value, block.path("material")).value_or("");
  const auto found = std::find_if(materials_.begin(), materials_.end(),
                                  [&](const Material& material) { return material.name == name; });
  if (found != materials_.end()) return static_cast<int>(found - materials_.begin());
  if (!name.empty()) {
    values_.report_unknown(entry->value.at, block.path("material"), "there is no material", name, [this] {
      std::vector<std::string> known;
      for (const Material& material : materials_) known.push_back(material.name);
      return known;
    });
  }
  return kUnknownMaterial;
}

void ModelReader::read_groups(const YamlEntry* groups) {
  for (const YamlEntry* entry : named_entries(values_, groups, "groups")) read_group(*entry);
}

void ModelReader::read_group(const YamlEntry& entry) {
  const std::string path = "groups." + entry.key;
  claim_name(entry, path, "group");
  BlockReader block(values_, space(), entry.value, entry.key_at, path, block_table("group"));
  ContactGroupSpec group;
  group.name = entry.key;
  group.members = read_members(block, "members");
  group.against = read_members(block, "against");
  group.law = read_law(block);
  block.check_all_keys_were_read();
  if (block.ok() && !block.has("restitution")) {
    const auto is_law = [](const YamlEntry& given) { return given.key != "members" && given.key != "against"; };
    const auto law = std::find_if(entry.value.entries.begin(), entry.value.entries.end(), is_law);
    if (law != entry.value.entries.end()) {
      block.report(law->key, "a law of the group needs a restitution",
                   "add 'restitution: 0', or delete the law to have one for every two materials");
    } else {
      add_material_laws(block, group);
    }
  }
  if (block.ok()) model_.groups.push_back(std::move(group));
}

std::vector<ContactGroupSpec::Member> ModelReader::read_members(BlockReader& block, std::string_view key) {
  const YamlEntry* entry = block.entry(key);
  if (entry == nullptr) return {};
  const bool is_list = entry->value.kind == YamlNode::Kind::kList;
  const std::size_t count = is_list ? entry->value.items.size() : 1;
  std::vector<ContactGroupSpec::Member> members;
  std::set<std::size_t> known;
  for (std::size_t i = 0; i < count; ++i) {
    const YamlNode& node = is_list ? entry->value.items[i] : entry->value;
    const std::string path = is_list ? fmt::format("{}[{}]", block.path(key), i) : block.path(key);
    for (const std::size_t shape : member_shapes(node, path)) {
      if (!known.insert(shape).second) continue;  // named twice, by itself and with all others
      members.push_back({model_.shapes[shape].body, model_.shapes[shape].name, shape_materials_[shape]});
    }
  }
  if (count == 0) block.report(key, "names no shapes", "write [ball, stone.face]");
  return members;
}

std::vector<std::size_t> ModelReader::member_shapes(const YamlNode& node, const std::string& path) {
  const std::optional<std::string> name = values_.word(node, path);
  if (!name) return {};
  const std::size_t dot = name->find('.');
  const std::string owner = name->substr(0, dot);
  std::string shape_name = dot == std::string::npos ? "*" : name->substr(dot + 1);
  const bool is_beginning = shape_name.ends_with('*');
  if (is_beginning) shape_name.pop_back();
  const auto copies = copies_.find(owner);
  const std::size_t first = copies == copies_.end() ? 0 : copies->second.first_shape,
                    last = copies == copies_.end() ? model_.shapes.size() : copies->second.last_shape;
  std::vector<std::size_t> found;
  for (std::size_t i = first; i < last; ++i) {
    const ShapeSpec& shape = model_.shapes[i];
    if (copies == copies_.end() && shape.body != owner) continue;
    if (is_beginning ? shape.name.starts_with(shape_name) : shape.name == shape_name) found.push_back(i);
  }
  if (!found.empty() || (copies != copies_.end() && first == last)) return found;  // none of `count: 0`
  values_.report_unknown(node.at, path, "there is no shape", *name, [this] {
    std::set<std::string> known;
    for (const auto& [body, range] : copies_) known.insert(body);
    for (const ShapeSpec& shape : model_.shapes) {
      if (known.size() < 100) known.insert(shape.body + "." + shape.name);  // enough to find a slip
    }
    return std::vector<std::string>(known.begin(), known.end());
  });
  return found;
}

// One law for every two materials that can meet.
void ModelReader::add_material_laws(BlockReader& block, ContactGroupSpec& group) {
  for (const auto* list : {&group.members, &group.against}) {
    for (const ContactGroupSpec::Member& member : *list) {
      if (member.material >= 0) continue;
      if (member.material == kUnknownMaterial) return;
      values_.report(block.at(), block.path(),
                     fmt::format("'{}.{}' has no material, and the group has no law", member.body, member.shape),
                     "give the body a 'material', or the group a 'restitution' and 'friction'");
      return;
    }
  }
  for (const auto& [a, b] : meeting_materials(group)) {
    const std::string &first = materials_[static_cast<std::size_t>(a)].name,
                      &second = materials_[static_cast<std::size_t>(b)].name;
    const auto law = material_pairs_.find({a, b});
    if (law == material_pairs_.end()) {
      const Material& owner = materials_[static_cast<std::size_t>(a)];
      values_.report(
          owner.entry->key_at, "materials." + first,
          fmt::format("there is no law of '{}' against '{}', which the group '{}' needs", first, second, group.name),
          fmt::format("add 'with: {{{}: {{restitution: 0, friction: 0.5}}}}'", second));
      continue;
    }
    group.material_laws.push_back({a, b, fmt::format("{}_{}", first, second), law->second.law});
  }
}

}  // namespace freeplay::io
