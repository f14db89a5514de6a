// A friction-contact problem as plain numbers, in the form that other solvers know too (FCLIB's local problem, Acary et
// al. 2014). Per contact the normal row comes first, then one tangent (dimension 2) or two (dimension 3):
//
//   u = W r + V lambda + q,   0 = V^T r + R lambda + s
//   0 <= r_N _|_ u_N >= 0,    |r_T| <= mu r_N,   u_T = 0 or r_T = -mu r_N u_T / |u_T|
//
// V, R and s hold bilateral rows and are empty in most problems.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/complementarity/problem/local_problem.h"

namespace freeplay::io {

// Column j: the entries begin[j] to begin[j + 1], with their rows. Entries of one place add up.
struct CompressedColumns {
  int rows = 0;
  std::vector<int> begin = {0};
  std::vector<int> row;
  std::vector<double> value;

  int columns() const { return static_cast<int>(begin.size()) - 1; }
  bool operator==(const CompressedColumns&) const = default;
};

struct ContactProblem {
  int dimension = 3;  // rows per contact: 2 or 3
  CompressedColumns W;
  std::vector<double> q, mu;
  CompressedColumns V, R;
  std::vector<double> s;
  std::string title, description;  // for people; may be empty

  int contact_count() const { return static_cast<int>(mu.size()); }
  int bilateral_count() const { return static_cast<int>(s.size()); }
  bool operator==(const ContactProblem&) const = default;
};

// The same as the type that solvers take. Bilateral rows come first, then the contacts in their order.
class ContactLocalProblem {
 public:
  explicit ContactLocalProblem(const ContactProblem& problem);
  LocalProblem view() const { return {G_, c_, blocks_}; }
  int bilateral_count() const { return bilateral_count_; }

 private:
  BlockSparseMatrix G_;
  VecX c_;
  std::vector<ImpulseBlock> blocks_;
  int bilateral_count_ = 0;
};

// Why a local problem cannot be told in this form; empty if it can. Only Coulomb contacts and bilateral rows can: dry
// friction with a bound of its own has no place.
std::string obstacle_to_contact_problem(const LocalProblem& problem);
// A contact without friction gets tangents that nothing couples to and mu = 0. Bilateral rows become V, R, s.
ContactProblem contact_problem_from(const LocalProblem& problem);

}  // namespace freeplay::io
