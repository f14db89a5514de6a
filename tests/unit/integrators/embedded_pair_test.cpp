// What lies inside of a step of the embedded pair: the dense output, and the same to the order of the step.
#include "freeplay/integrators/smooth/embedded_pair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace freeplay::integrators {
namespace {

// x'' = -x - x^3/4: no linear problem, whose stages would agree better than others.
class OneStep : public EmbeddedPair {
 public:
  OneStep() : EmbeddedPair(2, 1e-9, 1e-9) {}
  Vec2 at(double size, double part, bool is_dense) {
    take(size);
    interpolate_step(size);
    if (is_dense)
      inside_of_pair(part, y_new_);
    else
      EXPECT_EQ(go_inside(0, size, part, rate_), StepStatus::kOk);
    return y_new_;
  }
  Vec2 a_little_later(double size, double part, double by) {
    at(size, part, false);
    go_on_inside(size, part, by);
    return y_new_;
  }
  Vec2 exact(double time) {
    constexpr int kSteps = 64;
    y_ << 1, 0.5;
    for (int k = 0; k < kSteps; ++k) {
      static_cast<void>(rate_(0, y_, k_[0]));
      EXPECT_EQ(take_stages(0, time / kSteps, rate_), StepStatus::kOk);
      y_ = y_new_;
    }
    return y_;
  }

 private:
  void take(double size) {
    y_ << 1, 0.5;
    static_cast<void>(rate_(0, y_, k_[0]));
    EXPECT_EQ(take_stages(0, size, rate_), StepStatus::kOk);
  }
  static StepStatus rate_(double, const VecX& y, VecX& k) {
    k << y[1], -y[0] - y[0] * y[0] * y[0] / 4;
    return StepStatus::kOk;
  }
};

double order_of(const std::function<double(double size)>& error) {
  return std::log2(error(0.4) / error(0.2));
}

TEST(EmbeddedPair, TellsWhatIsInsideOfAStepAsExactlyAsTheStep) {
  OneStep step;
  for (const double part : {0.05, 0.3, 0.5}) {
    SCOPED_TRACE(part);
    const auto error = [&](double size, bool is_dense) {
      return (step.at(size, part, is_dense) - step.exact(part * size)).norm();
    };
    // Local errors: h^5 of the dense output, h^6 of the step and of what go_inside() makes of both.
    EXPECT_GT(order_of([&](double size) { return error(size, false); }), 5.5);
    EXPECT_LT(order_of([&](double size) { return error(size, true); }), 5.5);
    EXPECT_LT(error(0.2, false), 0.2 * error(0.2, true));
    EXPECT_LT(error(0.2, false), (step.at(0.2, 1, true) - step.exact(0.2)).norm());  // of the whole step
  }
}

TEST(EmbeddedPair, GoesOnFromThereToTheThirdOrderOfTheTime) {
  OneStep step;
  const auto error = [&](double by) { return (step.a_little_later(0.2, 0.6, by) - step.exact(0.12 + by)).norm(); };
  EXPECT_NEAR(std::log2(error(2e-2) / error(1e-2)), 3, 0.5);
  EXPECT_NEAR(std::log2(error(-2e-2) / error(-1e-2)), 3, 0.5);
}

// Four nodes that nearly coincide.
TEST(EmbeddedPair, APartOfAStepNextToItsStartIsNotLostInRounding) {
  OneStep step;
  for (const double part : {1e-9, 1e-6, 1e-3}) {
    SCOPED_TRACE(part);
    EXPECT_LT((step.at(0.2, part, false) - step.exact(part * 0.2)).norm(), 3e-14);
  }
}

}  // namespace
}  // namespace freeplay::integrators
