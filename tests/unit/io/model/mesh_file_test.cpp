// STL, OBJ and glTF files: what is read, and what is refused with its cure.
#include "freeplay/io/mesh/mesh_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "freeplay/geometry/meshes/mesh_mass.h"

namespace freeplay::test {
namespace {

namespace fs = std::filesystem;

class MeshFileTest : public testing::Test {
 protected:
  MeshFileTest() {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::path(testing::TempDir()) / ("freeplay_mesh_" + name);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    folder_ = fs::canonical(folder_);
  }
  ~MeshFileTest() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  MeshFile read(const std::string& name) const { return read_mesh_file(folder_, name, 1e-3); }
  double volume_mm3(const std::string& name) const {
    const MeshFile file = read(name);
    EXPECT_TRUE(file.problem.empty()) << file.problem.message;
    const MeshResult result = build_mesh(file.soup);
    EXPECT_TRUE(result.problem.empty()) << result.problem.message;
    return result.problem.empty() ? 1e9 * mesh_volume(result.mesh) : 0;
  }
  void expect_refused(const std::string& name, const std::string& message) const {
    const ShapeProblem problem = read(name).problem;
    EXPECT_NE(problem.message.find(message), std::string::npos) << problem.message;
    EXPECT_FALSE(problem.hint.empty());
  }

  fs::path folder_;
};

// A box of 10 x 20 x 30 mm.
const TriangleMesh& box() {
  static const TriangleMesh mesh = mesh_of(BoxShape{Vec3::Zero(), {10, 20, 30}, Eigen::Quaterniond::Identity()});
  return mesh;
}

std::string text_stl() {
  std::string text = "solid box\n";
  for (const MeshTriangle& t : box().triangles()) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const std::int32_t v : t.vertices) {
      const Vec3& x = box().vertex(v);
      text += fmt::format("      vertex {} {:e} +{}\n", x.x(), x.y(), x.z() + 100);
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid box\n";
}

std::string binary_stl(std::uint32_t count, bool with_triangles = true) {
  std::string bytes = "solid, says the head of this binary file";
  bytes.resize(80, ' ');
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  if (!with_triangles) return bytes;
  for (const MeshTriangle& t : box().triangles()) {
    bytes.append(12, '\0');
    for (const std::int32_t v : t.vertices) {
      const Eigen::Vector3f x = box().vertex(v).cast<float>();
      bytes.append(reinterpret_cast<const char*>(x.data()), 12);
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

const char* const kObj =
    "# a box\nmtllib none.mtl\no box\nv -5 -10 -15\nv 5 -10 -15\nv 5 10 -15\nv -5 10 -15\nv -5 -10 15\nv 5 -10 15\n"
    "v 5 10 15\nv -5 10 15\nvn 0 0 1\nusemtl m\nf 4//1 3//1 2//1 1//1\nf 5 6 7 8\nf -8/1 -7/2 -3/3 -4/4\nf 3 4 8 7\r\n"
    "f 2 3 7 6\nf 1 5 8 4\n";

TEST_F(MeshFileTest, TextAndBinaryStlAndObjGiveTheSameBox) {
  write("text.stl", text_stl());
  write("binary.STL", binary_stl(12));
  write("box.obj", kObj);
  EXPECT_NEAR(volume_mm3("text.stl"), 6000, 1e-6);
  EXPECT_NEAR(volume_mm3("binary.STL"), 6000, 1e-3);
  EXPECT_NEAR(volume_mm3("box.obj"), 6000, 1e-9);
}

TEST_F(MeshFileTest, GltfIsReadWithItsPlacesAndItsFileOfNumbers) {
  std::string numbers;
  for (const Vec3& x : box().vertices()) {
    const Eigen::Vector3f f = x.cast<float>();
    numbers.append(reinterpret_cast<const char*>(f.data()), 12);
  }
  for (const MeshTriangle& t : box().triangles()) {
    for (const std::int32_t v : t.vertices) {
      const auto i = static_cast<std::uint16_t>(v);
      numbers.append(reinterpret_cast<const char*>(&i), 2);
    }
  }
  const auto gltf = [&](const char* uri) {
    return fmt::format(
        R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"scale":[2,2,2]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"buffers":[{{"uri":"{}","byteLength":168}}],
"bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":72}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[-5,-10,-15],"max":[5,10,15]}},
{{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}}]}})",
        uri);
  };
  write("box.bin", numbers);
  write("box.gltf", gltf("box.bin"));
  EXPECT_NEAR(volume_mm3("box.gltf"), 8 * 6000, 1e-2);
  // What it names is looked for by the same rules.
  fs::create_directories(folder_ / "inner");
  write("inner/outside.gltf", gltf("../../box.bin"));
  write("missing.gltf", gltf("missing.bin"));
  expect_refused("inner/outside.gltf", "cannot be read");
  expect_refused("missing.gltf", "cannot be read");
  write("broken.gltf", "{\"asset\":");
  expect_refused("broken.gltf", "cannot be read");
}

TEST_F(MeshFileTest, FilesThatAreNotThereOrOutsideOrOfAnotherKindAreRefused) {
  write("box.obj", kObj);
  write("part.step", "ISO-10303-21;");
  fs::create_directories(folder_ / "model" / "folder.stl");
  fs::create_symlink(folder_ / "box.obj", folder_ / "model" / "link.obj");
  const auto problem = [&](const std::string& name) {
    return read_mesh_file(folder_ / "model", name, 1).problem.message;
  };
  EXPECT_NE(problem("none.stl").find("cannot be found"), std::string::npos);
  EXPECT_NE(problem("../box.obj").find("outside"), std::string::npos);
  EXPECT_NE(problem("link.obj").find("outside"), std::string::npos);
  EXPECT_NE(problem((folder_ / "box.obj").string()).find("outside"), std::string::npos);
  EXPECT_NE(problem("folder.stl").find("not a file"), std::string::npos);
  expect_refused("part.step", "format");
}

TEST_F(MeshFileTest, DamagedFilesAreRefused) {
  write("short.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n");
  write("words.stl", "solid x\nvertex 0 zero 0\n");
  write("noise.stl", "these are no triangles");
  write("empty.stl", "");
  write("cut.stl", binary_stl(12).substr(0, 300));
  write("words.obj", "v 1 2 x\n");
  write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
  write("zero.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n");
  write("huge.obj", "v 0 0 0\nf 99999999999999999999 1 2\n");
  write("two.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n");
  write("arrow.obj", "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 2 3 4 1\n");
  expect_refused("short.stl", "fewer than three");
  expect_refused("words.stl", "line 2");
  expect_refused("noise.stl", "not an STL file");
  expect_refused("empty.stl", "not an STL file");
  expect_refused("cut.stl", "");
  expect_refused("words.obj", "three numbers");
  expect_refused("index.obj", "'4' is no point");
  expect_refused("zero.obj", "'0' is no point");
  expect_refused("huge.obj", "no point");
  expect_refused("two.obj", "three corners");
  expect_refused("arrow.obj", "not convex");
}

// The file is sparse: a reader that took its word for it would need a gigabyte.
TEST_F(MeshFileTest, TenMillionTrianglesAreRefusedBeforeTheyAreRead) {
  write("large.stl", binary_stl(10'000'000, false));
  fs::resize_file(folder_ / "large.stl", 84 + 50 * std::uintmax_t{10'000'000});
  expect_refused("large.stl", "10000000 triangles");
  write("large.obj", "v 0 0 0\n");
  fs::resize_file(folder_ / "large.obj", kMostMeshBytes + 1);
  expect_refused("large.obj", "MB");
}

}  // namespace
}  // namespace freeplay::test
