#include "freeplay/complementarity/iterative/grouped_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "freeplay/complementarity/problem/row_factors.h"
#include "freeplay/core/error.h"

namespace freeplay::complementarity {

void project_contact(std::span<const GroupedSet> sets, double normal, const double* y, double* x) {
  const double bound_N = std::max(0.0, normal);
  for (const GroupedSet& set : sets) {
    const double N = set.is_bound ? bound_N : 0;
    const double* from = y + set.row;
    double* to = x + set.row;
    switch (set.set) {
      case ImpulseSet::kFree:
        to[0] = from[0];
        break;
      case ImpulseSet::kNonNegative:
        to[0] = std::max(0.0, from[0]);
        break;
      case ImpulseSet::kInterval:
        to[0] = std::max(set.lo0 + set.lo1 * N, std::min(from[0], set.hi0 + set.hi1 * N));
        break;
      case ImpulseSet::kDisc: {
        const Vec2 nearest = nearest_in_disc(set.disc_at(N), Vec2(from[0], from[1])).x;
        to[0] = nearest[0];
        to[1] = nearest[1];
        break;
      }
    }
  }
}

void GroupedProblem::reserve(int rows) {
  // Beyond this size G is mostly sparse: room for a dense one would be memory that nobody uses.
  constexpr int kDenseRows = 256;
  const std::size_t count = static_cast<std::size_t>(rows);
  H.reserve(rows, count * static_cast<std::size_t>(std::min(rows, kDenseRows)));
  contacts.reserve(count);
  sets.reserve(count);
  for (std::vector<int>* list : {&source_row_, &island_, &place_, &by_island_, &island_begin_, &first_row_, &columns_,
                                 &mark_, &contact_of_row_, &row_in_contact_}) {
    list->reserve(count + 1);
  }
  groups_.reserve(rows);
  h.reserve(count);
}

void GroupedProblem::add_contact(const LocalProblem& problem, int head) {
  const auto add_set = [&](const ImpulseBlock& block, int row, int size) {
    GroupedSet set{.set = block.set, .row = row, .size = size, .is_bound = block.normal_row >= 0};
    const double scale = contacts.back().scale;
    set.lo0 = block.lo0 / scale, set.hi0 = block.hi0 / scale, set.r0 = block.r0 / scale;
    set.cut = block.cut / scale, set.direction = block.direction;
    if (set.is_bound) set.lo1 = block.lo1, set.hi1 = block.hi1, set.mu = block.mu;
    sets.push_back(set);
  };
  const ImpulseBlock& first = problem.blocks[head];
  if (first.set == ImpulseSet::kFree) {  // each row by itself: nothing ties them together but G
    for (int k = 0; k < first.size; ++k) {
      const int row = first.row + k;
      double norm = 0;
      if (first.size == 1) {
        norm = contact_norm(problem, groups_, head);
      } else {
        problem.G.diagonal_block({&row, 1}, &norm);
        norm = std::abs(norm);
      }
      if (!(norm >= std::numeric_limits<double>::min()) || !std::isfinite(norm)) norm = 1;
      contacts.push_back(
          {static_cast<int>(source_row_.size()), 1, static_cast<int>(sets.size()), 1, 1 / std::sqrt(norm)});
      add_set(first, 0, 1);
      source_row_.push_back(row);
    }
    return;
  }
  const std::span<const int> bound = groups_.bound_to(head);
  GroupedContact contact;
  contact.row = static_cast<int>(source_row_.size());
  contact.size = first.size;
  contact.first_set = static_cast<int>(sets.size());
  contact.set_count = 1 + static_cast<int>(bound.size());
  contact.scale = 1 / std::sqrt(contact_norm(problem, groups_, head));
  contacts.push_back(contact);
  add_set(first, 0, first.size);
  for (int k = 0; k < first.size; ++k) source_row_.push_back(first.row + k);
  for (const int b : bound) {
    const ImpulseBlock& block = problem.blocks[b];
    add_set(block, contacts.back().size, block.size);
    contacts.back().size += block.size;
    for (int k = 0; k < block.size; ++k) source_row_.push_back(block.row + k);
  }
  FREEPLAY_ASSERT(contacts.back().size <= kMaxContactRows);
}

void GroupedProblem::group_rows(const LocalProblem& problem) {
  contacts.clear();
  sets.clear();
  source_row_.clear();
  groups_.assign(problem.blocks);
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    if (groups_.is_head(b)) {
      add_contact(problem, b);
    } else {
      FREEPLAY_ASSERT(problem.blocks[groups_.head(b)].set == ImpulseSet::kNonNegative);
    }
  }
}

