// Contours as a drawing has them: outlines of edges and arcs, and gears.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "freeplay/geometry/contours/contour_builder.h"
#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;

ContourResult refused(std::string key, std::string message, std::string hint) {
  return {{}, {std::move(key), std::move(message), std::move(hint)}};
}

double angle_of(const Vec2& v) {
  return std::atan2(v.y(), v.x());
}

// The side from one point to the next, straight or an arc by its bulge b = tan(angle/4): the centre lies
// (1 - b^2)/(4 b) chords to the left of the chord's middle.
void add_side(ContourBuilder& builder, const Vec2& from, const Vec2& to, double bulge) {
  if (bulge == 0) return builder.edge(from, to);
  const Vec2 chord = to - from;
  const Vec2 centre = (from + to) / 2 + ((1 - bulge * bulge) / (4 * bulge)) * Vec2(-chord.y(), chord.x());
  const double start = angle_of(from - centre);
  builder.arc(centre, (from - centre).norm(), start, start + 4 * std::atan(bulge));
}

struct Rounding {
  Vec2 from, to;  // where the arc starts and ends
  Vec2 centre;
  double turn = 0;  // rad, of the arc; 0: a sharp corner
};

class OutlineDrawer {
 public:
  explicit OutlineDrawer(const OutlineShape& shape) : shape_(shape), count_(shape.corners.size()) {}

  ContourResult draw() {
    ShapeProblem problem = check();
    if (!problem.empty()) return {{}, problem};
    ContourBuilder builder(size_m_);
    std::vector<Rounding> roundings;
    for (std::size_t i = 0; i < count_; ++i) {
      roundings.push_back(rounding(i, problem));
      if (!problem.empty()) return {{}, problem};
    }
    const std::size_t sides = shape_.closed ? count_ : count_ - 1;
    for (std::size_t i = 0; i < sides; ++i) {
      const Rounding &here = roundings[i], &next = roundings[(i + 1) % count_];
      if (here.turn != 0) {
        const double start = angle_of(here.from - here.centre);
        builder.arc(here.centre, shape_.corners[i].radius_m, start, start + here.turn);
      }
      // Two roundings may use up the side between them.
      if (shape_.corners[i].bulge != 0 || (next.from - here.to).norm() > 1e-9 * size_m_)
        add_side(builder, here.to, next.from, shape_.corners[i].bulge);
    }
    PlanarContour contour = shape_.closed ? builder.loop() : builder.wall(shape_.depth_m);
    return {std::move(contour), builder.problem()};
  }

 private:
  Vec2 at(std::size_t i) const { return in_plane(shape_.corners[i % count_].at_m); }

  ShapeProblem check() {
    if (count_ < 2) return {"points", "the outline has fewer than two points", "give more points"};
    for (std::size_t i = 0; i < count_; ++i) {
      const OutlineShape::Corner& corner = shape_.corners[i];
      if (!corner.at_m.allFinite() || !std::isfinite(corner.bulge) || !std::isfinite(corner.radius_m) ||
          corner.radius_m < 0)
        return {"points", fmt::format("point {} is not finite, or its radius is negative", i + 1), "give numbers"};
      size_m_ = std::max(size_m_, (at(i) - at(0)).norm());
    }
    if (!(size_m_ > 0)) return {"points", "the outline has no length", "give different points"};
    return {};
  }

  Rounding rounding(std::size_t i, ShapeProblem& problem) const {
    const OutlineShape::Corner& corner = shape_.corners[i];
    const Vec2 x = at(i);
    const bool is_end = !shape_.closed && (i == 0 || i + 1 == count_);
    if (corner.radius_m == 0 || is_end) return {x, x, x, 0};
    const Vec2 before = x - at(i + count_ - 1), after = at(i + 1) - x;
    const double turn = std::atan2(cross(before, after), before.dot(after));
    const double cut = corner.radius_m * std::tan(std::abs(turn) / 2);
    if (corner.bulge != 0 || shape_.corners[(i + count_ - 1) % count_].bulge != 0 || turn == 0 ||
        !(cut <= std::min(before.norm(), after.norm()) * (1 + 1e-9))) {
      problem = {"radius",
                 fmt::format("a radius of {:.6g} mm does not fit the corner at ({:.6g}, {:.6g}) mm",
                             1e3 * corner.radius_m, 1e3 * x.x(), 1e3 * x.y()),
                 "only a corner between straight sides that are long enough can be rounded"};
      return {};
    }
    const Vec2 u = before.normalized(), left(-u.y(), u.x());
    Rounding r;
    r.from = x - cut * u;
    r.to = x + cut * after.normalized();
    r.centre = r.from + (turn > 0 ? corner.radius_m : -corner.radius_m) * left;
    r.turn = turn;
    return r;
  }

  const OutlineShape& shape_;
  std::size_t count_;
  double size_m_ = 0;
};

// Lengths and angles of a gear; the flank's angle of roll at radius r is sqrt((r/r_b)^2 - 1).
struct GearTooth {
  Vec2 centre;
  double base, tip, root;
  double flank;               // angle from the middle of the tooth to where its flank would start on the base circle
  double roll_from, roll_to;  // of the flank

