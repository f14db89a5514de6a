// The texts of a viewer's header: what a result says about its model and its run. Internal to freeplay/report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"
#include "freeplay/report/rows/channel_roles.h"

namespace freeplay::report {

using ViewJson = nlohmann::ordered_json;

// "" for an attribute that the file does not have.
std::string attribute_of(const ResultReader& result, const std::string& name);
// Throws IoError if the file's text is not JSON of the expected kind.
ViewJson geometry_of(const ResultReader& result);

// Title, model, parameters, status, summary, geometry, contacts. Without whatever depends on the rows.
ViewJson view_header(const ResultReader& result);
// Column numbers: `first_channel` is the column of channel 0.
ViewJson poses_json(const std::vector<PoseChannels>& poses, int first_channel);
ViewJson contact_points_json(const std::vector<ContactPointChannels>& points, const ViewJson& geometry,
                             int first_channel);

}  // namespace freeplay::report
