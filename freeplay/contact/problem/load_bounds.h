// Friction of joints by load (LoadFriction) in the contact problem of a step. Its set depends on the impulses of
// bilateral rows,
//
//   |Lambda_T| <= b(Lambda) = dry_effort dt + limit(Lambda),
//
// which no set of a LocalProblem does: bounds depend on one row that is not negative, and a reaction has two components
// and any sign. So b is a number of the problem, and is found by a fixed point: solve with b, take b of the answer. The
// answer is accepted by the one residual of the project, taken with the bounds b(Lambda) of that same Lambda, as the
// residual of a contact takes mu Lambda_N of its iterate. What is certified is therefore the law itself, and not the
// last problem of the iteration.
//
// A joint whose friction loads the joint itself may have two answers: a drawer that is pulled at its corner can jam, or
// slide on freely. A joint that rests at the start of the step is taken to rest on, if it can: its search begins with
// the impulse that holds it, whatever that is. Any other one begins without friction, and so does one that cannot rest
// since it is driven: then there is no such impulse.
#pragma once

#include <span>
#include <vector>

#include "freeplay/contact/problem/impulse_solver.h"
#include "freeplay/contact/problem/law_writer.h"

namespace freeplay::contact {

class LoadBounds {
 public:
  // Room for as many points; the next functions then allocate nothing.
  void reserve(std::size_t points);
  // After write_velocity_laws(): the friction by load among the blocks of a step of the size dt. `first_row`: of each
  // active point. The blocks stay where they are until the next call.
  void find(const LawRows& rows, std::span<const int> first_row, std::span<ImpulseBlock> blocks);
  bool is_empty() const { return bounds_.empty(); }
  // Where the search begins, from no impulses, and from those of the same rows.
  void begin();
  void begin_at(const ConstVecRef& Lambda);
  // Joints that were to rest begin without friction as well. False if there are none.
  bool release();
  // From the answer to the present bounds to one that fulfils the law; `problem` has the blocks that find() has seen.
  // Not solved, with the residual of the law, if no fixed point is found.
  [[nodiscard]] ImpulseSolver::Outcome settle(ImpulseSolver& solver, const LocalProblem& problem,
                                              const ImpulseSolver::Outcome& first, VecRef Lambda);

 private:
  struct Bound {
    ImpulseBlock* block = nullptr;
    const LoadFriction* law = nullptr;
    double dry = 0;               // dry_effort dt
    bool rests = false;           // at the start of the step
    double tried = 0, found = 0;  // b of the problem, and of its answer
    double tried_before = 0, found_before = 0;
  };
  static void write(Bound& bound, double value);
  void choose_next(bool has_past);

  std::vector<Bound> bounds_;
};

}  // namespace freeplay::contact
