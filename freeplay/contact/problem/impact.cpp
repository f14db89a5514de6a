#include "freeplay/contact/problem/impact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::contact {

namespace {

// A tangential impulse of the compression that is smaller, as a share of mu Lambda_NC, is rounding, or what a solver
// leaves: it has no direction that the expansion could keep. With sign(0) = 0, (81) would halve the friction cone.
constexpr double kNoDirection = 1e-9;
// Of the energy that is turned over: what rounding and the solver's tolerance leave is no gain.
constexpr double kEnergyRounding = 1e-12;
constexpr int kHalvings = 40;

bool is_poisson(const ImpactContact& contact) {
  return contact.law.impact == ImpactLaw::kPoisson;
}

// Coulomb's friction, bound to the normal row before it.
ImpulseBlock friction_rows(const ImpactContact& contact) {
  const int row = contact.row + 1;
  if (contact.friction_rows == 2) {
    ImpulseBlock disc{ImpulseSet::kDisc, row, 2, contact.row};
    disc.mu = contact.law.friction;
    return disc;
  }
  ImpulseBlock interval{ImpulseSet::kInterval, row, 1, contact.row};
  interval.lo1 = -contact.law.friction;
  interval.hi1 = contact.law.friction;
  return interval;
}

}  // namespace

void Impact::reserve(int rows) {
  for (VecX* v : {&Lambda_C_, &c_, &base_, &given_, &reversed_, &work_}) v->setZero(rows);
  for (VecX* v : {&energy_, &turned_over_}) v->setZero(rows);
  blocks_.reserve(static_cast<std::size_t>(rows));
  group_.assign(static_cast<std::size_t>(rows), 0);
  gains_.assign(static_cast<std::size_t>(rows), 0);
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
    if (contact.friction_rows > 0)
      given[contact.row + 1] = e_N * contact.law.tangential_restitution * Lambda_C_[contact.row + 1];
  }
  respond_with_bilateral_rows(G, given, response);  // (80) with e_N e_T on the tangential impulse
  for (const ImpactContact& contact : contacts) {
    if (contact.takes_part && is_poisson(contact) && contact.friction_rows > 0 &&
        contact.law.tangential == TangentialLaw::kBeitelschmidt)
      reversed[contact.row + 1] = response[contact.row + 1];
  }
  given.setZero();
  for (const ImpactContact& contact : contacts) {
    if (!contact.takes_part || !is_poisson(contact)) continue;
    for (int k = 0; k <= contact.friction_rows; ++k) given[contact.row + k] = Lambda_C_[contact.row + k];
  }
  respond_with_bilateral_rows(G, given, response);
  for (const ImpactContact& contact : contacts) {
    if (contact.takes_part && is_poisson(contact) && contact.friction_rows > 0 &&
        contact.law.tangential == TangentialLaw::kSafe)
      reversed[contact.row + 1] = share_of(contact, share) * contact.law.restitution *
                                  contact.law.tangential_restitution * response[contact.row + 1];
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
    const double e_N = share_of(contact, share) * contact.law.restitution, mu = contact.law.friction;
    const double Lambda_NC = Lambda_C_[contact.row];
    known[contact.row] = (1 + e_N) * Lambda_NC;
    if (contact.friction_rows == 0) continue;
    double Lambda_TC = Lambda_C_[contact.row + 1];
    known[contact.row + 1] = Lambda_TC;
    if (std::abs(Lambda_TC) <= kNoDirection * mu * Lambda_NC) Lambda_TC = 0;
    const double most = mu * e_N * Lambda_NC;  // Lambda_TC may exceed its cone by rounding
    const double kept = std::clamp(e_N * contact.law.tangential_restitution * Lambda_TC, -most, most);
    ImpulseBlock block{ImpulseSet::kInterval, contact.row + 1, 1, contact.row};
    block.lo0 = Lambda_TC <= 0 ? -most : kept;
    block.lo1 = Lambda_TC <= 0 ? -mu : 0;
    block.hi0 = Lambda_TC >= 0 ? most : kept;
    block.hi1 = Lambda_TC >= 0 ? mu : 0;
    blocks_.push_back(block);
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
  turned_over_.head(size_).setZero();
  for (int i = 0; i < size_; ++i) {
    const int group = group_[static_cast<std::size_t>(i)];
    energy_[group] += Lambda[i] * (gamma_A[i] + response[i] / 2);
    turned_over_[group] += std::abs(Lambda[i] * gamma_A[i]) + std::abs(Lambda[i] * response[i] / 2);
  }
  double gain = 0;
  for (int i = 0; i < size_; ++i) {
    char& gains = gains_[static_cast<std::size_t>(i)];
    if (find) gains = energy_[i] > kEnergyRounding * turned_over_[i] ? 1 : 0;
    if (gains != 0) gain += std::max(energy_[i], 0.0);
  }
  return gain;
}

bool Impact::attempt(const LocalOperator& G, const ConstVecRef& gamma_A, std::span<const ImpactContact> contacts,
                     double share, ImpulseSolver& solver, ImpactReport& report, VecRef Lambda) {
  write_compression(contacts, gamma_A, share);
  auto Lambda_C = Lambda_C_.head(size_);
  report.compression = solver.solve({G, base_.head(size_), blocks_}, ImpulseGuess::none(), Lambda_C);
  return report.compression.report.status == SolveStatus::kSolved && expand(G, contacts, share, solver, report, Lambda);
}

ImpactReport Impact::solve(const LocalOperator& G, const ConstVecRef& gamma_A, int first_contact_row,
                           std::span<const ImpactContact> contacts, ImpulseSolver& solver, VecRef Lambda) {
  size_ = G.size();
  first_contact_row_ = first_contact_row;
  if (Lambda_C_.size() < size_) reserve(size_);
  if (bilateral_rhs_.size() < first_contact_row) {
    bilateral_G_.setZero(first_contact_row, first_contact_row);
    for (VecX* v : {&bilateral_rhs_, &bilateral_impulses_}) v->setZero(first_contact_row);
    bilateral_solver_.reserve(first_contact_row);
  }
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
