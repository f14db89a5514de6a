#include "freeplay/report/findings/blows_csv.h"

#include <fmt/format.h>

#include <ostream>

#include "freeplay/core/error.h"
#include "freeplay/report/atomic_file.h"

namespace freeplay::report {

namespace {

// RFC 4180.
std::string csv_name(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string blows_text(const Blows& blows) {
  std::string text = "element,time,end,impacts,impulse,unit,hardest,hardest_time,approach,energy_lost\n";
  for (const Blow& blow : blows.all)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_name(blows.elements[blow.element]), blow.time_s,
                        blow.end_s, blow.impacts, blow.impulse, blows.units[blow.element], blow.hardest, blow.hardest_s,
                        blow.approach_m_s, blow.energy_lost_J);
  return text;
}

}  // namespace

void write_blows_csv(const ResultReader& result, std::ostream& out) {
  out << blows_text(find_blows(result));
  out.flush();
  if (!out) throw IoError("cannot write the CSV text");
}

void write_blows_csv(const ResultReader& result, const std::filesystem::path& path) {
  write_file_atomically(path, blows_text(find_blows(result)));
}

}  // namespace freeplay::report
