#include "freeplay/contact/problem/impact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/contact/problem/law_sets.h"

namespace freeplay::contact {

namespace {

// A tangential impulse of the compression that is smaller, as a share of mu Lambda_NC, is rounding; one that moves its
// row by less than the solver's residual is what the solver left. Neither has a direction that the expansion could
// keep.
constexpr double kNoDirection = 1e-9;
// Of the energy that is turned over: what rounding leaves is no gain, and neither is the work of the impulses on what
// the solver leaves of the laws, a velocity; a few times of it, since the expansion builds on the compression.
constexpr double kEnergyRounding = 1e-12;
constexpr double kWorkOfResiduals = 4;
constexpr int kHalvings = 40;

bool is_poisson(const ImpactContact& contact) {
  return contact.law.impact == ImpactLaw::kPoisson;
}

// Coulomb's friction, bound to the normal row before it.
ImpulseBlock friction_rows(const ImpactContact& contact) {
  return coulomb_set(contact.friction_rows, contact.law.friction, contact.row + 1, contact.row);
}

// `error`: what may be wrong with the tangential impulse of the compression.
ImpulseBlock expansion_rows(const ImpactContact& contact, double e_N, const double* Lambda_C, double error) {
  const double mu = contact.law.friction;
  return expansion_set({.mu = mu,
                        .e_N = e_N,
                        .e_T = contact.law.tangential_restitution,
                        .Lambda_C = Lambda_C,
                        .no_direction = std::max(kNoDirection * mu * Lambda_C[0], error)},
                       contact.friction_rows, contact.row + 1, contact.row);
}

}  // namespace

void Impact::reserve(int rows, int bilateral_rows) {
  for (VecX* v : {&Lambda_C_, &c_, &base_, &given_, &reversed_, &work_}) v->setZero(rows);
  for (VecX* v : {&energy_, &rounding_}) v->setZero(rows);
  blocks_.reserve(static_cast<std::size_t>(rows));
  group_.assign(static_cast<std::size_t>(rows), 0);
  gains_.assign(static_cast<std::size_t>(rows), 0);
  bilateral_G_.setZero(bilateral_rows, bilateral_rows);
  for (VecX* v : {&bilateral_rhs_, &bilateral_impulses_}) v->setZero(bilateral_rows);
  bilateral_solver_.reserve(bilateral_rows);
}

int Impact::root_of(int row) const {
  while (group_[static_cast<std::size_t>(row)] != row) row = group_[static_cast<std::size_t>(row)];
  return row;
}

void Impact::find_groups(const LocalOperator& G) {
  for (int i = 0; i < size_; ++i) group_[static_cast<std::size_t>(i)] = i;
  for (int i = 0; i < size_; ++i) {
    G.for_each_in_row(i, [&](int j, double) {
      const int a = root_of(i), b = root_of(j);
      group_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    });
  }
  for (int i = 0; i < size_; ++i) group_[static_cast<std::size_t>(i)] = root_of(i);
  std::fill(gains_.begin(), gains_.end(), char{0});
}

void Impact::close_rows(const ImpactContact& contact) {
  for (int k = 0; k < contact.rows(); ++k) blocks_.push_back({ImpulseSet::kInterval, contact.row + k});
}

void Impact::write_compression(std::span<const ImpactContact> contacts, const ConstVecRef& gamma_A, double share) {
  blocks_.clear();
  for (int i = 0; i < first_contact_row_; ++i) blocks_.push_back({ImpulseSet::kFree, i});
  base_.head(first_contact_row_).setZero();
  for (const ImpactContact& contact : contacts) {
    if (!contact.takes_part) {
      base_.segment(contact.row, contact.rows()).setZero();
      close_rows(contact);
      continue;
    }
    const double newtons = is_poisson(contact) ? 0 : share_of(contact, share);
    base_[contact.row] = (1 + newtons * contact.law.restitution) * gamma_A[contact.row];
    for (int k = 1; k <= contact.friction_rows; ++k) {
      const int row = contact.row + k;
      base_[row] = (1 + newtons * contact.law.tangential_restitution) * gamma_A[row];
    }
    blocks_.push_back({ImpulseSet::kNonNegative, contact.row});
    if (contact.friction_rows > 0) blocks_.push_back(friction_rows(contact));
  }
}

// What given impulses of contacts do to the rows of contacts while bilateral rows keep their velocities: G of the
// system with its loops and drives, not of its bodies alone.
void Impact::respond_with_bilateral_rows(const LocalOperator& G, VecRef given, VecRef response) {
  G.apply(given, response);
  const int n = first_contact_row_;
  if (n == 0) return;
  double* entry = bilateral_G_.data();
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) *entry++ = G.entry(i, j);
  }
  constexpr double kRankTolerance = 1e-12;
  bilateral_solver_.factor(bilateral_G_.data(), n, kRankTolerance);
  bilateral_rhs_.head(n) = -response.head(n);
  bilateral_solver_.solve(bilateral_rhs_.data(), bilateral_impulses_.data());
  given.head(n) = bilateral_impulses_.head(n);
  G.apply(given, response);
}

