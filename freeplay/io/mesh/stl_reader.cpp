#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "freeplay/io/mesh/mesh_formats.h"
#include "freeplay/io/mesh/mesh_words.h"

namespace freeplay::io {

namespace {

static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");

constexpr std::size_t kTriangleBytes = 50, kNormalBytes = 12;

}  // namespace

std::optional<std::size_t> binary_stl_triangles(std::string_view head, std::uintmax_t file_size) {
  if (head.size() < kStlHeadBytes) return std::nullopt;
  std::uint32_t count = 0;
  std::memcpy(&count, head.data() + 80, sizeof count);
  // Text files begin with "solid", but so do some binary ones: the size decides.
  if (file_size != kStlHeadBytes + kTriangleBytes * std::uintmax_t{count}) return std::nullopt;
  return count;
}

MeshFile read_binary_stl(std::string_view bytes) {
  const std::size_t count = (bytes.size() - kStlHeadBytes) / kTriangleBytes;
  MeshFile file;
  file.soup.points_m.reserve(3 * count);
  file.soup.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* at = bytes.data() + kStlHeadBytes + kTriangleBytes * i + kNormalBytes;
    const auto first = static_cast<std::int32_t>(file.soup.points_m.size());
    for (int k = 0; k < 3; ++k, at += 12) {
      float x[3];
      std::memcpy(x, at, sizeof x);
      file.soup.points_m.emplace_back(x[0], x[1], x[2]);
    }
    file.soup.triangles.push_back({first, first + 1, first + 2});
  }
  return file;
}

// solid NAME, then for every triangle: facet normal i j k, outer loop, three times vertex x y z, endloop, endfacet.
// The corners alone are needed; their order says where outside is.
MeshFile read_text_stl(std::string_view text) {
  MeshWords words(text);
  if (words.next() != "solid")
    return mesh_problem("this is not an STL file: it neither begins with 'solid' nor has the size that its head says",
                        "export the part again: the file is damaged");
  MeshFile file;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word != "vertex") continue;
    Vec3 x;
    for (int k = 0; k < 3; ++k) {
      if (!words.number(x[k]))
        return mesh_problem(fmt::format("line {}: 'vertex' must be followed by three numbers", words.line()),
                            "export the part again: the file is damaged");
    }
    file.soup.points_m.push_back(x);
    if (file.soup.points_m.size() > 3 * kMostTriangles) return too_many_triangles(kMostTriangles + 1);
  }
  if (file.soup.points_m.size() % 3 != 0)
    return mesh_problem("the last triangle of the STL file has fewer than three corners",
                        "export the part again: the file is cut off");
  for (std::size_t i = 0; i < file.soup.points_m.size(); i += 3) {
    const auto first = static_cast<std::int32_t>(i);
    file.soup.triangles.push_back({first, first + 1, first + 2});
  }
  return file;
}

}  // namespace freeplay::io