bool GroupedProblem::assign_matrix(const LocalOperator& G, const ConstVecRef& c) {
  const int n = static_cast<int>(source_row_.size()), count = static_cast<int>(contacts.size());
  h.resize(n);
  first_row_.clear();
  for (const GroupedContact& contact : contacts) first_row_.push_back(contact.row);
  first_row_.push_back(n);
  H.start(first_row_);
  contact_of_row_.assign(n, 0);  // of each row of the source
  row_in_contact_.assign(n, 0);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < contacts[i].size; ++k) {
      contact_of_row_[source_row_[contacts[i].row + k]] = i;
      row_in_contact_[source_row_[contacts[i].row + k]] = k;
    }
  }
  mark_.assign(count, -1);  // last row of blocks that a column of blocks was seen in
  double sum = 0;           // NaN or infinite as soon as one entry is
  for (int i = 0; i < count; ++i) {
    const GroupedContact& contact = contacts[i];
    columns_.assign(1, i);
    mark_[i] = i;
    for (int k = 0; k < contact.size; ++k) {
      G.for_each_in_row(source_row_[contact.row + k], [&](int j, double) {
        if (mark_[contact_of_row_[j]] == i) return;
        mark_[contact_of_row_[j]] = i;
        columns_.push_back(contact_of_row_[j]);
      });
    }
    std::sort(columns_.begin(), columns_.end());
    H.append_row(columns_);
    for (int k = 0; k < contact.size; ++k) {
      int last = -1;
      double* values = nullptr;
      G.for_each_in_row(source_row_[contact.row + k], [&](int j, double value) {
        const int column = contact_of_row_[j];
        if (column != last) values = H.values(*H.find(i, last = column));
        const double scaled = contact.scale * value * contacts[column].scale;
        values[k + row_in_contact_[j] * contact.size] = scaled;
        sum += std::abs(scaled);
      });
      h[contact.row + k] = contact.scale * c[source_row_[contact.row + k]];
      sum += std::abs(h[contact.row + k]);
    }
  }
  return std::isfinite(sum);
}

bool GroupedProblem::assign_contacts(const LocalProblem& problem) {
  group_rows(problem);
  h.clear();
  for (const GroupedSet& set : sets) {
    if (std::isnan(set.lo0 + set.lo1 + set.r0 + set.mu) || std::isnan(set.hi0 + set.hi1)) return false;
    if (std::isnan(set.cut) || std::isnan(set.direction[0] + set.direction[1])) return false;
  }
  return true;
}

bool GroupedProblem::assign(const LocalProblem& problem) {
  if (!assign_contacts(problem)) return false;
  bool is_finite = false;
  if (problem.G.has_entries()) {
    is_finite = assign_matrix(problem.G, problem.c);
  } else if (const RowFactors* factors = problem.G.factors(); factors != nullptr) {
    first_row_.resize(static_cast<std::size_t>(problem.size()) + 1);
    std::iota(first_row_.begin(), first_row_.end(), 0);
    BlockSparseMatrix rows;
    factors->write_blocks(first_row_, rows);
    is_finite = assign_matrix(rows, problem.c);
  } else {
    const int n = problem.size();
    probed_.resize(n, n);
    VecX unit = VecX::Zero(n);
    for (int j = 0; j < n; ++j) {
      unit[j] = 1;
      problem.G.apply(unit, probed_.col(j));
      unit[j] = 0;
    }
    is_finite = assign_matrix(probed_, problem.c);
  }
  find_islands();
  return is_finite;
}

void GroupedProblem::find_islands() {
  const int count = static_cast<int>(contacts.size());
  mark_.resize(count);  // union-find: parent of a contact
  std::iota(mark_.begin(), mark_.end(), 0);
  const auto root = [&](int i) {
    while (mark_[i] != i) i = mark_[i] = mark_[mark_[i]];
    return i;
  };
  for (int i = 0; i < count; ++i) {
    for (const BlockSparseMatrix::Block& block : H.row(i)) {
      const int a = root(i), b = root(block.column);
      if (a != b) mark_[std::max(a, b)] = std::min(a, b);
    }
  }
  // A root is the first contact of its island. Then the contacts sorted by island, in their order within each.
  island_.assign(count, -1);
  place_.assign(count, 0);
  island_begin_.assign(1, 0);
  for (int i = 0; i < count; ++i) {
    const int first = root(i);
    if (first == i) island_begin_.push_back(0);
    island_[i] = first == i ? island_count() - 1 : island_[first];
    place_[i] = island_begin_[island_[i] + 1]++;
  }
  for (int k = 0; k < island_count(); ++k) island_begin_[k + 1] += island_begin_[k];
  by_island_.resize(count);
  for (int i = 0; i < count; ++i) by_island_[island_begin_[island_[i]] + place_[i]] = i;
}

