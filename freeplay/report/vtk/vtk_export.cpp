#include "freeplay/report/vtk/vtk_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/report/draw/scene.h"
#include "freeplay/report/draw/shape_turn.h"
#include "freeplay/report/rows/contact_forces.h"
#include "freeplay/report/rows/force_list.h"
#include "freeplay/report/rows/frame_values.h"
#include "freeplay/report/rows/row_choice.h"
#include "freeplay/report/view/view_header.h"
#include "freeplay/report/vtk/vtk_beams.h"
#include "freeplay/report/vtk/vtk_chains.h"
#include "freeplay/report/vtk/vtk_file.h"

namespace freeplay::report {

namespace {

namespace fs = std::filesystem;

// Parts of the collection.
constexpr int kBodiesPart = 0, kGroundPart = 1, kContactsPart = 2, kBeamsPart = 3, kChainsPart = 4;
constexpr std::size_t kMostChainForces = 2000000;  // of all frames
// What a missing speed is: "nan" cannot be read by VTK.
constexpr double kUnknownSpeed = -1;

// Cells of several parts in one grid, with the data that every cell has.
class BodyGrid {
 public:
  explicit BodyGrid(double time_s) {
    grid_.time_s = time_s;
    grid_.cell_data = {{"body", 1, true, {}}, {"speed", 1, false, {}}};
  }

  void add(const ScenePart& part, const Frame& body, double speed) {
    Frame frame = body;
    if (part.turn) {
      const double angle = turn_at(*part.turn, grid_.time_s);
      if (!std::isfinite(angle)) return;
      Mat3 turn = Mat3::Identity();
      turn.topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
      frame.p = body.point(part.turn_about - turn * part.turn_about);
      frame.R = body.R * turn;
    }
    const auto first = static_cast<std::int64_t>(grid_.mesh.points.size());
    const auto behind = static_cast<std::int64_t>(grid_.mesh.connectivity.size());
    for (const Vec3& point : part.mesh.points) grid_.mesh.points.push_back(frame.point(point));
    for (const std::int64_t corner : part.mesh.connectivity) grid_.mesh.connectivity.push_back(first + corner);
    for (const std::int64_t end : part.mesh.ends) grid_.mesh.ends.push_back(behind + end);
    grid_.mesh.types.insert(grid_.mesh.types.end(), part.mesh.types.begin(), part.mesh.types.end());
    for (std::size_t i = 0; i < part.mesh.types.size(); ++i) {
      grid_.cell_data[0].values.push_back(part.body);
      grid_.cell_data[1].values.push_back(speed);
    }
  }

  const VtkGrid& grid() const { return grid_; }

 private:
  VtkGrid grid_;
};

class VtkExporter {
 public:
  VtkExporter(const ResultReader& result, fs::path folder, std::int64_t frames, double deformation)
      : result_(result),
        folder_(std::move(folder)),
        geometry_(geometry_of(result)),
        channels_(all_channels(result)),
        poses_(find_poses(channels_)),
        contacts_(result, geometry_, channels_),
        beams_(find_beams(geometry_, channels_)),
        deformation_(deformation),
        values_(result, channels_, rows_of_film(result, frames)),
        chains_(forces_at(result, rows_of_film(result, frames), kMostChainForces)) {}

  VtkExport run() {
    prepare();
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw IoError(fmt::format("cannot make {}: {}", folder_.string(), error.message()));
    write_ground();
    std::vector<VtkEntry> all, contacts;
    for (std::size_t frame = 0; frame < values_.frames(); ++frame) {
      const double time = values_.time(frame);
      all.push_back({time, kBodiesPart, write_bodies(frame)});
      if (has_ground_) all.push_back({time, kGroundPart, "ground.vtu"});
      if (!beams_.empty()) all.push_back({time, kBeamsPart, write_beams(frame)});
      if (!chains_.forces.empty()) all.push_back({time, kChainsPart, write_chains(frame)});
      if (!contacts_.has_places()) continue;
      contacts.push_back({time, kBodiesPart, write_contacts(frame)});
      all.push_back({time, kContactsPart, contacts.back().file});
    }
    report_.collection = folder_ / "motion.pvd";
    write_pvd(all, report_.collection);
    if (!contacts.empty()) write_pvd(contacts, folder_ / "contacts.pvd");
    report_.frames = static_cast<std::int64_t>(values_.frames());
    return std::move(report_);
  }

