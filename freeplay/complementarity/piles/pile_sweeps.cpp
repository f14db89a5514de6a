#include "freeplay/complementarity/piles/pile_sweeps.h"

#include <algorithm>
#include <cmath>

namespace freeplay::complementarity {
namespace {

constexpr double kUncoupled = 1e-12;  // of the normal entry of a contact's block: what is smaller is rounding
constexpr int kCoupledPasses = 3;     // over normal and tangents of a contact whose block couples them

}  // namespace

template <class Scalar>
void PileSweeps<Scalar>::assign(const PileForm& form) {
  contacts_.resize(form.contacts().size());
  for (std::size_t place = 0; place < contacts_.size(); ++place) {
    const PileContact& from = form.contacts()[static_cast<std::size_t>(form.order()[place])];
    Contact& contact = contacts_[place];
    contact.a = from.trees[0];
    contact.b = from.trees[1];
    contact.mu = static_cast<Scalar>(from.mu);
    for (int k = 0; k < 3; ++k) {
      for (Wide& part : contact.rows[k]) part.setZero();
      contact.c[k] = 0;
      if (k > from.tangents) continue;
      const int row = from.row + k;
      contact.c[k] = static_cast<Scalar>(form.c()[row]);
      const double* entry = form.B().values(row);
      int side = 0;
      for (const RowFactors::Part& part : form.B().parts(row)) {
        for (int i = 0; i < part.size; ++i) contact.rows[k][side][i] = static_cast<Scalar>(*entry++);
        if (part.size > 0) ++side;
      }
    }
    const auto& [NN, N0, N1, K00, K01, K11] = from.K;
    contact.K_NN = static_cast<Scalar>(NN);
    contact.K_N0 = static_cast<Scalar>(N0);
    contact.K_N1 = static_cast<Scalar>(N1);
    contact.inverse_N = static_cast<Scalar>(1 / NN);
    contact.is_coupled = std::max(std::abs(N0), std::abs(N1)) > kUncoupled * NN;
    const double middle = 0.5 * (K00 + K11), radius = std::hypot(0.5 * (K00 - K11), K01), norm = middle + radius;
    const double determinant = K00 * K11 - K01 * K01;
    const bool is_regular = from.tangents == 2 && determinant > 1e-10 * norm * norm;
    contact.inverse_T = norm > 0 ? static_cast<Scalar>(1 / norm) : 0;
    contact.inverse_00 = is_regular ? static_cast<Scalar>(K11 / determinant) : contact.inverse_T;
    contact.inverse_01 = is_regular ? static_cast<Scalar>(-K01 / determinant) : 0;
    contact.inverse_11 = is_regular ? static_cast<Scalar>(K00 / determinant) : contact.inverse_T;
  }
}

template <class Scalar>
void PileSweeps<Scalar>::start(const PileForm& form, const ConstVecRef& Lambda, std::span<const char> which) {
  active_.clear();
  has_tree_.assign(static_cast<std::size_t>(form.trees()), 0);
  v_.resize(static_cast<std::size_t>(form.trees()));
  for (std::size_t place = 0; place < contacts_.size(); ++place) {
    const int index = form.order()[place];
    if (which[static_cast<std::size_t>(index)] == 0) continue;
    active_.push_back(static_cast<int>(place));
    const PileContact& from = form.contacts()[static_cast<std::size_t>(index)];
    Contact& contact = contacts_[place];
    for (int k = 0; k < 3; ++k) {
      contact.x[k] = k <= from.tangents ? static_cast<Scalar>(Lambda[from.row + k]) : 0;
      contact.step[k] = 0;
    }
    for (const RowFactors::Part& part : form.B().parts(from.row)) {
      if (part.size == 0 || has_tree_[static_cast<std::size_t>(part.tree)] != 0) continue;
      has_tree_[static_cast<std::size_t>(part.tree)] = 1;
      Wide& v = v_[static_cast<std::size_t>(part.tree)];
      v.setZero();
      for (int i = 0; i < part.size; ++i) v[i] = static_cast<Scalar>(form.velocities()[part.first + i]);
    }
  }
  trees_.clear();
  for (int tree = 0; tree < form.trees(); ++tree) {
    if (has_tree_[static_cast<std::size_t>(tree)] != 0) trees_.push_back(tree);
  }
  v_before_ = v_;
  theta_ = 1;
  beta_ = 0;
}

// Normal first, then friction bounded by it: for spheres, whose block is diagonal, this is the contact's own solution.
// Where the block couples them, in turn.
template <class Scalar>
void PileSweeps<Scalar>::answer(const Contact& contact, const Scalar* y, const Scalar* xi, Scalar* z) const {
  for (int k = 0; k < 3; ++k) z[k] = y[k];
  for (int pass = 0;; ++pass) {
    const Scalar d0 = z[0] - y[0], d1 = z[1] - y[1], d2 = z[2] - y[2];
    const Scalar xi_N = xi[0] + contact.K_NN * d0 + contact.K_N0 * d1 + contact.K_N1 * d2;
    z[0] = std::max(Scalar(0), z[0] - contact.inverse_N * xi_N);
    const Scalar by_N = z[0] - y[0];
    const Scalar b0 = xi[1] + contact.K_N0 * by_N, b1 = xi[2] + contact.K_N1 * by_N;
    const Scalar radius = contact.mu * z[0];
    // From y, where the tangential velocity is b.
    Scalar t0 = y[1] - contact.inverse_00 * b0 - contact.inverse_01 * b1;
    Scalar t1 = y[2] - contact.inverse_01 * b0 - contact.inverse_11 * b1;
    Scalar length2 = t0 * t0 + t1 * t1;
    if (length2 > radius * radius) {
      t0 = y[1] - contact.inverse_T * b0;
      t1 = y[2] - contact.inverse_T * b1;
      length2 = t0 * t0 + t1 * t1;
      if (length2 > radius * radius) {
        const Scalar factor = radius / std::sqrt(length2);
        t0 *= factor;
        t1 *= factor;
      }
    }
    z[1] = t0;
    z[2] = t1;
    if (!contact.is_coupled || pass + 1 >= kCoupledPasses) return;
  }
}

template <class Scalar>
void PileSweeps<Scalar>::relax(Contact& contact, Scalar beta, Sums& sums) {
  Wide& v_a = v_[static_cast<std::size_t>(contact.a)];
  Scalar xi[3], y[3], z[3], change[3];
  if (contact.b >= 0) {
    const Wide& v_b = v_[static_cast<std::size_t>(contact.b)];
    for (int k = 0; k < 3; ++k) xi[k] = contact.c[k] + (contact.rows[k][0] * v_a + contact.rows[k][1] * v_b).sum();
  } else {
    for (int k = 0; k < 3; ++k) xi[k] = contact.c[k] + (contact.rows[k][0] * v_a).sum();
  }
  for (int k = 0; k < 3; ++k) y[k] = contact.x[k] + beta * contact.step[k];
  answer(contact, y, xi, z);
  for (int k = 0; k < 3; ++k) {
    change[k] = z[k] - y[k];
    contact.step[k] = z[k] - contact.x[k];
    contact.x[k] = z[k];
  }
  const Scalar by_N = contact.K_NN * change[0];
  const Scalar along_T = change[1] * contact.step[1] + change[2] * contact.step[2];
  const Scalar change_T = change[1] * change[1] + change[2] * change[2];
  const Scalar norm_T = contact.inverse_T > 0 ? 1 / contact.inverse_T : 0;
  sums.along += by_N * contact.step[0] + norm_T * along_T;
  sums.worst = std::max({sums.worst, by_N * by_N, norm_T * norm_T * change_T});
  v_a += contact.rows[0][0] * change[0] + contact.rows[1][0] * change[1] + contact.rows[2][0] * change[2];
  if (contact.b >= 0) {
    v_[static_cast<std::size_t>(contact.b)] +=
        contact.rows[0][1] * change[0] + contact.rows[1][1] * change[1] + contact.rows[2][1] * change[2];
  }
}

template <class Scalar>
int PileSweeps<Scalar>::run(int sweeps, double enough_m_s, double cap) {
  for (int k = 1; k <= sweeps; ++k) {
    const Scalar beta = static_cast<Scalar>(beta_);
    for (const int tree : trees_) {
      Wide &now = v_[static_cast<std::size_t>(tree)], &before = v_before_[static_cast<std::size_t>(tree)];
      const Wide kept = now;
      now += beta * (now - before);
      before = kept;
    }
    Sums sums;
    for (const int place : active_) relax(contacts_[static_cast<std::size_t>(place)], beta, sums);
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_));
    if (sums.along < 0) {
      theta_ = 1;
      beta_ = 0;
    } else {
      beta_ = std::min(cap, (theta_ - 1) / next);
      theta_ = next;
    }
    if (static_cast<double>(sums.worst) <= enough_m_s * enough_m_s) return k;
  }
  return sweeps;
}

template <class Scalar>
void PileSweeps<Scalar>::write(const PileForm& form, VecRef Lambda) const {
  for (const int place : active_) {
    const PileContact& to = form.contacts()[static_cast<std::size_t>(form.order()[static_cast<std::size_t>(place)])];
    for (int k = 0; k <= to.tangents; ++k)
      Lambda[to.row + k] = static_cast<double>(contacts_[static_cast<std::size_t>(place)].x[k]);
  }
}

template class PileSweeps<float>;
template class PileSweeps<double>;

}  // namespace freeplay::complementarity
