#include "freeplay/io/result/tables/result_table.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

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

TableMaker::TableMaker(hid_t type, std::size_t elements_per_chunk)
    : type_(type), creation_(untimed_properties(H5P_DATASET_CREATE)) {
  const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = elements_per_chunk;
  space_ = Dataspace(check(H5Screate_simple(1, &none, &unlimited), "make a dataspace"));
  check(H5Pset_chunk(creation_.get(), 1, &chunk), "set the chunk size");
  // No fill values: with the chunk cache off (result_writer.cpp) a write then goes straight to its place in the file.
  check(H5Pset_fill_time(creation_.get(), H5D_FILL_TIME_NEVER), "set the fill time");
  link_ = PropertyList(check(H5Pcreate(H5P_LINK_CREATE), "make a property list"));
  check(H5Pset_char_encoding(link_.get(), H5T_CSET_UTF8), "set the character set of names");
}

Dataset TableMaker::make(hid_t group, const std::string& name) const {
  return Dataset(check(H5Dcreate2(group, name.c_str(), type_, space_.get(), link_.get(), creation_.get(), H5P_DEFAULT),
                       "create the dataset " + name));
}

AppendedRange::AppendedRange(hsize_t size, hsize_t count, Chunks chunks)
    : size_(size),
      count_(count),
      whole_chunks_(chunks.elements > 0 && size % chunks.elements == 0 ? count / chunks.elements : 0),
      chunks_(chunks) {
  const hsize_t new_size = size + count, direct = whole_chunks_ * chunks.elements;
  const hsize_t start = size + direct, rest = count - direct;
  if (rest == 0) return;
  file_space_ = Dataspace(check(H5Screate_simple(1, &new_size, nullptr), "make a dataspace"));
  check(H5Sselect_hyperslab(file_space_.get(), H5S_SELECT_SET, &start, nullptr, &rest, nullptr), "select rows");
  memory_space_ = Dataspace(check(H5Screate_simple(1, &rest, nullptr), "make a dataspace"));
}

void AppendedRange::append(const Dataset& dataset, hid_t type, const void* data, const PropertyList& transfer) const {
  if (count_ == 0) return;
  const hsize_t new_size = size_ + count_;
  check(H5Dset_extent(dataset.get(), &new_size), "extend a dataset");
  const auto* next = static_cast<const std::byte*>(data);
  const std::size_t chunk_bytes = static_cast<std::size_t>(chunks_.elements) * chunks_.bytes_per_element;
  for (hsize_t k = 0; k < whole_chunks_; ++k, next += chunk_bytes) {
    constexpr std::uint32_t kAllFilters = 0;
    const hsize_t offset = size_ + k * chunks_.elements;
    check(H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, kAllFilters, &offset, chunk_bytes, next), "write rows");
  }
  if (file_space_.get() < 0) return;
  const hid_t how = transfer.get() < 0 ? H5P_DEFAULT : transfer.get();
  check(H5Dwrite(dataset.get(), type, memory_space_.get(), file_space_.get(), how, next), "write rows");
}

}  // namespace freeplay::io::hdf5
