// A model as a tape: the engine's own kinematics, run once with numbers that record what is done with them.
//
// Inputs are t, the coordinates q, the velocities u, a right-hand side b, and where measures are of impacts the
// quantities of one (impact_quantities()). Every other number of the model is a
// constant of the tape; which of these differ among the members of a family is seen by comparing their tapes
// (program/program.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "freeplay/math/recording/recorded.h"
#include "freeplay/model/model.h"
#include "freeplay/simulation/measure/measure_parser.h"

namespace freeplay::compile {

// Why a model has no compiled form: one sentence per reason. Empty: it has one.
std::vector<std::string> compile_obstacles(const ModelSpec& spec, const Model& model);

// The laws of a contact point as numbers: they are not compiled in.
struct PointNumbers {
  double restitution = 0, tangential_restitution = 0, friction = 0;
  double size = 0;  // what gaps are compared with (TouchingContacts)
  double dry_effort = 0;
  bool operator==(const PointNumbers&) const = default;
};

struct ModelRecording {
  // Where the rows of a contact point are on the tape: one entry per velocity, and w~ behind them.
  struct Point {
    int gap = -1;
    bool has_normal = true;  // false: dry friction in a joint; its gap is a number below 0
    std::vector<int> normal, tangent;
    bool can_be_passed = false;  // what is on the other side of it is no wall opposite, and it has a size
    bool is_round = false;       // a pin in its bearing: they may be concentric
    std::uint64_t pushed = 0;    // where contacts are anticipated: pushed_velocities(); whoever records fills it in
    bool operator==(const Point&) const = default;
  };

  // A bilateral row: its position, one entry per velocity, and w~ behind them.
  struct Row {
    int position = -1;
    std::vector<int> entries;
    bool operator==(const Row&) const = default;
  };

  int velocities = 0;
  bool is_tied =
      false;  // what pushes one of the bodies pushes all of them: there is one tree, or loops tie them together
  std::unique_ptr<Tape> tape;
  std::vector<int> mass;      // lower triangle, row by row
  std::vector<int> force;     // h
  std::vector<int> solution;  // M^-1 b
  std::vector<Point> points;
  std::vector<Row> bilateral;
  std::vector<int> channels;  // in the order asked for
  std::vector<int> impacts;   // what measures of impacts are of, one after the other
  std::vector<PointNumbers> laws;
  std::vector<std::string> unknown_channels;  // that have no compiled form

  // Whether both have the same entries and the same outputs, so that they differ in constants only.
  bool has_structure_of(const ModelRecording& other) const;
};

// Requires compile_obstacles(...).empty(). `channels`: names that the run can record. With measures, the channels of
// the recording are what their functions of rows are of, one after the other, behind that of a crossing the one that
// crosses zero. With a section, what crosses zero (0 where it is one by time) and the points of the section stand
// behind all others.
ModelRecording record_model(const Model& model, const std::vector<std::string>& channels,
                            const MeasureProgram* measures = nullptr, const MeasureProgram* section = nullptr);

}  // namespace freeplay::compile
