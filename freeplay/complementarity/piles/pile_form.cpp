#include "freeplay/complementarity/piles/pile_form.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <bit>
#include <cmath>

namespace freeplay::complementarity {
namespace {

constexpr int kColours = 64;
constexpr double kOnlyDiagonal = 1e-12;  // of the largest entry: beside the diagonal nothing but rounding

double largest_eigenvalue(const std::array<double, 6>& K) {
  const double largest = std::max({K[0], K[3], K[5]});
  const double beside = std::max({std::abs(K[1]), std::abs(K[2]), std::abs(K[4])});
  if (beside <= kOnlyDiagonal * largest) return largest;
  Mat3 block;
  block << K[0], K[1], K[2], K[1], K[3], K[4], K[2], K[4], K[5];
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.computeDirect(block / largest, Eigen::EigenvaluesOnly);
  return largest * eigen.eigenvalues()[2];
}

bool is_coulomb(const ImpulseBlock& block) {
  if (block.set == ImpulseSet::kDisc) return block.r0 == 0 && block.cut == -kInfinity && block.mu >= 0;
  return block.set == ImpulseSet::kInterval && block.lo0 == 0 && block.hi0 == 0 && block.hi1 >= 0 &&
         block.lo1 == -block.hi1;
}

}  // namespace

bool PileForm::assign(const LocalProblem& problem) {
  B_ = problem.G.factors();
  c_ = &problem.c;
  if (B_ == nullptr || !read_contacts(problem)) return false;
  list_neighbours();
  pack();
  exact_.assign({contacts_, packs_, *B_, *c_});
  residuals_.resize(contacts_.size());
  of_packs_.resize(packs_.size() / kPack);
  all_.assign(exact_.all(), first_of_stage_);
  return true;
}

bool PileForm::read_contacts(const LocalProblem& problem) {
  contacts_.clear();
  trees_of_.clear();
  const std::span<const ImpulseBlock> blocks = problem.blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].set != ImpulseSet::kNonNegative) return false;
    PileContact contact;
    contact.row = blocks[b].row;
    if (b + 1 < blocks.size() && blocks[b + 1].normal_row == contact.row) {
      const ImpulseBlock& friction = blocks[++b];
      if (!is_coulomb(friction) || friction.row != contact.row + 1) return false;
      contact.tangents = friction.size;
      contact.mu = friction.set == ImpulseSet::kDisc ? friction.mu : friction.hi1;
    }
    if (!measure(contact)) return false;
    contacts_.push_back(contact);
    trees_of_.push_back({contact.trees[0], contact.trees[1] >= 0 ? contact.trees[1] : trees()});
  }
  return !contacts_.empty();
}

bool PileForm::measure(PileContact& contact) const {
  const std::array<RowFactors::Part, 2>& parts = B_->parts(contact.row);
  int count = 0;
  for (const RowFactors::Part& part : parts) {
    if (part.size > kLargestTree) return false;
    if (part.size > 0) contact.trees[static_cast<std::size_t>(count++)] = part.tree;
  }
  if (count == 0) return false;
  double sum = std::abs(contact.mu);
  const double* kept = contact.tangents == 2 ? B_->kept_block(contact.row) : nullptr;
  for (int i = 0, entry = 0; i < 3; ++i) {
    if (i <= contact.tangents) sum += std::abs((*c_)[contact.row + i]);
    for (int j = i; j < 3; ++j, ++entry) {
      if (j > contact.tangents) continue;
      contact.K[static_cast<std::size_t>(entry)] =
          kept != nullptr ? kept[entry] : B_->dot(contact.row + i, contact.row + j);
      sum += std::abs(contact.K[static_cast<std::size_t>(entry)]);
    }
  }
  contact.norm = largest_eigenvalue(contact.K);
  return std::isfinite(sum) && contact.K[0] > 1e-12 * contact.norm;
}

void PileForm::list_neighbours() {
  tree_begin_.assign(static_cast<std::size_t>(trees()) + 2, 0);
  for (const PileContact& contact : contacts_) {
    for (const int tree : contact.trees) {
      if (tree >= 0) ++tree_begin_[static_cast<std::size_t>(tree) + 2];
    }
  }
  for (std::size_t t = 2; t < tree_begin_.size(); ++t) tree_begin_[t] += tree_begin_[t - 1];
  at_tree_.resize(static_cast<std::size_t>(tree_begin_.back()));
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    for (const int tree : contacts_[i].trees) {
      if (tree >= 0)
        at_tree_[static_cast<std::size_t>(tree_begin_[static_cast<std::size_t>(tree) + 1]++)] = static_cast<int>(i);
    }
  }
  tree_begin_.pop_back();
}

