// The block `contacts`, and the contact laws of joints with play.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "freeplay/io/reader/model_reader.h"

namespace freeplay::io {

namespace {

// "a circle", "an arc"
std::string with_article(const std::string& noun) {
  const bool starts_with_vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (starts_with_vowel ? "an " : "a ") + noun;
}

}  // namespace

void ModelReader::read_contacts(const YamlEntry* contacts) {
  for (const YamlEntry* entry : named_entries(values_, contacts, "contacts")) read_contact(*entry);
}

void ModelReader::read_contact(const YamlEntry& entry) {
  const std::string path = "contacts." + entry.key;
  claim_name(entry, path, "contact");
  BlockReader block(values_, space(), entry.value, entry.key_at, path, block_table("contact"));
  ContactSpec contact;
  contact.name = entry.key;
  contact.law = read_law(block);
  contact.points = block.integer("points");

  const YamlEntry* between = block.entry("between");
  std::optional<BlockReader> pattern = block.block("pattern");
  block.check_all_keys_were_read();
  if (between == nullptr) return;
  if (between->value.kind != YamlNode::Kind::kList || between->value.items.size() != 2) {
    block.report("between", "must name two shapes", "write 'between: [ball.skin, ground.floor]'");
    return;
  }
  if (pattern) {
    add_numbered_contacts(block, *pattern, contact, between->value);
  } else {
    add_contacts(block, contact, between->value, {});
  }
}

// False after a report. `numbers`: what stands for '#' in the two names, if anything does.
bool ModelReader::add_contacts(BlockReader& block, const ContactSpec& contact, const YamlNode& between,
                               std::optional<std::array<int, 2>> numbers) {
  std::array<std::vector<std::string>, 2> partners;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::optional<int> number = numbers ? std::optional((*numbers)[i]) : std::nullopt;
    partners[i] = named_shapes(between.items[i], fmt::format("{}[{}]", block.path("between"), i), number);
  }
  const std::size_t count = partners[0].size() * partners[1].size();
  std::size_t which = 0;
  for (const std::string& a : partners[0]) {
    for (const std::string& b : partners[1]) {
      ContactSpec one = contact;
      if (count > 1) one.name = fmt::format("{}_{}", contact.name, ++which);
      one.body_a = a.substr(0, a.find('.'));
      one.shape_a = a.substr(a.find('.') + 1);
      one.body_b = b.substr(0, b.find('.'));
      one.shape_b = b.substr(b.find('.') + 1);
      if (!may_touch(block, one)) return false;
      const bool has_own_name = "contacts." + one.name == block.path();
      if (!has_own_name && !claim(one.name, between.at, block.path(), "contact")) return false;
      model_.contacts.push_back(std::move(one));
    }
  }
  return count > 0;
}

void ModelReader::add_numbered_contacts(BlockReader& block, BlockReader& pattern, const ContactSpec& contact,
                                        const YamlNode& between) {
  const int count = pattern.integer("count"), offset = pattern.integer("offset");
  pattern.check_all_keys_were_read();
  if (!pattern.ok()) return;
  const auto has_number = [](const YamlNode& name) { return name.text.find('#') != std::string::npos; };
  if (std::none_of(between.items.begin(), between.items.end(), has_number)) {
    block.report("between", "all contacts of the pattern would be between the same shapes",
                 "write '#' for the number in the names: 'between: [chain.pin_#, wheel.slot_#]'");
    return;
  }
  if (offset != 0 && !has_number(between.items[1])) {
    pattern.report("offset", "has no effect: the second name has no '#', whose number it would change",
                   "delete it, or write '#' for the number in the second name");
    return;
  }
  for (int k = 1; k <= count; ++k) {
    ContactSpec one = contact;
    one.name = fmt::format("{}_{}", contact.name, k);
    const int second = ((k - 1 + offset) % count + count) % count + 1;
    if (!add_contacts(block, one, between, std::array{k, second})) return;
  }
}

bool ModelReader::may_touch(BlockReader& block, const ContactSpec& contact) {
  const std::string &type_a = shape_types_.at(contact.body_a + "." + contact.shape_a),
                    &type_b = shape_types_.at(contact.body_b + "." + contact.shape_b);
  if (contact.body_a == contact.body_b) {
    block.report("between", fmt::format("both shapes belong to '{}'", contact.body_a),
                 "a contact needs shapes of two bodies, or of a body and the ground");
    return false;
  }
  if (shape_pair_is_defined(type_a, type_b)) return true;
  const std::vector<std::string> partners = shape_partners(type_a);
  block.report("between",
               fmt::format("there is no contact between {} and {}", with_article(type_a), with_article(type_b)),
               partners.empty() ? fmt::format("{} cannot touch anything in this version", with_article(type_a))
                                : fmt::format("{} can touch: {}", with_article(type_a), listed(partners, "or")));
  return false;
}

