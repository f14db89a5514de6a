#include "freeplay/geometry/surfaces/patches/solid_patches.h"

#include <cmath>
#include <numbers>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::geometry {

namespace {

// u and v in metres along e1 and e2 from the middle.
class FlatPatch final : public SurfacePatch {
 public:
  FlatPatch(const Vec3& middle, const Vec3& e1, const Vec3& e2, double half_1, double half_2)
      : middle_(middle), e1_(e1), e2_(e2), n_(e1.cross(e2)) {
    u_from = -half_1, u_to = half_1;
    v_from = -half_2, v_to = half_2;
  }
  SurfacePlace place(double u, double v) const override {
    return {middle_ + u * e1_ + v * e2_, n_, e1_, e2_, Vec3::Zero(), Vec3::Zero()};
  }
  void add_feet(std::vector<SurfaceFoot>& feet) const override {
    for (const double u : {u_from, u_to}) {
      for (const double v : {v_from, v_to}) feet.push_back(SurfaceFoot::fixed(place(u, v).x, n_, feature));
    }
  }

 private:
  Vec3 middle_, e1_, e2_, n_;
};

// A straight edge between two faces at right angles: u in metres along it, v the angle from the first normal.
class EdgePatch final : public SurfacePatch {
 public:
  EdgePatch(const Vec3& middle, const Vec3& along, double half, const Vec3& n1, const Vec3& n2)
      : middle_(middle), along_(along), n1_(n1), n2_(n2) {
    u_from = -half, u_to = half;
    v_to = std::numbers::pi / 2;
  }
  int dimension() const override { return 1; }
  SurfacePlace place(double u, double v) const override {
    const double c = std::cos(v), s = std::sin(v);
    return {middle_ + u * along_, c * n1_ + s * n2_, along_, Vec3::Zero(), Vec3::Zero(), c * n2_ - s * n1_};
  }

 private:
  Vec3 middle_, along_, n1_, n2_;
};

// A corner of three faces at right angles. (u, v): direction and angle of the normal from the middle one.
class TipPatch final : public SurfacePatch {
 public:
  TipPatch(const Vec3& at, const Vec3& n1, const Vec3& n2, const Vec3& n3)
      : at_(at),
        faces_{n1, n2, n3},
        middle_((n1 + n2 + n3).normalized()),
        e1_(tangent_to(middle_)),
        e2_(middle_.cross(e1_)) {
    u_to = v_to = std::acos(1 / std::sqrt(3.0));  // the angle to each of the three
    u_from = v_from = -u_to;
  }
  int dimension() const override { return 0; }
  bool contains(double u, double v, double tolerance) const override {
    const Vec3 n = place(u, v).n;
    return n.dot(faces_[0]) >= -tolerance && n.dot(faces_[1]) >= -tolerance && n.dot(faces_[2]) >= -tolerance;
  }
  SurfacePlace place(double u, double v) const override {
    const double q = std::hypot(u, v);
    const bool in_middle = q < 1e-9;
    const double c = in_middle ? 1 : u / q, s = in_middle ? 0 : v / q, by_q = in_middle ? 1 : std::sin(q) / q;
    const Vec3 e = c * e1_ + s * e2_, around = c * e2_ - s * e1_;
    const Vec3 n = std::cos(q) * middle_ + std::sin(q) * e, n_q = std::cos(q) * e - std::sin(q) * middle_;
    return {at_, n, Vec3::Zero(), Vec3::Zero(), c * n_q - (s * by_q) * around, s * n_q + (c * by_q) * around};
  }

 private:
  Vec3 at_, faces_[3], middle_, e1_, e2_;
};

}  // namespace

std::vector<std::shared_ptr<const SurfacePatch>> patches_of_box(const Vec3& centre, const Vec3& size_m,
                                                                const Mat3& rotation) {
  std::vector<std::shared_ptr<const SurfacePatch>> patches;
  const Vec3 half = size_m / 2;
  const auto add = [&](std::shared_ptr<SurfacePatch> patch) {
    patch->feature = static_cast<std::int32_t>(patches.size());
    patches.push_back(std::move(patch));
  };
  const auto axis = [&](int i) { return Vec3(rotation.col(i)); };
  constexpr double kSigns[] = {1.0, -1.0};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (const double s : kSigns)
      add(std::make_shared<FlatPatch>(centre + s * half[i] * axis(i), axis(j), s * axis(k), half[j], half[k]));
    for (const double s : kSigns) {
      for (const double t : kSigns) {
        const Vec3 n1 = s * axis(j), n2 = t * axis(k);
        add(std::make_shared<EdgePatch>(centre + half[j] * n1 + half[k] * n2, axis(i), half[i], n1, n2));
      }
    }
  }
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 signs((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? 1 : -1);
    add(std::make_shared<TipPatch>(centre + rotation * half.cwiseProduct(signs), signs[0] * axis(0), signs[1] * axis(1),
                                   signs[2] * axis(2)));
  }
  return patches;
}

}  // namespace freeplay::geometry