void GroupedProblem::assign_island(const GroupedProblem& whole, int island) {
  contacts.clear();
  sets.clear();
  source_row_.clear();
  first_row_.clear();
  h.clear();
  const std::span<const int> members = whole.island(island);
  for (const int i : members) {
    GroupedContact contact = whole.contacts[i];
    for (int k = 0; k < contact.size; ++k) {
      h.push_back(whole.h[contact.row + k]);
      source_row_.push_back(whole.source_row_[contact.row + k]);
    }
    sets.insert(sets.end(), whole.sets.begin() + contact.first_set,
                whole.sets.begin() + contact.first_set + contact.set_count);
    contact.row = static_cast<int>(source_row_.size()) - contact.size;
    contact.first_set = static_cast<int>(sets.size()) - contact.set_count;
    first_row_.push_back(contact.row);
    contacts.push_back(contact);
  }
  first_row_.push_back(static_cast<int>(source_row_.size()));
  H.start(first_row_);
  for (const int i : members) {
    columns_.clear();
    const std::span<const BlockSparseMatrix::Block> row = whole.H.row(i);
    for (const BlockSparseMatrix::Block& block : row) columns_.push_back(whole.place_[block.column]);
    H.append_row(columns_);
    const std::span<const BlockSparseMatrix::Block> copy = H.row(whole.place_[i]);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const int count = whole.contacts[i].size * whole.contacts[row[k].column].size;
      std::copy_n(whole.H.values(row[k]), count, H.values(copy[k]));
    }
  }
  become_one_island();
}

void GroupedProblem::become_one_island() {
  const int count = static_cast<int>(contacts.size());
  island_.assign(count, 0);
  by_island_.resize(count);
  std::iota(by_island_.begin(), by_island_.end(), 0);
  place_ = by_island_;
  island_begin_.assign(1, 0);
  if (count > 0) island_begin_.push_back(count);
}

void GroupedProblem::scatter(const ConstVecRef& z, VecRef Lambda) const {
  for (const GroupedContact& contact : contacts) {
    for (int k = 0; k < contact.size; ++k) {
      Lambda[source_row_[contact.row + k]] = contact.scale * z[contact.row + k];
    }
  }
}

void GroupedProblem::gather(const ConstVecRef& Lambda, VecRef z) const {
  for (const GroupedContact& contact : contacts) {
    for (int k = 0; k < contact.size; ++k) {
      z[contact.row + k] = Lambda[source_row_[contact.row + k]] / contact.scale;
    }
  }
}

void GroupedProblem::gather_velocity(const ConstVecRef& xi, VecRef v) const {
  for (const GroupedContact& contact : contacts) {
    for (int k = 0; k < contact.size; ++k) v[contact.row + k] = contact.scale * xi[source_row_[contact.row + k]];
  }
}

void GroupedProblem::prox_step(const ConstVecRef& v, const ConstVecRef& r, VecRef z) const {
  for (const GroupedContact& contact : contacts) {
    double y[kMaxContactRows];
    for (int k = 0; k < contact.size; ++k) {
      const int row = contact.row + k;
      y[k] = z[row] - r[row] * v[row];
    }
    project_contact(sets_of(contact), y[0], y, z.data() + contact.row);
  }
}

void GroupedProblem::velocity(const ConstVecRef& z, VecRef v) const {
  H.apply(z.data(), v.data());
  v += Eigen::Map<const VecX>(h.data(), static_cast<Eigen::Index>(h.size()));
}

double GroupedProblem::magnitude(const ConstVecRef& z) const {
  double largest = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const GroupedContact& contact = contacts[i];
    double sum[kMaxContactRows];
    for (int k = 0; k < contact.size; ++k) sum[k] = std::abs(h[contact.row + k]);
    for (const BlockSparseMatrix::Block& block : H.row(static_cast<int>(i))) {
      const GroupedContact& other = contacts[block.column];
      const double* values = H.values(block);
      for (int c = 0; c < other.size; ++c) {
        const double size = std::abs(z[other.row + c]);
        for (int k = 0; k < contact.size; ++k) sum[k] += std::abs(values[k + c * contact.size]) * size;
      }
    }
    for (int k = 0; k < contact.size; ++k) largest = std::max(largest, sum[k] / contact.scale);
  }
  return largest;
}

double GroupedProblem::impulse_size(const ConstVecRef& z) const {
  double largest = 0;
  for (const GroupedContact& contact : contacts) {
    for (int k = 0; k < contact.size; ++k) largest = std::max(largest, std::abs(z[contact.row + k]) / contact.scale);
  }
  return largest;
}

double GroupedProblem::residual(const ConstVecRef& z, const ConstVecRef& v) const {
  double largest = 0;
  for (const GroupedContact& contact : contacts) {
    for (const GroupedSet& set : sets_of(contact)) {
      const ImpulseBlock block{.set = set.set,
                               .size = set.size,
                               .lo0 = set.lo0,
                               .lo1 = set.lo1,
                               .hi0 = set.hi0,
                               .hi1 = set.hi1,
                               .r0 = set.r0,
                               .mu = set.mu,
                               .cut = set.cut,
                               .direction = set.direction};
      const int row = contact.row + set.row;
      const double e = block_residual(block, 1, set.is_bound ? z[contact.row] : 0, z.data() + row, v.data() + row);
      if (!std::isfinite(e)) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, e / contact.scale);
    }
  }
  return largest;
}

}  // namespace freeplay::complementarity
