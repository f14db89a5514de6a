#include "freeplay/simulation/watch/explosion_watch.h"

#include <algorithm>

namespace freeplay::simulation {

namespace {

constexpr double kLargerHalf = 0.5;  // of all energy: the rest of the motion is small beside it
constexpr double kExplosion = 1e4;

// That of the motion, and what the potential can still give.
double present_J(const EnergyLedger& ledger) {
  return ledger.entries()[EnergyLedger::kTotal] - ledger.memory().least_potential_J;
}

}  // namespace

bool ExplosionWatch::is_exploding(const EnergyLedger& ledger, const EnergyAccount& account) {
  const double without_source_J = ledger.entries()[EnergyLedger::kDrift];
  const double exchanged_J = ledger.memory().exchanged_J(account);
  if (!(without_source_J > std::max(kLargerHalf * exchanged_J, ledger.memory().rounding_J()))) {
    doubtful_J_ = 0;
    return false;
  }
  if (doubtful_J_ == 0) doubtful_J_ = exchanged_J;
  return present_J(ledger) > kExplosion * doubtful_J_;
}

void ExplosionWatch::go_on_from(const EnergyLedger& ledger) {
  doubtful_J_ = present_J(ledger);
}

}  // namespace freeplay::simulation
