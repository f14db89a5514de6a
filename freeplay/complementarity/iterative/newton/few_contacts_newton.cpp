#include "freeplay/complementarity/iterative/newton/few_contacts_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/complementarity/problem/cut_disc.h"

namespace freeplay::complementarity {
namespace {

// Of the diagonal, added to the matrix only: impulses that change no velocity are then left where they are. Measured on
// joints with play whose contacts stick and slide: with 1e-12 a step that finds redundant contacts nearly in agreement
// throws their load far away, and every third of such problems is solved; with 1e-6, nine of ten, in half the steps.
constexpr double kDiagonalShare = 1e-6;
constexpr double kLeastShare = 1e-14;  // s below which nothing acts across the sliding

double norm_above(const LocalOperator& G, int row, int size) {
  double largest = 0;
  for (int j = row; j < row + size; ++j) {
    const double* column = G.column(j);
    double sum = 0;
    for (int i = row; i < row + size; ++i) sum += std::abs(column[i]);
    largest = std::max(largest, sum);
  }
  return largest >= std::numeric_limits<double>::min() && std::isfinite(largest) ? largest : 1;
}

}  // namespace

void FewContactsNewton::reserve(int rows) {
  const std::size_t n = static_cast<std::size_t>(std::min(rows, kLargest));
  contacts_.reserve(n);
  for (std::vector<double>* v : {&xi_, &base_, &d_, &goal_, &trial_, &point_}) {
    if (v->size() < n) v->resize(n);
  }
  if (K_.size() < n * n) K_.resize(n * n);
}

bool FewContactsNewton::takes(const LocalProblem& problem) {
  if (!problem.G.is_dense() || problem.size() > kLargest) return false;
  for (const ImpulseBlock& block : problem.blocks) {
    if (block.set == ImpulseSet::kInterval && block.normal_row >= 0) return false;
    if (block.set != ImpulseSet::kDisc) continue;
    if (block.normal_row < 0 || block.normal_row != block.row - 1) return false;
    if (block.r0 != 0 || !(block.mu >= 0) || block.cut > -kInfinity) return false;
  }
  return true;
}

void FewContactsNewton::read_contacts(const LocalProblem& problem) {
  rows_ = problem.size();
  contacts_.clear();
  for (const ImpulseBlock& block : problem.blocks) {
    if (block.set == ImpulseSet::kDisc) {
      Contact& contact = contacts_.back();
      contact.kind = Kind::kRough;
      contact.size = 3;
      contact.mu = block.mu;
      continue;
    }
    for (int k = 0; k < block.size; ++k) {
      Contact contact;
      contact.row = block.row + k;
      contact.kind = block.set == ImpulseSet::kFree          ? Kind::kFree
                     : block.set == ImpulseSet::kNonNegative ? Kind::kSmooth
                                                             : Kind::kInterval;
      contact.lo = block.lo0, contact.hi = block.hi0;
      contacts_.push_back(contact);
    }
  }
  for (Contact& contact : contacts_) contact.norm = norm_above(problem.G, contact.row, contact.size);
}

void FewContactsNewton::find_velocities(const LocalProblem& problem, const double* x, double* xi) const {
  double sum[kLargest];
  for (int i = 0; i < rows_; ++i) sum[i] = problem.c[i];
  for (int j = 0; j < rows_; ++j) {
    const double factor = x[j];
    if (factor == 0) continue;
    const double* column = problem.G.column(j);
    for (int i = 0; i < rows_; ++i) sum[i] += column[i] * factor;
  }
  std::copy_n(sum, rows_, xi);
}

// What bilateral rows carry is often not known to those who know the modes of contacts, and these show only where the
// bilateral rows hold.
void FewContactsNewton::settle_free_rows(const LocalProblem& problem) {
  for (const Contact& contact : contacts_) {
    if (contact.kind != Kind::kFree || !(problem.G.column(contact.row)[contact.row] > 0)) continue;
    double xi = problem.c[contact.row];
    for (int j = 0; j < rows_; ++j) xi += problem.G.column(j)[contact.row] * point_[j];
    point_[contact.row] -= xi / problem.G.column(contact.row)[contact.row];
  }
}

// |F|^2 of a contact, F = Lambda - prox_C(y), and its mode.
double FewContactsNewton::evaluate_contact(Contact& contact, const double* Lambda) const {
  const double* xi = xi_.data() + contact.row;
  const double rho = 1 / contact.norm;
  if (contact.kind == Kind::kFree) {
    contact.mode = Mode::kSolved;
    return rho * xi[0] * rho * xi[0];
  }
  const double y = Lambda[0] - rho * xi[0];
  if (contact.kind == Kind::kInterval) {
    contact.mode = y > contact.hi || y < contact.lo ? Mode::kAtBound : Mode::kSolved;
    contact.bound = std::max(contact.lo, std::min(y, contact.hi));
    return (Lambda[0] - contact.bound) * (Lambda[0] - contact.bound);
  }
  if (!(y > 0)) {
    contact.mode = Mode::kOpen;
    double square = 0;
    for (int k = 0; k < contact.size; ++k) square += Lambda[k] * Lambda[k];
    return square;
  }
  const double F_N = rho * xi[0];
  contact.mode = Mode::kSolved;
  if (contact.kind == Kind::kSmooth) return F_N * F_N;
  const Vec2 y_T(Lambda[1] - rho * xi[1], Lambda[2] - rho * xi[2]);
  const double radius = contact.mu * y, length = length_of(y_T);
  if (length <= radius) return F_N * F_N + rho * rho * (xi[1] * xi[1] + xi[2] * xi[2]);
  contact.mode = Mode::kSliding;
  contact.t[0] = y_T[0] / length, contact.t[1] = y_T[1] / length;
  contact.s = radius / length;
  const double F_1 = Lambda[1] - radius * contact.t[0], F_2 = Lambda[2] - radius * contact.t[1];
  return F_N * F_N + F_1 * F_1 + F_2 * F_2;
}

double FewContactsNewton::evaluate(const LocalProblem& problem, const double* Lambda, double& largest) {
  find_velocities(problem, Lambda, xi_.data());
  double merit = 0;
  largest = 0;
  for (Contact& contact : contacts_) {
    const double square = evaluate_contact(contact, Lambda + contact.row);
    merit += square * contact.norm;
    largest = std::max(largest, square * contact.norm * contact.norm);
  }
  largest = std::isfinite(merit) ? std::sqrt(largest) : kInfinity;
  return std::isfinite(merit) ? std::sqrt(merit) : kInfinity;
}

void FewContactsNewton::number_unknowns() {
  unknowns_ = 0;
  for (Contact& contact : contacts_) {
    contact.unknown = unknowns_;
    switch (contact.mode) {
      case Mode::kOpen:
      case Mode::kAtBound:
        contact.unknowns = 0;
        break;
      case Mode::kSolved:
        contact.unknowns = contact.size;
        break;
      case Mode::kSliding:
        contact.unknowns = contact.s > kLeastShare ? 2 : 1;
        break;
    }
    unknowns_ += contact.unknowns;
  }
}

// base_: impulses that have the form of the present modes, as near to Lambda as that lets them be.
void FewContactsNewton::write_base(const double* Lambda) {
  for (const Contact& contact : contacts_) {
    double* x = base_.data() + contact.row;
    const double* of = Lambda == nullptr ? nullptr : Lambda + contact.row;
    for (int k = 0; k < contact.size; ++k) x[k] = of == nullptr || contact.mode != Mode::kSolved ? 0 : of[k];
    if (contact.mode == Mode::kAtBound) x[0] = contact.bound;
    if (contact.mode != Mode::kSliding || of == nullptr) continue;
    const double along = contact.mu * of[0];
    const double across = contact.unknowns == 2 ? contact.t[0] * of[2] - contact.t[1] * of[1] : 0;
    x[0] = of[0];
    x[1] = along * contact.t[0] - across * contact.t[1];
    x[2] = along * contact.t[1] + across * contact.t[0];
  }
}

// K_, column by column, and d_ = minus what is left of the equations at base_, whose velocities are in xi_.
void FewContactsNewton::write_system(const LocalProblem& problem) {
  const int n = rows_, m = unknowns_;
  const auto write_rows = [&](const double* column, double* to) {
    for (const Contact& contact : contacts_) {
      if (contact.unknowns == 0) continue;
      const double* from = column + contact.row;
      double* entry = to + contact.unknown;
      entry[0] = from[0];
      if (contact.mode == Mode::kSolved) {
        for (int k = 1; k < contact.size; ++k) entry[k] = from[k];
      } else if (contact.unknowns == 2) {
        entry[1] = contact.s * (contact.t[0] * from[2] - contact.t[1] * from[1]);
      }
    }
  };
  write_rows(xi_.data(), d_.data());
  for (const Contact& contact : contacts_) {
    if (contact.unknowns == 0) continue;
    const double* x = base_.data() + contact.row;
    double* K = K_.data() + static_cast<std::size_t>(contact.unknown) * m;
    if (contact.mode == Mode::kSolved) {
      for (int k = 0; k < contact.size; ++k, K += m) {
        write_rows(problem.G.column(contact.row + k), K);
        K[contact.unknown + k] += kDiagonalShare * contact.norm;
      }
      continue;
    }
    const double *N = problem.G.column(contact.row), *T_1 = problem.G.column(contact.row + 1),
                 *T_2 = problem.G.column(contact.row + 2);
    double column[kLargest];
    const double along_1 = contact.mu * contact.t[0], along_2 = contact.mu * contact.t[1];
    for (int i = 0; i < n; ++i) column[i] = N[i] + along_1 * T_1[i] + along_2 * T_2[i];
    write_rows(column, K);
    K[contact.unknown] += kDiagonalShare * contact.norm;
    if (contact.unknowns < 2) continue;
    for (int i = 0; i < n; ++i) column[i] = contact.t[0] * T_2[i] - contact.t[1] * T_1[i];
    write_rows(column, K + m);
    const double stiffness = (1 - contact.s) * contact.norm;
    K[m + contact.unknown + 1] += stiffness + kDiagonalShare * contact.norm;
    d_[contact.unknown + 1] += stiffness * (contact.t[0] * x[2] - contact.t[1] * x[1]);
  }
  for (int i = 0; i < m; ++i) d_[i] = -d_[i];
}

// d_ <- K_^-1 d_, with row exchanges.
bool FewContactsNewton::eliminate() {
  const int n = unknowns_;
  double* K = K_.data();
  double* d = d_.data();
  for (int k = 0; k < n; ++k) {
    double* pivots = K + static_cast<std::ptrdiff_t>(k) * n;
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(pivots[i]) > std::abs(pivots[pivot])) pivot = i;
    }
    if (!(std::abs(pivots[pivot]) > std::numeric_limits<double>::min())) return false;
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(K[k + j * n], K[pivot + j * n]);
      std::swap(d[k], d[pivot]);
    }
    const double inverse = 1 / pivots[k];
    double factors[kLargest];  // of its own, so that the compiler knows that nothing else changes them
    for (int i = k + 1; i < n; ++i) factors[i] = pivots[i] * inverse;
    for (int j = k + 1; j < n; ++j) {
      double* column = K + static_cast<std::ptrdiff_t>(j) * n;
      const double factor = column[k];
      if (factor == 0) continue;
      for (int i = k + 1; i < n; ++i) column[i] -= factor * factors[i];
    }
    const double factor = d[k];
    for (int i = k + 1; i < n; ++i) d[i] -= factor * factors[i];
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* column = K + static_cast<std::ptrdiff_t>(k) * n;
    const double x = d[k] / column[k];
    d[k] = x;
    for (int i = 0; i < k; ++i) d[i] -= x * column[i];
  }
  return true;
}

