#include "freeplay/io/problem/contact_problem_file.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/io/hdf5/hdf5_file_driver.h"
#include "freeplay/io/hdf5/hdf5_handle.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;
using hdf5::check;

constexpr const char* kRoot = "fclib_local";
constexpr const char* kSeeLayout = "docs/guide/contact_problems.md shows the layout";
constexpr const char* kDamaged = "the file is damaged or was not written to its end; write or copy it again";

// How a matrix is stored, by FCLIB's `nz`: the number of entries of a triplet form, or one of these.
constexpr std::int64_t kByColumns = -1;
constexpr std::int64_t kByRows = -2;

class ProblemReader {
 public:
  explicit ProblemReader(const fs::path& path) : path_(path) {}
  ContactProblem read();

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& message, const std::string& hint = {}) const {
    throw ModelError({Diagnostic{{path_.string()}, where, message, hint, {}}});
  }
  void open();
  bool exists(const hdf5::Group& group, const std::string& name) const {
    return H5Lexists(group.get(), name.c_str(), H5P_DEFAULT) > 0;
  }
  hdf5::Group open_group(hid_t parent, const std::string& name, const std::string& where) const;
  // Opens a dataset with as many dimensions as a column of numbers has, of a type that is known to be read safely.
  template <typename Number>
  std::vector<Number> read_array(const hdf5::Group& group, const std::string& where, const std::string& name) const;
  template <typename Number>
  std::vector<Number> read_array(const hdf5::Group& group, const std::string& where, const std::string& name,
                                 std::int64_t size, const std::string& reason) const;
  std::int64_t read_integer(const hdf5::Group& group, const std::string& where, const std::string& name) const;
  int read_count(const hdf5::Group& group, const std::string& where, const std::string& name) const;
  std::vector<double> read_finite(const hdf5::Group& group, const std::string& where, const std::string& name,
                                  std::int64_t size, const std::string& reason) const;
  void check_indices(const std::vector<std::int64_t>& indices, std::size_t count, int bound,
                     const std::string& where) const;
  CompressedColumns read_matrix(const hdf5::Group& root, const std::string& name) const;
  void check_diagonal(const CompressedColumns& matrix, const std::string& where) const;
  CompressedColumns compress(int rows, int columns, const std::vector<std::int64_t>& row,
                             const std::vector<std::int64_t>& column, const std::vector<double>& value) const;
  void read_bilateral_part(const hdf5::Group& root, const hdf5::Group& vectors, ContactProblem& problem) const;
  std::string read_text(const hdf5::Group& root, const std::string& name) const;

  fs::path path_;
  hdf5::PosixFile posix_file_;  // outlives the handle below
  hdf5::File file_;
  std::uint64_t bytes_ = 0;
};

void ProblemReader::open() {
  const auto refuse = [&](const std::string& reason) {
    throw IoError(fmt::format("cannot read {}: {}", path_.string(), reason));
  };
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) refuse("it is a folder");
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) refuse("it is not a regular file");
  if (const int error = posix_file_.open_for_reading(path_); error != 0) {
    refuse(std::generic_category().message(error));
  }
  if (const int error = posix_file_.size(bytes_); error != 0) refuse(std::generic_category().message(error));
  if (bytes_ == 0) fail("", "is empty", kDamaged);
  const hdf5::PropertyList access = hdf5::access_through(posix_file_);
  file_ = hdf5::File(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.get()));
  if (file_.get() < 0) fail("", "is not an HDF5 file, or a damaged one", kDamaged);
}

hdf5::Group ProblemReader::open_group(hid_t parent, const std::string& name, const std::string& where) const {
  if (H5Lexists(parent, name.c_str(), H5P_DEFAULT) <= 0) fail(where, "is missing", kSeeLayout);
  hdf5::Group group(H5Gopen2(parent, name.c_str(), H5P_DEFAULT));
  if (group.get() < 0) fail(where, "is not a group that can be opened", kDamaged);
  return group;
}

