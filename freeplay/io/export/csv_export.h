// Comma-separated values from a result file.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::io {

// One header line (`time`, then the channels in the order given; none given = all), then one line of numbers per row.
// A number is the shortest text that gives back exactly the same double (at most 17 significant digits) and does not
// depend on the locale. A name with a comma, a quote or a line break is quoted as in RFC 4180. Reads block by block,
// so the file may be larger than the memory. Throws UnknownChannel before anything is written, IoError when the output
// fails.
void write_csv(const ResultReader& result, const std::vector<std::string>& channels, std::ostream& out);
void write_csv(const ResultReader& result, const std::vector<std::string>& channels, const std::filesystem::path& path);

// The table of impacts: one line each, with the contact's name in the second column.
void write_impacts_csv(const ResultReader& result, std::ostream& out);
void write_impacts_csv(const ResultReader& result, const std::filesystem::path& path);

// The table of events in its order: time, the contact's name, what happened to it (event_word).
void write_events_csv(const ResultReader& result, std::ostream& out);
void write_events_csv(const ResultReader& result, const std::filesystem::path& path);

}  // namespace freeplay::io
