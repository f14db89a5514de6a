// Parameters that scatter from machine to machine: {fit: H7/g6, diameter: 25 mm}, {normal: [mean, deviation]},
// {uniform: [from, to]}, {triangular: [from, most likely, to]}. Their value is the mean; studies draw from the
// distribution.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "freeplay/io/model/model_parameters.h"

namespace freeplay::io {

// A constant expression of other parameters; nothing if it is wrong, and reported.
using ParseConstant =
    std::function<std::optional<Expression>(const YamlNode& node, const std::string& path, const char* example)>;

// Of an entry whose value is a block. False: wrong, and reported.
bool read_scatter(const YamlEntry& source, const std::string& path, const ParseConstant& parse, MistakeList& mistakes,
                  ModelParameter& parameter);

}  // namespace freeplay::io
