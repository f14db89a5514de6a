// The strongest oscillation in a signal.
#pragma once

#include <span>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::simulation {

struct SpectrumPeak {
  double frequency_Hz, amplitude;  // not numbers where there are too few values to tell
};

// Of values along straight lines between times that increase. Their mean and a drift that is uniform in time are taken
// away, a Hann window is laid over the rest, and the largest line of the discrete Fourier transform is corrected for
// lying between two of its frequencies: a sine that fits at least four times into the signal is found with its
// frequency and amplitude, up to the values that lie between the samples.
SpectrumPeak spectrum_peak(std::span<const double> times_s, std::span<const double> values);

// All lines of that transform but the constant, by rising frequency: the amplitude of a sine at exactly that frequency
// is its own, and that of one between two lines is up to 15 % larger than the larger of them (a Hann window's loss).
// The transform has the next power of two of the number of values, taken at equal distances. Empty where there are too
// few values.
std::vector<SpectrumPeak> amplitude_spectrum(std::span<const double> times_s, std::span<const double> values);

// Up to where such lines, of which there is at least one, have something to show: rows are often recorded at every
// step, and their highest frequencies are empty.
double highest_worth_showing(std::span<const SpectrumPeak> lines);

}  // namespace freeplay::simulation
