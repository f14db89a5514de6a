// The HDF5 form of a file of modes: arrays where the text has blocks (docs/guide/modes_file.md).
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "freeplay/io/hdf5/hdf5_checks.h"
#include "freeplay/io/hdf5/hdf5_file_driver.h"
#include "freeplay/io/modes/modes_parts.h"

namespace freeplay::io {

namespace {

constexpr const char* kSeeGuide = "docs/guide/modes_file.md says what such a file holds";

struct NumberArray {
  std::vector<hsize_t> extents;
  std::vector<double> values;  // the last index runs fastest
};

class ModesArrays {
 public:
  ModesArrays(const std::filesystem::path& path, std::string name, Space space)
      : name_(std::move(name)), is_spatial_(space == Space::kSpatial) {
    if (posix_file_.open_for_reading(path) != 0 || posix_file_.size(bytes_) != 0)
      throw ModesMistake(fmt::format("the file '{}' cannot be read", name_), "look at its permissions");
    const hdf5::PropertyList access = hdf5::access_through(posix_file_);
    file_ = hdf5::File(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
    if (file_.get() < 0)
      throw ModesMistake(fmt::format("'{}' is not an HDF5 file, or a damaged one", name_), "write it again");
  }

  ElasticNodes read() {
    const hdf5::Group nodes = group("nodes"), modes = group("modes");
    read_nodes(nodes);
    read_displacements(modes);
    if (has(modes, "rotation"))
      read_rotations(modes);
    else
      for (ElasticNode& node : body_.nodes) node.turns = false;
    if (has(modes, "stress")) read_loads(modes, "stress", &ElasticNode::stresses);
    if (has(modes, "moment")) read_loads(modes, "moment", &ElasticNode::moments);
    const bool has_stiffness = has_at_top("stiffness"), has_frequencies = has_at_top("frequencies");
    if (has_stiffness == has_frequencies) {
      throw ModesMistake(fmt::format("'{}' needs either 'stiffness' or 'frequencies'", name_),
                         "give the stiffness matrix of the modes, or their frequencies in Hz");
    }
    if (has_stiffness) body_.stiffness = matrix("stiffness");
    if (has_at_top("mass")) body_.mass = matrix("mass");
    if (has_frequencies) read_frequencies();
    return std::move(body_);
  }

 private:
  hsize_t directions() const { return is_spatial_ ? 3 : 2; }
  static bool has(const hdf5::Group& parent, const char* name) {
    return H5Lexists(parent.get(), name, H5P_DEFAULT) > 0;
  }
  bool has_at_top(const char* name) const { return H5Lexists(file_.get(), name, H5P_DEFAULT) > 0; }

  hdf5::Group group(const char* name) const {
    if (!has_at_top(name)) throw ModesMistake(fmt::format("'{}' has no group '{}'", name_, name), kSeeGuide);
    return hdf5::open_own_group(file_.get(), name);
  }

  // An array with these extents; 0 stands for any, but not for none.
  NumberArray numbers(hid_t parent, const std::string& name, const std::vector<hsize_t>& extents) const {
    if (H5Lexists(parent, name.c_str(), H5P_DEFAULT) <= 0)
      throw ModesMistake(fmt::format("'{}' has no array '{}'", name_, name), kSeeGuide);
    const hdf5::Dataset dataset = hdf5::open_own_dataset(parent, name);
    const hdf5::Datatype type(hdf5::check(H5Dget_type(dataset.get()), "read the type of " + name));
    bool is_real = false;
    for (const hid_t known : {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE})
      is_real = is_real || H5Tequal(type.get(), known) > 0;
    if (!is_real)
      throw ModesMistake(fmt::format("'{}' of '{}' does not hold floating-point numbers", name, name_), kSeeGuide);
    const hdf5::Dataspace space(hdf5::check(H5Dget_space(dataset.get()), "read the extents of " + name));
    NumberArray array;
    const int rank = H5Sget_simple_extent_ndims(space.get());
    array.extents.resize(rank > 0 ? static_cast<std::size_t>(rank) : 0);
    if (rank > 0) H5Sget_simple_extent_dims(space.get(), array.extents.data(), nullptr);
    require_extents(name, array.extents, extents);
    hsize_t count = 1;
    for (const hsize_t extent : array.extents) {
      count *= extent;
      if (count > kMostModesBytes / sizeof(double))
        throw ModesMistake(fmt::format("'{}' of '{}' has too many numbers", name, name_), "write fewer nodes");
    }
    array.values.resize(count);
    hdf5::check(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()),
                "read " + name);
    return array;
  }

