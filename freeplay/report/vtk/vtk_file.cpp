#include "freeplay/report/vtk/vtk_file.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "freeplay/core/error.h"
#include "freeplay/report/atomic_file.h"

namespace freeplay::report {

namespace {

void put(std::string& text, double value) {
  FREEPLAY_ASSERT(std::isfinite(value));
  fmt::format_to(std::back_inserter(text), "{:.12g} ", value);
}

template <class Values, class Write>
void put_array(std::string& text, std::string_view type, std::string_view name, int components, const Values& values,
               Write write) {
  fmt::format_to(std::back_inserter(text),
                 "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">\n", type, name,
                 components);
  std::size_t in_line = 0;
  for (const auto& value : values) {
    write(value);
    if (++in_line % 12 == 0) text += '\n';
  }
  text += "\n</DataArray>\n";
}

void put_data(std::string& text, const std::vector<VtkArray>& arrays) {
  for (const VtkArray& array : arrays) {
    put_array(text, array.is_integer ? "Int32" : "Float64", array.name, array.components, array.values,
              [&](double value) { put(text, value); });
  }
}

}  // namespace

void write_vtu(const VtkGrid& grid, const std::filesystem::path& path) {
  const Mesh& mesh = grid.mesh;
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<UnstructuredGrid>\n<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">";
  put(text, grid.time_s);
  text += "</DataArray>\n";
  for (const auto& [name, value] : grid.fields) {
    text += fmt::format("<DataArray type=\"Float64\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">", name);
    put(text, value);
    text += "</DataArray>\n";
  }
  text += fmt::format("</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
                      mesh.points.size(), mesh.types.size());
  put_array(text, "Float64", "Points", 3, mesh.points, [&](const Vec3& point) {
    for (int i = 0; i < 3; ++i) put(text, point[i]);
  });
  text += "</Points>\n<Cells>\n";
  const auto put_integer = [&](std::int64_t value) { fmt::format_to(std::back_inserter(text), "{} ", value); };
  put_array(text, "Int64", "connectivity", 1, mesh.connectivity, put_integer);
  put_array(text, "Int64", "offsets", 1, mesh.ends, put_integer);
  put_array(text, "UInt8", "types", 1, mesh.types, [&](CellType type) { put_integer(static_cast<int>(type)); });
  text += "</Cells>\n<PointData>\n";
  put_data(text, grid.point_data);
  text += "</PointData>\n<CellData>\n";
  put_data(text, grid.cell_data);
  text += "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  write_file_atomically(path, text);
}

void write_pvd(const std::vector<VtkEntry>& entries, const std::filesystem::path& path) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const VtkEntry& entry : entries) {
    text += fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"{}\" file=\"{}\"/>\n", entry.time_s, entry.part,
                        entry.file);
  }
  text += "</Collection>\n</VTKFile>\n";
  write_file_atomically(path, text);
}

}  // namespace freeplay::report
