// The blocks `simulate` and `record`.
#include <fmt/format.h>

#include "freeplay/io/reader/model_reader.h"
#include "freeplay/simulation/option_table.h"

namespace freeplay::io {

namespace {

// What is absent keeps the default of its member; what is wrong has been reported.
void read_option(const Option& option, BlockReader& block, SimulationOptions& options) {
  if (!block.has(option.key)) return;
  if (option.words().empty()) {
    if (const std::optional<double> number = block.optional_quantity(option.key)) option.set(options, *number);
  } else if (const std::string word = block.word(option.key); !word.empty()) {
    option.set(options, word);
  }
}

}  // namespace

void ModelReader::read_simulate(BlockReader& top) {
  std::optional<BlockReader> found = top.block("simulate");
  if (!found) return;
  BlockReader& block = *found;
  SimulationOptions& options = model_.simulate;
  for (const Option& option : option_table()) read_option(option, block, options);
  block.check_all_keys_were_read();
  if (!block.ok()) return;
  if (options.step_s && *options.step_s > options.duration_s) {
    block.report(
        "step",
        fmt::format("the step of {:.6g} s is longer than the run of {:.6g} s", *options.step_s, options.duration_s),
        "choose a smaller step or a longer duration");
  }
  if (options.min_step_s && options.max_step_s && *options.min_step_s > *options.max_step_s) {
    block.report("min_step",
                 fmt::format("{:.6g} s is larger than max_step, {:.6g} s", *options.min_step_s, *options.max_step_s),
                 "exchange the two");
  }
}

void ModelReader::read_record(const YamlEntry* record) {
  model_.record.motion = true;
  if (record == nullptr) return;
  if (record->value.kind == YamlNode::Kind::kList) {
    model_.record.channels = read_channels(record->value, "record");
    return;
  }
  BlockReader block(values_, space(), record->value, record->key_at, "record", block_table("record"));
  model_.record.every = block.integer("every");
  model_.record.motion = block.boolean("motion");
  model_.record.contact_forces = block.integer("contact_forces");
  if (const YamlEntry* channels = block.entry("channels"))
    model_.record.channels = read_channels(channels->value, block.path("channels"));
}

// What a measure says is checked when the channels are known: by the model that is built.
void ModelReader::read_measures(const YamlEntry* measures) {
  for (const YamlEntry* entry : named_entries(values_, measures, "measure")) {
    const std::string path = "measure." + entry->key;
    if (!is_identifier(entry->key)) {
      values_.report(entry->key_at, path, fmt::format("{} cannot be the name of a measure", in_quotes(entry->key)),
                     "use letters, digits and '_', and start with a letter");
    }
    if (const std::optional<std::string> text = values_.text(entry->value, path))
      model_.measures.push_back({entry->key, *text});
  }
}

// Only the form and the first part of a channel's name can be checked here; which channels a joint or contact has is
// known to the system that is built from the model.
std::vector<std::string> ModelReader::read_channels(const YamlNode& node, const std::string& path) {
  if (node.kind != YamlNode::Kind::kList || node.items.empty()) {
    values_.report(node.at, path,
                   node.kind == YamlNode::Kind::kList
                       ? "names no channels"
                       : fmt::format("must be a list of channels, but is {}", describe(node.kind)),
                   "write [crank.omega, energy.total], or delete the key to record everything");
    return {};
  }
  std::vector<std::string> channels;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string item_path = fmt::format("{}[{}]", path, i);
    const std::optional<std::string> channel = values_.text(node.items[i], item_path);
    if (!channel) continue;
    const std::size_t dot = channel->find('.');
    const std::string element = channel->substr(0, dot);
    if (dot == std::string::npos || dot + 1 == channel->size() || dot == 0) {
      values_.report(node.items[i].at, item_path, fmt::format("{} is not a channel", in_quotes(*channel)),
                     "a channel is an element and what it records, such as crank.omega or energy.total");
    } else if (!seen.insert(*channel).second) {
      values_.report(node.items[i].at, item_path, fmt::format("the channel {} is listed twice", in_quotes(*channel)),
                     "delete one of them");
    } else if (!model_.system && element != "energy" && element != "step" && !names_.contains(element) &&
               !misses_copies(element)) {
      values_.report_unknown(node.items[i].at, item_path, "there is no element", element, [this] {
        std::vector<std::string> known = {"energy", "step"};
        for (const auto& [name, claim] : names_) known.push_back(name);
        return known;
      });
    }
    channels.push_back(*channel);
  }
  return channels;
}

}  // namespace freeplay::io