  void require_extents(const std::string& name, const std::vector<hsize_t>& is,
                       const std::vector<hsize_t>& asked) const {
    bool fits = is.size() == asked.size();
    for (std::size_t i = 0; fits && i < is.size(); ++i) fits = asked[i] == 0 ? is[i] > 0 : is[i] == asked[i];
    if (fits) return;
    std::vector<std::string> wanted;
    for (const hsize_t extent : asked) wanted.push_back(extent == 0 ? "any" : std::to_string(extent));
    throw ModesMistake(
        fmt::format("'{}' of '{}' has the extents [{}]", name, name_, fmt::join(is, ", ")),
        fmt::format("a {} model needs [{}]", is_spatial_ ? "spatial" : "planar", fmt::join(wanted, ", ")));
  }

  void require_finite(const std::string& name, const NumberArray& array) const {
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      if (std::isfinite(array.values[i])) continue;
      throw ModesMistake(fmt::format("number {} of '{}' in '{}' is not finite", i + 1, name, name_),
                         "write numbers in SI units");
    }
  }
  NumberArray finite_numbers(hid_t parent, const std::string& name, const std::vector<hsize_t>& extents) const {
    NumberArray array = numbers(parent, name, extents);
    require_finite(name, array);
    return array;
  }

  void read_nodes(const hdf5::Group& group) {
    const NumberArray places = finite_numbers(group.get(), "place", {0, directions()});
    const hsize_t n = places.extents[0];
    if (n > kMostModesNodes)
      throw ModesMistake(fmt::format("'{}' has more than {} nodes", name_, kMostModesNodes), "write fewer nodes");
    const NumberArray masses = finite_numbers(group.get(), "mass", {n});
    std::optional<NumberArray> inertias;
    if (has(group, "inertia"))
      inertias =
          finite_numbers(group.get(), "inertia", is_spatial_ ? std::vector<hsize_t>{n, 3} : std::vector<hsize_t>{n});
    const std::vector<std::string> names = names_of(group, n);
    for (std::size_t i = 0; i < n; ++i) {
      ElasticNode& node = body_.nodes.emplace_back();
      node.name = names[i];
      for (std::size_t k = 0; k < directions(); ++k)
        node.at_m[static_cast<Eigen::Index>(k)] = places.values[i * directions() + k];
      node.mass_kg = masses.values[i];
      if (inertias && is_spatial_) node.inertia_kg_m2 = Eigen::Map<const Vec3>(inertias->values.data() + 3 * i);
      if (inertias && !is_spatial_) node.inertia_kg_m2.z() = inertias->values[i];
      if (node.mass_kg < 0 || node.inertia_kg_m2.minCoeff() < 0)
        throw ModesMistake(fmt::format("in '{}' node {} has a negative mass or inertia", name_, node.name),
                           "give 0 or more");
    }
  }

  // 1, 2, 3, ... if the file has none.
  std::vector<std::string> names_of(const hdf5::Group& group, hsize_t n) const {
    std::vector<std::string> names;
    if (has(group, "name")) {
      names = hdf5::read_text_dataset(hdf5::open_own_dataset(group.get(), "name"), bytes_);
      if (names.size() != n)
        throw ModesMistake(fmt::format("'{}' has {} names for {} nodes", name_, names.size(), n), "give one per node");
    } else {
      for (hsize_t i = 1; i <= n; ++i) names.push_back(std::to_string(i));
    }
    std::set<std::string> known;
    for (const std::string& each : names) {
      if (!known.insert(each).second)
        throw ModesMistake(fmt::format("'{}' has a second node {}", name_, each), "give each node a name of its own");
    }
    return names;
  }

  void read_displacements(const hdf5::Group& group) {
    constexpr hsize_t kMost = 1000;
    const NumberArray array = finite_numbers(group.get(), "displacement", {0, body_.nodes.size(), directions()});
    mode_count_ = array.extents[0];
    if (mode_count_ > kMost)
      throw ModesMistake(fmt::format("'{}' has more than {} modes", name_, kMost), "write the lowest ones");
    for (ElasticNode& node : body_.nodes) node.shapes = MatX::Zero(6, static_cast<Eigen::Index>(mode_count_));
    put_shapes(array, 0, directions());
  }

