#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cstring>

#include "freeplay/io/mesh/mesh_formats.h"

namespace freeplay::io {

namespace {

// A file as assimp wants to see it, from memory.
class ReadStream final : public Assimp::IOStream {
 public:
  explicit ReadStream(std::string bytes) : bytes_(std::move(bytes)) {}

  size_t Read(void* to, size_t size, size_t count) override {
    if (size == 0) return 0;
    const std::size_t items = std::min(count, (bytes_.size() - at_) / size);
    std::memcpy(to, bytes_.data() + at_, items * size);
    at_ += items * size;
    return items;
  }
  size_t Write(const void*, size_t, size_t) override { return 0; }
  aiReturn Seek(size_t offset, aiOrigin origin) override {
    const std::size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : bytes_.size();
    if (from + offset > bytes_.size()) return aiReturn_FAILURE;
    at_ = from + offset;
    return aiReturn_SUCCESS;
  }
  size_t Tell() const override { return at_; }
  size_t FileSize() const override { return bytes_.size(); }
  void Flush() override {}

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// A glTF file names others for its numbers. They are found by our own rules, so that no name leads out of the folder.
class GuardedFiles final : public Assimp::IOSystem {
 public:
  explicit GuardedFiles(const FileBytes& read) : read_(read) {}

  bool Exists(const char* name) const override { return read_(name).has_value(); }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    if (std::strchr(mode, 'w') != nullptr) return nullptr;
    std::optional<std::string> bytes = read_(name);
    return bytes ? new ReadStream(std::move(*bytes)) : nullptr;
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  const FileBytes& read_;
};

class SceneCollector {
 public:
  explicit SceneCollector(const aiScene& scene) : scene_(scene) {}

  MeshFile collect() {
    visit(*scene_.mRootNode, aiMatrix4x4(), 0);
    if (!file_.problem.empty()) file_.soup = {};
    return std::move(file_);
  }

 private:
  void visit(const aiNode& node, const aiMatrix4x4& above, int depth) {
    constexpr int kDeepest = 64;
    if (depth > kDeepest || !file_.problem.empty()) return;
    const aiMatrix4x4 place = above * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) add(*scene_.mMeshes[node.mMeshes[i]], place);
    for (unsigned i = 0; i < node.mNumChildren; ++i) visit(*node.mChildren[i], place, depth + 1);
  }

  void add(const aiMesh& mesh, const aiMatrix4x4& place) {
    const std::size_t total = file_.soup.triangles.size() + mesh.mNumFaces;
    if (total > kMostTriangles) {
      file_.problem = too_many_triangles(total).problem;
      return;
    }
    const auto first = static_cast<std::int32_t>(file_.soup.points_m.size());
    const bool mirrored = aiMatrix3x3(place).Determinant() < 0;
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D x = place * mesh.mVertices[i];
      file_.soup.points_m.emplace_back(x.x, x.y, x.z);
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 3) continue;  // points and lines enclose nothing
      std::array<std::int32_t, 3> corners{};
      for (unsigned k = 0; k < 3; ++k) corners[k] = first + static_cast<std::int32_t>(face.mIndices[k]);
      if (mirrored) std::swap(corners[1], corners[2]);
      file_.soup.triangles.push_back(corners);
    }
  }

  const aiScene& scene_;
  MeshFile file_;
};

}  // namespace

MeshFile read_gltf(const std::string& name, const FileBytes& read) {
  Assimp::Importer importer;
  importer.SetIOHandler(new GuardedFiles(read));  // the importer deletes it
  const aiScene* scene = importer.ReadFile(name, aiProcess_Triangulate);
  if (scene == nullptr || scene->mRootNode == nullptr)
    return mesh_problem(fmt::format("the glTF file cannot be read: {}", importer.GetErrorString()),
                        "export the part again; files that it names must lie beside it");
  return SceneCollector(*scene).collect();
}

}  // namespace freeplay::io
