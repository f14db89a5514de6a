// What there is to say about a model that could be built; `check` prints a little of it, `info` all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::app {

struct RedundantRow {
  std::string name, explanation;
};

struct Overview {
  std::shared_ptr<const System> system;
  std::shared_ptr<const ContactModel> contact_model;
  const Mechanism* mechanism = nullptr;  // null for a system given as code
  int bodies = 0, joints = 0, joints_with_play = 0, bushings = 0, contacts = 0;
  int velocities = 0, rows = 0, row_rank = 0;
  std::vector<RedundantRow> redundant;
  std::vector<std::string> assembly_notes;

  Model model() const { return {system, contact_model}; }
  int degrees_of_freedom() const { return velocities - row_rank; }
  // For reports of a run: assembly, and one line about redundancy.
  std::vector<std::string> notes() const;
};

// Builds the system. Throws ModelError.
Overview overview_of(const ModelFile& file);

}  // namespace freeplay::app