bool FewContactsNewton::step_from(const LocalProblem& problem, const double* Lambda) {
  number_unknowns();
  write_base(Lambda);
  find_velocities(problem, base_.data(), xi_.data());
  write_system(problem);
  if (!eliminate()) return false;
  std::copy_n(base_.data(), rows_, goal_.data());
  for (const Contact& contact : contacts_) {
    double* x = goal_.data() + contact.row;
    const double* d = d_.data() + contact.unknown;
    if (contact.mode == Mode::kSolved) {
      for (int k = 0; k < contact.size; ++k) x[k] += d[k];
    } else if (contact.unknowns > 0) {
      const double along = contact.mu * d[0], across = contact.unknowns == 2 ? d[1] : 0;
      x[0] += d[0];
      x[1] += along * contact.t[0] - across * contact.t[1];
      x[2] += along * contact.t[1] + across * contact.t[0];
    }
  }
  return true;
}

int FewContactsNewton::run(const LocalProblem& problem, double tolerance, const double* start, bool keeps_impulses,
                           VecRef Lambda) {
  constexpr int kMostIterations = 15;
  constexpr double kSufficient = 1e-4;  // of the decrease that a full linear model promises
  constexpr int kHalvings = 8;
  constexpr double kStall = 1.0 / 32;  // step length that leads nowhere
  constexpr int kMaxStalls = 2;
  const int n = problem.size();
  reserve(n);
  read_contacts(problem);
  for (int i = 0; i < n; ++i) point_[i] = start != nullptr && std::isfinite(start[i]) ? start[i] : 0;
  if (start != nullptr) settle_free_rows(problem);
  double largest = 0, merit = evaluate(problem, point_.data(), largest), best = merit;
  std::copy_n(point_.data(), n, Lambda.data());
  int iterations = 0, stalls = 0;
  while ((largest > tolerance || (iterations == 0 && !keeps_impulses)) && iterations < kMostIterations) {
    const bool is_fresh = iterations++ == 0 && !keeps_impulses;
    if (!step_from(problem, is_fresh ? nullptr : point_.data())) break;
    double length = 1, trial_merit = merit;
    if (is_fresh) merit = kInfinity;  // a point to start from: it need not be better than the one before
    for (int k = 0; k < kHalvings; ++k, length *= 0.5) {
      for (int i = 0; i < n; ++i) trial_[i] = point_[i] + length * (goal_[i] - point_[i]);
      trial_merit = evaluate(problem, length == 1 ? goal_.data() : trial_.data(), largest);
      if (trial_merit <= (1 - kSufficient * length) * merit) break;
    }
    if (length == 1) std::copy_n(goal_.data(), n, trial_.data());
    stalls = length < kStall ? stalls + 1 : 0;
    if (stalls > kMaxStalls || !std::isfinite(trial_merit)) break;
    point_.swap(trial_);
    merit = trial_merit;
    if (merit < best || is_fresh) {
      best = merit;
      std::copy_n(point_.data(), n, Lambda.data());
    }
  }
  if (largest <= tolerance) std::copy_n(point_.data(), n, Lambda.data());
  return iterations;
}

}  // namespace freeplay::complementarity
