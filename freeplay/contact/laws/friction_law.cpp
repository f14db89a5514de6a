#include "freeplay/contact/laws/friction_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "freeplay/core/error.h"

namespace freeplay::contact {

FrictionLaw FrictionLaw::stribeck(const Stribeck& parameters) {
  FREEPLAY_ASSERT(parameters.speed_m_s > 0 && parameters.exponent > 0);
  FrictionLaw law(parameters.static_friction);
  law.kind_ = Kind::kStribeck;
  law.stribeck_ = parameters;
  return law;
}

FrictionLaw FrictionLaw::table(std::vector<Vec2> entries) {
  FREEPLAY_ASSERT(!entries.empty() && entries.front().x() == 0);
  FrictionLaw law(entries.front().y());
  law.kind_ = Kind::kTable;
  law.entries_ = std::move(entries);
  return law;
}

FrictionLaw FrictionLaw::function(FrictionFunction mu) {
  FrictionLaw law(mu(0));
  law.kind_ = Kind::kFunction;
  law.function_ = std::move(mu);
  return law;
}

double FrictionLaw::at(double speed_m_s) const {
  // No rounding may come between rest and the static limit.
  if (kind_ == Kind::kCoulomb || !(speed_m_s > 0)) return static_limit_;
  if (kind_ == Kind::kStribeck) {
    const Stribeck& p = stribeck_;
    const double left = std::exp(-std::pow(speed_m_s / p.speed_m_s, p.exponent));
    return p.kinetic_friction + (p.static_friction - p.kinetic_friction) * left + p.viscous_s_m * speed_m_s;
  }
  if (kind_ == Kind::kFunction) return function_(speed_m_s);
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), speed_m_s,
                                      [](double v, const Vec2& entry) { return v < entry.x(); });
  if (after == entries_.end()) return entries_.back().y();
  const Vec2 &a = *(after - 1), &b = *after;
  return a.y() + (b.y() - a.y()) * ((speed_m_s - a.x()) / (b.x() - a.x()));
}

}  // namespace freeplay::contact
