#include "freeplay/io/result/tables/result_measures.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "freeplay/io/hdf5/hdf5_checks.h"
#include "freeplay/io/hdf5/hdf5_group.h"
#include "freeplay/io/result/tables/result_table.h"
#include "freeplay/io/schema/result_schema.h"

namespace freeplay::io {

namespace {

void write_measure(const hdf5::Dataset& dataset, double value) {
  hdf5::check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), "write a measure");
}

}  // namespace

// Single numbers, not a table: a name may have any length, and they must be there before SWMR starts.
std::vector<hdf5::Dataset> create_measures(hid_t file, std::span<const ChannelInfo> labels) {
  std::vector<hdf5::Dataset> datasets;
  if (labels.empty()) return datasets;
  const hdf5::Group group = hdf5::make_ordered_group(file, result_schema::kMeasures);
  const hdf5::Dataspace scalar(hdf5::check(H5Screate(H5S_SCALAR), "make a dataspace"));
  const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_DATASET_CREATE);
  std::set<std::string> taken;
  for (const ChannelInfo& label : labels) {
    const std::string name = hdf5::dataset_name(label.name, taken);
    hdf5::Dataset dataset(hdf5::check(H5Dcreate2(group.get(), name.c_str(), H5T_NATIVE_DOUBLE, scalar.get(),
                                                 H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                                      "create a measure"));
    hdf5::write_text_attribute(dataset.get(), result_schema::kNameAttribute, label.name);
    hdf5::write_text_attribute(dataset.get(), result_schema::kUnitAttribute, label.unit);
    write_measure(dataset, std::numeric_limits<double>::quiet_NaN());
    datasets.push_back(std::move(dataset));
  }
  return datasets;
}

void write_measures(std::span<const hdf5::Dataset> datasets, std::span<const MeasuredValue> measures) {
  for (std::size_t i = 0; i < std::min(datasets.size(), measures.size()); ++i) {
    write_measure(datasets[i], measures[i].value);
    hdf5::check(H5Dflush(datasets[i].get()), "flush a measure");
  }
}

std::vector<MeasuredValue> read_measures(hid_t file, std::uint64_t file_bytes) {
  std::vector<MeasuredValue> measures;
  if (H5Lexists(file, result_schema::kMeasures, H5P_DEFAULT) <= 0) return measures;
  const hdf5::Group group = hdf5::open_own_group(file, result_schema::kMeasures);
  for (const std::string& link : hdf5::links_in_order(group)) {
    const hdf5::Dataset number = hdf5::open_own_dataset(group.get(), link);
    hdf5::require_numbers(number, H5T_NATIVE_DOUBLE);
    hdf5::require_one_element(number);
    MeasuredValue measure;
    measure.name = hdf5::read_text_attribute(number.get(), result_schema::kNameAttribute, file_bytes);
    measure.unit = hdf5::read_text_attribute(number.get(), result_schema::kUnitAttribute, file_bytes);
    hdf5::check(H5Dread(number.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &measure.value),
                "read a measure");
    measures.push_back(std::move(measure));
  }
  return measures;
}

}  // namespace freeplay::io
