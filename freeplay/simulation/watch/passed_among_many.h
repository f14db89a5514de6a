// Of very many pairs those are looked at that come fast enough. A part can pass another one only in a step in which it
// moves by more than the smaller of the two is thick; a survey now and then shows whether any comes near that, and as
// long as none does, nothing else is looked at.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "freeplay/simulation/watch/passed_parts.h"

namespace freeplay::simulation {

class PassedAmongMany final : public PassedParts {
 public:
  PassedAmongMany(const System& system, const ContactModel& contacts);
  void forget() override { quiet_steps_ = 0; }
  void note_start(const State& state) override;
  int look(const State& state) override;
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> memory) override;

 private:
  // At the start of the step: the points that may close within the time, their gaps and velocities.
  void stand_at_start(double horizon_s);
  // Where the dynamics stands; far gaps are bounds (ContactKinematics::fill_far_gaps).
  void update_gaps();
  // After stand_at_start(): whether a part moves so fast that it may pass its partner soon.
  bool is_any_fast(double size_s) const;
  // After stand_at_start(): suspects_ are those that may pass in the step,
  bool suspects_at_start(double size_s);
  // and those that left what they may have passed, and have not felt it.
  bool keep_suspects_at_end(const State& state);
  bool was_felt(std::uint64_t pair, const State& state) const;
  // The least gap of the pair that a point belongs to: a contact may go from one of its points to another one.
  double gap_of_pair(int point) const;
  double thickness_m(int point) const;
  // Whether a velocity has changed so much since the last survey that there has to be another one.
  bool has_sped_up(const VecX& u) const;

  const ContactModel& contacts_;
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<ContactKinematics> kinematics_;
  double start_s_ = 0;
  VecX start_q_, start_u_, delta_, q_, gaps_;
  struct Suspect {
    int point = 0;
    PassageInside inside;
  };
  std::vector<Suspect> suspects_;
  int quiet_steps_ = 0;    // until the next survey
  double thinnest_m_ = 0;  // of all parts
  // Of the last survey: the size of its step, by how much no velocity may change, and the velocities.
  double survey_size_s_ = 0;
  double allowance_m_s_ = 0;
  VecX survey_u_;
};

}  // namespace freeplay::simulation
