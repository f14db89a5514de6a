// Archard's law beside a run: every step adds normal force times way of sliding to the place where a contact was. It
// needs the state alone, so that all integrators are treated alike, and changes nothing in the motion.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/integrators/integrator_traits.h"
#include "freeplay/simulation/recording/recorder.h"
#include "freeplay/simulation/recording/wear_cells.h"

namespace freeplay::simulation {

// The mean of |v| while v goes from v_A to v_E along a straight line: the way of sliding per unit of impulse or time.
double mean_speed(const Vec3& v_A, const Vec3& v_E);

class WearRecorder {
 public:
  WearRecorder(const ContactModel& contacts, Dynamics& dynamics, ContactTreatment treatment);

  // NAME.wear_volume_SURFACE of every surface, and NAME.wear_depth_SURFACE of those with places.
  static std::vector<ChannelInfo> channels(const ContactModel& contacts);
  // Their values at the last update_numbers(); the places stay the same.
  const std::vector<double>& numbers() const { return numbers_; }
  void update_numbers();
  std::vector<SurfaceWear> results() const;

  // At the state that the run starts from, and after every step. Both leave the dynamics at `state`. `is_handed_over`:
  // the step was one of time stepping, whatever the integrator does otherwise.
  void start(const State& state);
  void after_step(const State& state, double dt, bool is_handed_over);

  void forget();
  std::size_t number_count() const;
  void write(std::vector<double>& numbers) const;
  [[nodiscard]] bool take(std::span<const double> numbers);

 private:
  static constexpr std::size_t kMostSurfaces = 3;
  // Of a point at the end of the last step.
  struct Past {
    Vec3 sliding_m_s = Vec3::Zero();  // in the plane the first component
    double power_W = 0;               // normal force times speed of sliding
    bool is_loaded = false;
    std::array<double, kMostSurfaces> at{};  // on the surfaces of its contact
  };
  struct Point {
    int contact = 0, number = 0;  // in ContactModel::worn(), and within that contact
    int place = 0;                // in the list of the kinematics
    const ContactMemory* memory = nullptr;
    Past past;
  };

  void look(const State& state);
  Past past_of(const Point& point) const;
  double work_of(const Point& point, const Past& now, double dt, bool by_impulses) const;
  double depth_of(std::size_t surface, double amount) const;

  const ContactModel& contacts_;
  Dynamics& dynamics_;
  ContactTreatment treatment_;
  std::unique_ptr<ContactKinematics> kinematics_;  // null where nothing wears
  VecX gaps_;
  std::vector<Point> points_;
  std::vector<int> point_of_entry_;           // by named point: into points_, or -1
  std::vector<const WornSurface*> surfaces_;  // of all contacts, one after the other
  std::vector<std::size_t> first_surface_;    // by contact
  std::vector<WearCells> cells_;              // by surface, in N m
  std::vector<double> numbers_;
};

}  // namespace freeplay::simulation
