// The XML files of VTK: unstructured grids (.vtu) and collections of them over time (.pvd). All numbers are plain text
// in the file, which every reader of the format knows.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "freeplay/report/draw/mesh.h"

namespace freeplay::report {

// One value, or three, per cell or per point.
struct VtkArray {
  std::string name;
  int components = 1;
  bool is_integer = false;
  std::vector<double> values;
};

struct VtkGrid {
  double time_s = 0;
  Mesh mesh;
  std::vector<VtkArray> point_data, cell_data;
  std::vector<std::pair<std::string, double>> fields;  // numbers of the whole grid
};
// Throws IoError. Every number must be finite: VTK's readers stumble over "nan" and "inf".
void write_vtu(const VtkGrid& grid, const std::filesystem::path& path);

struct VtkEntry {
  double time_s = 0;
  int part = 0;
  std::string file;  // beside the collection
};
void write_pvd(const std::vector<VtkEntry>& entries, const std::filesystem::path& path);

}  // namespace freeplay::report
