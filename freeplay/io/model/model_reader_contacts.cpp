// The block `contacts`, and the contact laws of joints with play.
#include <fmt/format.h>

#include <algorithm>

#include "freeplay/io/model/model_reader.h"

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

  const YamlEntry* between = block.entry("between");
  block.check_all_keys_were_read();
  if (between == nullptr) return;
  if (between->value.kind != YamlNode::Kind::kList || between->value.items.size() != 2) {
    block.report("between", "must name two shapes", "write 'between: [ball.skin, ground.floor]'");
    return;
  }
  std::vector<std::string> types;
  std::vector<std::pair<std::string, std::string>> partners;
  for (std::size_t i = 0; i < 2; ++i) {
    const YamlNode& node = between->value.items[i];
    const std::string item_path = fmt::format("{}[{}]", block.path("between"), i);
    const std::optional<std::string> name = values_.word(node, item_path);
    if (!name) continue;
    const auto found = shape_types_.find(*name);
    if (found == shape_types_.end()) {
      values_.report_unknown(node.at, item_path, "there is no shape", *name, [this] {
        std::vector<std::string> known;
        for (const auto& [shape, type] : shape_types_) known.push_back(shape);
        return known;
      });
      continue;
    }
    types.push_back(found->second);
    partners.emplace_back(name->substr(0, name->find('.')), name->substr(name->find('.') + 1));
  }
  if (types.size() != 2) return;
  if (partners[0].first == partners[1].first) {
    block.report("between", fmt::format("both shapes belong to '{}'", partners[0].first),
                 "a contact needs shapes of two bodies, or of a body and the ground");
  } else if (!shape_pair_is_defined(types[0], types[1])) {
    block.report("between",
                 fmt::format("there is no contact between {} and {}", with_article(types[0]), with_article(types[1])),
                 shape_partners(types[0]).empty()
                     ? fmt::format("{} cannot touch anything in this version", with_article(types[0]))
                     : fmt::format("{} can touch: {}", with_article(types[0]), listed(shape_partners(types[0]), "or")));
  }
  std::tie(contact.body_a, contact.shape_a) = partners[0];
  std::tie(contact.body_b, contact.shape_b) = partners[1];
  model_.contacts.push_back(std::move(contact));
}

ContactLawSpec ModelReader::read_law(BlockReader& block) {
  ContactLawSpec law;
  if (block.has("impact")) law.impact = block.word("impact");
  law.tangential_law = block.word("tangential_law");
  law.restitution = block.quantity("restitution");
  law.tangential_restitution = block.quantity("tangential_restitution");
  law.friction = block.quantity("friction");
  if (std::optional<BlockReader> force = block.block("force")) law.force = read_contact_force(*force);
  if (!law.impact && !law.force && block.ok()) {
    values_.report(block.at(), block.path(), "has neither an impact law nor a force law",
                   "add 'impact: newton', or 'force: {law: hertz, stiffness: 1e9 N/m^1.5}'");
  }
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
