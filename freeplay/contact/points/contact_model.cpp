#include "freeplay/contact/points/contact_model.h"

namespace freeplay::contact {

namespace {

class NoContactKinematics final : public ContactKinematics {
 public:
  bool find_points(double) override { return false; }
  bool add_points(double) override { return false; }
  void take_all_points() override {}
  void take_points_of(std::span<const int>) override {}
  void update_gaps(VecRef) override {}
  int add_rows(int, RowStore&) override { return 0; }
  void normal_velocities(VecRef) override {}
  void update_velocities() override {}
  PointVelocity velocity_of(int) const override { return {}; }
  void row_bias(int, std::span<double>) const override {}
  void add_load(int, double, const Vec2&) override {}
  void write_force(int, double, const Vec2&, ContactForces&) const override {}
  Vec3 in_world(int, double, const Vec2&) const override { return Vec3::Zero(); }
  void read_extra_channels(std::span<double>) override {}
};

class NoContacts final : public ContactModel {
 public:
  bool has_point(ContactKey) const override { return false; }
  int entry_of(ContactKey) const override { return -1; }
  std::unique_ptr<ContactKinematics> make_kinematics(Dynamics&) const override {
    return std::make_unique<NoContactKinematics>();
  }
};

}  // namespace

std::vector<const ContactPoint*> ContactModel::descriptions() const {
  std::vector<const ContactPoint*> all;
  all.reserve(points_.size() + groups_.size());
  for (const ContactPoint& point : points_) all.push_back(&point);
  for (const ContactPoint& group : groups_) all.push_back(&group);
  return all;
}

const ContactModel& no_contacts() {
  static const NoContacts model;
  return model;
}

}  // namespace freeplay::contact