// Only plain integers and IEEE numbers: HDF5 can describe any arrangement of bits, and a damaged header does.
template <typename Number>
bool is_plain(const hdf5::Datatype& type) {
  const auto is_one_of = [&](std::initializer_list<hid_t> known) {
    for (const hid_t candidate : known) {
      if (H5Tequal(type.get(), candidate) > 0) return true;
    }
    return false;
  };
  if constexpr (std::is_floating_point_v<Number>) {
    return is_one_of({H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE});
  } else {
    return is_one_of({H5T_STD_I32LE, H5T_STD_I32BE, H5T_STD_I64LE, H5T_STD_I64BE, H5T_STD_U32LE, H5T_STD_U32BE,
                      H5T_STD_I16LE, H5T_STD_I16BE, H5T_STD_U16LE, H5T_STD_U16BE, H5T_STD_I8LE, H5T_STD_U8LE});
  }
}

template <typename Number>
std::vector<Number> ProblemReader::read_array(const hdf5::Group& group, const std::string& where,
                                              const std::string& name) const {
  constexpr bool kIsReal = std::is_floating_point_v<Number>;
  const std::string dataset_name = where + "/" + name;
  if (!exists(group, name)) fail(dataset_name, "is missing", kSeeLayout);
  const hdf5::Dataset dataset(H5Dopen2(group.get(), name.c_str(), H5P_DEFAULT));
  if (dataset.get() < 0) fail(dataset_name, "is not a dataset that can be opened", kDamaged);
  try {
    const hdf5::Datatype type(check(H5Dget_type(dataset.get()), "read its type"));
    if (!is_plain<Number>(type)) {
      fail(dataset_name, kIsReal ? "does not hold floating-point numbers" : "does not hold integers", kSeeLayout);
    }
    const hdf5::Dataspace space(check(H5Dget_space(dataset.get()), "read its size"));
    const std::int64_t size = check(H5Sget_simple_extent_npoints(space.get()), "read its size");
    if (H5Sget_simple_extent_ndims(space.get()) > 1) fail(dataset_name, "is not a list but a table", kSeeLayout);
    const hdf5::PropertyList layout(check(H5Dget_create_plist(dataset.get()), "read its layout"));
    if (H5Pget_layout(layout.get()) == H5D_VIRTUAL || H5Pget_external_count(layout.get()) != 0) {
      fail(dataset_name, "keeps its numbers in other files", "put them into this file, with h5repack for instance");
    }
    // Before memory is asked for. Compression makes a list shorter by a factor of 1000 at most.
    constexpr std::uint64_t kBestCompression = 1100;
    if (static_cast<std::uint64_t>(size) > kBestCompression * bytes_ / H5Tget_size(type.get())) {
      fail(dataset_name, fmt::format("claims to have {} numbers, more than a file of {} bytes can hold", size, bytes_),
           kDamaged);
    }
    std::vector<Number> values(static_cast<std::size_t>(size));
    if (values.empty()) return values;
    check(H5Dread(dataset.get(), kIsReal ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                  values.data()),
          "read its numbers");
    return values;
  } catch (const hdf5::Error& error) {
    fail(dataset_name, error.what(), kDamaged);
  }
}

template <typename Number>
std::vector<Number> ProblemReader::read_array(const hdf5::Group& group, const std::string& where,
                                              const std::string& name, std::int64_t size,
                                              const std::string& reason) const {
  std::vector<Number> values = read_array<Number>(group, where, name);
  if (static_cast<std::int64_t>(values.size()) != size) {
    fail(where + "/" + name, fmt::format("has {} numbers, but must have {}, {}", values.size(), size, reason),
         kSeeLayout);
  }
  return values;
}

std::int64_t ProblemReader::read_integer(const hdf5::Group& group, const std::string& where,
                                         const std::string& name) const {
  return read_array<std::int64_t>(group, where, name, 1, "an integer").front();
}

