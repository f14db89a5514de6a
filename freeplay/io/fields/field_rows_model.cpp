// Rows of the field table: the file itself, simulate, record.
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

namespace {

using field_rows::block;
using field_rows::kInsideZeroOne;
using field_rows::kNotNegative;
using field_rows::kPositive;
using field_rows::number;
using field_rows::quantity;
using field_rows::row;
using field_rows::text;
using field_rows::word;

std::vector<std::string> spaces() {
  return {"planar", "spatial"};
}
std::vector<std::string> integrators() {
  return {"dopri5", "moreau-midpoint", "moreau-jean", "event-driven", "cvode-bdf", "nlp-variable-step", "cvode-adams"};
}
std::vector<std::string> solvers() {
  return {"auto", "enumerative",       "lemke",          "prox-jacobi",     "prox-gauss-seidel",
          "nsgs", "semismooth-newton", "proximal-point", "dual-active-set", "relaxed-cone"};
}
std::vector<std::string> velocity_forces() {
  return {"start", "midpoint", "implicit"};
}
std::vector<std::string> r_factors() {
  return {"spectral", "row-sum", "diagonal"};
}
std::vector<std::string> penetration_controls() {
  return {"roots", "procedure-1", "procedure-2", "secant", "none"};
}
std::vector<std::string> constraints() {
  return {"plain", "corrected", "disc"};
}
std::vector<std::string> step_choices() {
  return {"objective", "land", "fixed"};
}
std::vector<std::string> activations() {
  return {"gap", "anticipated"};
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
               "Names for values: `c: 0.5 mm`, expressions of each other in any order, or words: `law: {word: "
               "hertz}`."),
           row("gravity", kVector, dimensions::kAcceleration, "Acceleration of gravity.").otherwise("no gravity"),
           block("bodies", kNamedBlocks, "body", "The rigid bodies."),
           block("ground", kBlock, "ground", "The frame that does not move."),
           block("joints", kNamedBlocks, "joint", "What connects bodies with each other and with the ground."),
           block("contacts", kNamedBlocks, "contact", "Pairs of shapes that may touch."),
           block("forces", kTypedBlocks, "force", "Springs, dampers, forces and torques."),
           block("drivers", kNamedBlocks, "driver", "Prescribed motions, and motors."),
           block("simulate", kBlock, "simulate", "How to run the model.").required(),
           row("record", kRecord, "Which channels the result holds.").otherwise("all channels, every row"),
       }},
      {"simulate",
       "simulate",
       "How the model is run.",
       {
           word("integrator", &integrators,
                "Time integration; `freeplay list integrators` tells which this version has.")
               .by_default("dopri5"),
           word("solver", &solvers,
                "Solver of the contact problem of one step; `freeplay list solvers` tells which this version has.")
               .by_default("auto"),
           quantity("duration", dimensions::kTime, "Length of the run.").required().within(kPositive),
           quantity("step", dimensions::kTime,
                    "Step size; for integrators with step control no step is longer, and every multiple is the end of "
                    "a step.")
               .within(kPositive)
               .otherwise("chosen by the integrator"),
           number("tolerance", "Relative and absolute tolerance of integrators with step control.")
               .within(kInsideZeroOne)
               .by_default("1e-9"),
           number("relative_tolerance", "Instead of `tolerance`.").within(kInsideZeroOne).otherwise("`tolerance`"),
           number("absolute_tolerance", "Instead of `tolerance`, in SI units.")
               .within(kInsideZeroOne)
               .otherwise("`tolerance`"),
           number("velocity_tolerance", "Absolute tolerance of velocities, in SI units.")
               .within(kInsideZeroOne)
               .otherwise("`absolute_tolerance`"),
           quantity(
               "min_step", dimensions::kTime,
               "Smallest step size. With contacts: the size at which a step is no longer refused for them; the error "
               "control goes on below it.")
               .within(kPositive)
               .otherwise("no bound; 0.1 us for contacts"),
           quantity("max_step", dimensions::kTime, "Largest step size.").within(kPositive).otherwise("no bound"),
           quantity(
               "baumgarte", dimensions::kAngularVelocity,
               "Rate at which smooth integrators draw loops back, after Baumgarte (1972), instead of projecting them.")
               .within(kPositive)
               .otherwise("projection"),
           word("penetration_control", &penetration_controls,
                "How smooth integrators find where a contact with a force law begins.")
               .by_default("roots"),
           quantity("max_initial_penetration", dimensions::kLength,
                    "Largest penetration at which a contact may begin, for `procedure-1`, `procedure-2` and `secant`.")
               .within(kPositive)
               .by_default("1 um"),
           word("velocity_forces", &velocity_forces, "Where `moreau-midpoint` takes forces that depend on velocities.")
               .by_default("start"),
           word("activation", &activations, "When `moreau-midpoint` takes a contact as closed.").by_default("gap"),
           number("theta", "Weight that `moreau-jean` gives to the forces and velocities at the end of a step.")
               .within({.min = 0, .max = 1, .without_min = true})
               .otherwise("0.5"),
           word("constraint", &constraints,
                "Which gap `nlp-variable-step` keeps open at the end of a step: to first order, the gap itself, or the "
                "gap itself with the normals of the end.")
               .by_default("corrected"),
           word("step_choice", &step_choices,
                "How `nlp-variable-step` chooses steps between `min_step` and `max_step`: by its objective, to end "
                "where "
                "contacts close, or always the longest.")
               .by_default("land"),
           quantity("projection", dimensions::kLength, "Penetration from which positions are projected back.")
               .within(kNotNegative)
               .otherwise("no projection"),
           word("r_factor", &r_factors, "How the solver `prox-jacobi` chooses the factor r of its prox equation.")
               .by_default("spectral"),
           quantity("solver_tolerance", dimensions::kVelocity,
                    "Largest residual of the contact problem of one step that counts as solved.")
               .within(kPositive)
               .by_default("1e-9 m/s"),
           quantity("impact_threshold", dimensions::kVelocity,
                    "An approach that is slower is no impact in the table of impacts.")
               .within(kNotNegative)
               .by_default("1 mm/s"),
           quantity("force_window", dimensions::kTime, "Contact forces are means over this time.")
               .within(kPositive)
               .otherwise("ten steps"),
       }},
      {"record",
       "record",
       "A plain list of channels, `record: [crank.omega, energy.total]`, means the key `channels`.",
       {
           row("channels", kChannels, "Names such as `crank.omega` or `energy.total`.").otherwise("all channels"),
           row("every", kInteger, "Record every n-th row.").within({.min = 1, .max = 1e9}).by_default("1"),
           row("motion", kBool,
               "Whether the file keeps the poses of all bodies for pictures, where `channels` leaves them out.")
               .by_default("true"),
       }},
  };
}

}  // namespace freeplay::io
