// An impact of any number of contacts at once: positions stand still, velocities jump.
//
// Poisson's law as Pfeiffer (1999, eqs 75 to 86) writes it, with the misprints of (78) and (80) to (82) mended
// (docs/theory/impact.md). A compression ends the approach,
//   0 <= Lambda_NC _|_ gamma_NC >= 0,   |Lambda_TC| <= mu Lambda_NC against gamma_TC,
// and an expansion gives back at least the share e_N of the normal impulse, and e_N e_T of the tangential one:
//   Lambda_NE = e_N Lambda_NC + Lambda_NP,   0 <= Lambda_NP _|_ gamma_NE >= 0,
//   L <= Lambda_TE <= U against gamma_TE - gamma_TE0,
//   L = -mu Lambda_NE if Lambda_TC <= 0, e_N e_T Lambda_TC otherwise;  U the same with the signs turned.
// In space, with d = Lambda_TC / |Lambda_TC|, the interval becomes a disc that is cut,
//   |Lambda_TE| <= mu Lambda_NE,   Lambda_TE . d >= e_N e_T |Lambda_TC|:
// its section along d is the interval of the plane, and no choice of the tangents has a part in it.
// Contacts with Newton's law and bilateral rows may take part: theirs are the impulses of both phases together.
#pragma once

#include <span>
#include <vector>

#include "freeplay/complementarity/linear/rank_revealing_solver.h"
#include "freeplay/contact/points/contact_point.h"
#include "freeplay/contact/problem/impulse_solver.h"

namespace freeplay::contact {

// A contact in an impact: its normal row, then its friction rows.
struct ImpactContact {
  int row = 0;
  int friction_rows = 0;
  PointLaw law;
  bool takes_part = true;  // false: open, or friction of a joint, which has no impulse in an instant
  bool has_normal = true;  // takes no part without

  int rows() const { return (has_normal ? 1 : 0) + friction_rows; }
};

struct ImpactReport {
  bool solved = true;
  ImpulseSolver::Outcome compression, expansion;  // the last ones
  // By the laws as they are, of all groups of coupled contacts that gain energy together; 0: there are none.
  double gained_J = 0;
  double share = 1;  // of the restitution that these groups gave: below 1 only if energy is limited
};

class Impact {
 public:
  void reserve(int rows, int bilateral_rows);
  void set_energy_rule(ImpactEnergy rule) { energy_rule_ = rule; }

  // Rows below `first_contact_row` are bilateral ones: they keep their velocities. gamma_A: velocities before, of all
  // rows. Lambda: of the whole impact.
  [[nodiscard]] ImpactReport solve(const LocalOperator& G, const ConstVecRef& gamma_A, int first_contact_row,
                                   std::span<const ImpactContact> contacts, ImpulseSolver& solver, VecRef Lambda);

  // After solve(): the impulses of the compression; of contacts with Newton's law and bilateral rows those that would
  // do without an expansion.
  ConstVecRef compression() const { return Lambda_C_.head(size_); }

 private:
  // Both phases, in the groups that gain energy with this share of every e_N and of Newton's e_T.
  bool attempt(const LocalOperator& G, const ConstVecRef& gamma_A, std::span<const ImpactContact> contacts,
               double share, ImpulseSolver& solver, ImpactReport& report, VecRef Lambda);
  void write_compression(std::span<const ImpactContact> contacts, const ConstVecRef& gamma_A, double share);
  bool expand(const LocalOperator& G, std::span<const ImpactContact> contacts, double share, ImpulseSolver& solver,
              ImpactReport& report, VecRef Lambda);
  double share_of(const ImpactContact& contact, double share) const {
    return gains_[static_cast<std::size_t>(group_[static_cast<std::size_t>(contact.row)])] != 0 ? share : 1;
  }
  // gamma_TE0 where the share of every e_N is given back: reversed_.
  void respond_with_bilateral_rows(const LocalOperator& G, VecRef given, VecRef response);
  void find_reversed(const LocalOperator& G, std::span<const ImpactContact> contacts, double share);
  void close_rows(const ImpactContact& contact);
  // Rows that G couples are of one group, named by one of its rows: an impact elsewhere has nothing to do with it.
  void find_groups(const LocalOperator& G);
  int root_of(int row) const;
  // Of the groups that have been found to gain energy, in all; with `find` these are the ones that gain more than
  // rounding and the solver's residual can do.
  double energy_gain(const LocalOperator& G, const ConstVecRef& gamma_A, const ConstVecRef& Lambda, bool find);

  ImpactEnergy energy_rule_ = ImpactEnergy::kWarn;
  int size_ = 0, first_contact_row_ = 0;
  VecX Lambda_C_, c_, base_, given_, reversed_, work_;
  MatX bilateral_G_;
  VecX bilateral_rhs_, bilateral_impulses_;
  RankRevealingSolver bilateral_solver_;
  double residual_m_s_ = 0;  // of both phases
  VecX energy_, rounding_;   // per group
  std::vector<int> group_;   // per row
  std::vector<char> gains_;  // per group
  std::vector<ImpulseBlock> blocks_;
};

}  // namespace freeplay::contact
