#include "freeplay/mechanism/rows/sparse_bilateral.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "freeplay/mechanism/rows/bilateral_solver.h"

namespace freeplay::mechanism {

namespace {

constexpr std::size_t kFewestTrees = 16;
constexpr int kFewestRows = 24;
// Of the products that a full matrix would take.
constexpr double kSparseShare = 0.25;
// A pivot that elimination left less of may be that of a redundant row: of W^T M^-1 W rounding leaves 1e-16 of the
// diagonal, times the condition of the other rows. It may as well be that of a long chain.
constexpr double kIndependent = 1e-9;

template <class Parts>
std::vector<int> trees_of(const MassStructure& structure, const Parts& parts) {
  std::vector<int> trees;
  for (const RowPart& part : parts) {
    if (part.size > 0) trees.push_back(structure.block_of[static_cast<std::size_t>(part.first)]);
  }
  return trees;
}

}  // namespace

bool SparseBilateral::serves(const System& system) {
  if (system.mass_structure().blocks.size() < kFewestTrees || system.row_count() < kFewestRows) return false;
  const SparseBilateral tried(system);
  const double rows = system.row_count();
  return static_cast<double>(tried.G_.stored()) < kSparseShare * rows * rows;
}

SparseBilateral::SparseBilateral(const System& system) : velocities_(system.velocity_count()) {
  find_rows(system);
  find_couplings(system.mass_structure());
}

void SparseBilateral::find_rows(const System& system) {
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  // Which trees a row acts on does not depend on the position; any will do.
  const State state = system.initial_state();
  VecX q = state.q;
  if (q.size() != system.coordinate_count()) q = VecX::Zero(system.coordinate_count());
  dynamics->set_position(state.t, q);
  std::vector<double> values(2 * static_cast<std::size_t>(system.velocity_count()));
  std::size_t next = 0;
  for (int r = 0; r < system.row_count(); ++r) {
    Row row;
    dynamics->row_parts(r, row.parts, values.data());
    row.begin = next;
    next += static_cast<std::size_t>(row.parts[0].size + row.parts[1].size);
    const auto is_same = [](const RowPart& a, const RowPart& b) { return a.first == b.first && a.size == b.size; };
    const bool joins =
        !rows_.empty() && is_same(rows_.back().parts[0], row.parts[0]) && is_same(rows_.back().parts[1], row.parts[1]);
    if (!joins) group_begin_.push_back(r);
    row.group = static_cast<int>(group_begin_.size()) - 1;
    row.in_group = r - group_begin_.back();
    rows_.push_back(row);
  }
  group_begin_.push_back(system.row_count());
  W_.assign(next, 0.0);
  B_.assign(next, 0.0);
}

void SparseBilateral::find_couplings(const MassStructure& structure) {
  const int groups = static_cast<int>(group_begin_.size()) - 1;
  std::vector<std::vector<int>> at_tree(structure.blocks.size());
  std::vector<int> sizes;
  std::set<std::pair<int, int>> pairs;
  for (int g = 0; g < groups; ++g) {
    const int first = group_begin_[static_cast<std::size_t>(g)];
    sizes.push_back(group_begin_[static_cast<std::size_t>(g) + 1] - first);
    for (const int tree : trees_of(structure, rows_[static_cast<std::size_t>(first)].parts)) {
      for (const int other : at_tree[static_cast<std::size_t>(tree)]) {
        if (other != g) pairs.insert({other, g});
      }
      at_tree[static_cast<std::size_t>(tree)].push_back(g);
    }
  }
  const std::vector<std::pair<int, int>> list(pairs.begin(), pairs.end());
  G_.set_pattern(sizes, list);
  for (int g = 0; g < groups; ++g) couplings_.push_back({g, g, G_.place(g, g), G_.place(g, g)});
  for (const auto& [a, b] : list) couplings_.push_back({a, b, G_.place(a, b), G_.place(b, a)});
}

void SparseBilateral::write_rows(Dynamics& dynamics, VecX& w_tilde) {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::array<RowPart, 2> parts;
    w_tilde[static_cast<Eigen::Index>(r)] = dynamics.row_parts(static_cast<int>(r), parts, W_.data() + rows_[r].begin);
  }
}

