// Newton's method for few contacts in space, on the rows of a dense G as they are. It is what `auto` tries first where
// friction is a disc: one step costs a tenth of one of newton_iteration.h, which takes any set and any size.
//
// The equations are Alart and Curnier's, with y = Lambda - rho xi and xi = G Lambda + c. A full step does not need the
// point that it starts from, only what y says of each contact there:
//
//   open      Lambda = 0
//   sticks    xi = 0
//   slides    xi_N = 0,  Lambda_T = mu Lambda_N t + Lambda_n n,  s n.xi_T + (1 - s)/rho Lambda_n = 0
//
// with t = y_T/|y_T|, n across it and s = mu y_N/|y_T| < 1. So a contact that slides has two unknowns, and where
// contacts are redundant the first step chooses the smallest impulses: nothing of the start is left but its modes.
#pragma once

#include <cstdint>
#include <vector>

#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

class FewContactsNewton {
 public:
  static constexpr int kLargest = 96;  // rows

  void reserve(int rows);
  // A dense G; bilateral rows, dry friction with fixed bounds, and contacts whose disc, whole and with a radius in
  // proportion to the normal impulse, stands right behind the normal row.
  static bool takes(const LocalProblem& problem);
  // Lambda becomes the zero that was found, or the best point; how good it is the certificate says. `start`: where the
  // modes are taken from, null for Lambda = 0. With keeps_impulses the first step is one like all others: what the
  // start has of impulses that move nothing is kept, and all of it where it is a solution. Returns the number of
  // iterations.
  int run(const LocalProblem& problem, double tolerance, const double* start, bool keeps_impulses, VecRef Lambda);

 private:
  enum class Kind : std::uint8_t { kFree, kSmooth, kRough, kInterval };
  enum class Mode : std::uint8_t { kOpen, kSolved, kSliding, kAtBound };  // kSolved: xi = 0 in all of its rows
  struct Contact {
    int row = 0, size = 1, unknown = 0, unknowns = 0;
    Kind kind = Kind::kFree;
    Mode mode = Mode::kOpen;
    double norm = 1;        // 1/rho, an upper bound of |G_ii|
    double mu = 0;          // kRough
    double lo = 0, hi = 0;  // kInterval
    double t[2] = {0, 0};   // of kSliding
    double s = 0;           // the same
    double bound = 0;       // of kAtBound
  };

  void read_contacts(const LocalProblem& problem);
  void settle_free_rows(const LocalProblem& problem);
  void find_velocities(const LocalProblem& problem, const double* x, double* xi) const;
  // The modes at Lambda. Returns |F|, and writes the largest |F| in the unit of xi.
  double evaluate(const LocalProblem& problem, const double* Lambda, double& largest);
  double evaluate_contact(Contact& contact, const double* Lambda) const;
  void number_unknowns();
  // From Lambda (null: from nothing) to the zero of the linear equations of the present modes.
  bool step_from(const LocalProblem& problem, const double* Lambda);
  void write_base(const double* Lambda);
  void write_system(const LocalProblem& problem);
  bool eliminate();

  std::vector<Contact> contacts_;
  int rows_ = 0, unknowns_ = 0;
  std::vector<double> xi_, base_, K_, d_, goal_, trial_, point_;
};

}  // namespace freeplay::complementarity
