// Peak forces as the summary of a result file keeps them: a text, since their number is not known when the file begins.
// Internal to freeplay/io.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io {

// JSON, in the order of the list; where `most_bytes` are not enough for all, the largest ones.
std::string text_of_peaks(const std::vector<PeakForce>& peaks, std::size_t most_bytes);
// Nothing of an empty text. Throws hdf5::Error if it is not as freeplay writes it.
std::vector<PeakForce> peaks_of_text(const std::string& text);

}  // namespace freeplay::io
