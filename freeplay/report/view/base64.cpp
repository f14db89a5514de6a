#include "freeplay/report/view/base64.h"

#include <cstdint>

namespace freeplay::report {

std::string base64(std::string_view bytes) {
  static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  std::size_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t group = 0;  // 24 bits, the missing ones zero
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k <= count; ++k) text[out + k] = kAlphabet[group >> (18 - 6 * k) & 63U];
    out += 4;
  }
  return text;
}

}  // namespace freeplay::report