std::vector<std::string> ModelReader::named_shapes(const YamlNode& node, const std::string& path,
                                                   std::optional<int> number) {
  std::optional<std::string> name = values_.word(node, path);
  if (!name) return {};
  if (number) {
    const std::string digits = std::to_string(*number);
    for (std::size_t at = name->find('#'); at != std::string::npos; at = name->find('#', at + digits.size()))
      name->replace(at, 1, digits);
  } else if (name->find('#') != std::string::npos) {
    values_.report(node.at, path, fmt::format("{} has a '#', but the contact has no `pattern`", in_quotes(*name)),
                   "add 'pattern: {count: 4}' for the contacts with the numbers from 1 to 4");
    return {};
  }
  std::vector<std::string> found;
  if (name->ends_with('*') && name->find('.') != std::string::npos) {
    const std::string begin = name->substr(0, name->size() - 1);
    // In the order of the file: the tenth tooth comes behind the ninth.
    for (const ShapeSpec& shape : model_.shapes) {
      if ((shape.body + "." + shape.name).starts_with(begin)) found.push_back(shape.body + "." + shape.name);
    }
  } else if (shape_types_.contains(*name)) {
    found.push_back(*name);
  }
  if (found.empty()) {
    values_.report_unknown(node.at, path, "there is no shape", *name, [this] {
      std::vector<std::string> known;
      for (const auto& [shape, type] : shape_types_) known.push_back(shape);
      return known;
    });
  }
  return found;
}

ContactLawSpec ModelReader::read_law(BlockReader& block) {
  ContactLawSpec law;
  const bool is_of_group = block.table().find("force") == nullptr;
  if (is_of_group || block.has("impact")) law.impact = block.word("impact");
  law.tangential_law = block.word("tangential_law");
  law.restitution = block.quantity("restitution");
  law.tangential_restitution = block.quantity("tangential_restitution");
  law.friction = block.quantity("friction");
  law.friction_law = read_friction_law(block);
  if (is_of_group) return law;
  if (std::optional<BlockReader> force = block.block("force")) law.force = read_contact_force(*force);
  if (std::optional<BlockReader> wear = block.block("wear")) law.wear = read_wear(*wear);
  if (!law.impact && !law.force && block.ok()) {
    values_.report(block.at(), block.path(), "has neither an impact law nor a force law",
                   "add 'impact: newton', or 'force: {law: hertz, stiffness: 1e9 N/m^1.5}'");
  }
  return law;
}

FrictionLawSpec ModelReader::read_friction_law(BlockReader& block) {
  FrictionLawSpec law;
  law.law = block.word("friction_law");
  law.static_friction = block.optional_quantity("static_friction");
  law.stribeck_speed_m_s = block.quantity("stribeck_speed");
  law.stribeck_exponent = block.quantity("stribeck_exponent");
  law.viscous_s_m = block.quantity("viscous_friction");
  law.table = block.curve("friction_table");
  return law;
}

ContactForceSpec ModelReader::read_contact_force(BlockReader& block) {
  ContactForceSpec force;
  force.law = block.word("law");
  force.exponent = block.optional_quantity("exponent");
  const double exponent = force.exponent.value_or(force.law == "kelvin-voigt" ? 1 : 1.5);
  // Stiffness is force per length^exponent, which has a dimension of ours only for exponents such as 1, 10/9 or 1.5.
  const std::optional<Dimension> length_power = dimensions::kLength.power(exponent);
  if (!length_power) {
    block.report("exponent", fmt::format("the exponent {:.6g} is not a simple fraction", exponent),
                 "use 1, 1.5, or another multiple of 1/12");
  }
  force.stiffness_N_mn =
      block.optional_quantity("stiffness", dimensions::kForce / length_power.value_or(dimensions::kLength));
  force.damping_Ns_m = block.optional_quantity("damping");
  force.young_Pa = block.optional_quantity("young");
  force.poisson = block.optional_quantity("poisson");
  force.young_b_Pa = block.optional_quantity("young_b");
  force.poisson_b = block.optional_quantity("poisson_b");
  force.length_m = block.optional_quantity("length");
  force.friction_law = block.word("friction_law");
  force.friction_shape = block.word("friction_shape");
  force.slip_speed_m_s = block.quantity("slip_speed");
  force.rest_speed_m_s = block.quantity("rest_speed");
  force.static_friction = block.optional_quantity("static_friction");
  force.stribeck_speed_m_s = block.quantity("stribeck_speed");
  block.check_all_keys_were_read();
  return force;
}

}  // namespace freeplay::io
