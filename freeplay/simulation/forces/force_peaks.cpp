#include "freeplay/simulation/forces/force_peaks.h"

#include <algorithm>

namespace freeplay::simulation {

std::size_t ForcePeaks::add(std::string name, std::string unit) {
  peaks_.push_back({std::move(name), std::move(unit)});
  return peaks_.size() - 1;
}

void ForcePeaks::note(std::size_t element, double size, double window_s, double time_s) {
  PeakForce& peak = peaks_[element];
  if (!(size > peak.value)) return;
  peak.value = size;
  peak.window_s = window_s;
  peak.time_s = time_s;
}

void ForcePeaks::append_to(std::vector<PeakForce>& peaks) const {
  const auto is_named = [&](const PeakForce& peak) {
    return std::ranges::find(peaks, peak.name, &PeakForce::name) != peaks.end();
  };
  for (const PeakForce& peak : peaks_) {
    if (peak.value > 0 && !is_named(peak)) peaks.push_back(peak);
  }
}

void ForcePeaks::forget() {
  for (PeakForce& peak : peaks_) peak.value = peak.window_s = peak.time_s = 0;
}

void ForcePeaks::write(std::vector<double>& numbers) const {
  for (const PeakForce& peak : peaks_) numbers.insert(numbers.end(), {peak.value, peak.window_s, peak.time_s});
}

void ForcePeaks::take(std::span<const double> numbers) {
  const double* next = numbers.data();
  for (PeakForce& peak : peaks_) {
    peak.value = *next++;
    peak.window_s = *next++;
    peak.time_s = *next++;
  }
}

}  // namespace freeplay::simulation
