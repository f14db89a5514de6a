#include "fuzz/engine/hdf5_headers.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace freeplay::test::fuzz {

namespace {

std::uint64_t little_endian(const std::string& bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
    value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[at + i])) << (8 * i);
  return value;
}

// HDF5's checksum of metadata: Bob Jenkins' lookup3 (hashlittle, initial value 0), in bytes.
std::uint32_t lookup3(std::string_view key) {
  std::uint32_t a = 0xdeadbeefU + static_cast<std::uint32_t>(key.size()), b = a, c = a;
  const auto add = [&](std::string_view part) {
    std::uint32_t* const words[] = {&a, &b, &c};
    for (std::size_t i = 0; i < part.size(); ++i)
      *words[i / 4] += static_cast<std::uint32_t>(static_cast<std::uint8_t>(part[i])) << (8 * (i % 4));
  };
  const auto mix = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int turn) {
    x -= z;
    x ^= std::rotl(z, turn);
    z += y;
  };
  while (key.size() > 12) {
    add(key.substr(0, 12));
    mix(a, b, c, 4);
    mix(b, c, a, 6);
    mix(c, a, b, 8);
    mix(a, b, c, 16);
    mix(b, c, a, 19);
    mix(c, a, b, 4);
    key.remove_prefix(12);
  }
  if (key.empty()) return c;
  add(key);
  const auto finish = [](std::uint32_t& x, std::uint32_t y, int turn) {
    x ^= y;
    x -= std::rotl(y, turn);
  };
  finish(c, b, 14);
  finish(a, c, 11);
  finish(b, a, 25);
  finish(c, b, 16);
  finish(a, c, 4);
  finish(b, a, 14);
  finish(c, b, 24);
  return c;
}

// The end of an object header at `begin`: signature, version, flags, then what the flags say, then messages.
std::size_t object_header_end(const std::string& bytes, std::size_t begin) {
  const std::uint64_t flags = little_endian(bytes, begin + 5, 1);
  std::size_t at = begin + 6;
  if ((flags & 0x20U) != 0) at += 16;  // times
  if ((flags & 0x10U) != 0) at += 4;   // limits of attributes
  const std::size_t width = std::size_t{1} << (flags & 3U);
  return at + width + little_endian(bytes, at, width);
}

}  // namespace

std::vector<Hdf5Header> hdf5_headers(const std::string& bytes) {
  constexpr std::size_t kSuperblock = 44, kArrayHeader = 68, kChecksum = 4;
  std::vector<Hdf5Header> headers;
  const auto add = [&](std::size_t begin, std::size_t end) {
    if (end > begin && end + kChecksum <= bytes.size()) headers.push_back({begin, end});
  };
  add(0, kSuperblock);
  for (std::size_t at = 0; at + 4 < bytes.size(); ++at) {
    const std::string_view signature(bytes.data() + at, 4);
    if (signature == "OHDR") add(at, object_header_end(bytes, at));
    if (signature == "EAHD") add(at, at + kArrayHeader);  // of an index of chunks
  }
  return headers;
}

void repair_checksum(std::string& bytes, const Hdf5Header& header) {
  const std::uint32_t sum = lookup3(std::string_view(bytes).substr(header.begin, header.end - header.begin));
  for (std::size_t i = 0; i < 4; ++i) bytes[header.end + i] = static_cast<char>(sum >> (8 * i));
}

void mark_as_crafted(std::string& bytes) {
  for (std::size_t at = 0; (at = bytes.find(kNoZeros, at)) != std::string::npos;) bytes.replace(at, 8, "crafted!");
}

}  // namespace freeplay::test::fuzz
