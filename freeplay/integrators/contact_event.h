// What happened to a contact at one instant, where an integrator locates such instants.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "freeplay/mechanism/state.h"

namespace freeplay::integrators {

enum class ContactEventKind : std::uint8_t {
  kImpact,    // it struck
  kLanding,   // it closed and stays closed
  kRelease,   // it opened
  kStick,     // it has stopped sliding
  kSlip,      // it has begun to slide
  kReversal,  // it slides the other way
  kRest       // its rebounds have come to their end: the limit of infinitely many
};
inline constexpr std::array kContactEventKinds = {
    ContactEventKind::kImpact, ContactEventKind::kLanding,  ContactEventKind::kRelease, ContactEventKind::kStick,
    ContactEventKind::kSlip,   ContactEventKind::kReversal, ContactEventKind::kRest};

// The word for it in files and tables.
constexpr std::string_view event_word(ContactEventKind kind) {
  switch (kind) {
    case ContactEventKind::kImpact:
      return "impact";
    case ContactEventKind::kLanding:
      return "landing";
    case ContactEventKind::kRelease:
      return "release";
    case ContactEventKind::kStick:
      return "stick";
    case ContactEventKind::kSlip:
      return "slip";
    case ContactEventKind::kReversal:
      return "reversal";
    case ContactEventKind::kRest:
      return "rest";
  }
  return {};
}

struct ContactEvent {
  double time_s = 0;
  ContactKey key;
  ContactEventKind kind{};
};

}  // namespace freeplay::integrators