int ProblemReader::read_count(const hdf5::Group& group, const std::string& where, const std::string& name) const {
  const std::int64_t count = read_integer(group, where, name);
  // One less than the largest int, so that count + 1 can be computed with.
  if (count < 0 || count >= std::numeric_limits<int>::max()) {
    fail(where + "/" + name,
         fmt::format("is {}, but must be a count from 0 to {}", count, std::numeric_limits<int>::max() - 1),
         kSeeLayout);
  }
  return static_cast<int>(count);
}

std::vector<double> ProblemReader::read_finite(const hdf5::Group& group, const std::string& where,
                                               const std::string& name, std::int64_t size,
                                               const std::string& reason) const {
  std::vector<double> values = read_array<double>(group, where, name, size, reason);
  for (std::size_t k = 0; k < values.size(); ++k) {
    // Products of larger ones overflow: nobody could tell whether such a problem is solved.
    constexpr double kLargest = 1e150;
    if (std::abs(values[k]) <= kLargest) continue;
    const std::string wanted =
        std::isfinite(values[k]) ? fmt::format("from {} to {}", -kLargest, kLargest) : "a finite number";
    fail(fmt::format("{}/{}[{}]", where, name, k), fmt::format("is {}, but must be {}", values[k], wanted),
         "look for a division by zero, or for data that was never set, in the program that wrote the file");
  }
  return values;
}

void ProblemReader::check_indices(const std::vector<std::int64_t>& indices, std::size_t count, int bound,
                                  const std::string& where) const {
  for (std::size_t k = 0; k < count; ++k) {
    if (indices[k] >= 0 && indices[k] < bound) continue;
    fail(fmt::format("{}[{}]", where, k),
         fmt::format("is {}, but must be an index from 0 to {}", indices[k], bound - 1), "indices count from 0");
  }
}

// Counting sort: rows of a column come in the order of the entries.
CompressedColumns ProblemReader::compress(int rows, int columns, const std::vector<std::int64_t>& row,
                                          const std::vector<std::int64_t>& column,
                                          const std::vector<double>& value) const {
  CompressedColumns matrix;
  matrix.rows = rows;
  matrix.begin.assign(static_cast<std::size_t>(columns) + 1, 0);
  for (const std::int64_t j : column) ++matrix.begin[j + 1];
  for (int j = 0; j < columns; ++j) matrix.begin[j + 1] += matrix.begin[j];
  matrix.row.resize(row.size());
  matrix.value.resize(row.size());
  std::vector<int> next(matrix.begin.begin(), matrix.begin.end() - 1);
  for (std::size_t k = 0; k < row.size(); ++k) {
    const int place = next[column[k]]++;
    matrix.row[place] = static_cast<int>(row[k]);
    matrix.value[place] = value[k];
  }
  return matrix;
}

