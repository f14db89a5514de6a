// Rows of the field table: bodies that deform.
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

namespace {

using field_rows::block;
using field_rows::kNotNegative;
using field_rows::kPositive;
using field_rows::number;
using field_rows::point;
using field_rows::quantity;
using field_rows::row;
using field_rows::text;
using field_rows::word;

std::vector<std::string> bending_words() {
  return {"none", "cantilever", "simply-supported", "clamped-clamped", "free-free"};
}
std::vector<std::string> axial_words() {
  return {"none", "fixed-free", "free-free"};
}

std::vector<Field> stiffness_fields() {
  using enum FieldKind;
  const Dimension bending_stiffness = dimensions::kForce * dimensions::kLength * dimensions::kLength;
  return {
      word("bending", &bending_words,
           "How the beam is held in the floating frame: its deflection is a sum of the vibration modes of a beam that "
           "is held so.")
          .by_default("none"),
      row("bending_modes", kInteger, "Number of these modes, in each plane.").by_default("4"),
      row("bending_stiffness", kQuantities, bending_stiffness, "E I, in the plane of x and y; one, or one per knot.")
          .within(kPositive)
          .otherwise("an error if the beam bends"),
      row("bending_stiffness_xz", kQuantities, bending_stiffness, "E I in the plane of x and z, in space; the same.")
          .within(kPositive)
          .otherwise("the beam does not bend in this plane"),
      word("axial", &axial_words, "How it is held along its axis, for the modes of a bar that stretches.")
          .by_default("none"),
      row("axial_modes", kInteger, "Number of these modes.").by_default("4"),
      row("axial_stiffness", kQuantities, dimensions::kForce, "E A; one, or one per knot.")
          .within(kPositive)
          .otherwise("an error if it stretches"),
      word("torsion", &axial_words, "How it is held against twisting, for the modes of a shaft, in space.")
          .by_default("none"),
      row("torsion_modes", kInteger, "Number of these modes.").by_default("2"),
      row("torsional_stiffness", kQuantities, bending_stiffness, "G I_t; one, or one per knot.")
          .within(kPositive)
          .otherwise("an error if it twists"),
      number("damping_ratio", "Part of critical damping that every mode has in the frame held fast.")
          .within(kNotNegative)
          .by_default("0"),
      block("rayleigh", kBlock, "rayleigh", "Rayleigh's damping instead.").otherwise("`damping_ratio`"),
      row("foreshortening", kBool,
          "Whether a bent axis draws its points together along x. Without it a beam that turns fast is too soft. Of a "
          "file only where its nodes lie on a line along x.")
          .by_default("true"),
  };
}

}  // namespace

std::vector<BlockTable> elastic_block_tables() {
  using enum FieldKind;
  const Dimension inertia_per_length = dimensions::kMass * dimensions::kLength;
  std::vector<Field> fields = {
      text("file",
           "A file of nodes and modes (CSV or HDF5), relative to the model's folder, instead of a beam "
           "(guide/modes_file.md).")
          .otherwise("the body is a beam"),
      row("modes", kInteger, "How many modes of the file are used, from the first on.").otherwise("all"),
      quantity("length", dimensions::kLength, "Length of the axis.").within(kPositive).otherwise("an error of a beam"),
      row("mass_per_length", kQuantities, dimensions::kMass / dimensions::kLength,
          "Mass per length; one, or one per knot.")
          .within(kPositive)
          .otherwise("an error of a beam"),
      row("polar_inertia_per_length", kQuantities, inertia_per_length,
          "Moment of inertia per length about the axis, in space; one, or one per knot.")
          .within(kNotNegative)
          .otherwise("0"),
      row("rotary_inertia_per_length", kQuantities, inertia_per_length,
          "rho I, in the plane of x and y: the inertia with which sections resist being turned; one, or one per knot.")
          .within(kNotNegative)
          .otherwise("0"),
      row("rotary_inertia_per_length_xz", kQuantities, inertia_per_length,
          "rho I in the plane of x and z, in space; the same.")
          .within(kNotNegative)
          .otherwise("0"),
      row("knots", kQuantities, dimensions::kLength,
          "Places along the axis, from 0 to the length. The shapes are then the lowest modes that cubic splines on "
          "these "
          "knots have, and the beam's section may change: give the keys of it one value per knot, between which it "
          "changes linearly.")
          .otherwise("the beam is uniform"),
      point("start", "Where the axis begins, body axes.").otherwise("`[-length/2, 0]`: its middle is the origin"),
  };
  for (const Field& field : stiffness_fields()) fields.push_back(field);
  for (const Field& field : {
           row("initial_modes", kQuantities, dimensions::kLength,
               "Initial modal coordinates: bending in x and y, in x and z, axial. Those that are "
               "missing, and those of torsion, are 0."),
           row("initial_rates", kQuantities, dimensions::kVelocity, "Initial modal velocities, in the same order."),
           row("stations", kQuantities, dimensions::kLength,
               "Places along the axis, from its beginning on, that have channels: position, deflection, bending "
               "moment, "
               "axial force, stress, and in space twist and torque."),
           row("station_nodes", kNodeNames,
               "Nodes of a file that have channels: position, displacement, and bending moment and stress where the "
               "file has them."),
           quantity(
               "section_modulus", dimensions::kLength * dimensions::kLength * dimensions::kLength,
               "Of bending in x and y: the stress is the bending moment over it. The largest stress has the other "
               "plane and the force along the axis as well, by `section_modulus_xz` and `area`, or by `height` and "
               "`width`.")
               .within(kPositive)
               .otherwise("no channels of stress"),
           quantity("section_modulus_xz", dimensions::kLength * dimensions::kLength * dimensions::kLength,
                    "Of bending in x and z, in space, for the largest stress.")
               .within(kPositive)
               .otherwise("from `section_modulus`, `height` and `width`"),
           quantity("area", dimensions::kLength * dimensions::kLength,
                    "Of the section, for the largest stress: what the force along the axis adds to it. A bar that does "
                    "not bend has a largest stress by its area alone.")
               .within(kPositive)
               .otherwise("from `section_modulus` and `height`"),
           quantity("height", dimensions::kLength, "Of the section along y, for pictures and the largest stress.")
               .within(kPositive)
               .otherwise("that of a rectangle with E I and E A, or a fortieth of the length"),
           quantity("width", dimensions::kLength,
                    "Of the section along z, for pictures in space and the largest stress.")
               .within(kPositive)
               .otherwise("as `height`, from `bending_stiffness_xz`"),
       }) {
    fields.push_back(field);
  }
  return {
      {"elastic", "bodies.NAME.elastic",
       "A straight beam along the x axis of its body, or a body of nodes and modes from a file, with small deflections "
       "in a frame that moves along with it: the body's axes. A shape function of a beam is 1 at a free end.",
       fields},
      {"rayleigh",
       "bodies.NAME.elastic.rayleigh",
       "Damping alpha M + beta K of the modes, in the frame held fast: a mode of the frequency w has the part "
       "alpha/(2 w) + beta w/2 of critical damping.",
       {
           quantity("alpha", dimensions::kAngularVelocity, "Share of the mass.").within(kNotNegative).by_default("0/s"),
           quantity("beta", dimensions::kTime, "Share of the stiffness.").within(kNotNegative).by_default("0 s"),
       }}};
}

}  // namespace freeplay::io
