#include "freeplay/contact/points/contact_model.h"

namespace freeplay::contact {

namespace {

class NoContactKinematics final : public ContactKinematics {
 public:
  void update_gaps(VecRef) override {}
  int update_rows(std::span<const int>, ContactRows&, int) override { return 0; }
  void normal_velocities(VecRef) override {}
  void update_velocities() override {}
  PointVelocity velocity_of(int) const override { return {}; }
  void add_load(int, double, const Vec2&) override {}
  void write_force(int, double, const Vec2&, ContactForces&) const override {}
  Vec3 in_world(int, double, const Vec2&) const override { return Vec3::Zero(); }
  void read_extra_channels(std::span<double>) override {}
};

class NoContacts final : public ContactModel {
 public:
  std::unique_ptr<ContactKinematics> make_kinematics(Dynamics&) const override {
    return std::make_unique<NoContactKinematics>();
  }
};

}  // namespace

void ContactRows::resize(int velocities, int rows) {
  W = MatX::Zero(velocities, rows);
  w_tilde = VecX::Zero(rows);
}

void ContactRows::resize_compact(int largest_tree, int rows) {
  is_compact = true;
  W.conservativeResize(2 * largest_tree, rows);
  w_tilde.conservativeResize(rows);
  parts.resize(static_cast<std::size_t>(rows));
}

double ContactRows::compact_dot(int row, const ConstVecRef& u) const {
  double sum = 0;
  const double* entry = W.col(row).data();
  for (const RowPart& part : parts[static_cast<std::size_t>(row)]) {
    for (int i = 0; i < part.size; ++i) sum += *entry++ * u[part.first + i];
  }
  return sum;
}

void ContactRows::compact_add(int row, double factor, const MatX& columns, VecRef sum) const {
  const double* entry = columns.col(row).data();
  for (const RowPart& part : parts[static_cast<std::size_t>(row)]) {
    for (int i = 0; i < part.size; ++i) sum[part.first + i] += factor * *entry++;
  }
}

int ContactModel::row_count() const {
  int rows = 0;
  for (const ContactPoint& point : points_) rows += point.rows();
  return rows;
}

const ContactModel& no_contacts() {
  static const NoContacts model;
  return model;
}

}  // namespace freeplay::contact
