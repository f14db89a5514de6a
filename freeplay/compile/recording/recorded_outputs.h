// What every recording needs, whatever the model is made of: M^-1, and the numbers that are asked for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/compile/recording/model_recording.h"
#include "freeplay/compile/recording/recorded_mechanism.h"

namespace freeplay::compile {

// Numbers unlike those at which something special happens, such as springs without length.
inline double odd_number(int i) {
  return 0.013 + 0.0071 * i + 0.00029 * i * i;
}

// As record_model() is asked.
struct WantedOutputs {
  const std::vector<std::string>& channels;
  const MeasureProgram* measures = nullptr;
  const MeasureProgram* section = nullptr;
};
// `read`: a channel by its name; nullopt if it has no recorded form.
void record_outputs(const WantedOutputs& wanted, const Recorded& t,
                    const std::function<std::optional<Recorded>(const std::string&)>& read, ModelRecording& recording);

// b <- M^-1 b; M is lost. Only its lower triangle is read.
void solve_in_place(RecordedMass& M, RecordedVector& b);

}  // namespace freeplay::compile
