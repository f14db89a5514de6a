#include "freeplay/io/result/result_table.h"

#include <fmt/format.h>

namespace freeplay::io::hdf5 {

std::string dataset_name(const std::string& channel, std::set<std::string>& taken) {
  constexpr std::size_t kMaxBytes = 120;
  std::string name(utf8_prefix(channel, kMaxBytes));
  for (char& c : name) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    if (c == '/' || is_control) c = '_';
  }
  if (name.empty() || name == ".") name.assign(1, '_');
  std::string unique = name;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}~{}", name, i);
  return unique;
}

Dataset create_table(hid_t group, const std::string& name, hid_t type, std::size_t elements_per_chunk) {
  const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = elements_per_chunk;
  const Dataspace space(check(H5Screate_simple(1, &none, &unlimited), "make a dataspace"));
  const PropertyList creation = untimed_properties(H5P_DATASET_CREATE);
  check(H5Pset_chunk(creation.get(), 1, &chunk), "set the chunk size");
  // No fill values: with the chunk cache off (result_writer.cpp) a write then goes straight to its place in the file.
  check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), "set the fill time");
  const PropertyList link(check(H5Pcreate(H5P_LINK_CREATE), "make a property list"));
  check(H5Pset_char_encoding(link.get(), H5T_CSET_UTF8), "set the character set of names");
  return Dataset(check(H5Dcreate2(group, name.c_str(), type, space.get(), link.get(), creation.get(), H5P_DEFAULT),
                       "create the dataset " + name));
}

void append(const Dataset& dataset, hid_t type, hsize_t size, hsize_t count, const void* data) {
  if (count == 0) return;
  const hsize_t new_size = size + count;
  check(H5Dset_extent(dataset.get(), &new_size), "extend a dataset");
  const Dataspace file_space(check(H5Screate_simple(1, &new_size, nullptr), "make a dataspace"));
  check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &size, nullptr, &count, nullptr), "select rows");
  const Dataspace memory_space(check(H5Screate_simple(1, &count, nullptr), "make a dataspace"));
  check(H5Dwrite(dataset.get(), type, memory_space.get(), file_space.get(), H5P_DEFAULT, data), "write rows");
}

}  // namespace freeplay::io::hdf5