CompressedColumns ProblemReader::read_matrix(const hdf5::Group& root, const std::string& name) const {
  const std::string where = fmt::format("{}/{}", kRoot, name);
  const hdf5::Group group = open_group(root.get(), name, where);
  const int rows = read_count(group, where, "m"), columns = read_count(group, where, "n");
  // Each row and column belongs to an entry of a vector in the same file: what is larger than that is damage, and no
  // reason to ask for memory.
  if (static_cast<std::size_t>(std::max(rows, columns)) > bytes_ / sizeof(double)) {
    fail(where + (rows > columns ? "/m" : "/n"),
         fmt::format("is {}, more than a file of this size can hold", std::max(rows, columns)), kSeeLayout);
  }
  const int room = read_count(group, where, "nzmax");
  const std::int64_t form = read_integer(group, where, "nz");
  if (form < kByRows || form > room) {
    fail(where + "/nz",
         fmt::format("is {}, but must be -1 (compressed columns), -2 (compressed rows) or a number of entries up to "
                     "nzmax, which is {}",
                     form, room),
         kSeeLayout);
  }
  const std::string as_many = fmt::format("as {}/nzmax says", where);
  std::vector<double> value = read_finite(group, where, "x", room, as_many);
  if (form >= 0) {
    const std::string as_nz = fmt::format("as {}/nz says", where);
    const std::vector<std::int64_t> row = read_array<std::int64_t>(group, where, "p", form, as_nz);
    const std::vector<std::int64_t> column = read_array<std::int64_t>(group, where, "i", form, as_nz);
    check_indices(row, row.size(), rows, where + "/p");
    check_indices(column, column.size(), columns, where + "/i");
    value.resize(row.size());
    return compress(rows, columns, row, column, value);
  }

  const int lines = form == kByColumns ? columns : rows, across = form == kByColumns ? rows : columns;
  const std::vector<std::int64_t> begin =
      read_array<std::int64_t>(group, where, "p", std::int64_t{lines} + 1,
                               fmt::format("one more than the {} {}", lines, form == kByColumns ? "columns" : "rows"));
  for (std::size_t j = 0; j < begin.size(); ++j) {
    const std::int64_t least = j == 0 ? 0 : begin[j - 1], most = j == 0 ? 0 : room;
    if (begin[j] >= least && begin[j] <= most) continue;
    fail(fmt::format("{}/p[{}]", where, j), fmt::format("is {}, but must be from {} to {}", begin[j], least, most),
         "p starts with 0, never decreases and ends with the number of entries");
  }
  std::vector<std::int64_t> index = read_array<std::int64_t>(group, where, "i", room, as_many);
  const std::size_t entries = static_cast<std::size_t>(begin.back());  // what lies beyond is room, not data
  check_indices(index, entries, across, where + "/i");
  index.resize(entries);
  value.resize(entries);
  if (form == kByColumns) {
    CompressedColumns matrix;
    matrix.rows = rows;
    matrix.begin.assign(begin.begin(), begin.end());
    matrix.row.assign(index.begin(), index.end());
    matrix.value = std::move(value);
    return matrix;
  }
  std::vector<std::int64_t> row;
  row.reserve(entries);
  for (int i = 0; i < lines; ++i) row.insert(row.end(), static_cast<std::size_t>(begin[i + 1] - begin[i]), i);
  return compress(rows, columns, row, index, value);
}

// Entries beside the diagonal may be as small as they like; a subnormal one on it has no reciprocal.
void ProblemReader::check_diagonal(const CompressedColumns& matrix, const std::string& where) const {
  for (int j = 0; j < matrix.columns(); ++j) {
    for (int k = matrix.begin[j]; k < matrix.begin[j + 1]; ++k) {
      if (matrix.row[k] != j || std::fpclassify(matrix.value[k]) != FP_SUBNORMAL) continue;
      fail(where,
           fmt::format("has {:.3g} on its diagonal, in row {}: too small for double precision", matrix.value[k], j),
           "use other units of mass or impulse, so that entries of the diagonal are between 1e-300 and 1e300, or 0");
    }
  }
}

void ProblemReader::read_bilateral_part(const hdf5::Group& root, const hdf5::Group& vectors,
                                        ContactProblem& problem) const {
  const bool has_V = exists(root, "V"), has_R = exists(root, "R");
  if (!has_V && !has_R) return;
  if (has_V != has_R) fail(fmt::format("{}/{}", kRoot, has_V ? "R" : "V"), "is missing", "V and R come together");
  problem.V = read_matrix(root, "V");
  problem.R = read_matrix(root, "R");
  const int p = problem.R.rows;
  if (problem.R.columns() != p) {
    fail(fmt::format("{}/R", kRoot),
         fmt::format("has {} rows and {} columns, but must be square", p, problem.R.columns()));
  }
  if (problem.V.rows != problem.W.rows || problem.V.columns() != p) {
    fail(fmt::format("{}/V", kRoot), fmt::format("has {} rows and {} columns, but must have as many rows as W, {}, and "
                                                 "as many columns as R, {}",
                                                 problem.V.rows, problem.V.columns(), problem.W.rows, p));
  }
  problem.s = read_finite(vectors, fmt::format("{}/vectors", kRoot), "s", p, "one for each row of R");
  if (p == 0) problem.V = problem.R = {};
}

