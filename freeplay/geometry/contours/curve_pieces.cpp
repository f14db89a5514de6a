#include "freeplay/geometry/contours/curve_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr double kLargestTurn = 1.6;  // rad, of a piece: a quarter of an ellipse is one
constexpr double kFlat = 1e-10;       // curvature times size: straight
constexpr double kStandstill = 1e-9;  // of the mean speed
constexpr double kKink = 1e-3;        // rad between what the tangent and what the curvature say
constexpr double kSharpKink = 1e-7;   // rad that stay while the interval shrinks
constexpr double kBump = 1e-6;        // of the largest curvature: smaller extremes are rounding
constexpr int kHalvings = 52;

struct Look {
  double s = 0;
  CurvePoint point;
  double speed = 0, curvature = 0;
};

Look look_at(const PlaneCurve& curve, double s) {
  Look look{s, curve.at(s), 0, 0};
  look.speed = look.point.dx.norm();
  look.curvature = cross(look.point.dx, look.point.ddx) / (look.speed * look.speed * look.speed);
  return look;
}

double turn_between(const Look& a, const Look& b) {
  return std::atan2(cross(a.point.dx, b.point.dx), a.point.dx.dot(b.point.dx));
}

std::string place_text(const char* parameter, const Look& look) {
  return fmt::format("at {} = {:.6g}, ({:.6g}, {:.6g}) mm", parameter, look.s, 1e3 * look.point.x.x(),
                     1e3 * look.point.x.y());
}

class CurveCutter {
 public:
  CurveCutter(const PlaneCurve& curve, double size_m, const char* parameter, std::vector<CurvePiece>& pieces)
      : curve_(curve), size_m_(size_m), parameter_(parameter), pieces_(pieces) {}

  ShapeProblem cut(double from, double to, int samples) {
    for (int i = 0; i <= samples; ++i) looks_.push_back(look_at(curve_, from + (to - from) * i / samples));
    ShapeProblem problem = check_looks();
    if (!problem.empty()) return problem;
    // Between kinks the curve is smooth.
    std::vector<Look> stretch;
    for (std::size_t i = 0; i + 1 < looks_.size(); ++i) {
      stretch.push_back(looks_[i]);
      Look low = looks_[i], high = looks_[i + 1];
      if (!find_kink(low, high)) continue;
      const double jump_m = (high.point.x - low.point.x).norm();
      if (jump_m > 1e-9 * size_m_)
        return {parameter_, fmt::format("the curve jumps by {:.6g} mm {}", 1e3 * jump_m, place_text(parameter_, low)),
                "give a continuous curve"};
      if (low.s > stretch.back().s) stretch.push_back(low);
      cut_smooth(stretch);
      stretch.clear();
      if (high.s < looks_[i + 1].s) stretch.push_back(high);
    }
    stretch.push_back(looks_.back());
    cut_smooth(stretch);
    // More bends than places: between them there are others, and what was found is not the curve.
    if (pieces_.size() > looks_.size())
      return {parameter_, fmt::format("the curve has more than {} bends, too many to be told apart", looks_.size()),
              "give it fewer waves, or make several shapes of it"};
    return {};
  }

 private:
  ShapeProblem check_looks() const {
    double mean = 0;
    for (const Look& look : looks_) {
      if (!look.point.x.allFinite() || !look.point.dx.allFinite() || !look.point.ddx.allFinite())
        return {parameter_,
                fmt::format("the curve or its derivatives are not finite at {} = {:.6g}", parameter_, look.s),
                "the curve must be defined, with two derivatives, from its start to its end"};
      mean += look.speed / static_cast<double>(looks_.size());
    }
    for (const Look& look : looks_) {
      if (!(look.speed > kStandstill * mean))
        return {parameter_,
                fmt::format("the curve stands still {}: both derivatives vanish", place_text(parameter_, look)),
                "choose a parameter along which the curve moves on everywhere"};
    }
    return {};
  }

  // Narrows [low, high] down to where the tangent jumps; false where it turns steadily.
  bool find_kink(Look& low, Look& high) const {
    const double expected = (low.curvature * low.speed + high.curvature * high.speed) / 2 * (high.s - low.s);
    if (std::abs(turn_between(low, high) - expected) < kKink) return false;
    for (int k = 0; k < kHalvings; ++k) {
      const Look middle = look_at(curve_, (low.s + high.s) / 2);
      if (middle.s <= low.s || middle.s >= high.s) break;
      const bool right = std::abs(turn_between(middle, high)) > std::abs(turn_between(low, middle));
      (right ? low : high) = middle;
      if (std::abs(turn_between(low, high)) < kSharpKink && (high.point.x - low.point.x).norm() < 1e-9 * size_m_)
        return false;
    }
    return true;
  }

