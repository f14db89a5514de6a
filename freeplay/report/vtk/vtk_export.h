// The motion of a result as files for ParaView and other programs that read VTK's formats.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

struct VtkExport {
  std::filesystem::path collection;  // the .pvd to open
  std::int64_t frames = 0;
  std::vector<std::string> notes;  // what could not be drawn, or not as it is
};

// Makes the folder if need be and writes motion.pvd, bodies_*.vtu, ground.vtu, beams_*.vtu where there are elastic
// bodies, and contacts.pvd with contacts_*.vtu where the places of contact points were recorded. At most `frames`
// moments, evenly in time. Elastic bodies are drawn as if their modal coordinates were `deformation` times as large;
// other bodies stay where they are. Throws IoError.
VtkExport export_vtk(const ResultReader& result, const std::filesystem::path& folder, std::int64_t frames,
                     double deformation = 1);

}  // namespace freeplay::report