// What a text holds matters to nobody but people: if it cannot be read, there is none.
std::string ProblemReader::read_text(const hdf5::Group& root, const std::string& name) const {
  if (!exists(root, "info")) return {};
  const hdf5::Group info(H5Gopen2(root.get(), "info", H5P_DEFAULT));
  if (info.get() < 0 || !exists(info, name)) return {};
  const hdf5::Dataset dataset(H5Dopen2(info.get(), name.c_str(), H5P_DEFAULT));
  if (dataset.get() < 0) return {};
  const hdf5::Datatype type(H5Dget_type(dataset.get()));
  const hdf5::Dataspace space(H5Dget_space(dataset.get()));
  if (type.get() < 0 || space.get() < 0 || H5Tget_class(type.get()) != H5T_STRING ||
      H5Tis_variable_str(type.get()) != 0 || H5Sget_simple_extent_npoints(space.get()) != 1) {
    return {};
  }
  const std::size_t size = H5Tget_size(type.get());
  if (size > bytes_) return {};
  std::string text(size, '\0');
  if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return {};
  return text.substr(0, text.find('\0'));
}

ContactProblem ProblemReader::read() {
  const hdf5::QuietErrors quiet;
  open();
  if (H5Lexists(file_.get(), kRoot, H5P_DEFAULT) <= 0) {
    if (H5Lexists(file_.get(), "fclib_global", H5P_DEFAULT) > 0) {
      fail("fclib_global", "is a global problem, with the masses of the bodies",
           "condense it to a local one first: W = H^T M^-1 H, q = w + H^T M^-1 f");
    }
    fail(kRoot, "is missing: this is an HDF5 file, but not one of a local contact problem", kSeeLayout);
  }
  const hdf5::Group root = open_group(file_.get(), kRoot, kRoot);
  ContactProblem problem;
  const std::int64_t dimension = read_integer(root, kRoot, "spacedim");
  if (dimension != 2 && dimension != 3) {
    fail(fmt::format("{}/spacedim", kRoot), fmt::format("is {}, but must be 2 or 3", dimension), kSeeLayout);
  }
  problem.dimension = static_cast<int>(dimension);
  problem.W = read_matrix(root, "W");
  const std::string matrix = fmt::format("{}/W", kRoot), vector = fmt::format("{}/vectors", kRoot);
  if (problem.W.rows != problem.W.columns()) {
    fail(matrix, fmt::format("has {} rows and {} columns, but must be square", problem.W.rows, problem.W.columns()));
  }
  check_diagonal(problem.W, matrix);
  if (problem.W.rows == 0) fail(matrix, "is empty", "a problem has at least one contact");
  if (problem.W.rows % problem.dimension != 0) {
    fail(matrix, fmt::format("has {} rows, but must have a multiple of {}, the rows of a contact", problem.W.rows,
                             problem.dimension));
  }
  const hdf5::Group vectors = open_group(root.get(), "vectors", vector);
  problem.q = read_finite(vectors, vector, "q", problem.W.rows, "one for each row of W");
  problem.mu = read_finite(vectors, vector, "mu", problem.W.rows / problem.dimension, "one for each contact");
  for (std::size_t k = 0; k < problem.mu.size(); ++k) {
    if (problem.mu[k] >= 0) continue;
    fail(fmt::format("{}/mu[{}]", vector, k), fmt::format("is {}, but must not be negative", problem.mu[k]),
         "a coefficient of friction is 0 or more");
  }
  read_bilateral_part(root, vectors, problem);
  problem.title = read_text(root, "title");
  problem.description = read_text(root, "description");
  return problem;
}

}  // namespace

ContactProblem read_contact_problem(const fs::path& path) {
  return ProblemReader(path).read();
}

}  // namespace freeplay::io
