// One way to run a model, as `--with` gives it: a label and values that replace those of the file.
//
//   [LABEL:] WORD_OR_KEY=VALUE, ...
//
// A key of the block `simulate` stands alone (`solver=lemke`), a parameter too (`law=hertz`); anything else is a dotted
// path as in `--set`. A word alone is the name of an integrator or of a solver (`moreau-jean, lemke`).
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "freeplay/io/model/model_file.h"

namespace freeplay::study {

struct Formulation {
  std::string label;                   // for people; unique
  std::string folder;                  // the same as a name that every file system takes; unique
  std::vector<std::string> overrides;  // for load_model: "simulate.solver=lemke"
};

// A text that is no formulation at all.
class FormulationError : public std::runtime_error {
 public:
  FormulationError(const std::string& message, std::string hint)
      : std::runtime_error(message), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

// `base` is the model without any of them: its parameters are keys. Throws FormulationError for a text of another form
// and ModelError for keys that do not exist.
std::vector<Formulation> parse_formulations(std::span<const std::string> texts, const ModelFile& base);

// The formulation of the file itself and those others of a fixed list that the laws of the model allow.
std::vector<Formulation> default_formulations(const ModelFile& base);

// `label` as the name of a folder that is not among `taken`, to which it is added.
std::string folder_name(const std::string& label, std::vector<std::string>& taken);

}  // namespace freeplay::study
