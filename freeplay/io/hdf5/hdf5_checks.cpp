#include "freeplay/io/hdf5/hdf5_checks.h"

#include <fmt/format.h>

#include <array>

namespace freeplay::io::hdf5 {

namespace {

void require_own_link(hid_t parent, const std::string& name) {
  H5L_info_t info{};
  check(H5Lget_info(parent, name.c_str(), &info, H5P_DEFAULT), "find " + name);
  if (info.type != H5L_TYPE_HARD) throw Error(fmt::format("{} is a link to another place", name));
}

PropertyList creation_of(const Dataset& dataset) {
  return PropertyList(check(H5Dget_create_plist(dataset.get()), "read the layout of a dataset"));
}

Datatype type_of(const Dataset& dataset) {
  return Datatype(check(H5Dget_type(dataset.get()), "read the type of a dataset"));
}

Dataspace space_of(const Dataset& dataset) {
  return Dataspace(check(H5Dget_space(dataset.get()), "read the extent of a dataset"));
}

// HDF5 makes a record of some hundred bytes for every chunk before it reads the first one: a header that claims
// millions of them takes all memory. Each one that is there takes up a byte of the file, or more.
void require_possible_chunks(const Dataset& dataset, const PropertyList& creation, const std::string& name) {
  std::array<hsize_t, H5S_MAX_RANK> extent{}, chunk{};
  const int rank = H5Sget_simple_extent_dims(space_of(dataset).get(), extent.data(), nullptr);
  if (H5Pget_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()) != rank)
    throw Error(fmt::format("the chunks of {} are damaged", name));
  const File file(check(H5Iget_file_id(dataset.get()), "find the file of " + name));
  hsize_t bytes = 0, chunks = 1;
  check(H5Fget_filesize(file.get(), &bytes), "read the size of the file");
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
    if (chunk[i] == 0) throw Error(fmt::format("the chunks of {} are damaged", name));
    chunks *= extent[i] / chunk[i] + (extent[i] % chunk[i] != 0 ? 1 : 0);
    if (chunks > bytes)
      throw Error(fmt::format("{} claims {} chunks, more than a file of {} bytes can hold", name, chunks, bytes));
  }
}

// Numbers of eight bytes in either order, for instance: what HDF5 converts without a loss.
bool is_same_kind(hid_t stored, hid_t expected) {
  const H5T_class_t kind = H5Tget_class(expected);
  if (H5Tget_class(stored) != kind || H5Tget_size(stored) != H5Tget_size(expected)) return false;
  if (kind == H5T_FLOAT) {  // of the same size: double or single
    const bool is_double = H5Tget_size(expected) == sizeof(double);
    return H5Tequal(stored, is_double ? H5T_IEEE_F64LE : H5T_IEEE_F32LE) > 0 ||
           H5Tequal(stored, is_double ? H5T_IEEE_F64BE : H5T_IEEE_F32BE) > 0;
  }
  if (kind == H5T_INTEGER) return H5Tget_precision(stored) == H5Tget_precision(expected);
  return kind == H5T_STRING && H5Tis_variable_str(stored) == 0;
}

}  // namespace

Group open_own_group(hid_t parent, const std::string& name) {
  require_own_link(parent, name);
  return Group(check(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), "open the group " + name));
}

Dataset open_own_dataset(hid_t parent, const std::string& name) {
  require_own_link(parent, name);
  Dataset dataset(check(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), "open the dataset " + name));
  const PropertyList creation = creation_of(dataset);
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  const bool is_here = layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED;
  if (!is_here || H5Pget_external_count(creation.get()) != 0)
    throw Error(fmt::format("{} keeps its data in other files, which are not read", name));
  if (layout == H5D_CHUNKED) require_possible_chunks(dataset, creation, name);
  return dataset;
}