  int sign_of(const Look& look) const {
    return std::abs(look.curvature) * size_m_ < kFlat ? 0 : look.curvature > 0 ? 1 : -1;
  }

  // Where the curvature changes its sign between two places.
  double inflection(Look low, Look high) const {
    for (int k = 0; k < kHalvings; ++k) {
      const Look middle = look_at(curve_, (low.s + high.s) / 2);
      if (middle.s <= low.s || middle.s >= high.s) break;
      ((middle.curvature > 0) == (low.curvature > 0) ? low : high) = middle;
    }
    return (low.s + high.s) / 2;
  }

  // Where |curvature| is largest (sign = 1) or smallest (-1) between two places, by thirds.
  double extremum(double low, double high, int sign) const {
    for (int k = 0; k < kHalvings; ++k) {
      const double one = low + (high - low) / 3, two = high - (high - low) / 3;
      const double at_one = sign * std::abs(look_at(curve_, one).curvature);
      const double at_two = sign * std::abs(look_at(curve_, two).curvature);
      (at_one < at_two ? low : high) = at_one < at_two ? one : two;
    }
    return (low + high) / 2;
  }

  void cut_smooth(const std::vector<Look>& looks) {
    if (looks.size() < 2) return;
    std::vector<double> cuts;
    double largest = 0;
    for (const Look& look : looks) largest = std::max(largest, std::abs(look.curvature));
    for (std::size_t i = 0; i + 1 < looks.size(); ++i) {
      const int here = sign_of(looks[i]), next = sign_of(looks[i + 1]);
      if (here * next < 0) cuts.push_back(inflection(looks[i], looks[i + 1]));
      if ((here == 0) != (next == 0)) cuts.push_back(looks[here == 0 ? i : i + 1].s);
      if (i == 0 || here == 0) continue;
      const double k0 = std::abs(looks[i - 1].curvature), k1 = std::abs(looks[i].curvature),
                   k2 = std::abs(looks[i + 1].curvature);
      const bool one_sign = sign_of(looks[i - 1]) * here >= 0 && next * here >= 0;
      if (!one_sign) continue;
      if (std::min(k1 - k0, k1 - k2) >= 0 && std::max(k1 - k0, k1 - k2) > kBump * largest)
        cuts.push_back(extremum(looks[i - 1].s, looks[i + 1].s, 1));
      if (std::max(k1 - k0, k1 - k2) <= 0 && std::min(k1 - k0, k1 - k2) < -kBump * largest)
        cuts.push_back(extremum(looks[i - 1].s, looks[i + 1].s, -1));
    }
    cuts.push_back(looks.back().s);
    std::sort(cuts.begin(), cuts.end());
    double from = looks.front().s;
    const double least_width = 1e-9 * (looks.back().s - from);
    for (const double to : cuts) {
      if (to - from < least_width && to != looks.back().s) continue;
      if (!(to > from)) continue;
      add_piece(from, to);
      from = to;
    }
  }

  // In as many equal parts as its turning asks for.
  void add_piece(double from, double to) {
    double turned = 0, bend = 0;
    Look before = look_at(curve_, from);
    constexpr int kParts = 16;
    for (int k = 1; k <= kParts; ++k) {
      const Look now = look_at(curve_, from + (to - from) * k / kParts);
      turned += turn_between(before, now);
      if (k < kParts && std::abs(now.curvature) > std::abs(bend)) bend = now.curvature;
      before = now;
    }
    const bool straight = std::abs(bend) * size_m_ < kFlat;
    const int parts = straight ? 1 : std::max(1, static_cast<int>(std::ceil(std::abs(turned) / kLargestTurn)));
    for (int k = 0; k < parts; ++k) {
      pieces_.push_back({from + (to - from) * k / parts, k + 1 < parts ? from + (to - from) * (k + 1) / parts : to,
                         straight, bend < 0});
    }
  }

  const PlaneCurve& curve_;
  double size_m_;
  const char* parameter_;
  std::vector<CurvePiece>& pieces_;
  std::vector<Look> looks_;
};

}  // namespace

ShapeProblem cut_curve(const PlaneCurve& curve, double from, double to, int samples, double size_m,
                       const char* parameter, std::vector<CurvePiece>& pieces) {
  return CurveCutter(curve, size_m, parameter, pieces).cut(from, to, std::max(samples, 4));
}

}  // namespace freeplay::geometry
