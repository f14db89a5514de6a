// Systems given as code, runnable from a file by `system: NAME`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

struct SystemParameter {
  std::string name;
  Dimension dimension;
  double default_value = 0;  // SI
  std::string description;
  bool takes_bare_numbers = false;  // a number without a unit is one in the SI unit
  std::string instead_of{};         // the parameter that this one, unless it is 0, leaves no meaning to
};

struct SystemEntry {
  std::string name;
  std::string description;
  std::vector<SystemParameter> parameters;
  // `values`: one per parameter, SI. Throws ModelError with the path "parameters.NAME" for a value out of range.
  std::shared_ptr<const System> (*make)(std::span<const double> values);
};

const std::vector<SystemEntry>& system_registry();
const SystemEntry* find_system(const std::string& name);

}  // namespace freeplay::mechanism
