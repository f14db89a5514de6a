#include "freeplay/complementarity/problem/grouped_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "freeplay/complementarity/problem/natural_residual.h"
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
        const double radius = std::max(0.0, set.r0 + set.mu * N), length = std::hypot(from[0], from[1]);
        const double factor = length > radius ? radius / length : 1;
        to[0] = factor * from[0];
        to[1] = factor * from[1];
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
  for (std::vector<int>* list :
       {&source_row_, &island_, &first_row_, &columns_, &mark_, &head_block_, &bound_begin_, &bound_}) {
    list->reserve(count + 1);
  }
  h.reserve(count);
}

void GroupedProblem::add_contact(const LocalProblem& problem, int head, std::span<const int> bound) {
  const auto add_set = [&](const ImpulseBlock& block, int row, int size) {
    GroupedSet set{.set = block.set, .row = row, .size = size, .is_bound = block.normal_row >= 0};
    const double scale = contacts.back().scale;
    set.lo0 = block.lo0 / scale, set.hi0 = block.hi0 / scale, set.r0 = block.r0 / scale;
    if (set.is_bound) set.lo1 = block.lo1, set.hi1 = block.hi1, set.mu = block.mu;
    sets.push_back(set);
  };
  const ImpulseBlock& first = problem.blocks[head];
  if (first.set == ImpulseSet::kFree) {  // each row by itself: nothing ties them together but G
    for (int k = 0; k < first.size; ++k) {
      const int row = first.row + k;
      double norm = 0;
      if (first.size == 1) {
        norm = contact_norm(problem, head);
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
  GroupedContact contact;
  contact.row = static_cast<int>(source_row_.size());
  contact.size = first.size;
  contact.first_set = static_cast<int>(sets.size());
  contact.set_count = 1 + static_cast<int>(bound.size());
  contact.scale = 1 / std::sqrt(contact_norm(problem, head));
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
  const int count = static_cast<int>(problem.blocks.size());
  contacts.clear();
  sets.clear();
  source_row_.clear();
  mark_.assign(problem.size(), -1);  // block that starts at a row
  for (int b = 0; b < count; ++b) mark_[problem.blocks[b].row] = b;
  head_block_.assign(count, -1);
  bound_begin_.assign(count + 1, 0);
  for (int b = 0; b < count; ++b) {
    const int normal_row = problem.blocks[b].normal_row;
    head_block_[b] = normal_row < 0 ? b : mark_[normal_row];
    FREEPLAY_ASSERT(head_block_[b] >= 0 && head_block_[b] <= b);
    FREEPLAY_ASSERT(head_block_[b] == b || problem.blocks[head_block_[b]].set == ImpulseSet::kNonNegative);
    if (head_block_[b] != b) ++bound_begin_[head_block_[b] + 1];
  }
  for (int b = 0; b < count; ++b) bound_begin_[b + 1] += bound_begin_[b];
  bound_.assign(bound_begin_[count], 0);
  mark_.assign(count, 0);  // bound blocks listed so far
  for (int b = 0; b < count; ++b) {
    if (const int head = head_block_[b]; head != b) bound_[bound_begin_[head] + mark_[head]++] = b;
  }
  for (int b = 0; b < count; ++b) {
    if (head_block_[b] != b) continue;
    add_contact(problem, b,
                {bound_.data() + bound_begin_[b], static_cast<std::size_t>(bound_begin_[b + 1] - bound_begin_[b])});
  }
}

bool GroupedProblem::assign_matrix(const LocalOperator& G, const ConstVecRef& c) {
  const int n = static_cast<int>(source_row_.size()), count = static_cast<int>(contacts.size());
  h.resize(n);
  first_row_.clear();
  for (const GroupedContact& contact : contacts) first_row_.push_back(contact.row);
  first_row_.push_back(n);
  H.start(first_row_);
  head_block_.assign(n, 0);  // contact, and below its row here, of each row of the source
  bound_.assign(n, 0);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < contacts[i].size; ++k) {
      head_block_[source_row_[contacts[i].row + k]] = i;
      bound_[source_row_[contacts[i].row + k]] = k;
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
        if (mark_[head_block_[j]] == i) return;
        mark_[head_block_[j]] = i;
        columns_.push_back(head_block_[j]);
      });
    }
    std::sort(columns_.begin(), columns_.end());
    H.append_row(columns_);
    for (int k = 0; k < contact.size; ++k) {
      int last = -1;
      double* values = nullptr;
      G.for_each_in_row(source_row_[contact.row + k], [&](int j, double value) {
        const int column = head_block_[j];
        if (column != last) values = H.values(*H.find(i, last = column));
        const double scaled = contact.scale * value * contacts[column].scale;
        values[k + bound_[j] * contact.size] = scaled;
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
  }
  return true;
}

bool GroupedProblem::assign(const LocalProblem& problem) {
  if (!assign_contacts(problem)) return false;
  bool is_finite = false;
  if (problem.G.has_entries()) {
    is_finite = assign_matrix(problem.G, problem.c);
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
  island_.assign(count, -1);
  island_count_ = 0;
  for (int i = 0; i < count; ++i) {  // a root is the first contact of its island
    const int first = root(i);
    island_[i] = first == i ? island_count_++ : island_[first];
  }
}

void GroupedProblem::assign_island(const GroupedProblem& whole, int island) {
  contacts.clear();
  sets.clear();
  source_row_.clear();
  mark_.assign(whole.contacts.size(), -1);  // contact here
  first_row_.clear();
  h.clear();
  for (std::size_t i = 0; i < whole.contacts.size(); ++i) {
    if (whole.island_[i] != island) continue;
    GroupedContact contact = whole.contacts[i];
    mark_[i] = static_cast<int>(contacts.size());
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
  for (std::size_t i = 0; i < whole.contacts.size(); ++i) {
    if (mark_[i] < 0) continue;
    columns_.clear();
    const std::span<const BlockSparseMatrix::Block> row = whole.H.row(static_cast<int>(i));
    for (const BlockSparseMatrix::Block& block : row) columns_.push_back(mark_[block.column]);
    H.append_row(columns_);
    const std::span<const BlockSparseMatrix::Block> copy = H.row(mark_[i]);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const int count = whole.contacts[i].size * whole.contacts[row[k].column].size;
      std::copy_n(whole.H.values(row[k]), count, H.values(copy[k]));
    }
  }
  island_.assign(contacts.size(), 0);
  island_count_ = contacts.empty() ? 0 : 1;
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
                               .mu = set.mu};
      const int row = contact.row + set.row;
      const double e = block_residual(block, 1, set.is_bound ? z[contact.row] : 0, z.data() + row, v.data() + row);
      if (!std::isfinite(e)) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, e / contact.scale);
    }
  }
  return largest;
}

}  // namespace freeplay::complementarity
