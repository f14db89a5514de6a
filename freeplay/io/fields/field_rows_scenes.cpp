// Rows of the field table: many bodies like one.
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

namespace {

using field_rows::angle;
using field_rows::kPositive;
using field_rows::point;
using field_rows::quantity;
using field_rows::row;
using field_rows::word;

std::vector<std::string> arrangements() {
  return {"lattice", "random"};
}

constexpr Range kCopies{.min = 1, .max = 1e6};

BlockTable fill_table() {
  using enum FieldKind;
  return {
      "fill",
      "bodies.NAME.fill",
      "Copies of a body at places that do not overlap. Each has a ball about its origin that holds it however it is "
      "turned (a disc in the plane); these keep apart, lie in the region, and keep clear of copies that stand "
      "earlier in the file. The region is the box from `from` to `to`, less what `radius` cuts off. The same seed "
      "gives the same places everywhere.",
      {
          row("count", kInteger, "How many there are; 0 is none.")
              .within({.min = 0, .max = 1e6})
              .otherwise("as many as the lattice has places for"),
          point("from", "The lower corner of the region, world axes.").required(),
          point("to", "The upper corner.").required(),
          row("open_above", kBool,
              "The region has no upper end: as many layers along the last axis, y in the plane and z in space, as "
              "`count` needs.")
              .by_default("false"),
          quantity("radius", dimensions::kLength, "Only within a ball (a disc in the plane) of this radius.")
              .within(kPositive)
              .otherwise("the whole box"),
          point("centre", "The centre of that ball, world axes.").by_default("0"),
          word("arrangement", &arrangements,
               "Layer by layer, each a little out of its place; or each at a random place that is free.")
              .by_default("lattice"),
          quantity("gap", dimensions::kLength,
                   "Between neighbours. On the lattice the irregularities take up to half of it.")
              .within(field_rows::kNotNegative)
              .otherwise("a twentieth of the largest diameter; none at random places"),
          row("size", kQuantities,
              "Factor on all lengths of the body, or a list of factors that are drawn with equal chances. Mass and "
              "inertia follow at the same density, in the plane at the same thickness.")
              .within(kPositive)
              .otherwise("1"),
          row("size_uniform", kQuantities, "Instead: factors between two numbers, `[0.8, 1.2]`.").within(kPositive),
          row("size_normal", kQuantities,
              "Instead: mean and standard deviation, `[1, 0.1]`; cut off at three deviations.")
              .within(kPositive),
          row("size_triangular", kQuantities, "Instead: least, most likely and largest factor.").within(kPositive),
          row("turned", kBool, "Each by a random angle, in space by a random rotation.").by_default("false"),
          row("seed", kInteger, "Of the random numbers.").within({.min = 0, .max = 2e9}).by_default("1"),
      }};
}

BlockTable body_pattern_table() {
  using enum FieldKind;
  return {
      "body_pattern",
      "bodies.NAME.pattern",
      "Copies of a body in a row, rows above each other, layers behind each other. They are numbered along the rows.",
      {
          row("count", kInteger, "How many there are in a row.").required().within(kCopies),
          point("shift", "Way from one to the next, world axes.").by_default("0"),
          angle("turn", "Angle from one to the next.").by_default("0"),
          point("at", "A point of the axis of `turn`, world axes.").by_default("0"),
          row("axis", kDirection, "Direction of that axis, in space.").otherwise("z"),
          row("rows", kInteger, "How many rows there are.").within(kCopies).by_default("1"),
          point("row_shift", "Way from one row to the next.").by_default("0"),
          point("stagger", "Further shift of every second row, as in a wall of bricks.").by_default("0"),
          row("shorter", kBool, "Every second row has one copy less.").by_default("false"),
          row("layers", kInteger, "How many layers of rows there are.").within(kCopies).by_default("1"),
          point("layer_shift", "Way from one layer to the next.").by_default("0"),
      }};
}

}  // namespace

std::vector<BlockTable> scene_block_tables() {
  return {fill_table(), body_pattern_table()};
}

}  // namespace freeplay::io
