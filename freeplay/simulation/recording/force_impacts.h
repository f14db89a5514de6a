// Impacts under force laws: where in a contact, which lasts from its start to its end, an impact begins and ends.
//
// An impact begins with the contact. It is over when the parts separate; or, where something presses them together,
//   - when the normal velocity returns to zero after the expansion: then with the values that it had at its fastest;
//   - when no expansion follows the compression: then with the values at the end of the compression.
// From there on the contact is a lasting one: what it carries belongs to what presses, not to the impact, and the end
// of it is no impact either.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "freeplay/mechanism/state.h"

namespace freeplay::simulation {

class ForceImpacts {
 public:
  // What a contact has done when its impact was over.
  struct Values {
    double normal_velocity = 0;
    Vec2 tangential_velocity = Vec2::Zero();
    double normal_impulse = 0;
    Vec2 tangential_impulse = Vec2::Zero();
    double loss_J = 0;
  };

  explicit ForceImpacts(std::size_t points) : watches_(points) {}

  // After each step to the time t, for each point: what the impact came to, if it is over now.
  std::optional<Values> after_step(std::size_t point, const ContactMemory& memory, double t);

  void forget();
  // For a run that goes on elsewhere; take() reads as many numbers as there are, write() makes as many.
  std::size_t number_count() const { return kNumbers * watches_.size(); }
  void write(std::vector<double>& numbers) const;
  void take(std::span<const double> numbers);

 private:
  enum class Phase : std::uint8_t { kNone, kCompression, kExpansion, kLasting };
  struct Watch {
    Phase phase = Phase::kNone;
    double onset_s = 0;
    double compressed_s = 0;  // how long the compression took; 0: it goes on
    Values values;            // at its end, or at the fastest moment of the expansion
  };
  static constexpr std::size_t kNumbers = 10;  // of a watch

  std::vector<Watch> watches_;
};

}  // namespace freeplay::simulation