void Impact::find_reversed(const LocalOperator& G, std::span<const ImpactContact> contacts, double share) {
  auto given = given_.head(size_), response = work_.head(size_), reversed = reversed_.head(size_);
  given.setZero();
  reversed.setZero();
  for (const ImpactContact& contact : contacts) {
    if (!contact.takes_part || !is_poisson(contact)) continue;
    const double e_N = share_of(contact, share) * contact.law.restitution;
    given[contact.row] = e_N * Lambda_C_[contact.row];
    for (int k = 1; k <= contact.friction_rows; ++k)
      given[contact.row + k] = e_N * contact.law.tangential_restitution * Lambda_C_[contact.row + k];
  }
  respond_with_bilateral_rows(G, given, response);  // (80) with e_N e_T on the tangential impulse
  for (const ImpactContact& contact : contacts) {
    if (!contact.takes_part || !is_poisson(contact) || contact.law.tangential != TangentialLaw::kBeitelschmidt)
      continue;
    for (int k = 1; k <= contact.friction_rows; ++k) reversed[contact.row + k] = response[contact.row + k];
  }
  given.setZero();
  for (const ImpactContact& contact : contacts) {
    if (!contact.takes_part || !is_poisson(contact)) continue;
    for (int k = 0; k <= contact.friction_rows; ++k) given[contact.row + k] = Lambda_C_[contact.row + k];
  }
  respond_with_bilateral_rows(G, given, response);
  for (const ImpactContact& contact : contacts) {
    if (!contact.takes_part || !is_poisson(contact) || contact.law.tangential != TangentialLaw::kSafe) continue;
    const double kept = share_of(contact, share) * contact.law.restitution * contact.law.tangential_restitution;
    for (int k = 1; k <= contact.friction_rows; ++k) reversed[contact.row + k] = kept * response[contact.row + k];
  }
}

bool Impact::expand(const LocalOperator& G, std::span<const ImpactContact> contacts, double share,
                    ImpulseSolver& solver, ImpactReport& report, VecRef Lambda) {
  find_reversed(G, contacts, share);
  // What is known before the expansion: the compression's impulses and the least normal ones of the expansion.
  auto known = given_.head(size_), response = work_.head(size_), c = c_.head(size_);
  known.setZero();
  blocks_.clear();
  for (int i = 0; i < first_contact_row_; ++i) blocks_.push_back({ImpulseSet::kFree, i});
  for (const ImpactContact& contact : contacts) {
    if (!contact.takes_part) {
      close_rows(contact);
      continue;
    }
    blocks_.push_back({ImpulseSet::kNonNegative, contact.row});
    if (!is_poisson(contact)) {
      if (contact.friction_rows > 0) blocks_.push_back(friction_rows(contact));
      continue;
    }
    const double e_N = share_of(contact, share) * contact.law.restitution;
    known[contact.row] = (1 + e_N) * Lambda_C_[contact.row];
    if (contact.friction_rows == 0) continue;
    for (int k = 1; k <= contact.friction_rows; ++k) known[contact.row + k] = Lambda_C_[contact.row + k];
    const double inertia = 1 / G.entry(contact.row + 1, contact.row + 1);
    const double error = std::isfinite(inertia) ? report.compression.report.residual * inertia : 0;
    blocks_.push_back(expansion_rows(contact, e_N, Lambda_C_.data() + contact.row, error));
  }
  G.apply(known, response);
  c = base_.head(size_) + response - reversed_.head(size_);
  report.expansion = solver.solve({G, c, blocks_}, ImpulseGuess::none(), Lambda);
  Lambda += known;
  return report.expansion.report.status == SolveStatus::kSolved;
}

