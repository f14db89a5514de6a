// The block `drivers`.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "freeplay/io/reader/model_reader.h"

namespace freeplay::io {

namespace {

// The channel that is the rate of another one; empty if there is none.
std::string rate_channel(const std::string& channel) {
  struct Rate {
    std::string_view of, rate;
  };
  constexpr std::array<Rate, 5> kRates = {{{"q", "u"}, {"angle", "omega"}, {"x", "vx"}, {"y", "vy"}, {"z", "vz"}}};
  const std::size_t dot = channel.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string element = channel.substr(0, dot + 1), quantity = channel.substr(dot + 1);
  for (const Rate& rate : kRates) {
    if (quantity == rate.of) return element + std::string(rate.rate);
  }
  // "q_2" of a joint with several coordinates, "modal_1" of an elastic body
  if (quantity.starts_with("q_")) return element + "u_" + quantity.substr(2);
  if (quantity.starts_with("modal_") && !quantity.ends_with("_rate")) return channel + "_rate";
  return {};
}

}  // namespace

void ModelReader::read_drivers(const YamlEntry* drivers) {
  for (const YamlEntry* entry : named_entries(values_, drivers, "drivers")) read_driver(*entry);
}

void ModelReader::read_driver(const YamlEntry& entry) {
  const std::string path = "drivers." + entry.key;
  claim_name(entry, path, "driver");
  BlockReader block(values_, space(), entry.value, entry.key_at, path, block_table("driver"));
  DriverSpec driver;
  driver.name = entry.key;
  const JointSpec* joint = acted_joint(block, "on");
  std::vector<std::string> given;
  for (const char* key : {"motion", "torque", "force", "pid"}) {
    if (block.has(key)) given.emplace_back(key);
  }
  if (given.size() != 1) {
    values_.report(
        block.at(), path, given.empty() ? "does nothing" : "has more than one of motion, torque, force and pid",
        "give exactly one: 'motion: 10 deg * sin(2*pi*1Hz*t)', 'torque: 5 N m', 'force: 5 N' or 'pid: {...}'");
  }
  if (joint == nullptr || given.size() != 1) return;
  driver.joint = joint->name;
  const std::optional<JointCoordinates> coordinates = joint_coordinates(joint->type, space());
  if (coordinates->u != 1) {
    block.report("on",
                 fmt::format("'{}' has {} degrees of freedom, but a driver moves one", joint->name, coordinates->u),
                 "drive a revolute or prismatic joint");
    return;
  }
  const Dimension coordinate = joint_coordinate_dimension(joint->type, space(), 0);
  const bool turns = coordinate == dimensions::kAngle;
  const auto is_refused = [&](const char* of_turns, const char* of_slides) {
    const char* key = turns ? of_slides : of_turns;
    if (!block.has(key)) return false;
    block.report(key,
                 fmt::format("'{}' is a {} joint, which is driven by a {}", joint->name, joint->type,
                             turns ? "torque" : "force"),
                 fmt::format("write '{}: ...'", turns ? of_turns : of_slides));
    return true;
  };
  const bool is_wrong = is_refused("torque", "force"), is_wrongly_limited = is_refused("torque_limit", "force_limit");
  if (is_wrong || is_wrongly_limited) return;
  if (given.front() == "motion")
    driver.motion = block.expression("motion", Dependence::kTime, coordinate);
  else if (given.front() == "pid")
    driver.pid = read_pid(*block.block("pid"), *joint, turns ? dimensions::kTorque : dimensions::kForce,
                          block.has(turns ? "torque_limit" : "force_limit"));
  else
    driver.effort = block.expression(given.front(), Dependence::kTimeAndState);
  driver.limit = block.optional_quantity(turns ? "torque_limit" : "force_limit");
  driver.sampling = read_sampling(block);
  block.check_all_keys_were_read();
  model_.mechanism.drivers.push_back(std::move(driver));
}

std::optional<SamplingSpec> ModelReader::read_sampling(BlockReader& block) {
  const std::optional<double> period = block.optional_quantity("sample");
  const double delay = block.quantity("delay");
  if (!block.has("sample")) {
    if (block.has("delay"))
      block.report("delay", "only a sampled value can be late", "add 'sample: 1 ms', or delete the key");
    return std::nullopt;
  }
  if (!period) return std::nullopt;
  return SamplingSpec{*period, delay};
}

std::optional<PidSpec> ModelReader::read_pid(BlockReader block, const JointSpec& joint, Dimension effort,
                                             bool is_limited) {
  const std::string name = block.has("of") ? block.text("of") : joint.name + ".q";
  const std::optional<Expression> of = values_.channel(name);
  if (!of) {
    if (!name.empty())
      block.report("of", fmt::format("there is no channel '{}' of the state", name),
                   "name a channel such as 'crank.angle' or 'slider.x'; `freeplay info` lists them");
    return std::nullopt;
  }
  if (!block.has("p") && !block.has("i") && !block.has("d")) {
    values_.report(block.at(), block.path(), "has no gain, so that it would do nothing",
                   "give at least one of 'p', 'i' and 'd'");
  }
  PidSpec pid;
  pid.of = *of;
  const Dimension unit = of->dimension();
  const Dimension per_unit = effort / unit;
  pid.p = block.optional_quantity("p", per_unit).value_or(0);
  pid.i = block.optional_quantity("i", per_unit / dimensions::kTime).value_or(0);
  pid.d = block.optional_quantity("d", per_unit * dimensions::kTime).value_or(0);
  const std::optional<Expression> target = block.expression("target", Dependence::kTimeAndState, unit);
  if (target) pid.target = *target;
  if (pid.d != 0) {
    const std::string rate = rate_channel(name);
    const std::optional<Expression> of_rate = rate.empty() ? std::nullopt : values_.channel(rate);
    if (of_rate)
      pid.of_rate = *of_rate;
    else
      block.report("d", fmt::format("the rate of '{}' is not a channel", name),
                   "leave 'd' out, or control a coordinate or a position");
  }
  read_anti_windup(block, is_limited, pid);
  block.check_all_keys_were_read();
  return target ? std::optional(pid) : std::nullopt;
}

// Without a time of its own the integral is led back as fast as the controller itself works: p / i is the time in which
// the integral adds what p gives, and sqrt(d / i) = sqrt((p / i) (d / p)) where d acts as well.
void ModelReader::read_anti_windup(BlockReader& block, bool is_limited, PidSpec& pid) {
  const std::string word = block.word("anti_windup");
  const std::optional<double> given = block.optional_quantity("anti_windup_time");
  if (word == "none" || pid.i == 0 || !is_limited) return;
  const double ratio = pid.d != 0 ? pid.d / pid.i : pid.p / pid.i;
  if (given) {
    pid.anti_windup_s = given;
  } else if (ratio > 0) {
    pid.anti_windup_s = pid.d != 0 ? std::sqrt(ratio) : ratio;
  } else {
    block.report("i", "without 'p' the time with which the integral is led back is not known",
                 "add 'anti_windup_time: 0.1 s', or 'anti_windup: none'");
  }
}

}  // namespace freeplay::io