std::int64_t column_length(const Dataset& dataset, std::uint64_t file_bytes) {
  const Dataspace space = space_of(dataset);
  if (H5Sget_simple_extent_ndims(space.get()) != 1) throw Error("a column does not have one dimension");
  const std::int64_t length = check(H5Sget_simple_extent_npoints(space.get()), "read the length of a dataset");
  // Compression makes a column shorter by a factor of 1000 at most.
  const std::uint64_t best_compression = H5Pget_nfilters(creation_of(dataset).get()) == 0 ? 1 : 1100;
  const std::size_t bytes = H5Tget_size(type_of(dataset).get());
  if (bytes == 0 || static_cast<std::uint64_t>(length) > best_compression * file_bytes / bytes)
    throw Error(fmt::format("a column claims {} elements, more than a file of {} bytes can hold", length, file_bytes));
  return length;
}

void require_one_element(const Dataset& dataset) {
  if (H5Sget_simple_extent_npoints(space_of(dataset).get()) != 1)
    throw Error("a record is expected where the file has a table");
}

void require_numbers(const Dataset& dataset, hid_t expected) {
  if (!is_same_kind(type_of(dataset).get(), expected)) throw Error("a column does not hold numbers of the right kind");
}

void require_record(const Dataset& dataset, const Datatype& expected, MissingFields missing) {
  const Datatype stored = type_of(dataset);
  if (H5Tget_class(stored.get()) != H5T_COMPOUND) throw Error("a table does not hold records");
  const int fields = H5Tget_nmembers(expected.get());
  for (int i = 0; i < fields; ++i) {
    char* name = H5Tget_member_name(expected.get(), static_cast<unsigned>(i));
    const std::string field = name != nullptr ? name : "";
    H5free_memory(name);
    const int place = H5Tget_member_index(stored.get(), field.c_str());
    if (place < 0) {
      if (missing == MissingFields::kAllowed) continue;
      throw Error(fmt::format("a table has no field '{}'", field));
    }
    const Datatype in_file(check(H5Tget_member_type(stored.get(), static_cast<unsigned>(place)), "read a type"));
    const Datatype in_memory(check(H5Tget_member_type(expected.get(), static_cast<unsigned>(i)), "read a type"));
    if (!is_same_kind(in_file.get(), in_memory.get()))
      throw Error(fmt::format("the field '{}' of a table is of another kind than expected", field));
  }
}

void require_stored_rows(const Dataset& dataset, std::int64_t first, std::int64_t count) {
  if (count == 0) return;
  const PropertyList creation = creation_of(dataset);
  const auto refuse = [&](std::int64_t row) {
    throw Error(fmt::format("row {} of a column was never written, or its place in the file is lost", row));
  };
  if (H5Pget_layout(creation.get()) != H5D_CHUNKED) {
    const std::size_t bytes = H5Tget_size(type_of(dataset).get());
    if (H5Dget_storage_size(dataset.get()) < static_cast<hsize_t>(first + count) * bytes) refuse(first);
    return;
  }
  hsize_t chunk = 0;
  if (H5Pget_chunk(creation.get(), 1, &chunk) != 1 || chunk == 0) throw Error("the chunks of a column are damaged");
  for (hsize_t row = static_cast<hsize_t>(first) / chunk * chunk; row < static_cast<hsize_t>(first + count);
       row += chunk) {
    hsize_t bytes = 0;
    if (H5Dget_chunk_storage_size(dataset.get(), &row, &bytes) < 0 || bytes == 0)
      refuse(static_cast<std::int64_t>(row));
  }
}

int read_integer_attribute(hid_t object, const std::string& name) {
  const Attribute attribute(check(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open the attribute " + name));
  const Datatype type(check(H5Aget_type(attribute.get()), "read the attribute " + name));
  const Dataspace space(check(H5Aget_space(attribute.get()), "read the attribute " + name));
  if (!is_same_kind(type.get(), H5T_NATIVE_INT) || H5Sget_simple_extent_npoints(space.get()) != 1)
    throw Error(fmt::format("the attribute {} is not one integer", name));
  int value = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_INT, &value), "read the attribute " + name);
  return value;
}

}  // namespace freeplay::io::hdf5
