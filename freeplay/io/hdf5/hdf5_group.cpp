#include "freeplay/io/hdf5/hdf5_group.h"

namespace freeplay::io::hdf5 {

Group make_ordered_group(hid_t file, const char* name) {
  const PropertyList creation = untimed_properties(H5P_GROUP_CREATE);
  check(H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "keep the order of a group");
  return Group(check(H5Gcreate2(file, name, H5P_DEFAULT, creation.get(), H5P_DEFAULT), "create a group"));
}

std::vector<std::string> links_in_order(const Group& group) {
  H5G_info_t info{};
  check(H5Gget_info(group.get(), &info), "count the members of a group");
  std::vector<std::string> links;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto name_to = [&](char* text, std::size_t size) {
      return static_cast<std::size_t>(
          check(H5Lget_name_by_idx(group.get(), ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, text, size, H5P_DEFAULT),
                "list the members of a group"));
    };
    std::string link(name_to(nullptr, 0), '\0');
    name_to(link.data(), link.size() + 1);
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace freeplay::io::hdf5
