// The text of a file of modes: blocks `nodes`, `modes`, `frequencies` or `stiffness`, `mass`, `stresses`, `moments`,
// each with its rows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "freeplay/io/modes/modes_parts.h"
#include "freeplay/io/tables/csv_cells.h"

namespace freeplay::io {

namespace {

struct CsvLine {
  int number = 0;
  std::vector<std::string_view> cells;
};

// Lines that say something: comments begin with '#'.
std::vector<CsvLine> csv_lines(std::string_view text) {
  text = without_byte_order_mark(text);
  std::vector<CsvLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line = without_spaces(line.substr(0, line.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    CsvLine& read = lines.emplace_back(CsvLine{number, {}});
    for (;;) {
      const std::size_t comma = std::min(line.find(','), line.size());
      read.cells.push_back(without_spaces(line.substr(0, comma)));
      if (comma == line.size()) break;
      line.remove_prefix(comma + 1);
    }
  }
  return lines;
}

bool is_block_name(const CsvLine& line) {
  constexpr std::array<std::string_view, 7> kNames = {"nodes", "modes",    "frequencies", "stiffness",
                                                      "mass",  "stresses", "moments"};
  return line.cells.size() == 1 && std::find(kNames.begin(), kNames.end(), line.cells[0]) != kNames.end();
}

class ModesText {
 public:
  ModesText(std::string_view text, const std::string& name, Space space) : name_(name), space_(space) {
    std::vector<CsvLine> lines = csv_lines(text);
    for (std::size_t i = 0; i < lines.size();) {
      if (!is_block_name(lines[i])) {
        refuse(lines[i], fmt::format("'{}' is not in a block", lines[i].cells[0]),
               "begin with a line `nodes`, then `modes`, then `frequencies` or `stiffness`");
      }
      const std::string block(lines[i].cells[0]);
      if (blocks_.contains(block)) refuse(lines[i], fmt::format("there is a second block '{}'", block), "leave it out");
      std::vector<CsvLine>& rows = blocks_[block];
      for (++i; i < lines.size() && !is_block_name(lines[i]); ++i) rows.push_back(lines[i]);
    }
  }

  ElasticNodes read() {
    read_nodes(rows_of("nodes"));
    read_modes(rows_of("modes"));
    if (blocks_.contains("stiffness") == blocks_.contains("frequencies")) {
      throw ModesMistake(fmt::format("'{}' needs either a block 'stiffness' or a block 'frequencies'", name_),
                         "give the stiffness matrix of the modes, or their frequencies in Hz");
    }
    if (blocks_.contains("stiffness")) body_.stiffness = matrix("stiffness");
    if (blocks_.contains("mass")) body_.mass = matrix("mass");
    if (blocks_.contains("frequencies")) read_frequencies();
    if (is_spatial()) {
      read_loads("stresses", {"sxx", "syy", "szz", "sxy", "sxz", "syz"}, &ElasticNode::stresses);
      read_loads("moments", {"moment", "moment_xz"}, &ElasticNode::moments);
    } else {
      read_loads("stresses", {"sxx", "syy", "szz", "sxy"}, &ElasticNode::stresses);
      read_loads("moments", {"moment"}, &ElasticNode::moments);
    }
    return std::move(body_);
  }

 private:
  [[noreturn]] void refuse(const CsvLine& line, const std::string& message, std::string hint) const {
    throw ModesMistake(fmt::format("line {} of '{}': {}", line.number, name_, message), std::move(hint));
  }

  const std::vector<CsvLine>& rows_of(const std::string& block) const {
    const auto found = blocks_.find(block);
    if (found == blocks_.end() || found->second.empty()) {
      throw ModesMistake(fmt::format("'{}' has no block '{}'", name_, block),
                         "docs/guide/modes_file.md says what such a file holds");
    }
    return found->second;
  }

  double number(const CsvLine& line, std::size_t cell) const {
    const std::string_view text = cell < line.cells.size() ? line.cells[cell] : std::string_view();
    const std::optional<double> value = cell_number(text);
    if (!value || !std::isfinite(*value)) {
      refuse(line, fmt::format("'{}' is not a finite number", text), "write numbers in SI units, such as 1.5e-3");
    }
    return *value;
  }

  // Where the columns of a block stand, by its first row.
  std::map<std::string, std::size_t, std::less<>> columns(const CsvLine& head,
                                                          const std::vector<std::string_view>& needed,
                                                          const std::vector<std::string_view>& possible) const {
    std::map<std::string, std::size_t, std::less<>> places;
    for (std::size_t i = 0; i < head.cells.size(); ++i) {
      const std::string_view cell = head.cells[i];
      const bool is_known = std::find(needed.begin(), needed.end(), cell) != needed.end() ||
                            std::find(possible.begin(), possible.end(), cell) != possible.end();
      if (!is_known || places.contains(cell)) {
        refuse(head, fmt::format("'{}' is not a column of this block, or stands there twice", cell),
               fmt::format("a {} model has the columns {}; {}", space_ == Space::kPlanar ? "planar" : "spatial",
                           fmt::join(needed, ", "), fmt::join(possible, ", ")));
      }
      places.emplace(cell, i);
    }
    for (const std::string_view column : needed) {
      if (!places.contains(column))
        refuse(head, fmt::format("the column '{}' is missing", column), "name the columns in the block's first row");
    }
    return places;
  }

  bool is_spatial() const { return space_ == Space::kSpatial; }

  void read_nodes(const std::vector<CsvLine>& rows) {
    const auto place = is_spatial() ? columns(rows[0], {"node", "x", "y", "z", "mass"}, {"Ixx", "Iyy", "Izz"})
                                    : columns(rows[0], {"node", "x", "y", "mass"}, {"Izz"});
    if (rows.size() - 1 > kMostModesNodes)
      refuse(rows.back(), fmt::format("there are more than {} nodes", kMostModesNodes), "write fewer nodes");
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const CsvLine& row = rows[i];
      const auto value = [&](const char* column) {
        const auto found = place.find(column);
        return found == place.end() ? 0.0 : number(row, found->second);
      };
      ElasticNode node;
      node.name = row.cells[std::min(place.at("node"), row.cells.size() - 1)];
      node.at_m = Vec3(value("x"), value("y"), value("z"));
      node.mass_kg = value("mass");
      node.inertia_kg_m2 = Vec3(value("Ixx"), value("Iyy"), value("Izz"));
      if (node.mass_kg < 0 || node.inertia_kg_m2.minCoeff() < 0)
        refuse(row, fmt::format("node {} has a negative mass or inertia", node.name), "give 0 or more");
      if (!node_of_name_.emplace(node.name, body_.nodes.size()).second)
        refuse(row, fmt::format("there is a second node {}", node.name), "give each node a number of its own");
      body_.nodes.push_back(std::move(node));
    }
  }

  void read_modes(const std::vector<CsvLine>& rows) {
    const std::vector<std::string_view> spatial = {"ux", "uy", "uz", "rx", "ry", "rz"}, planar = {"ux", "uy", "rz"};
    const std::vector<std::string_view> motions = is_spatial() ? spatial : planar;
    const std::size_t translations = is_spatial() ? 3 : 2;
    std::vector<std::string_view> needed = {"mode", "node"}, turns(motions.begin() + translations, motions.end());
    needed.insert(needed.end(), motions.begin(), motions.begin() + static_cast<std::ptrdiff_t>(translations));
    const auto place = columns(rows[0], needed, turns);
    mode_count_ = count_modes(rows, place.at("mode"));
    for (ElasticNode& node : body_.nodes) node.shapes = MatX::Zero(6, mode_count_);
    std::vector<int> seen(body_.nodes.size() * static_cast<std::size_t>(mode_count_), 0);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const CsvLine& row = rows[i];
      const int mode = static_cast<int>(number(row, place.at("mode"))) - 1;
      const std::size_t node = node_of(row, place.at("node"));
      int& times = seen[node * static_cast<std::size_t>(mode_count_) + static_cast<std::size_t>(mode)];
      if (++times > 1)
        refuse(row, fmt::format("mode {} moves node {} twice", mode + 1, body_.nodes[node].name),
               "delete one of the rows");
      read_motion(row, place, motions, mode, body_.nodes[node]);
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] == 1) continue;
      const std::size_t n = static_cast<std::size_t>(mode_count_);
      throw ModesMistake(
          fmt::format("in '{}' mode {} has no row for node {}", name_, i % n + 1, body_.nodes[i / n].name),
          "give every node a row in every mode, zeros where it does not move");
    }
  }

  std::size_t node_of(const CsvLine& row, std::size_t column) const {
    const std::string_view name = column < row.cells.size() ? row.cells[column] : "";
    const auto node = node_of_name_.find(name);
    if (node == node_of_name_.end()) refuse(row, fmt::format("there is no node '{}'", name), "list it in 'nodes'");
    return node->second;
  }

  // Per node and mode, of those nodes where the file has them; `quantities` in the order of the rows of `loads`.
  // Missing columns are 0.
  void read_loads(const std::string& block, const std::vector<std::string_view>& quantities, MatX ElasticNode::*loads) {
    if (!blocks_.contains(block)) return;
    const std::vector<CsvLine>& rows = rows_of(block);
    const auto place = columns(rows[0], {"mode", "node"}, quantities);
    const bool is_moment = loads == &ElasticNode::moments;
    std::map<std::size_t, std::set<int>> seen;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const CsvLine& row = rows[i];
      const double mode = number(row, place.at("mode"));
      if (!(mode >= 1 && mode <= mode_count_) || mode != std::floor(mode))
        refuse(row, fmt::format("there is no mode {:g}", mode), fmt::format("'modes' has {} of them", mode_count_));
      const std::size_t index = node_of(row, place.at("node"));
      ElasticNode& node = body_.nodes[index];
      const int column = static_cast<int>(mode) - 1;
      if (!seen[index].insert(column).second)
        refuse(row, fmt::format("mode {} has node {} twice", column + 1, node.name), "delete one of the rows");
      if ((node.*loads).size() == 0) node.*loads = MatX::Zero(is_moment ? 2 : 6, mode_count_);
      for (std::size_t k = 0; k < quantities.size(); ++k) {
        const auto cell = place.find(quantities[k]);
        if (cell != place.end()) (node.*loads)(static_cast<Eigen::Index>(k), column) = number(row, cell->second);
      }
    }
    for (const auto& [index, modes] : seen) {
      if (modes.size() == static_cast<std::size_t>(mode_count_)) continue;
      throw ModesMistake(fmt::format("in '{}' the block '{}' has node {} in {} of {} modes", name_, block,
                                     body_.nodes[index].name, modes.size(), mode_count_),
                         "give such a node a row in every mode");
    }
  }

  // 1, 2, 3, ... without a hole: the largest number.
  int count_modes(const std::vector<CsvLine>& rows, std::size_t column) const {
    constexpr int kMost = 1000;
    int most = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const double mode = number(rows[i], column);
      if (!(mode >= 1 && mode <= kMost) || mode != std::floor(mode))
        refuse(rows[i], fmt::format("{:g} is not the number of a mode", mode), "count the modes from 1 on");
      most = std::max(most, static_cast<int>(mode));
    }
    return most;
  }

  // Cells of rotations may be empty: the node then carries mass and nothing else.
  void read_motion(const CsvLine& row, const std::map<std::string, std::size_t, std::less<>>& place,
                   const std::vector<std::string_view>& motions, int mode, ElasticNode& node) const {
    constexpr std::array<std::string_view, 6> kRows = {"ux", "uy", "uz", "rx", "ry", "rz"};
    for (const std::string_view motion : motions) {
      const auto column = place.find(motion);
      const bool is_given =
          column != place.end() && column->second < row.cells.size() && !row.cells[column->second].empty();
      const Eigen::Index at = std::find(kRows.begin(), kRows.end(), motion) - kRows.begin();
      if (is_given || motion.starts_with('u')) {
        node.shapes(at, mode) = number(row, column->second);
      } else {
        node.turns = false;
      }
    }
  }

  MatX matrix(const std::string& block) const {
    const std::vector<CsvLine>& rows = rows_of(block);
    const std::string hint = fmt::format("give {0} rows of {0} numbers, one for each of the {0} modes", mode_count_);
    if (rows.size() != static_cast<std::size_t>(mode_count_))
      refuse(rows.back(), fmt::format("'{}' ends after {} rows", block, rows.size()), hint);
    MatX result(mode_count_, mode_count_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].cells.size() != rows.size())
        refuse(rows[i], fmt::format("a row of '{}' has {} numbers", block, rows[i].cells.size()), hint);
      for (std::size_t j = 0; j < rows.size(); ++j) {
        result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = number(rows[i], j);
      }
    }
    return result;
  }

  // In Hz, in any number of lines.
  void read_frequencies() {
    const std::vector<CsvLine>& rows = rows_of("frequencies");
    std::vector<double> values;
    for (const CsvLine& row : rows) {
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        values.push_back(kRadiansPerTurn * number(row, i));
        if (!(values.back() > 0))
          refuse(row, fmt::format("the frequency {} Hz is not positive", row.cells[i]), kLeaveOutRigidModes);
      }
    }
    if (values.size() != static_cast<std::size_t>(mode_count_))
      refuse(rows.back(), fmt::format("there are {} frequencies for {} modes", values.size(), mode_count_),
             "give one per mode, in their order");
    body_.frequencies_rad_s = Eigen::Map<const VecX>(values.data(), mode_count_);
  }

  const std::string& name_;
  Space space_;
  std::map<std::string, std::vector<CsvLine>> blocks_;
  std::map<std::string, std::size_t, std::less<>> node_of_name_;
  ElasticNodes body_;
  int mode_count_ = 0;
};

}  // namespace

ModesFile read_modes_text(std::string_view text, const std::string& name, Space space, int modes) {
  try {
    return with_first_modes(ModesText(text, name, space).read(), name, modes);
  } catch (const ModesMistake& mistake) {
    return {nullptr, {"file", mistake.what(), mistake.hint}};
  }
}

}  // namespace freeplay::io
