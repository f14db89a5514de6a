#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

void BilateralRows::resize(int velocities, int rows) {
  g = VecX::Zero(rows);
  W = MatX::Zero(velocities, rows);
  w_tilde = VecX::Zero(rows);
  zeta = VecX::Zero(rows);
}

std::string ChannelDescription::unit() const {
  if (!is_angle) return dimension.si_unit();
  return dimension == dimensions::kAngularVelocity ? "rad/s" : "rad";
}

int find_channel(const System& system, std::string_view name) {
  const std::vector<ChannelDescription>& channels = system.channels();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace freeplay::mechanism
