#include "freeplay/complementarity/iterative/newton/least_squares_newton.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace freeplay::complementarity {
namespace {

constexpr double kGammaOfLeastSquares = 100;

}  // namespace

double LeastSquaresNewton::evaluate(const GroupedProblem& problem, const ConstVecRef& z) {
  problem.velocity(z, v_);
  return prox_equation(problem, NewtonIteration::Map::kAlartCurnier, kGammaOfLeastSquares, z, v_, F_, derivative_)
      .square;
}

// dF = (I - A) dz + gamma A H dz
void LeastSquaresNewton::assemble(const GroupedProblem& problem) {
  constexpr int kMostRows = GroupedProblem::kMaxContactRows;
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostRows, kMostRows>;
  J_.setZero();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const GroupedContact& contact = problem.contacts[i];
    const Eigen::Map<const Block> A(derivative_[i].A, contact.size, contact.size);
    for (const BlockSparseMatrix::Block& block : problem.H.row(static_cast<int>(i))) {
      const GroupedContact& other = problem.contacts[static_cast<std::size_t>(block.column)];
      const Eigen::Map<const Block> H(problem.H.values(block), contact.size, other.size);
      J_.block(contact.row, other.row, contact.size, other.size).noalias() = kGammaOfLeastSquares * (A * H);
    }
    J_.block(contact.row, contact.row, contact.size, contact.size) += Block::Identity(contact.size, contact.size) - A;
  }
}

int LeastSquaresNewton::run(const GroupedProblem& problem, double tolerance, VecRef z) {
  constexpr int kMostIterations = 400;
  constexpr int kRefusals = 12;  // of steps in a row
  constexpr double kFirstLambda = 1e-10, kLeastLambda = 1e-18, kFall = 0.25, kRise = 4;
  constexpr double kGoal = 1e-2;  // of the tolerance
  const int n = problem.size();
  derivative_.resize(problem.contacts.size());
  J_.resize(n, n);
  for (VecX* vector : {&F_, &v_, &gradient_, &step_, &trial_}) vector->resize(n);
  double square = evaluate(problem, z), lambda = kFirstLambda;
  int iterations = 0, refusals = 0;
  bool is_new = true;
  while (iterations < kMostIterations && refusals < kRefusals && std::isfinite(square)) {
    if (is_new) {
      if (problem.residual(z, v_) <= kGoal * tolerance) break;
      assemble(problem);
      gradient_.noalias() = J_.transpose() * F_;
    }
    ++iterations;
    normal_.noalias() = J_.transpose() * J_;
    normal_.diagonal().array() += lambda;
    step_ = Eigen::LDLT<MatX>(normal_).solve(-gradient_);
    trial_ = z + step_;
    const double trial_square = evaluate(problem, trial_);
    is_new = trial_square < square;
    if (is_new) {
      z = trial_;
      square = trial_square;
      lambda = std::max(kLeastLambda, kFall * lambda);
      refusals = 0;
    } else {
      lambda *= kRise;
      ++refusals;
    }
  }
  return iterations;
}

}  // namespace freeplay::complementarity
