#include "freeplay/io/result/tables/result_peaks.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "freeplay/io/hdf5/hdf5_handle.h"

namespace freeplay::io {

namespace {

using PeaksJson = nlohmann::ordered_json;

// Names come from model files and may hold any bytes.
std::string text_of(const PeaksJson& json) {
  return json.dump(-1, ' ', false, PeaksJson::error_handler_t::replace);
}

PeaksJson entry_of(const PeakForce& peak) {
  return {{"name", peak.name},
          {"unit", peak.unit},
          {"value", peak.value},
          {"window", peak.window_s},
          {"time", peak.time_s}};
}

}  // namespace

std::string text_of_peaks(const std::vector<PeakForce>& peaks, std::size_t most_bytes) {
  if (peaks.empty()) return {};
  std::vector<std::size_t> ranked(peaks.size());
  std::iota(ranked.begin(), ranked.end(), std::size_t{0});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](std::size_t a, std::size_t b) { return peaks[a].value > peaks[b].value; });
  std::vector<std::string> entries(peaks.size());
  std::size_t bytes = 2;  // the brackets
  for (const std::size_t i : ranked) {
    std::string entry = text_of(entry_of(peaks[i]));
    if (bytes + entry.size() + 1 > most_bytes) break;
    bytes += entry.size() + 1;
    entries[i] = std::move(entry);
  }
  std::string text = "[";
  for (const std::string& entry : entries) {
    if (entry.empty()) continue;
    if (text.size() > 1) text += ',';
    text += entry;
  }
  return text + "]";
}

std::vector<PeakForce> peaks_of_text(const std::string& text) {
  std::vector<PeakForce> peaks;
  if (text.empty()) return peaks;
  try {
    for (const PeaksJson& entry : PeaksJson::parse(text)) {
      PeakForce peak{entry.at("name").get<std::string>(), entry.at("unit").get<std::string>()};
      // JSON has no infinity: a run that diverges has null there.
      const auto number = [&](const char* key) {
        return entry.at(key).is_null() ? std::numeric_limits<double>::infinity() : entry.at(key).get<double>();
      };
      peak.value = number("value");
      peak.window_s = number("window");
      peak.time_s = number("time");
      peaks.push_back(std::move(peak));
    }
  } catch (const PeaksJson::exception&) {
    throw hdf5::Error("the peak forces are not as freeplay writes them");
  }
  return peaks;
}

}  // namespace freeplay::io