 private:
  struct Mover {
    int pose = -1;  // index into poses_; -1: not recorded, or the ground
    ChannelTriple velocity{kNoChannel, kNoChannel, kNoChannel};
    bool is_ground = false;
  };

  void prepare() {
    std::vector<std::string> bodies;
    for (const ViewJson& body : geometry_.at("bodies")) bodies.push_back(body.at("name").get<std::string>());
    for (const PoseChannels& pose : poses_) {
      if (std::find(bodies.begin(), bodies.end(), pose.body) == bodies.end()) bodies.push_back(pose.body);
    }
    const ChannelIndex index(channels_);
    std::vector<std::string> missing;
    for (const std::string& body : bodies) {
      Mover mover;
      mover.is_ground = body == "ground";
      const auto pose =
          std::find_if(poses_.begin(), poses_.end(), [&](const PoseChannels& p) { return p.body == body; });
      if (pose != poses_.end()) {
        mover.pose = static_cast<int>(pose - poses_.begin());
        need_pose(values_, *pose);
      } else if (!mover.is_ground) {
        missing.push_back(body);
      }
      mover.velocity = {index.find(body + ".vx"), index.find(body + ".vy"), index.find(body + ".vz")};
      values_.need(mover.velocity);
      movers_.push_back(mover);
    }
    if (!missing.empty()) {
      constexpr std::size_t kMaxNamed = 5;
      const std::size_t named = std::min(missing.size(), kMaxNamed);
      report_.notes.push_back(
          fmt::format("the motion of {}{} was not recorded, so it is not drawn",
                      fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                      named < missing.size() ? fmt::format(" and {} more", missing.size() - named) : ""));
    }
    contacts_.need(values_);
    prepare_beams(bodies);
    const std::vector<double> reach = reaches(geometry_, bodies);
    WorldBox box;
    for (std::size_t body = 0; body < bodies.size(); ++body) {
      if (movers_[body].is_ground && reach[body] > 0) box.include(Vec3::Zero(), reach[body]);
      for (std::size_t frame = 0; frame < values_.frames(); ++frame) {
        if (const std::optional<Frame> pose = frame_of(body, frame)) box.include(pose->p, reach[body]);
      }
    }
    scene_ = make_scene(geometry_, std::move(bodies), attribute_of(result_, "parameters"), box);
    report_.notes.insert(report_.notes.end(), scene_.notes.begin(), scene_.notes.end());
  }

