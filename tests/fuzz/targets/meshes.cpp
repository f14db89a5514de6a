#include "freeplay/io/mesh/mesh_formats.h"
#include "fuzz/engine/fuzz_target.h"
#include "fuzz/targets/targets.h"

namespace freeplay::test::fuzz {

namespace {

void check_soup(const MeshFile& file) {
  if (!file.problem.empty()) return;
  const auto count = static_cast<std::int64_t>(file.soup.points_m.size());
  for (const auto& triangle : file.soup.triangles) {
    for (const std::int32_t corner : triangle) {
      if (corner < 0 || corner >= count) report_finding("a triangle has a corner that is not there");
    }
  }
  const MeshResult built = build_mesh(file.soup);
  const ShapeProblem& problem = built.problem;
  if (!problem.empty() && problem.hint.empty()) report_finding("a mesh is refused without a cure");
}

}  // namespace

int fuzz_mesh(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (binary_stl_triangles(bytes.substr(0, kStlHeadBytes), size)) check_soup(read_binary_stl(bytes));
  check_soup(read_text_stl(bytes));
  check_soup(read_obj(bytes));
  return 0;
}

std::vector<std::string> mesh_seeds() {
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1/1 2/2/2 4\nf 2//1 3//2 4\nf -4 -1 -2\n";
  std::string stl = "solid part\n";
  for (const char* corners : {"0 0 0|0 1 0|1 0 0", "0 0 0|1 0 0|0 0 1", "1 0 0|0 1 0|0 0 1", "0 0 0|0 0 1|0 1 0"}) {
    stl += "facet normal 0 0 0\nouter loop\nvertex ";
    for (const char* at = corners; *at != 0; ++at) stl += *at == '|' ? std::string("\nvertex ") : std::string(1, *at);
    stl += "\nendloop\nendfacet\n";
  }
  stl += "endsolid part\n";
  std::string binary(kStlHeadBytes + 50, '\0');
  binary[kStlHeadBytes - 4] = 1;  // one triangle, all of whose corners fall together
  return {obj, stl, binary};
}

std::vector<std::string> mesh_words() {
  return {"solid", "facet", "normal", "outer", "loop", "vertex", "endloop", "endfacet", "endsolid", "v ",
          "f ",    "vn ",   "/",      "//",    "-1",   "0",      "1e308",   "1e-320",   "nan",      "\n",
          "\\\n",  "#",     "999999", " ",     "o x",  "g",      "s 1",     "usemtl"};
}

}  // namespace freeplay::test::fuzz
