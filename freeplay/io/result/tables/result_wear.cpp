#include "freeplay/io/result/tables/result_wear.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "freeplay/io/hdf5/hdf5_checks.h"
#include "freeplay/io/hdf5/hdf5_group.h"
#include "freeplay/io/result/tables/result_table.h"
#include "freeplay/io/schema/result_schema.h"

namespace freeplay::io {

namespace {

constexpr std::size_t kCellsPerChunk = 128;

hdf5::Datatype wear_cell_type() {
  hdf5::Datatype type(hdf5::check(H5Tcreate(H5T_COMPOUND, sizeof(WearCell)), "make a record type"));
  const auto insert = [&](const char* name, std::size_t offset) {
    hdf5::check(H5Tinsert(type.get(), name, offset, H5T_NATIVE_DOUBLE), "make a record type");
  };
  insert("from", offsetof(WearCell, from));
  insert("to", offsetof(WearCell, to));
  insert("volume", offsetof(WearCell, volume_m3));
  insert("depth", offsetof(WearCell, depth_m));
  return type;
}

// The name of a surface is CONTACT.SURFACE; a contact's own name has no dot.
void split_name(const std::string& name, SurfaceWear& wear) {
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  wear.contact = name.substr(0, dot);
  wear.surface = name.substr(std::min(dot + 1, name.size()));
}

// What a file need not tell again.
void sum_up(SurfaceWear& wear) {
  for (const WearCell& cell : wear.cells) {
    wear.volume_m3 += cell.volume_m3;
    if (!(cell.depth_m > wear.max_depth_m)) continue;
    wear.max_depth_m = cell.depth_m;
    wear.max_at = (cell.from + cell.to) / 2;
  }
  if (wear.unit.empty()) wear.cells.clear();
}

}  // namespace

std::vector<hdf5::Dataset> create_wear(hid_t file, std::span<const ChannelInfo> surfaces) {
  std::vector<hdf5::Dataset> tables;
  if (surfaces.empty()) return tables;
  const hdf5::Group group = hdf5::make_ordered_group(file, result_schema::kWear);
  const hdf5::Datatype type = wear_cell_type();
  const hdf5::TableMaker maker(type.get(), kCellsPerChunk);
  std::set<std::string> taken;
  for (const ChannelInfo& surface : surfaces) {
    tables.push_back(maker.make(group.get(), hdf5::dataset_name(surface.name, taken)));
    hdf5::write_text_attribute(tables.back().get(), result_schema::kNameAttribute, surface.name);
    hdf5::write_text_attribute(tables.back().get(), result_schema::kUnitAttribute, surface.unit);
    hdf5::write_text_attribute(tables.back().get(), result_schema::kFieldUnitsAttribute,
                               std::vector<std::string>{surface.unit, surface.unit, "m^3", "m"});
  }
  return tables;
}

void write_wear(std::span<const hdf5::Dataset> tables, std::span<const SurfaceWear> wear) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const hdf5::Datatype type = wear_cell_type();
  for (std::size_t i = 0; i < std::min(tables.size(), wear.size()); ++i) {
    std::vector<WearCell> cells = wear[i].cells;
    if (wear[i].unit.empty()) cells = {{kNone, kNone, wear[i].volume_m3, kNone}};
    if (!cells.empty())
      hdf5::AppendedRange(0, cells.size()).append(tables[i], type.get(), cells.data(), hdf5::modest_transfer());
    hdf5::check(H5Dflush(tables[i].get()), "flush the wear");
  }
}

std::vector<SurfaceWear> read_wear(hid_t file, std::uint64_t file_bytes) {
  std::vector<SurfaceWear> surfaces;
  if (H5Lexists(file, result_schema::kWear, H5P_DEFAULT) <= 0) return surfaces;
  const hdf5::Group group = hdf5::open_own_group(file, result_schema::kWear);
  const hdf5::Datatype type = wear_cell_type();
  for (const std::string& link : hdf5::links_in_order(group)) {
    const hdf5::Dataset table = hdf5::open_own_dataset(group.get(), link);
    hdf5::require_record(table, type, hdf5::MissingFields::kRefused);
    SurfaceWear wear;
    split_name(hdf5::read_text_attribute(table.get(), result_schema::kNameAttribute, file_bytes), wear);
    wear.unit = hdf5::read_text_attribute(table.get(), result_schema::kUnitAttribute, file_bytes);
    const std::int64_t count = hdf5::column_length(table, file_bytes);
    hdf5::require_stored_rows(table, 0, count);
    wear.cells.resize(static_cast<std::size_t>(count));
    if (count > 0)
      hdf5::check(H5Dread(table.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, wear.cells.data()), "read the wear");
    sum_up(wear);
    surfaces.push_back(std::move(wear));
  }
  return surfaces;
}

}  // namespace freeplay::io
