// The contact forces that a run has kept of its rows (record.contact_forces), for some of the rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

struct ForceList {
  std::vector<ContactForce> forces;  // of one row after the other
  std::vector<std::size_t> begins;   // where those of the i-th of these rows begin; one more entry for the end
  bool is_cut = false;               // some rows have more

  std::span<const ContactForce> of(std::size_t i) const {
    return std::span(forces).subspan(begins[i], begins[i + 1] - begins[i]);
  }
};

double size_of(const ContactForce& force);  // N

// `rows` increase. Of each row the strongest ones, so many that all together are about `most`, but 20 in any case.
// Empty lists if the run has kept none.
ForceList forces_at(const ResultReader& result, std::span<const std::int64_t> rows, std::size_t most);

}  // namespace freeplay::report