// Colours greedily, in the order of the problem. A tree with more contacts than colours has some of the last colour,
// which therefore stand alone in their packs.
void PileForm::pack() {
  taken_.assign(static_cast<std::size_t>(trees()), 0);
  colour_.resize(contacts_.size());
  next_of_colour_.assign(kColours, 0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    std::uint64_t taken = 0;
    for (const int tree : contacts_[i].trees) {
      if (tree >= 0) taken |= taken_[static_cast<std::size_t>(tree)];
    }
    const int colour = std::min(std::countr_one(taken), kColours - 1);
    colour_[i] = colour;
    ++next_of_colour_[static_cast<std::size_t>(colour)];
    for (const int tree : contacts_[i].trees) {
      if (tree >= 0) taken_[static_cast<std::size_t>(tree)] |= std::uint64_t{1} << colour;
    }
  }
  int places = 0;
  first_of_stage_.clear();
  for (int colour = 0; colour < kColours; ++colour) {
    const int count = next_of_colour_[static_cast<std::size_t>(colour)];
    const int stages = colour + 1 < kColours ? std::min(count, 1) : count;
    for (int i = 0; i < stages; ++i) first_of_stage_.push_back(places / kPack + i);
    next_of_colour_[static_cast<std::size_t>(colour)] = places;
    places += kPack * (colour + 1 < kColours ? (count + kPack - 1) / kPack : count);
  }
  packs_.assign(static_cast<std::size_t>(places), -1);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    int& next = next_of_colour_[static_cast<std::size_t>(colour_[i])];
    packs_[static_cast<std::size_t>(next)] = static_cast<int>(i);
    next += colour_[i] + 1 < kColours ? 1 : kPack;
  }
}

double PileForm::xi_of(int row) const {
  double sum = (*c_)[row];
  const double* entry = B_->values(row);
  for (const RowFactors::Part& part : B_->parts(row)) {
    if (part.size == 0) continue;
    const double* v = velocities_of(part.tree);
    for (int i = 0; i < part.size; ++i) sum += entry[i] * v[i];
    entry += part.size;
  }
  return sum;
}

void PileForm::take_impulses(const ConstVecRef& Lambda, int p) {
  PilePack<double>& pack = exact_.pack(p);
  for (int lane = 0; lane < kPack; ++lane) {
    const int index = packs_[static_cast<std::size_t>(p * kPack + lane)];
    if (index < 0) continue;
    const PileContact& contact = contacts_[static_cast<std::size_t>(index)];
    for (int k = 0; k <= contact.tangents; ++k) pack.x[k][lane] = Lambda[contact.row + k];
  }
}

void PileForm::go_to(const ConstVecRef& Lambda, core::ThreadTeam* team) {
  std::fill(exact_.velocities().begin(), exact_.velocities().end(), PileEight<double>{});
  const PileKernels<double>& kernels = pile_kernels<double>();
  work_together(team, [&](int member) {
    PileWork<double> work = exact_.work(exact_.all());
    const std::span<const int> all = exact_.all();
    all_.in_order(team, member, [&](int, const PileStages::Piece& piece) {
      work.active = all.data() + piece.first;
      work.active_count = piece.count;
      for (int p = piece.first; p < piece.first + piece.count; ++p) take_impulses(Lambda, p);
      kernels.add_up(work);
    });
  });
}

double PileForm::evaluate(const ConstVecRef& Lambda, core::ThreadTeam* team) {
  go_to(Lambda, team);
  const PileKernels<double>& kernels = pile_kernels<double>();
  work_together(team, [&](int member) {
    PileWork<double> work = exact_.work(exact_.all());
    const std::span<const int> all = exact_.all();
    work.residuals = of_packs_.data()->at;
    all_.in_any_order(team, member, [&](int, const PileStages::Piece& piece) {
      work.active = all.data() + piece.first;
      work.active_count = piece.count;
      kernels.judge(work);
    });
  });
  return take_residuals(of_packs_);
}

template <class Scalar>
double PileForm::take_residuals(const std::vector<PileEight<Scalar>>& of_packs) {
  double worst = 0;
  for (std::size_t place = 0; place < packs_.size(); ++place) {
    if (packs_[place] < 0) continue;
    const double residual = static_cast<double>(of_packs[place / kPack].at[place % kPack]);
    residuals_[static_cast<std::size_t>(packs_[place])] = residual;
    if (!(residual <= worst)) worst = std::isnan(residual) ? kInfinity : residual;
  }
  return worst;
}
template double PileForm::take_residuals(const std::vector<PileEight<float>>&);
template double PileForm::take_residuals(const std::vector<PileEight<double>>&);

}  // namespace freeplay::complementarity
