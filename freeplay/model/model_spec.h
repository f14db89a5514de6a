// A whole model as plain data in SI units: what moves, what can touch, how it is run and what is recorded. A C++
// program fills it by hand, the reader of model files (freeplay/io) fills it from a file; freeplay/model/model.h builds
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/geometry/shapes/shape_spec.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/math/quantities/distribution.h"
#include "freeplay/mechanism/description/mechanism_spec.h"
#include "freeplay/simulation/measures.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::model {

struct ModelParameter {
  std::string name;
  std::string text;                 // how the value was written, for reports; may be empty
  std::optional<std::string> word;  // {word: w}; then there is no value
  Quantity value;
  bool is_bare_zero = false;  // a 0 without unit, which fits every dimension
  // How it scatters from machine to machine: what studies draw from. The value is its mean.
  std::optional<Distribution> distribution{};
  // Then: between which values the worst case is looked for. The limits of a fit, which lie further out than three
  // standard deviations of its clearance; of a normal distribution those three.
  double lowest = 0, highest = 0;
};

// A system or scene that is built in as code, by its name. The code has a table of its parameters (`freeplay list
// systems`): names and dimensions are checked when the model is built. Parameters that are left out take their
// defaults.
struct SystemSpec {
  std::string name;
  std::vector<ModelParameter> parameters;
};

struct ModelSpec {
  std::string name;
  std::string reference;                   // where the model comes from, for people
  std::vector<ModelParameter> parameters;  // for reports; what they stand for has been put into the numbers below

  std::optional<SystemSpec> system;  // given as code; then `mechanism` is empty
  std::string scene;                 // name of the code that gave `mechanism` and the contacts, if one did
  MechanismSpec mechanism;
  std::vector<ShapeSpec> shapes;  // of all bodies and of the ground
  std::vector<ContactSpec> contacts;
  std::vector<ClearanceJointSpec> clearance_joints;  // with play; not among mechanism.joints
  std::vector<ContactGroupSpec> groups;
  std::vector<JointLawSpec> joint_laws;    // of joints in `mechanism` and in `clearance_joints`
  std::vector<BacklashSpec> backlashes{};  // of mechanism.couplings with play
  SimulationOptions simulate;
  RecordOptions record;
  std::vector<MeasureSpec> measures;  // the channels that they need are recorded in any case
};

}  // namespace freeplay::model
