// The channels of contact points (gap, impulses, windowed forces, places, modes, losses), and the table of impacts.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/integrators/integrator_traits.h"
#include "freeplay/simulation/forces/force_peaks.h"
#include "freeplay/simulation/forces/force_window.h"
#include "freeplay/simulation/forces/recent_loads.h"
#include "freeplay/simulation/forces/sliding_sums.h"
#include "freeplay/simulation/forces/strongest_forces.h"
#include "freeplay/simulation/recording/force_impacts.h"
#include "freeplay/simulation/recording/group_totals.h"
#include "freeplay/simulation/recording/recorder.h"
#include "freeplay/simulation/recording/wear_recorder.h"
#include "freeplay/simulation/watch/gap_watch.h"

namespace freeplay::simulation {

struct ContactRecorderOptions {
  double impact_threshold_m_s = 1e-3;  // a slower approach is no impact
  ForceWindow window;                  // forces are means over it
  ContactTreatment treatment = ContactTreatment::kImpulses;
  bool threshold_decides = false;  // a slower approach than impact_threshold_m_s gets no restitution

  // Otherwise forces are means over steps.
  bool has_forces_at_states() const { return treatment != ContactTreatment::kImpulses; }
  // Impacts last; otherwise they are instants.
  bool has_force_laws() const { return treatment == ContactTreatment::kForces; }
};

// Of a tangential vector: in the plane its one component with its sign, in space its size.
inline double tangential_size(const Vec2& v, const ContactPoint& point) {
  return point.tangents == 2 ? v.norm() : v[0];
}

class ContactRecorder {
 public:
  ContactRecorder(const ContactModel& contacts, Dynamics& dynamics, const ContactRecorderOptions& options);

  static std::vector<ChannelInfo> channels(const ContactModel& contacts);

  // These channels will be read, indices into channels(). Forces are means over a window that must see every step,
  // whatever rows are recorded.
  void choose_channels(std::span<const int> channels);

  // At the state that a run starts from, and after every step: wear. Leave the dynamics at `state`.
  void start_wear(const State& state) { wear_.start(state); }
  void add_wear(const State& state, double dt, bool is_handed_over) { wear_.after_step(state, dt, is_handed_over); }
  const WearRecorder& wear() const { return wear_; }
  // With the dynamics at `state`, which is the end of a step or a row. Comes before the next ones.
  void update_gaps(const State& state);
  // Penetration, and walls that were passed: after the `step`-th step, which took dt, to `state`. Sets the velocity of
  // the dynamics where it needs one.
  void look_at_gaps(const State& state, std::int64_t step, double dt, RunSummary& summary);
  // What is to be told, so far; null: nothing.
  struct Findings {
    const ContactPoint* deep = nullptr;    // the first point that is too deep
    const ContactPoint* passed = nullptr;  // the first point that has come to be inside without having been at the wall
    const ContactPoint* doubtful = nullptr;  // the first one whose restitution rounding has decided
    const ContactPoint* crowded = nullptr;   // of the first pair that has more closed contacts than points
    // Of those whose forces are recorded, the one that was struck hardest, if the largest force is that of an impact:
    // its impulse over the window, which is as long as somebody has chosen it.
    const ContactPoint* struck = nullptr;
  };
  Findings findings() const;
  // Of those, the ones that are told as soon as they are found.
  bool has_findings() const {
    return deep_point_ >= 0 || passed_point_ >= 0 || doubtful_point_ >= 0 || crowded_point_ >= 0;
  }
  // Whether look_at_gaps() wants every step, and not only those in which something is near.
  bool looks_at_every_step() const { return watch_.follows_ways() && !options_.has_force_laws(); }
  // The largest force of each contact so far.
  const ForcePeaks& peaks() const { return peaks_; }
  // After each step: impacts, windows.
  void after_step(const State& state, double dt, int active_points, RecordSink& sink, RunSummary& summary);
  // Before the channels of a row are read, with the dynamics and the gaps at the row's position.
  void prepare_row(const State& state);
  // The contacts that carry load at the row that was prepared, the `most` strongest of them, in the order of the
  // points. Time stepping: what each has received in the step of `dt` that led here, over its length. Until the next
  // call.
  std::span<const ContactForce> strongest_forces(const State& state, double dt, int most);
  // Values of the chosen channels, for the row that was prepared.
  void read_channels(const State& state, std::span<double> values);

