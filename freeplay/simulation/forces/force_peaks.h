// The largest force of each joint, driver and contact in a run, for the summary.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::simulation {

class ForcePeaks {
 public:
  // An element with a force ("N") or a moment ("N m"); its number.
  std::size_t add(std::string name, std::string unit);
  // The mean `size` over the window that ends at `time_s`; 0: the value at that time.
  void note(std::size_t element, double size, double window_s, double time_s);
  // The largest one so far.
  double value(std::size_t element) const { return peaks_[element].value; }
  // Of those that had a force, in the order of add(); a name that is there already, of a joint with play, is left out.
  void append_to(std::vector<PeakForce>& peaks) const;

  void forget();
  // For a run that goes on elsewhere: take() reads number_count() numbers, write() makes as many.
  std::size_t number_count() const { return 3 * peaks_.size(); }
  void write(std::vector<double>& numbers) const;
  void take(std::span<const double> numbers);

 private:
  std::vector<PeakForce> peaks_;
};

}  // namespace freeplay::simulation
