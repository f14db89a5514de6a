#include "freeplay/contact/points/linear_contacts.h"

#include <algorithm>
#include <limits>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/systems/linear_system.h"

namespace freeplay::contact {

namespace {

class LinearContactKinematics final : public ContactKinematics {
 public:
  LinearContactKinematics(const LinearContacts& model, std::span<const LinearContact> contacts,
                          LinearDynamics& dynamics)
      : contacts_(contacts), dynamics_(dynamics) {
    for (int i = 0; i < model.point_count(); ++i)
      all_.push_back({model.key_of(i), &model.points()[static_cast<std::size_t>(i)]});
    set_.assign(all_);
  }

  // The list is always the same.
  bool find_points(double) override { return false; }
  bool add_points(double) override { return false; }
  void take_all_points() override {}
  void take_points_of(std::span<const int>) override {}

  void update_gaps(VecRef g) override {
    for (int i = 0; i < set_.size(); ++i) {
      g[i] = set_[i].has_normal ? of(i).gap_at_zero + of(i).normal.dot(dynamics_.position())
                                : -std::numeric_limits<double>::infinity();
    }
  }
  int add_rows(int point, RowStore& rows) override {
    if (set_[point].has_normal) add_row(of(point).normal, rows);
    if (set_[point].has_friction()) add_row(of(point).tangent, rows);
    return set_[point].rows();
  }
  void normal_velocities(VecRef gamma_N) override {
    for (int i = 0; i < set_.size(); ++i) gamma_N[i] = along(of(i).normal);
  }
  void update_velocities() override {}
  PointVelocity velocity_of(int point) const override {
    return {along(of(point).normal), Vec2(along(of(point).tangent), 0)};
  }
  void row_bias(int, std::span<double> zeta) const override { std::fill(zeta.begin(), zeta.end(), 0.0); }
  // Without bodies there are no joints whose reactions a force could be part of, and no force laws.
  void add_load(int, double, const Vec2&) override { FREEPLAY_ASSERT(false); }
  void write_force(int, double, const Vec2&, ContactForces&) const override {}
  Vec3 in_world(int, double normal, const Vec2& tangential) const override { return {normal, tangential[0], 0}; }
  void read_extra_channels(std::span<double>) override {}

 private:
  const LinearContact& of(int point) const { return contacts_[static_cast<std::size_t>(point)]; }
  // A point without that row does not move along it.
  double along(const VecX& row) const { return row.size() > 0 ? row.dot(dynamics_.velocity()) : 0; }
  static void add_row(const VecX& w, RowStore& rows) {
    const int row = rows.add(0);
    rows.parts(row) = {RowPart{0, static_cast<int>(w.size())}, RowPart{}};
    std::copy(w.begin(), w.end(), rows.values(row));
  }

  std::span<const LinearContact> contacts_;
  LinearDynamics& dynamics_;
  std::vector<LivePoint> all_;
};

}  // namespace

LinearContacts::LinearContacts(std::vector<LinearContact> contacts) : contacts_(std::move(contacts)) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    points_.push_back(contacts_[i].description);
    keys_.push_back({i, 0});
  }
}

bool LinearContacts::has_point(ContactKey key) const {
  return key.pair < contacts_.size() && key.point == 0;
}

std::unique_ptr<ContactKinematics> LinearContacts::make_kinematics(Dynamics& dynamics) const {
  LinearDynamics* linear = dynamic_cast<LinearDynamics*>(&dynamics);
  FREEPLAY_ASSERT(linear != nullptr);
  return std::make_unique<LinearContactKinematics>(*this, contacts_, *linear);
}

}  // namespace freeplay::contact