  // A node with rotations that are not numbers has none: it carries mass and nothing else.
  void read_rotations(const hdf5::Group& group) {
    const std::size_t turns = is_spatial_ ? 3 : 1;
    std::vector<hsize_t> extents = {mode_count_, body_.nodes.size()};
    if (is_spatial_) extents.push_back(3);
    const NumberArray array = numbers(group.get(), "rotation", extents);
    put_shapes(array, is_spatial_ ? 3 : 5, turns);
    for (ElasticNode& node : body_.nodes) {
      const auto rotations = node.shapes.middleRows(is_spatial_ ? 3 : 5, static_cast<Eigen::Index>(turns));
      node.turns = rotations.allFinite();
      if (node.turns) continue;
      if (!rotations.array().isNaN().all())
        throw ModesMistake(fmt::format("some numbers of 'rotation' in '{}' are not finite", name_),
                           "give a node either all of its rotations or NaN for all of them, if it has none");
      node.shapes.bottomRows(3).setZero();
    }
  }

  // A node whose numbers are NaN in all modes has none. In the plane a stress has xx, yy and xy, and a moment is one
  // number.
  void read_loads(const hdf5::Group& group, const char* name, MatX ElasticNode::*loads) {
    const bool is_moment = loads == &ElasticNode::moments;
    const std::vector<Eigen::Index> planar =
                                        is_moment ? std::vector<Eigen::Index>{0} : std::vector<Eigen::Index>{0, 1, 3},
                                    spatial = is_moment ? std::vector<Eigen::Index>{0, 1}
                                                        : std::vector<Eigen::Index>{0, 1, 2, 3, 4, 5};
    const std::vector<Eigen::Index>& rows = is_spatial_ ? spatial : planar;
    std::vector<hsize_t> extents = {mode_count_, body_.nodes.size()};
    if (rows.size() > 1) extents.push_back(rows.size());
    const NumberArray array = numbers(group.get(), name, extents);
    for (std::size_t i = 0; i < body_.nodes.size(); ++i) {
      MatX of_node = MatX::Zero(is_moment ? 2 : 6, static_cast<Eigen::Index>(mode_count_));
      std::size_t missing = 0, finite = 0;
      for (std::size_t mode = 0; mode < mode_count_; ++mode) {
        for (std::size_t k = 0; k < rows.size(); ++k) {
          const double value = array.values[(mode * body_.nodes.size() + i) * rows.size() + k];
          missing += std::isnan(value) ? 1 : 0;
          finite += std::isfinite(value) ? 1 : 0;
          of_node(rows[k], static_cast<Eigen::Index>(mode)) = value;
        }
      }
      if (finite == rows.size() * mode_count_) {
        body_.nodes[i].*loads = of_node;
      } else if (missing != rows.size() * mode_count_) {
        throw ModesMistake(fmt::format("some numbers of '{}' in '{}' are not finite", name, name_),
                           "give a node either all of them or NaN for all of them, if they are not known");
      }
    }
  }

  void put_shapes(const NumberArray& array, Eigen::Index first_row, std::size_t rows) {
    for (std::size_t mode = 0; mode < mode_count_; ++mode) {
      for (std::size_t i = 0; i < body_.nodes.size(); ++i) {
        for (std::size_t k = 0; k < rows; ++k) {
          body_.nodes[i].shapes(first_row + static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(mode)) =
              array.values[(mode * body_.nodes.size() + i) * rows + k];
        }
      }
    }
  }

  MatX matrix(const char* name) const {
    const NumberArray array = finite_numbers(file_.get(), name, {mode_count_, mode_count_});
    const auto n = static_cast<Eigen::Index>(mode_count_);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(array.values.data(), n, n);
  }

  void read_frequencies() {
    const NumberArray array = finite_numbers(file_.get(), "frequencies", {mode_count_});
    for (const double value : array.values) {
      if (value > 0) continue;
      throw ModesMistake(fmt::format("'{}' has the frequency {:g} Hz, which is not positive", name_, value),
                         kLeaveOutRigidModes);
    }
    const auto n = static_cast<Eigen::Index>(mode_count_);
    body_.frequencies_rad_s = kRadiansPerTurn * Eigen::Map<const VecX>(array.values.data(), n);
  }

  std::string name_;
  bool is_spatial_;
  hdf5::PosixFile posix_file_;  // outlives the handle below
  hdf5::File file_;
  std::uint64_t bytes_ = 0;
  ElasticNodes body_;
  std::size_t mode_count_ = 0;
};

}  // namespace

ModesFile read_modes_hdf5(const std::filesystem::path& path, const std::string& name, Space space, int modes) {
  const hdf5::QuietErrors quiet;
  try {
    return with_first_modes(ModesArrays(path, name, space).read(), name, modes);
  } catch (const ModesMistake& mistake) {
    return {nullptr, {"file", mistake.what(), mistake.hint}};
  } catch (const hdf5::Error& error) {
    return {nullptr, {"file", fmt::format("'{}': {}", name, error.what()), kSeeGuide}};
  }
}

}  // namespace freeplay::io
