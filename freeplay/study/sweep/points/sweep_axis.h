// What one `--over` says: a parameter, or a dotted path, and the values that it takes.
//
//   NAME=FROM:TO:COUNT          COUNT values at equal distances, both ends among them
//   NAME=FROM:TO:COUNT:log      at equal ratios
//   NAME=A,B,C                  these; quantities, or words such as the names of laws
//   NAME=FROM:TO, FROM:TO:log   for samples (SweepSampling), which have no count of their own
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/math/quantities/dimension.h"
#include "freeplay/math/quantities/distribution.h"

namespace freeplay::study {

struct SweepAxis {
  std::string name;
  Dimension dimension;
  bool is_list = false;
  // Ranges.
  double from = 0, to = 0;  // SI
  std::int64_t count = 0;   // 0: not given
  bool is_logarithmic = false;
  // Of a parameter that scatters, for samples; then `from` and `to` are the ends of its tolerance zone.
  std::optional<Distribution> distribution{};
  // Lists: the texts as they were given, and their values in SI units unless they are words.
  std::vector<std::string> texts;
  std::vector<double> numbers;  // empty: words

  bool has_words() const { return is_list && numbers.empty(); }
  std::int64_t size() const { return is_list ? static_cast<std::int64_t>(texts.size()) : count; }
  // Of the place-th value in SI units; of words the place itself.
  double value(std::int64_t place) const;
  // At u in [0, 1) of the range, or in the u-th part of the list.
  double sampled_value(double u) const;
  // At z in [0, 1] between both ends, and the z of a value, the nearer end of one outside.
  double value_in_range(double z) const;
  double place_in_range(double value) const;
  // The text that --set would be given for it: "c=0.0005 m".
  std::string override_text(double value) const;
};

// Throws ModelError that shows the text, with the place "--over".
SweepAxis parse_sweep_axis(const std::string& text);

}  // namespace freeplay::study
