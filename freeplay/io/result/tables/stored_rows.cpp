#include "freeplay/io/result/tables/stored_rows.h"

#include "freeplay/io/hdf5/hdf5_checks.h"
#include "freeplay/io/hdf5/hdf5_group.h"

namespace freeplay::io {

using hdf5::check;

void read_elements(const hdf5::Dataset& dataset, hid_t type, std::int64_t first, std::size_t count, void* out) {
  if (count == 0) return;
  hdf5::require_stored_rows(dataset, first, static_cast<std::int64_t>(count));
  const hsize_t start = static_cast<hsize_t>(first), extent = count;
  const hdf5::Dataspace file_space(check(H5Dget_space(dataset.get()), "read rows"));
  check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &start, nullptr, &extent, nullptr), "select rows");
  const hdf5::Dataspace memory_space(check(H5Screate_simple(1, &extent, nullptr), "make a dataspace"));
  check(H5Dread(dataset.get(), type, memory_space.get(), file_space.get(), H5P_DEFAULT, out), "read rows");
}

void read_records(const hdf5::File& file, const result_schema::TableDescription& description, std::int64_t first,
                  std::size_t count, void* records) {
  const hdf5::Datatype type = result_schema::record_type(description, result_schema::Packing::kAsInMemory);
  const hdf5::Dataset table = hdf5::open_own_dataset(file.get(), description.name);
  hdf5::require_record(table, type, hdf5::MissingFields::kRefused);
  read_elements(table, type.get(), first, count, records);
}

std::map<std::string, std::string> read_text_attributes(const hdf5::File& file, std::uint64_t file_bytes) {
  std::map<std::string, std::string> attributes;
  H5O_info_t info{};
  check(H5Oget_info2(file.get(), &info, H5O_INFO_NUM_ATTRS), "count the attributes");
  for (hsize_t i = 0; i < info.num_attrs; ++i) {
    const hdf5::Attribute attribute(check(
        H5Aopen_by_idx(file.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT), "open an attribute"));
    if (!hdf5::holds_one_text(attribute.get())) continue;
    std::string name(static_cast<std::size_t>(check(H5Aget_name(attribute.get(), 0, nullptr), "read a name")), '\0');
    check(H5Aget_name(attribute.get(), name.size() + 1, name.data()), "read a name");
    attributes[name] = hdf5::read_text(attribute.get(), file_bytes);
  }
  return attributes;
}

}  // namespace freeplay::io