  void prepare_beams(const std::vector<std::string>& bodies) {
    beam_of_body_.assign(bodies.size(), nullptr);
    for (const DrawnBeam& beam : beams_) {
      need_modes(values_, beam);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i] == beam.body) beam_of_body_[i] = &beam;
      }
      if (beam.channels.empty())
        report_.notes.push_back(
            fmt::format("{} is drawn straight: its modal coordinates were not recorded", beam.body));
    }
    if (!beams_.empty() && deformation_ != 1)
      report_.notes.push_back(
          fmt::format("the deformation of elastic bodies is drawn {:g} times as large as it is", deformation_));
  }

  std::optional<Frame> frame_of(std::size_t body, std::size_t frame) const {
    const Mover& mover = movers_[body];
    if (mover.pose < 0) return std::nullopt;
    return pose_at(values_, poses_[static_cast<std::size_t>(mover.pose)], frame);
  }

  double speed_of(std::size_t body, std::size_t frame) const {
    const Mover& mover = movers_[body];
    if (mover.is_ground) return 0;
    if (mover.velocity[0] == kNoChannel || mover.velocity[1] == kNoChannel) return kUnknownSpeed;
    const double speed = values_.vector(mover.velocity, frame).norm();
    return std::isfinite(speed) ? speed : kUnknownSpeed;
  }

  void write_ground() {
    BodyGrid ground(0);
    for (const ScenePart& part : scene_.parts) {
      if (movers_[static_cast<std::size_t>(part.body)].is_ground && !part.turn) ground.add(part, {}, 0);
    }
    has_ground_ = !ground.grid().mesh.types.empty();
    if (has_ground_) write_vtu(ground.grid(), folder_ / "ground.vtu");
  }

  std::string write_bodies(std::size_t frame) const {
    BodyGrid bodies(values_.time(frame));
    for (const ScenePart& part : scene_.parts) {
      const auto body = static_cast<std::size_t>(part.body);
      if (movers_[body].is_ground) {
        if (part.turn) bodies.add(part, {}, 0);
      } else if (const std::optional<Frame> pose = frame_of(body, frame)) {
        bodies.add(part, part_frame(part, *pose, frame), speed_of(body, frame));
      }
    }
    std::string name = fmt::format("bodies_{:05}.vtu", frame);
    write_vtu(bodies.grid(), folder_ / name);
    return name;
  }

  // What is attached to an elastic body moves with its section.
  Frame part_frame(const ScenePart& part, const Frame& body, std::size_t frame) const {
    const DrawnBeam* beam = beam_of_body_[static_cast<std::size_t>(part.body)];
    if (beam == nullptr || !part.carried_by) return body;
    const Frame carried =
        beam->beam.carried(beam->beam.section_of(*part.carried_by), beam->modal(values_, frame), deformation_);
    return {body.R * carried.R, body.point(carried.p)};
  }

  std::string write_beams(std::size_t frame) const {
    BeamGrid beams(values_.time(frame), geometry_.value("space", "") == "planar", deformation_);
    for (std::size_t body = 0; body < beam_of_body_.size(); ++body) {
      const DrawnBeam* beam = beam_of_body_[body];
      const std::optional<Frame> pose = beam == nullptr ? std::nullopt : frame_of(body, frame);
      if (pose) beams.add(*beam, static_cast<int>(body), *pose, beam->modal(values_, frame));
    }
    std::string name = fmt::format("beams_{:05}.vtu", frame);
    write_vtu(beams.grid(), folder_ / name);
    return name;
  }

  std::string write_contacts(std::size_t frame) const {
    VtkGrid grid;
    grid.time_s = values_.time(frame);
    grid.point_data = {{"force", 3, false, {}},
                       {"normal", 3, false, {}},
                       {"gap", 1, false, {}},
                       {"mode", 1, true, {}},
                       {"contact", 1, true, {}}};
    for (std::size_t i = 0; i < contacts_.points().size(); ++i) {
      const std::optional<ContactAt> contact = contacts_.at(i, values_, frame);
      if (!contact) continue;
      grid.mesh.add_cell(CellType::kVertex, {grid.mesh.add_point(contact->place)});
      for (int k = 0; k < 3; ++k) grid.point_data[0].values.push_back(contact->force[k]);
      for (int k = 0; k < 3; ++k) grid.point_data[1].values.push_back(contact->normal[k]);
      grid.point_data[2].values.push_back(contact->gap);
      grid.point_data[3].values.push_back(contact->mode);
      grid.point_data[4].values.push_back(static_cast<double>(i));
    }
    std::string name = fmt::format("contacts_{:05}.vtu", frame);
    write_vtu(grid, folder_ / name);
    return name;
  }

  std::string write_chains(std::size_t frame) const {
    const auto centre_of = [&](int body) -> std::optional<Vec3> {
      const auto index = static_cast<std::size_t>(body);
      if (index >= movers_.size() || movers_[index].is_ground) return std::nullopt;
      const std::optional<Frame> pose = frame_of(index, frame);
      return pose ? std::optional(pose->p) : std::nullopt;
    };
    std::string name = fmt::format("chains_{:05}.vtu", frame);
    write_vtu(chain_grid(values_.time(frame), chains_.of(frame), centre_of), folder_ / name);
    return name;
  }

  const ResultReader& result_;
  fs::path folder_;
  ViewJson geometry_;
  std::vector<ChannelInfo> channels_;
  std::vector<PoseChannels> poses_;
  ContactForces contacts_;
  std::vector<DrawnBeam> beams_;
  double deformation_;
  FrameValues values_;
  ForceList chains_;                            // of the frames
  std::vector<Mover> movers_;                   // as Scene::bodies
  std::vector<const DrawnBeam*> beam_of_body_;  // the same; nullptr: rigid
  Scene scene_;
  VtkExport report_;
  bool has_ground_ = false;
};

}  // namespace

VtkExport export_vtk(const ResultReader& result, const fs::path& folder, std::int64_t frames, double deformation) {
  try {
    return VtkExporter(result, folder, frames, deformation).run();
  } catch (const nlohmann::json::exception&) {
    throw IoError(
        fmt::format("cannot read {}: its bodies and shapes are not as freeplay writes them", result.path().string()));
  }
}

}  // namespace freeplay::report