  // Before a run: there is no past.
  void forget();
  // The past that forces are means over, and what was found deep, as numbers: for a run that goes on elsewhere.
  std::vector<double> memory() const;
  // False if the numbers are not those of such a recorder.
  [[nodiscard]] bool set_memory(std::span<const double> numbers);

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
    kExtra,
    kWear,
    kGroup
  };
  struct Source {
    Quantity quantity{};
    int index = 0;  // of the point, of the extra channel, of the number of wear or of groups
  };
  struct Column {
    ChannelInfo info;
    Source source;
  };
  static std::vector<Column> columns_of(const ContactModel& contacts);

  void need_channel(int channel);
  void find_cells();
  void record_impacts(const State& state, double dt, RecordSink& sink, RunSummary& summary);
  bool is_doubtful(const ContactMemory& memory) const;
  void note_hardest(int index, double impulse_N_s);
  void record_ended_impacts(const State& state, RecordSink& sink, RunSummary& summary);
  void prepare_windows();
  void push_window(const State& state, double dt, bool acts);
  void note_peaks(double time_s);
  void note_peaks_at(const State& state);
  void record_point(int point);
  const ContactPoint& entry(int index) const;
  // What the state remembers of a named point.
  // Of a state that locate_memory() has seen.
  const ContactMemory& memory_of(int point, const State& state) const;
  void locate_memory(const State& state);
  void update_forces(const State& state);
  const double* number_of_row(const Source& source) const;
  double number_of_memory(const Source& source, const ContactMemory& memory) const;

  const ContactModel& contacts_;
  ContactRecorderOptions options_;
  // The pairs that somebody reads a gap or a place of, near or far; where nothing is ever far, all. And those that are
  // near, for penetrations, where that is another list.
  std::unique_ptr<ContactKinematics> recorded_, near_;
  std::vector<int> recorded_pairs_;  // increasing
  bool must_take_pairs_ = false;
  std::vector<Source> sources_;  // per channel
  // The chosen channels: those that are numbers of the prepared row, where they stand, and those of the state's memory.
  struct RowCell {
    const double* from;
    std::size_t to;
  };
  struct MemoryCell {
    Source source;
    std::size_t to;
  };
  std::vector<int> chosen_;
  std::vector<RowCell> row_cells_;
  std::vector<MemoryCell> memory_cells_;
  bool must_find_cells_ = true;
  VecX gaps_, near_gaps_;
  std::vector<int> place_;                 // per named point: its place among those of recorded_; -1 if it is not there
  std::vector<int> placed_points_;         // named points of which somebody reads where they are,
  std::vector<PointPlace> places_;         // by point
  std::vector<std::size_t> memory_place_;  // per named point: where its memory stands in the state, if it has one
  std::vector<double> extra_;
  GapWatch watch_;
  WearRecorder wear_;
  GroupTotals totals_;
  int deep_point_ = -1, passed_point_ = -1, doubtful_point_ = -1, crowded_point_ = -1;  // entries
  std::optional<ForceImpacts> force_impacts_;                                           // under force laws
  bool needs_forces_ = false;
  // What a point has received in one step, or the mean force. Tangential: with its sign in the plane, its size in
  // space.
  struct Impulse {
    double normal = 0, tangential = 0;
    Vec3 vector = Vec3::Zero();  // world axes
  };
  // Impulses of the last steps, of the points whose forces are read: normal, tangential, x, y, z of each one.
  static constexpr std::size_t kColumns = 5;
  std::vector<int> force_points_;  // increasing
  SlidingSums windows_;
  std::vector<double> impulses_;  // of one step
  // What the points of a contact pass on together; a point that has no place counts by itself.
  struct ForceElement {
    std::vector<std::size_t> points;  // places in force_points_
    bool is_vector = true;            // otherwise the normal force
  };
  std::vector<ForceElement> force_elements_;  // in the order of peaks_
  ForcePeaks peaks_;
  RecentLoads loads_;
  std::vector<Impulse> forces_;  // by named point, of the row that was prepared
  StrongestForces strongest_;
  bool forces_are_zero_ = true;
  double largest_force_N_ = 0, hardest_impact_N_s_ = 0, window_s_ = 0;
  int struck_point_ = -1;
};

}  // namespace freeplay::simulation
