#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/io/hdf5/hdf5_file_driver.h"
#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/io/problem/contact_problem_file.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;
using hdf5::check;

void write_array(const hdf5::Group& group, const char* name, hid_t file_type, hid_t memory_type, std::size_t size,
                 const void* values) {
  const hsize_t extent = size;
  const hdf5::Dataspace space(check(H5Screate_simple(1, &extent, nullptr), "make a dataspace"));
  const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_DATASET_CREATE);
  const hdf5::Dataset dataset(
      check(H5Dcreate2(group.get(), name, file_type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
            fmt::format("create the dataset {}", name)));
  if (size == 0) return;
  check(H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), fmt::format("write {}", name));
}

void write_reals(const hdf5::Group& group, const char* name, std::span<const double> values) {
  write_array(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
}
void write_integers(const hdf5::Group& group, const char* name, std::span<const int> values) {
  write_array(group, name, H5T_STD_I32LE, H5T_NATIVE_INT, values.size(), values.data());
}
void write_integer(const hdf5::Group& group, const char* name, int value) {
  write_integers(group, name, {&value, 1});
}

hdf5::Group create_group(hid_t parent, const char* name) {
  const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_GROUP_CREATE);
  return hdf5::Group(check(H5Gcreate2(parent, name, H5P_DEFAULT, creation.get(), H5P_DEFAULT), "create a group"));
}

void write_matrix(const hdf5::Group& root, const char* name, const CompressedColumns& matrix) {
  const hdf5::Group group = create_group(root.get(), name);
  write_integer(group, "nzmax", static_cast<int>(matrix.row.size()));
  write_integer(group, "m", matrix.rows);
  write_integer(group, "n", matrix.columns());
  write_integer(group, "nz", -1);  // compressed columns
  write_integers(group, "p", matrix.begin);
  write_integers(group, "i", matrix.row);
  write_reals(group, "x", matrix.value);
}

// Of a fixed length, as FCLIB writes them; nothing is written for an empty one.
void write_text(const hdf5::Group& group, const char* name, const std::string& text) {
  if (text.empty()) return;
  const hdf5::Datatype type(check(H5Tcopy(H5T_C_S1), "make a text type"));
  check(H5Tset_size(type.get(), text.size() + 1), "make a text type");
  const hdf5::Dataspace space(check(H5Screate(H5S_SCALAR), "make a dataspace"));
  const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_DATASET_CREATE);
  const hdf5::Dataset dataset(
      check(H5Dcreate2(group.get(), name, type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
            fmt::format("create the dataset {}", name)));
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), "write a text");
}

// Calls write(root group) on a new file, which takes the place of `path` once it is whole.
template <typename Write>
void write_file(const fs::path& path, Write write) {
  const hdf5::QuietErrors quiet;
  const auto refuse = [&](const std::string& reason) {
    throw IoError(fmt::format("cannot write {}: {}", path.string(), reason));
  };
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) refuse(error.message());
  fs::path partial = path;
  partial += fmt::format(".{}.partial", ::getpid());
  int write_error = 0;
  std::string reason;
  {
    hdf5::PosixFile posix_file;
    write_error = posix_file.create(partial);
    if (write_error == 0) {
      try {
        // In the oldest format that can hold it, so that programs with an older HDF5 read it too.
        const hdf5::PropertyList access = hdf5::access_through(posix_file);
        const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_FILE_CREATE);
        const hdf5::File file(
            check(H5Fcreate(partial.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), "create the file"));
        write(hdf5::Group(check(H5Gopen2(file.get(), "/", H5P_DEFAULT), "open the file")));
      } catch (const hdf5::Error& failure) {
        reason = failure.what();
      }
      write_error = posix_file.write_error();
      const int close_error = posix_file.close();
      if (write_error == 0) write_error = close_error;
    }
  }
  if (write_error != 0) reason = std::generic_category().message(write_error);
  if (reason.empty()) {
    fs::rename(partial, path, error);
    if (!error) return;
    reason = error.message();
  }
  fs::remove(partial, error);
  refuse(reason);
}

}  // namespace

void write_contact_problem(const fs::path& path, const ContactProblem& problem) {
  write_file(path, [&](const hdf5::Group& file) {
    const hdf5::Group root = create_group(file.get(), "fclib_local");
    write_integer(root, "spacedim", problem.dimension);
    write_matrix(root, "W", problem.W);
    const hdf5::Group vectors = create_group(root.get(), "vectors");
    write_reals(vectors, "q", problem.q);
    write_reals(vectors, "mu", problem.mu);
    if (problem.bilateral_count() > 0) {
      write_matrix(root, "V", problem.V);
      write_matrix(root, "R", problem.R);
      write_reals(vectors, "s", problem.s);
    }
    if (problem.title.empty() && problem.description.empty()) return;
    const hdf5::Group info = create_group(root.get(), "info");
    write_text(info, "title", problem.title);
    write_text(info, "description", problem.description);
  });
}

void write_contact_solution(const fs::path& path, std::span<const double> r, std::span<const double> u,
                            std::span<const double> lambda) {
  write_file(path, [&](const hdf5::Group& file) {
    write_reals(file, "r", r);
    write_reals(file, "u", u);
    if (!lambda.empty()) write_reals(file, "l", lambda);
  });
}

}  // namespace freeplay::io