double Impact::energy_gain(const LocalOperator& G, const ConstVecRef& gamma_A, const ConstVecRef& Lambda, bool find) {
  auto response = work_.head(size_);
  G.apply(Lambda, response);
  energy_.head(size_).setZero();
  rounding_.head(size_).setZero();
  for (int i = 0; i < size_; ++i) {
    const int group = group_[static_cast<std::size_t>(i)];
    energy_[group] += Lambda[i] * (gamma_A[i] + response[i] / 2);
    rounding_[group] += kEnergyRounding * std::abs(Lambda[i]) * (std::abs(gamma_A[i]) + std::abs(response[i] / 2)) +
                        kWorkOfResiduals * std::abs(Lambda[i]) * residual_m_s_;
  }
  double gain = 0;
  for (int i = 0; i < size_; ++i) {
    char& gains = gains_[static_cast<std::size_t>(i)];
    if (find) gains = energy_[i] > rounding_[i] ? 1 : 0;
    if (gains != 0) gain += std::max(energy_[i], 0.0);
  }
  return gain;
}

bool Impact::attempt(const LocalOperator& G, const ConstVecRef& gamma_A, std::span<const ImpactContact> contacts,
                     double share, ImpulseSolver& solver, ImpactReport& report, VecRef Lambda) {
  write_compression(contacts, gamma_A, share);
  auto Lambda_C = Lambda_C_.head(size_);
  report.compression = solver.solve({G, base_.head(size_), blocks_}, ImpulseGuess::none(), Lambda_C);
  if (report.compression.report.status != SolveStatus::kSolved) return false;
  const bool is_solved = expand(G, contacts, share, solver, report, Lambda);
  residual_m_s_ = report.compression.report.residual + report.expansion.report.residual;
  return is_solved;
}

ImpactReport Impact::solve(const LocalOperator& G, const ConstVecRef& gamma_A, int first_contact_row,
                           std::span<const ImpactContact> contacts, ImpulseSolver& solver, VecRef Lambda) {
  size_ = G.size();
  first_contact_row_ = first_contact_row;
  const int room = static_cast<int>(Lambda_C_.size());
  if (room < size_ || bilateral_rhs_.size() < first_contact_row) reserve(std::max(room, size_), first_contact_row);
  find_groups(G);
  ImpactReport report;
  report.solved = attempt(G, gamma_A, contacts, 1, solver, report, Lambda);
  if (!report.solved) return report;
  report.gained_J = energy_gain(G, gamma_A, Lambda, true);
  if (report.gained_J == 0 || energy_rule_ != ImpactEnergy::kLimit) return report;
  // Without restitution no impact gains energy: somewhere between none and all of it the gain begins.
  double without = 0, with = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (without + with) / 2;
    const bool gains =
        !attempt(G, gamma_A, contacts, middle, solver, report, Lambda) || energy_gain(G, gamma_A, Lambda, false) > 0;
    (gains ? with : without) = middle;
  }
  report.share = without;
  report.solved = attempt(G, gamma_A, contacts, without, solver, report, Lambda);
  return report;
}

}  // namespace freeplay::contact