  explicit GearTooth(const InvoluteShape& shape) : centre(in_plane(shape.at_m)) {
    const double pitch = shape.module_m * shape.teeth / 2, a = shape.pressure_angle;
    base = pitch * std::cos(a);
    tip = pitch + shape.module_m * (shape.addendum + shape.profile_shift);
    root = pitch - shape.module_m * (shape.dedendum - shape.profile_shift);
    const double thickness =
        kPi * shape.module_m / 2 + 2 * shape.profile_shift * shape.module_m * std::tan(a) - shape.thinning_m;
    flank = thickness / (2 * pitch) + std::tan(a) - a;
    roll_to = std::sqrt(std::max(0.0, tip * tip / (base * base) - 1));
    // Where the flank starts on the base circle its curvature is infinite: it starts a little above.
    roll_from = std::max(0.02, std::sqrt(std::max(0.0, root * root / (base * base) - 1)));
  }
  double angle_at(double roll) const { return flank - (roll - std::atan(roll)); }  // from the middle of the tooth
};

// Right flank, tip, left flank. Below the flanks the sides go on straight to the root circle. Returns where it ends.
Vec2 add_tooth(ContourBuilder& builder, const GearTooth& tooth, double middle, const Vec2* from, Vec2& start) {
  const auto right = std::make_shared<InvoluteCurve>(tooth.centre, tooth.base, middle - tooth.flank, false);
  const auto left = std::make_shared<InvoluteCurve>(tooth.centre, tooth.base, middle + tooth.flank, true);
  // The tangent of a flank meets the root circle: |x - l t| = root.
  const auto foot = [&](const Vec2& x, const Vec2& outward) {
    const Vec2 arm = x - tooth.centre;
    const double along = arm.dot(outward), beyond = arm.squaredNorm() - tooth.root * tooth.root;
    return beyond > 0 ? Vec2(x - (along - std::sqrt(std::max(0.0, along * along - beyond))) * outward) : x;
  };
  const CurvePoint low = right->at(tooth.roll_from), high = left->at(-tooth.roll_from);
  start = foot(low.x, low.dx.normalized());
  Vec2 end = foot(high.x, -high.dx.normalized());
  if (from != nullptr) {  // along the root circle to the next tooth
    const double a = angle_of(*from - tooth.centre), b = angle_of(start - tooth.centre);
    builder.arc(tooth.centre, tooth.root, a, a + std::remainder(b - a, 2 * kPi));
  }
  const double tiny = 1e-9 * tooth.base;
  if ((low.x - start).norm() > tiny) builder.edge(start, low.x);
  builder.curve(right, tooth.roll_from, tooth.roll_to, 16, "flank");
  const double half_tip = tooth.angle_at(tooth.roll_to);
  builder.arc(tooth.centre, tooth.tip, middle - half_tip, middle + half_tip);
  builder.curve(left, -tooth.roll_to, -tooth.roll_from, 16, "flank");
  if ((high.x - end).norm() > tiny) builder.edge(high.x, end);
  return end;
}

ShapeProblem gear_problem(const InvoluteShape& shape) {
  const bool numbers = shape.module_m > 0 && shape.teeth >= 3 && shape.teeth <= 10'000 && shape.pressure_angle > 0.05 &&
                       shape.pressure_angle < 0.8 && shape.addendum > 0 && shape.dedendum > 0 &&
                       std::isfinite(shape.module_m + shape.addendum + shape.dedendum) &&
                       std::isfinite(shape.profile_shift + shape.thinning_m + shape.angle);
  if (!numbers)
    return {"module",
            "a gear needs a positive module, 3 to 10 000 teeth, a pressure angle between 3 and 45 deg and "
            "positive heights of its teeth",
            "see the reference of involute"};
  const GearTooth tooth(shape);
  if (!(tooth.root > 0) || !(tooth.roll_to > tooth.roll_from))
    return {"dedendum", "the teeth have no flanks, or reach the centre", "change addendum, dedendum or profile_shift"};
  if (!(tooth.angle_at(tooth.roll_to) > 1e-6))
    return {"addendum", fmt::format("the teeth are pointed below their tip radius of {:.6g} mm", 1e3 * tooth.tip),
            "lower the addendum or the profile shift"};
  if (!(tooth.angle_at(tooth.roll_from) < kPi / shape.teeth))
    return {"thinning", "neighbouring teeth run into each other at their roots",
            "lower the dedendum or the profile shift"};
  return {};
}

}  // namespace

ContourResult make_contour(const OutlineShape& shape) {
  return OutlineDrawer(shape).draw();
}

ContourResult make_contour(const InvoluteShape& shape) {
  const ShapeProblem problem = gear_problem(shape);
  if (!problem.empty()) return refused(problem.key, problem.message, problem.hint);
  const GearTooth tooth(shape);
  ContourBuilder builder(shape.single_tooth ? shape.module_m : tooth.tip);
  Vec2 start, first, end;
  const int count = shape.single_tooth ? 1 : shape.teeth;
  for (int k = 0; k < count; ++k) {
    end = add_tooth(builder, tooth, shape.angle + 2 * kPi * k / shape.teeth, k == 0 ? nullptr : &end, start);
    if (k == 0) first = start;
  }
  if (shape.single_tooth) {
    builder.edge(end, first);
  } else {
    const double a = angle_of(end - tooth.centre), b = angle_of(first - tooth.centre);
    builder.arc(tooth.centre, tooth.root, a, a + std::remainder(b - a, 2 * kPi));
  }
  PlanarContour contour = builder.loop();
  return {std::move(contour), builder.problem()};
}

}  // namespace freeplay::geometry
