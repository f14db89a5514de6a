// OBJ: lines "v x y z" and "f a b c ...", where a corner is "point", "point/texture" or "point/texture/normal", counted
// from 1, or backwards from the last point if negative. All other lines are left out.
#include <fmt/format.h>

#include "freeplay/io/mesh/mesh_formats.h"
#include "freeplay/io/mesh/mesh_words.h"

namespace freeplay::io {

namespace {

class ObjReader {
 public:
  explicit ObjReader(std::string_view text) : words_(text) {}

  MeshFile read() {
    file_.soup.relative_precision = 1e-9;  // decimal digits, usually more than single precision has
    for (; !words_.at_end() && file_.problem.empty(); words_.skip_line()) {
      const std::string_view word = words_.next_in_line();
      if (word == "v") read_point();
      if (word == "f") read_face();
    }
    if (!file_.problem.empty()) file_.soup = {};
    return std::move(file_);
  }

 private:
  void refuse(const std::string& message, std::string hint = "export the part again: the file is damaged") {
    file_.problem = {"file", fmt::format("line {}: {}", words_.line(), message), std::move(hint)};
  }

  void read_point() {
    Vec3 x;
    for (int k = 0; k < 3; ++k) {
      if (!words_.number_in_line(x[k])) return refuse("'v' must be followed by three numbers");
    }
    file_.soup.points_m.push_back(x);
    if (file_.soup.points_m.size() > 3 * kMostTriangles) file_.problem = too_many_triangles(kMostTriangles + 1).problem;
  }

  bool corner(std::string_view word, std::int32_t& point) const {
    const std::string_view number = word.substr(0, word.find('/'));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || end != number.data() + number.size()) return false;
    const auto count = static_cast<std::int64_t>(file_.soup.points_m.size());
    value = value < 0 ? count + value : value - 1;
    point = static_cast<std::int32_t>(value);
    return value >= 0 && value < count;
  }

  void read_face() {
    corners_.clear();
    for (std::string_view word = words_.next_in_line(); !word.empty(); word = words_.next_in_line()) {
      std::int32_t point = 0;
      if (!corner(word, point)) return refuse(fmt::format("'{}' is no point of the file", word.substr(0, 40)));
      corners_.push_back(point);
      if (corners_.size() > kMostTriangles) return refuse("the face has too many corners");
    }
    if (corners_.size() < 3) return refuse("a face needs three corners");
    Vec3 first = Vec3::Zero();
    for (std::size_t i = 2; i < corners_.size(); ++i) {
      const Vec3& a = at(corners_[0]);
      const Vec3 area = (at(corners_[i - 1]) - a).cross(at(corners_[i]) - a);
      if (i == 2) first = area;
      // A fan of triangles is the face only if it is convex.
      if (area.dot(first) < 0) return refuse("a face is not convex", "export the part with triangles only");
      file_.soup.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
    }
    if (file_.soup.triangles.size() > kMostTriangles) file_.problem = too_many_triangles(kMostTriangles + 1).problem;
  }

  const Vec3& at(std::int32_t i) const { return file_.soup.points_m[static_cast<std::size_t>(i)]; }

  MeshWords words_;
  MeshFile file_;
  std::vector<std::int32_t> corners_;
};

}  // namespace

MeshFile read_obj(std::string_view text) {
  return ObjReader(text).read();
}

}  // namespace freeplay::io
