// A shape that turns by itself: the gap depends on time, and w~ is its derivative.
#include <gtest/gtest.h>

#include <numbers>

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::test {
namespace {

Expression of_variable(const std::string& text, std::string_view variable, Dimension dimension) {
  SymbolScope scope;
  scope.lookup = [&](std::string_view name) -> std::optional<Symbol> {
    if (name != variable) return std::nullopt;
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    symbol.dimension = dimension;
    return symbol;
  };
  return Expression::parse(text, scope);
}

// A wheel that carries a turning cam, and a roller, both free.
struct TurningCam {
  explicit TurningCam(bool by_lift) {
    spec.bodies.push_back({"wheel", 2, Mat3(0.3 * Mat3::Identity()), {}});
    spec.bodies.push_back({"roller", 1, Mat3(0.1 * Mat3::Identity()), {}});
    spec.bodies[1].initial.position_m = {0.4, 3.0, std::nullopt};
    CamShape cam;
    cam.at_m = {0.2, -0.1, 0};
    cam.period = 2 * std::numbers::pi;
    cam.base_radius_m = by_lift ? 1 : 0;
    (by_lift ? cam.lift_m : cam.radius_m) = of_variable("1 m + 0.2 m * cos(2*phi) + 0.1 m * sin(phi)", "phi", {});
    ShapeSpec shape{"wheel", "cam", "cam", cam,
                    ShapeTurn{of_variable("0.3 + 2/s*t + 0.5/s^2*t^2", "t", dimensions::kTime), cam.at_m}};
    contacts.shapes = {shape, {"roller", "skin", "circle", CircleShape{{0.1, 0, 0}, 0.2}, {}}};
    ContactLawSpec law;
    law.impact = "newton";
    law.friction = 0.3;
    contacts.contacts = {{"ride", "roller", "skin", "wheel", "cam", law},
                         {"mirror", "wheel", "cam", "roller", "skin", law}};
  }
  MechanismSpec spec;
  ContactModelSpec contacts;
};

TEST(TurningShape, RowsWithTheirTimeDerivativeAreTheRatesOfTheGaps) {
  for (const bool by_lift : {true, false}) {
    const TurningCam model(by_lift);
    const auto mechanism = Mechanism::build(model.spec);
    const auto contacts = MechanismContacts::build(mechanism, model.spec, model.contacts);
    const auto dynamics = mechanism->make_dynamics();
    const auto kinematics = contacts->make_kinematics(*dynamics);
    const VecX q0 = mechanism->initial_state().q;
    VecX u(6);
    u << 0.3, -0.2, 0.7, -0.4, 0.5, 1.1;
    for (const double t : {0.0, 0.7, 1.9}) {
      constexpr double h = 1e-5;
      VecX g(2), before(2), after(2), gamma_N(2);
      const auto gaps_at = [&](double shift, VecX& gaps) {
        VecX q = q0;
        dynamics->displace(q, (t + shift) * u);
        dynamics->set_position(t + shift, q);
        kinematics->update_gaps(gaps);
      };
      gaps_at(-h, before);
      gaps_at(h, after);
      gaps_at(0, g);
      dynamics->set_velocity(u);
      kinematics->normal_velocities(gamma_N);
      RowStore rows(mechanism->mass_structure());
      ASSERT_EQ(kinematics->add_rows(0, rows), 2);
      ASSERT_EQ(kinematics->add_rows(1, rows), 2);
      for (int i = 0; i < 2; ++i) {
        const double rate = (after[i] - before[i]) / (2 * h);
        EXPECT_NEAR(gamma_N[i], rate, 1e-8);
        EXPECT_NEAR(rows.velocity(2 * i, u), rate, 1e-8);
      }
      // Seen from the other side the gap is the same, and so are both velocities: n and t turn around with the bodies.
      EXPECT_NEAR(g[0], g[1], 1e-14);
      EXPECT_NEAR(rows.w_tilde(0), rows.w_tilde(2), 1e-14);
      EXPECT_NEAR(rows.w_tilde(1), rows.w_tilde(3), 1e-14);
      EXPECT_GT(std::abs(rows.w_tilde(1)), 0.1);
    }
  }
}

// A wheel that spins at the rate of the turn, and a turn on a wheel at rest: the same velocities of both rows.
TEST(TurningShape, ASurfaceThatTurnsMovesLikeABodyThatTurns) {
  TurningCam turning(false);
  turning.contacts.shapes[0].turn->about_m = Vec3::Zero();
  TurningCam spinning = turning;
  spinning.contacts.shapes[0].turn.reset();
  const double t = 0.4, angle = 0.3 + 2 * t + 0.5 * t * t, rate = 2 + t;
  const auto velocities = [&](const TurningCam& model, double wheel_angle, double wheel_rate) {
    const auto mechanism = Mechanism::build(model.spec);
    const auto contacts = MechanismContacts::build(mechanism, model.spec, model.contacts);
    const auto dynamics = mechanism->make_dynamics();
    const auto kinematics = contacts->make_kinematics(*dynamics);
    VecX q = mechanism->initial_state().q, u = VecX::Zero(6), g(2);
    q[2] += wheel_angle;
    u << 0, 0, wheel_rate, -0.4, 0.5, 1.1;
    dynamics->set_position(t, q);
    kinematics->update_gaps(g);
    RowStore rows(mechanism->mass_structure());
    for (const int point : {0, 1}) kinematics->add_rows(point, rows);
    VecX gamma(4);
    for (int i = 0; i < 4; ++i) gamma[i] = rows.velocity(i, u);
    return std::pair(g, gamma);
  };
  const auto [g_turn, gamma_turn] = velocities(turning, 0, 0);
  const auto [g_spin, gamma_spin] = velocities(spinning, angle, rate);
  EXPECT_LT((g_turn - g_spin).norm(), 1e-13);
  EXPECT_LT((gamma_turn - gamma_spin).norm(), 1e-12);
}

}  // namespace
}  // namespace freeplay::test