bool SparseBilateral::factor(const MassMatrix& M, double opening, int closed_rank) {
  half_solve(M);
  write_matrix();
  doubtful_.clear();
  is_closed_ = opening <= BilateralSolver::kClosed;
  // Rows that follow from others in closed loops have parts of their own where they are open.
  const bool grants_all = is_closed_ || closed_rank == row_count();
  const double doubt =
      grants_all ? 0 : std::min(BilateralSolver::kDoubtPerOpening * opening, BilateralSolver::kLargestDoubt);
  const double smallest = std::max(kIndependent, doubt * doubt);
  if (G_.factor() && G_.smallest_pivot() > smallest) return true;
  write_matrix();
  if (!G_.factor_definite(smallest) || G_.left_out().size() > DoubtfulRows::kMost) return false;
  doubtful_.judge(*this, G_.left_out(), opening, closed_rank);
  return true;
}

double SparseBilateral::solve_all_in_place(VecRef lambda) {
  contradicting_row_ = -1;
  if (doubtful_.empty()) {
    G_.solve_in_place(lambda.data());
    return 0;
  }
  const double contradiction = doubtful_.solve_in_place(*this, lambda, contradicting_row_);
  if (is_closed_) return contradiction;
  contradicting_row_ = -1;
  return 0;
}

void SparseBilateral::half_solve(const MassMatrix& M) {
  std::copy(W_.begin(), W_.end(), B_.begin());
  const MassStructure& structure = M.structure();
  for (const Row& row : rows_) {
    double* entry = B_.data() + row.begin;
    for (const RowPart& part : row.parts) {
      if (part.size == 0) continue;
      const int tree = structure.block_of[static_cast<std::size_t>(part.first)];
      M.half_solve_in_place(structure.blocks[static_cast<std::size_t>(tree)], entry);
      entry += part.size;
    }
  }
}

double SparseBilateral::product(const Row& a, const Row& b) const {
  double sum = 0;
  const double* of_a = B_.data() + a.begin;
  for (const RowPart& part : a.parts) {
    const double* of_b = B_.data() + b.begin;
    for (const RowPart& shared : b.parts) {
      if (part.size > 0 && shared.size > 0 && part.first == shared.first) {
        for (int i = 0; i < part.size; ++i) sum += of_a[i] * of_b[i];
      }
      of_b += shared.size;
    }
    of_a += part.size;
  }
  return sum;
}

void SparseBilateral::write_matrix() {
  G_.set_zero();
  longest_ = 0;
  for (const Row& row : rows_) longest_ = std::max(longest_, std::sqrt(product(row, row)));
  for (const Coupling& coupling : couplings_) {
    const int first = group_begin_[static_cast<std::size_t>(coupling.first)],
              second = group_begin_[static_cast<std::size_t>(coupling.second)];
    const int height = group_begin_[static_cast<std::size_t>(coupling.first) + 1] - first,
              width = group_begin_[static_cast<std::size_t>(coupling.second) + 1] - second;
    for (int j = 0; j < width; ++j) {
      for (int i = 0; i < height; ++i) {
        const double value =
            product(rows_[static_cast<std::size_t>(first + i)], rows_[static_cast<std::size_t>(second + j)]);
        G_.values()[coupling.place + static_cast<std::size_t>(i + j * height)] = value;
        if (coupling.first != coupling.second)
          G_.values()[coupling.mirrored + static_cast<std::size_t>(j + i * width)] = value;
      }
    }
  }
}

void SparseBilateral::velocities(const ConstVecRef& u, VecRef out) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double* entry = W_.data() + rows_[r].begin;
    double sum = 0;
    for (const RowPart& part : rows_[r].parts) {
      for (int i = 0; i < part.size; ++i) sum += *entry++ * u[part.first + i];
    }
    out[static_cast<Eigen::Index>(r)] = sum;
  }
}

void SparseBilateral::half_velocities(const ConstVecRef& x, VecRef out) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double* entry = B_.data() + rows_[r].begin;
    double sum = 0;
    for (const RowPart& part : rows_[r].parts) {
      for (int i = 0; i < part.size; ++i) sum += *entry++ * x[part.first + i];
    }
    out[static_cast<Eigen::Index>(r)] = sum;
  }
}

void SparseBilateral::add_half_response(const ConstVecRef& lambda, VecRef sum) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double* entry = B_.data() + rows_[r].begin;
    const double factor = lambda[static_cast<Eigen::Index>(r)];
    for (const RowPart& part : rows_[r].parts) {
      for (int i = 0; i < part.size; ++i) sum[part.first + i] += factor * *entry++;
    }
  }
}

}  // namespace freeplay::mechanism
