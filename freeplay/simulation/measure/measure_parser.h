// From the texts of measures to functions of the run and expressions of their results.
#pragma once

#include <string>
#include <vector>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/simulation/measure/reduction.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::simulation {

struct MeasureSpec {
  std::string name;
  std::string text;
};

// A constant that measures may name: a parameter of the model.
struct NamedQuantity {
  std::string name;
  Quantity value;
};

// A contact point: the joint or contact that it belongs to, and its own name.
struct MeasuredContact {
  std::string element, point;
};

// What measures may name.
struct MeasureNames {
  const std::vector<NamedQuantity>& constants;
  const std::vector<ChannelInfo>& channels;      // all that the run can record
  const std::vector<MeasuredContact>& contacts;  // in the order of RecordLayout::contacts
};

struct ParsedMeasure {
  std::string name, text;
  Expression of;  // of the reductions, variables 1, 2, ...
};

struct MeasureProgram {
  std::vector<ParsedMeasure> measures;
  std::vector<Reduction> reductions;
  std::vector<std::string> channels;  // variables 1, 2, ... of the reductions of rows, in the order of their first use
};

// A histogram, "NAME: histogram(x, low, high, 20)", is 20 measures NAME_1, NAME_2, ...: the shares of the time that x
// spends in each part of [low, high). Other measures stay as they are, also those that the parser will refuse.
std::vector<MeasureSpec> expanded_measures(const std::vector<MeasureSpec>& specs);

// Of the expanded measures. Throws ModelError with the paths "measure.NAME".
MeasureProgram parse_measures(const std::vector<MeasureSpec>& specs, const MeasureNames& names);

}  // namespace freeplay::simulation
