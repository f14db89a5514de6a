#include "freeplay/integrators/nlp/nlp_variable_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "freeplay/contact/problem/contact_ledger.h"
#include "freeplay/core/error.h"

namespace freeplay::integrators {

namespace {

constexpr int kGrid = 17;             // sizes at which the objective is looked at, uniform in 1/h
constexpr int kHalvings = 60;         // of an interval between two of them
constexpr double kTie = 1e-10;        // of the largest objective: no difference
constexpr int kLandingHalvings = 50;  // of the step that lands
constexpr double kSameTime = 1e-9;    // of the shortest step
constexpr int kSustained = 3;         // steps in a row beyond the stability limit; an impact is over sooner

}  // namespace

NlpVariableStep::NlpVariableStep(const System& system, const ContactModel& contacts, const IntegratorOptions& options)
    : options_(options), step_(system, contacts, options) {
  q_A_ = q_middle_ = q_last_ = VecX::Zero(system.coordinate_count());
  for (VecX* v : {&u_A_, &delta_}) *v = VecX::Zero(system.velocity_count());
  row_effort_ = VecX::Zero(system.row_count());
}

StepReport NlpVariableStep::start(State& state, StepRecord* record) {
  StepReport report;
  if (record != nullptr) {
    record->is_known = false;
    record->contact_forces.reserve(static_cast<std::size_t>(step_.kinematics().set().size()));
  }
  counts_ = {};
  state.contacts.clear();
  step_.kinematics().set().align(state);
  step_.dynamics().normalise(state.q);
  dt_ = 0;
  unstable_steps_ = 0;
  critical_step_s_ = 0;
  has_told_of_instability_ = has_told_of_disc_steps_ = false;
  write_method(state);
  return report;
}

void NlpVariableStep::write_method(State& state) const {
  state.method.assign({dt_, static_cast<double>(unstable_steps_), critical_step_s_, critical_at_s_,
                       has_told_of_instability_ ? 1.0 : 0.0, has_told_of_disc_steps_ ? 1.0 : 0.0});
}

void NlpVariableStep::read_method(const State& state) {
  const std::vector<double>& m = state.method;
  FREEPLAY_ASSERT(m.size() == 6);
  dt_ = m[0];
  unstable_steps_ = static_cast<int>(m[1]);
  critical_step_s_ = m[2];
  critical_at_s_ = m[3];
  has_told_of_instability_ = m[4] != 0;
  has_told_of_disc_steps_ = m[5] != 0;
}

StepStatus NlpVariableStep::resume(const State& state, const IntegratorCounts& counts) {
  counts_ = counts;
  read_method(state);
  return StepStatus::kOk;
}

StepReport NlpVariableStep::step(State& state, double t_limit, StepRecord* record) {
  StepReport report;
  read_method(state);
  const double remaining = t_limit - state.t, shortest = options_.min_step_s;
  const double longest = options_.max_step_s;
  report.status = step_.linearise(state, longest);
  const bool own_end = report.status == StepStatus::kOk && has_own_end(state, remaining);
  if (report.status == StepStatus::kOk) report.status = attempt_chosen(state, shortest, longest);
  report.used_fallback = step_.used_fallback();
  report.residual_m_s = step_.residual_m_s();
  report.iterations = step_.iterations();
  if (report.status != StepStatus::kOk) {
    failure_details_ = fmt::format("step size {:.3g} s, residual {:.3g} m/s", h_, step_.residual_m_s());
    return report;
  }
  ++counts_.accepted;
  report.position_residual_m = step_.position_residual_m();
  report.equation_residual_N = step_.equation_residual_N(state);
  report.active_points = static_cast<int>(step_.contact_step().active().size());
  report.size_s = h_;
  if (options_.step_constraint != StepConstraint::kDisc) watch_stability();
  if (unstable_steps_ == kSustained) critical_at_s_ = state.t;

  const double previous = dt_;
  t_A_ = state.t;
  q_A_ = state.q;
  u_A_ = state.u;
  dt_ = h_;
  account_ = state.account;
  book(state);
  state.q = step_.position();
  state.u = step_.velocities();
  state.t += h_;
  q_middle_ = q_A_;
  delta_ = 0.5 * h_ * state.u;
  step_.dynamics().displace_straight(q_middle_, delta_);
  // A plain step that is shorter than the one before turns what is left of a gap into a velocity: at the end of the run
  // a whole one is taken, chosen as ever, and its end is left out.
  if (h_ - remaining > kSameTime * shortest) {
    cut_back(state, remaining / h_, previous);
    if (own_end) state.q = q_last_;
    report.size_s = remaining;
  }
  if (std::abs(state.t - t_limit) <= kSameTime * shortest) state.t = t_limit;
  note_warnings();
  report.has_warning = !warnings_.empty();
  write_method(state);
  if (record != nullptr) write_record(state, *record);
  return report;
}

// A state between the ends of a step has gaps that are a little off. Where they are promised to be kept, the position
// is that of a step that ends there.
bool NlpVariableStep::has_own_end(const State& state, double remaining_s) {
  if (options_.step_constraint == StepConstraint::kPlain || remaining_s >= options_.max_step_s) return false;
  if (step_.attempt(state, remaining_s) != StepStatus::kOk) return false;
  q_last_ = step_.position();
  return true;
}

void NlpVariableStep::cut_back(State& state, double share, double previous_s) {
  const VecX& u_E = step_.velocities();
  state.q = q_A_;
  delta_ = share * h_ * u_E;
  step_.dynamics().displace_straight(state.q, delta_);
  state.u = u_A_ + share * (u_E - u_A_);
  state.t = t_A_ + share * h_;
  q_middle_ = q_A_;
  delta_ = 0.5 * (share * h_ * u_E - (1 - share) * previous_s * u_A_);
  step_.dynamics().displace_straight(q_middle_, delta_);
  // What the part that is left out has done.
  const auto take_back = [share](double& sum, double before) { sum = before + share * (sum - before); };
  take_back(state.account.input, account_.input);
  take_back(state.account.damping_loss, account_.damping_loss);
  take_back(state.account.impact_loss, account_.impact_loss);
  take_back(state.account.friction_loss, account_.friction_loss);
  for (ContactMemory& memory : state.contacts) {
    memory.impact_loss -= (1 - share) * memory.step_impact_loss;
    memory.friction_loss -= (1 - share) * memory.step_friction_loss;
    memory.step_impact_loss *= share;
    memory.step_friction_loss *= share;
    memory.normal_impulse *= share;
    memory.tangential_impulse *= share;
    memory.impulse *= share;
  }
}

StepStatus NlpVariableStep::attempt(const State& state, double h) {
  h_ = h;
  ++counts_.evaluations;
  const StepStatus status = step_.attempt(state, h);
  if (status != StepStatus::kOk) ++counts_.rejected;
  return status;
}

StepStatus NlpVariableStep::attempt_chosen(const State& state, double shortest_s, double longest_s) {
  if (shortest_s == longest_s || options_.step_choice == StepChoice::kFixed) return attempt(state, longest_s);
  return options_.step_choice == StepChoice::kLand ? land(state, shortest_s, longest_s)
                                                   : minimise_objective(state, shortest_s, longest_s);
}

// The largest h with the smallest J(1/h). J is once differentiable and made of quartics in s = 1/h: it is looked at on
// a grid, and minima between two of its points are found where the slope changes its sign.
StepStatus NlpVariableStep::minimise_objective(const State& state, double shortest_s, double longest_s) {
  const double free = step_.longest_free_step(shortest_s, longest_s);
  if (free > 0) return attempt(state, free);  // J = 0
  const double from = 1 / longest_s, to = 1 / shortest_s;
  struct Look {
    double s = 0, J = 0, slope = 0;
  };
  const auto look = [&](double s, Look& found) {
    const StepStatus status = attempt(state, 1 / s);
    found = {s, step_.objective(), step_.objective_slope()};
    return status;
  };
  std::array<Look, kGrid> grid;
  double largest_J = 0;
  for (int i = 0; i < kGrid; ++i) {
    const StepStatus status = look(from + (to - from) * i / (kGrid - 1), grid[static_cast<std::size_t>(i)]);
    if (status != StepStatus::kOk) return status;
    largest_J = std::max(largest_J, grid[static_cast<std::size_t>(i)].J);
  }
  const double tie = 1e-12 + kTie * largest_J;
  Look best = grid[0];
  const auto consider = [&](const Look& other) {
    if (other.J < best.J - tie) best = other;
  };
  for (std::size_t i = 0; i + 1 < grid.size(); ++i) {
    if (grid[i].slope < 0 && grid[i + 1].slope > 0) {
      Look low = grid[i], high = grid[i + 1], middle = low;
      for (int k = 0; k < kHalvings && high.s - low.s > 1e-15 * high.s; ++k) {
        const StepStatus status = look(0.5 * (low.s + high.s), middle);
        if (status != StepStatus::kOk) return status;
        (middle.slope < 0 ? low : high) = middle;
      }
      consider(middle);
    }
    consider(grid[i + 1]);
  }
  return attempt(state, 1 / best.s);
}

StepStatus NlpVariableStep::land(const State& state, double shortest_s, double longest_s) {
  // A step that fails is too long, as one that lands is; only the shortest one has nowhere to go.
  StepStatus status = attempt(state, longest_s);
  if (status == StepStatus::kOk && !step_.lands()) return status;
  status = attempt(state, shortest_s);
  if (status != StepStatus::kOk || step_.lands()) return status;
  double low = shortest_s, high = longest_s;
  for (int k = 0; k < kLandingHalvings && high - low > 1e-14 * high; ++k) {
    const double middle = 0.5 * (low + high);
    status = attempt(state, middle);
    (status != StepStatus::kOk || step_.lands() ? high : low) = middle;
  }
  return attempt(state, low);
}

void NlpVariableStep::watch_stability() {
  const double omega = step_.lateral_frequency(2 / h_);
  if (!(omega * h_ > 2)) {
    if (unstable_steps_ < kSustained) unstable_steps_ = 0;
    return;
  }
  if (unstable_steps_ >= kSustained) return;
  if (++unstable_steps_ == kSustained) critical_step_s_ = 2 / omega;
}

void NlpVariableStep::note_warnings() {
  if (unstable_steps_ >= kSustained && !has_told_of_instability_) {
    has_told_of_instability_ = true;
    warnings_.push_back(fmt::format(
        "from t = {:.6g} s on the step of {:.4g} s is longer than h_crit = {:.5g} s: parts that slide across "
        "their round play are not stable there. Take a smaller 'max_step', or 'constraint: disc'",
        critical_at_s_, dt_, critical_step_s_));
  }
  const bool is_replaced = step_.is_disc_step() && options_.step_constraint != StepConstraint::kDisc;
  if (is_replaced && !has_told_of_disc_steps_) {
    has_told_of_disc_steps_ = true;
    warnings_.push_back(fmt::format(
        "at t = {:.6g} s corrections with the normals of the start did not settle: that step, and others like "
        "it, are taken as disc steps, which damp. A smaller 'max_step' avoids them",
        t_A_));
  }
}

std::string NlpVariableStep::take_warning() {
  if (warnings_.empty()) return {};
  std::string warning = std::move(warnings_.front());
  warnings_.erase(warnings_.begin());
  return warning;
}

void NlpVariableStep::book(State& state) {
  ContactStep& contacts = step_.contact_step();
  step_.finish(state);
  if (contacts.is_empty())
    forget_last_step(state);
  else
    contacts.remember(step_.kinematics(), step_.velocities(), state);
  step_.kinematics().remember(state);
  row_effort_ = contacts.bilateral_impulses() / h_;
  Dynamics& dynamics = step_.dynamics();
  if (!dynamics.has_sources()) return;
  delta_ = 0.5 * (u_A_ + step_.velocities());
  dynamics.set_velocity(delta_);
  const Powers powers = dynamics.powers(row_effort_);
  state.account.input += h_ * powers.input;
  state.account.damping_loss += h_ * powers.damping;
}

std::optional<LocalProblem> NlpVariableStep::contact_problem() const {
  if (step_.contact_step().active().empty()) return std::nullopt;
  return step_.contact_step().problem();
}

// What the chosen attempt left behind: contacts as it took them, at q_A.
void NlpVariableStep::write_record(const State& state, StepRecord& record) {
  const double duration_s = state.t - t_A_;
  record.is_known = true;
  record.t = t_A_;
  record.q = q_A_;
  record.u = u_A_;
  record.contact_forces.clear();
  for (std::size_t i = 0; i < state.contacts.size(); ++i) {
    const ContactMemory& memory = state.contacts[i];
    if (memory.mode == ContactMode::kOpen) continue;
    step_.kinematics().write_force(static_cast<int>(i), memory.normal_impulse / duration_s,
                                   memory.tangential_impulse / duration_s, record.contact_forces);
  }
  record.accelerations = (step_.velocities() - u_A_) / dt_;
  record.row_efforts = row_effort_;
  record.position_of_velocity = q_middle_;
}

std::unique_ptr<Integrator> make_nlp_variable_step(const System& system, const ContactModel& contacts,
                                                   const IntegratorOptions& options) {
  return std::make_unique<NlpVariableStep>(system, contacts, options);
}

}  // namespace freeplay::integrators
