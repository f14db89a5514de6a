// Rows of the field table: drivers and their controllers.
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

namespace {

using field_rows::block;
using field_rows::kNotNegative;
using field_rows::kPositive;
using field_rows::quantity;
using field_rows::row;
using field_rows::text;
using field_rows::word;

std::vector<std::string> anti_windups() {
  return {"back_calculation", "none"};
}

BlockTable driver_block_table() {
  using enum FieldKind;
  return {"driver",
          "drivers.NAME",
          "Acts on the coordinate of a joint with one degree of freedom. Exactly one of `motion`, `torque`, `force`, "
          "`pid`.",
          {
              row("on", kJointName, "The joint it drives.").required(),
              row("motion", kExpression, "The coordinate, as an expression of t and parameters.").in("rad or m"),
              row("torque", kExpression, dimensions::kTorque, "Torque of a motor on a revolute joint."),
              row("force", kExpression, dimensions::kForce, "Force of a drive on a prismatic joint."),
              block("pid", kBlock, "pid", "A controller that finds the torque or force."),
              quantity("torque_limit", dimensions::kTorque,
                       "Largest torque, either way. A `motion` with a limit prescribes the speed alone and slips, as a "
                       "clutch does, where it would need more.")
                  .within(kPositive)
                  .otherwise("no limit"),
              quantity("force_limit", dimensions::kForce, "Largest force of a drive on a prismatic joint, likewise.")
                  .within(kPositive)
                  .otherwise("no limit"),
              quantity("sample", dimensions::kTime,
                       "The torque, force or `pid` is found at the multiples of this time and held in between.")
                  .within(kPositive)
                  .otherwise("found at every instant"),
              quantity("delay", dimensions::kTime,
                       "With `sample`: how long after its instant a value begins to act; before the first one there is "
                       "none.")
                  .within(kNotNegative)
                  .by_default("0 s"),
          }};
}

BlockTable pid_block_table() {
  using enum FieldKind;
  return {
      "pid",
      "drivers.NAME.pid",
      "A controller with e = target - of: the torque or force is p e + i I + d de/dt, within the driver's limit, "
      "where I is the integral of e, the channel `NAME.integral`.",
      {
          row("target", kExpression, "What `of` is to be: an expression of t, parameters and, without `d`, channels.")
              .in("as `of`")
              .required(),
          text("of", "The channel that is controlled.").otherwise("the coordinate of the joint, `JOINT.q`"),
          row("p", kQuantity, "Gain of the error.").in("torque or force per unit of `of`").by_default("0"),
          row("i", kQuantity, "Gain of the integral of the error.")
              .in("torque or force per unit of `of` and s")
              .by_default("0"),
          row("d", kQuantity,
              "Gain of the rate of the error; for channels whose rate is a channel: `q`, `x`, `y`, `z`, `angle`.")
              .in("torque or force times s per unit of `of`")
              .by_default("0"),
          word("anti_windup", &anti_windups,
               "While the limit holds the effort: the integral is led back until the effort is just within the "
               "limit, or it goes on.")
              .by_default("back_calculation"),
          quantity("anti_windup_time", dimensions::kTime, "Time constant with which it is led back.")
              .within(kPositive)
              .otherwise("p / i, or sqrt(d / i) where there is a `d`"),
      }};
}

}  // namespace

std::vector<BlockTable> driver_block_tables() {
  return {driver_block_table(), pid_block_table()};
}

}  // namespace freeplay::io
