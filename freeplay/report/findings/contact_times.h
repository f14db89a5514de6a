// When contact points were closed, as the modes of the rows tell.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"
#include "freeplay/report/rows/channel_roles.h"

namespace freeplay::report {

struct ClosedTime {
  double from_s = 0, to_s = 0;
};

class ContactTimes {
 public:
  // Reads the mode of each point, in pieces. Points whose mode was not recorded are never closed.
  ContactTimes(const ResultReader& result, const std::vector<ContactPointChannels>& points);

  // Whether no row between the two times had the point open.
  bool was_held(std::size_t point, double from_s, double to_s) const;
  // Of the time of all rows, the part in which any of these points was closed.
  double share_closed(const std::vector<std::size_t>& points) const;
  bool knows(std::size_t point) const { return is_known_[point]; }

 private:
  std::vector<std::vector<ClosedTime>> closed_;  // of each point, in the order of time
  std::vector<bool> is_known_;
  double duration_s_ = 0;
};

}  // namespace freeplay::report
