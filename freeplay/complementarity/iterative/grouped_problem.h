// A LocalProblem in the form that the iterative solvers work on: rows grouped by contact, impulses scaled.
//
//   H = D G D,  h = D c,  Lambda = D z,  v = H z + h = D xi,   D^2 = rho = 1 / |G_ii|_2 of the row's contact
//
// In these variables the prox equation has rho = 1 for every contact, z = prox_C(z - v), the diagonal blocks of H have
// norm 1, and the natural residual of a row is |z - prox_C(z - v)| / D. A contact is a normal row with the rows bound
// to it, or a block of its own; its rows stand together.
#pragma once

#include <vector>

#include "freeplay/complementarity/problem/block_sparse_matrix.h"
#include "freeplay/complementarity/problem/contact_groups.h"
#include "freeplay/complementarity/problem/cut_disc.h"
#include "freeplay/complementarity/problem/local_problem.h"

namespace freeplay::complementarity {

// One set of a contact. Rows count within the contact; a bound set depends on the contact's first row.
struct GroupedSet {
  ImpulseSet set = ImpulseSet::kFree;
  int row = 0, size = 1;
  bool is_bound = false;
  double lo0 = 0, lo1 = 0, hi0 = 0, hi1 = 0;  // kInterval, scaled
  double r0 = 0, mu = 0;                      // kDisc, scaled
  double cut = -kInfinity;                    // kDisc, scaled
  std::array<double, 2> direction = {1, 0};   // kDisc

  bool is_cut() const { return cut > -kInfinity; }
  // Of kDisc, at the normal impulse N.
  CutDisc disc_at(double N) const { return {std::max(0.0, r0 + mu * N), cut, Vec2(direction[0], direction[1])}; }
};

struct GroupedContact {
  int row = 0, size = 1;  // rows of the grouped problem
  int first_set = 0, set_count = 1;
  double scale = 1;  // D
};

class GroupedProblem {
 public:
  static constexpr int kMaxContactRows = 8;

  void reserve(int rows);
  // Contacts, sets and scales only, for who applies G himself: H and h are not those of this problem. False if a bound
  // is not a number.
  bool assign_contacts(const LocalProblem& problem);
  // False if an entry is not finite. A matrix-free G is applied to every unit vector to get its entries.
  bool assign(const LocalProblem& problem);
  // The contacts of one island of `whole`, as a problem of its own. Takes time in proportion to that island only.
  void assign_island(const GroupedProblem& whole, int island);

  int size() const { return static_cast<int>(source_row_.size()); }
  std::span<const GroupedSet> sets_of(const GroupedContact& contact) const {
    return {sets.data() + contact.first_set, static_cast<std::size_t>(contact.set_count)};
  }
  // Lambda = D z and back, between the orders of rows of this problem and of the one that it was made from.
  int source_row(int row) const { return source_row_[row]; }
  void scatter(const ConstVecRef& z, VecRef Lambda) const;
  void gather(const ConstVecRef& Lambda, VecRef z) const;
  // v = D xi
  void gather_velocity(const ConstVecRef& xi, VecRef v) const;

  // z <- prox_C(z - r v), r row by row; friction is bounded by the new normal impulse.
  void prox_step(const ConstVecRef& v, const ConstVecRef& r, VecRef z) const;
  // v = H z + h
  void velocity(const ConstVecRef& z, VecRef v) const;
  // Largest |z - prox_C(z - v)| / D: the natural residual, but for rounding. The bounds are taken at max(0, z_N).
  double residual(const ConstVecRef& z, const ConstVecRef& v) const;

  // Largest |h| + |H| |z| of a row, over D: the numbers that a velocity is the sum of, in the unit of xi. A residual
  // that is a few epsilon of it is rounding.
  double magnitude(const ConstVecRef& z) const;
  // Largest |z| / D: what impulses of that size do to their own rows, in the unit of xi.
  double impulse_size(const ConstVecRef& z) const;

  // Contacts that are coupled, directly or by others; contacts of different islands know nothing of each other.
  int island_count() const { return static_cast<int>(island_begin_.size()) - 1; }
  // Its contacts in increasing order.
  std::span<const int> island(int k) const {
    return {by_island_.data() + island_begin_[k], static_cast<std::size_t>(island_begin_[k + 1] - island_begin_[k])};
  }

  BlockSparseMatrix H;
  std::vector<double> h;
  std::vector<GroupedContact> contacts;
  std::vector<GroupedSet> sets;

 private:
  void group_rows(const LocalProblem& problem);
  void add_contact(const LocalProblem& problem, int head);
  bool assign_matrix(const LocalOperator& G, const ConstVecRef& c);
  void find_islands();
  void become_one_island();

  std::vector<int> source_row_;                      // of each row, in the problem that this one was made from
  std::vector<int> island_, place_;                  // of each contact, and its place there
  std::vector<int> by_island_, island_begin_ = {0};  // contacts sorted by island
  ContactGroups groups_;
  std::vector<int> first_row_, columns_, mark_, contact_of_row_, row_in_contact_;  // scratch of assign
  MatX probed_;
};

// y is brought onto the sets of a contact; bounds are taken at max(0, normal). x may be y.
void project_contact(std::span<const GroupedSet> sets, double normal, const double* y, double* x);

}  // namespace freeplay::complementarity
