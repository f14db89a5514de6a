// The channels of contact points (gap, impulses, windowed forces, places, modes, losses), and the table of impacts.
#pragma once

#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/simulation/recorder.h"

namespace freeplay::simulation {

struct ContactRecorderOptions {
  double impact_threshold_m_s = 1e-3;  // a slower approach is no impact
  int window_steps = 10;               // forces are means over this many steps
  bool has_force_laws = false;         // smooth integrator: forces are those at the state
};

class ContactRecorder {
 public:
  ContactRecorder(const ContactModel& contacts, Dynamics& dynamics, const ContactRecorderOptions& options);

  static std::vector<ChannelInfo> channels(const ContactModel& contacts);

  ContactKinematics& kinematics() { return *kinematics_; }
  // A channel will be read. Forces are means over a window that must see every step, whatever rows are recorded.
  void need_channel(int channel);

  // With the dynamics at the end of a step: penetration.
  void look_at_gaps(RunSummary& summary);
  // The first point of a joint with play that has penetrated by more than a tenth of its clearance; -1 if none has.
  int deep_point() const { return deep_point_; }
  // After each step: impacts, windows.
  void after_step(const State& state, double dt, int active_points, RecordSink& sink, RunSummary& summary);
  // Before the channels of a row are read, with the dynamics at the row's position.
  void prepare_row();
  // Value of a channel, index into channels().
  double value(int channel, const State& state) const;

 private:
  enum class Quantity : std::uint8_t {
    kGap,
    kNormalImpulse,
    kTangentialImpulse,
    kNormalForce,
    kTangentialForce,
    kForceX,
    kForceY,
    kForceZ,
    kPointX,
    kPointY,
    kPointZ,
    kNormalX,
    kNormalY,
    kNormalZ,
    kMode,
    kImpactLoss,
    kFrictionLoss,
    kExtra
  };
  struct Column {
    ChannelInfo info;
    Quantity quantity{};
    int index = 0;  // of the point or of the extra channel
  };
  static std::vector<Column> columns_of(const ContactModel& contacts);

  void record_impacts(const State& state, double dt, RecordSink& sink, RunSummary& summary) const;
  void record_ended_contacts(const State& state, RecordSink& sink, RunSummary& summary) const;
  void push_window(const State& state, double dt);
  double force(Quantity quantity, int point, const ContactMemory& memory) const;

  const ContactModel& contacts_;
  ContactRecorderOptions options_;
  std::unique_ptr<ContactKinematics> kinematics_;
  std::vector<Column> columns_;
  VecX gaps_;
  std::vector<int> placed_points_;  // those whose place somebody reads,
  std::vector<PointPlace> places_;  // by point
  std::vector<double> extra_;
  int deep_point_ = -1;
  bool needs_forces_ = false;
  // What a point has received in one step. Tangential: with its sign in the plane, its size in space.
  struct Impulse {
    double normal = 0, tangential = 0;
    Vec3 vector = Vec3::Zero();  // world axes
  };
  // Ring buffer of the last window_steps steps: [step][point], their sizes, and the sums.
  std::vector<Impulse> impulses_, sums_;
  std::vector<double> sizes_s_;
  int window_position_ = 0, window_filled_ = 0;
  double window_s_ = 0;
};

}  // namespace freeplay::simulation
