// Rows of the field table: the file itself, record.
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

namespace {

using field_rows::block;
using field_rows::row;
using field_rows::text;
using field_rows::word;

std::vector<std::string> spaces() {
  return {"planar", "spatial"};
}

std::vector<std::string> interpolations() {
  return {"linear", "cubic", "hold"};
}

std::vector<std::string> outsides() {
  return {"hold", "repeat", "stop"};
}

}  // namespace

std::vector<BlockTable> model_block_tables() {
  using enum FieldKind;
  return {
      {"model",
       "The file itself",
       "A model file is one block with these keys.",
       {
           row("freeplay", kInteger, "Version of the file format; this is version 1.")
               .required()
               .within({.min = 1, .max = 1}),
           text("name", "What the model is, for reports.").otherwise("the file's name"),
           text("reference", "Where the model comes from: a paper, a drawing."),
           row("include", kFiles,
               "Other model files, relative to this one and not outside its folder. Blocks are merged key by key; what "
               "the including file says wins. Two included files must not say the same thing twice."),
           word("space", &spaces, "Planar models use x and y, and turn about z.")
               .otherwise("an error, unless `system` is given"),
           text("system", "The name of a system that is built into freeplay, instead of bodies and joints."),
           row("parameters", kParameters,
               "Names for values: `c: 0.5 mm`, expressions of each other in any order, or words: `law: {word: hertz}`. "
               "What "
               "scatters from machine to machine is written `{fit: H7/g6, diameter: 25 mm}` (ISO 286, the clearance "
               "per "
               "side), `{normal: [1 mm, 0.1 mm]}` (mean and standard deviation), `{uniform: [1 mm, 2 mm]}` or "
               "`{triangular: [1 mm, 1.2 mm, 2 mm]}`; a single run takes the mean."),
           row("variants", kVariants,
               "Parts of the model that a parameter chooses, which is a word: with `part: {word: point}` and "
               "`variants: "
               "{part: {point: {}, block: {bodies: ...}}}`, `--set part=block` puts the bodies of the block over those "
               "of "
               "the file. Blocks are merged key by key; the variant that is chosen wins."),
           block("functions", kNamedBlocks, "function",
                 "Functions for expressions, given by samples: `drive: {table: {file: drive.csv, x: time, y: torque}}` "
                 "is called as `drive(t)`."),
           row("gravity", kVector, dimensions::kAcceleration, "Acceleration of gravity.").otherwise("no gravity"),
           block("materials", kNamedBlocks, "material",
                 "What bodies are made of, and what two materials do that meet."),
           block("bodies", kNamedBlocks, "body", "The rigid bodies."),
           block("ground", kBlock, "ground", "The frame that does not move."),
           block("joints", kNamedBlocks, "joint", "What connects bodies with each other and with the ground."),
           block("couplings", kTypedBlocks, "coupling",
                 "Relations of joint coordinates: gears, racks, screws, belts, differentials, clutches."),
           block("contacts", kNamedBlocks, "contact", "Pairs of shapes that may touch."),
           block("groups", kNamedBlocks, "group", "Shapes that may all touch each other, for models of many bodies."),
           block("forces", kTypedBlocks, "force", "Springs, dampers, forces and torques."),
           block("drivers", kNamedBlocks, "driver", "Prescribed motions, and motors."),
           block("simulate", kBlock, "simulate", "How to run the model.").required(),
           row("record", kRecord, "Which channels the result holds.").otherwise("all channels, every row"),
           row("measure", kMeasures,
               "Numbers that the summary tells of the run: `peak: max(abs(bearing.force_x))`. A channel x stands in a "
               "function of the rows that are recorded, such as `final(x)`, `max(x)`, `rms(x)` or `mean(x, time)`, "
               "which begins at that time; `count(impact)` and `max(guide.impact.normal_impulse)` are of impacts. "
               "All of them: `expressions.md`."),
       }},
      {"function",
       "functions.NAME",
       "A function of one variable for expressions.",
       {block("table", kBlock, "table", "Its samples.").required()}},
      {"value_by_table",
       "{table: ..., of: ...}",
       "A table in the place of an expression.",
       {
           block("table", kBlock, "table", "Its samples. A column without a unit is in SI units.").required(),
           row("of", kExpression, "What the table is a function of, such as `crank.angle`.")
               .in("as x of the table")
               .otherwise("the time (of a cam: its angle phi; of a curve: s)"),
       }},
      {"table",
       "table",
       "Samples of a function, from a file or written out. Their places x must ascend.",
       {
           text("file",
                "A file of columns (CSV) in the model's folder. Its first line names them, with units: `time [s], "
                "torque "
                "[N m]`; columns without names are `1`, `2`, ...")
               .otherwise("`points`"),
           text("x", "The column of places.").otherwise("the first column"),
           text("y", "The column of values.").otherwise("the second column"),
           text("x_unit", "The unit of x, where the file does not name it, or names another; 1 for numbers."),
           text("y_unit", "The unit of y, likewise."),
           row("points", kSamples, "The samples themselves: `[[0 s, 0 N m], [1 s, 5 N m]]`.").otherwise("`file`"),
           word("interpolation", &interpolations,
                "Between samples: straight lines, a spline with continuous curvature (for motions), or each value "
                "until the next sample.")
               .by_default("linear"),
           word("outside", &outsides,
                "Before the first and behind the last sample: their values, the samples again and again, or no value, "
                "which ends the run.")
               .by_default("hold"),
       }},
      simulate_block_table(),
      {"record",
       "record",
       "A plain list of channels, `record: [crank.omega, energy.total]`, means the key `channels`.",
       {
           row("channels", kChannels, "Names such as `crank.omega` or `energy.total`.").otherwise("all channels"),
           row("every", kInteger, "Record every n-th row.").within({.min = 1, .max = 1e9}).by_default("1"),
           row("motion", kBool,
               "Whether the file keeps the poses of all bodies, and the modal coordinates of elastic ones, for "
               "pictures, "
               "where `channels` leaves them out.")
               .by_default("true"),
           row("contact_forces", kInteger,
               "Of each row so many of the strongest contacts, at most, with place and force: chains of forces in "
               "pictures of piles. A contact takes 36 bytes of the file.")
               .within({.min = 0, .max = 1e6})
               .by_default("0"),
       }},
  };
}

}  // namespace freeplay::io
