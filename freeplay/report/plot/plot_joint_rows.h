// A joint with play row by row: where its two bodies are, and what its contact points do. Internal to freeplay/report.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/math/frame.h"
#include "freeplay/report/plot/plot_run.h"

namespace freeplay::report {

struct JointPointRow {
  Vec3 normal = Vec3::Zero(), place = Vec3::Zero();  // world; not numbers while there is no such point
  double force = 0;                                  // normal, N
  double impulse = 0;       // since the row before, N s: the force over that time, or what struck
  double sliding_work = 0;  // since the row before, J
};

struct JointRow {
  double time_s = 0;
  Frame parent, child;                // the joint's axes on both bodies, in the world
  std::vector<JointPointRow> points;  // in the order of the joint's points
};

class JointRows {
 public:
  // nullopt if the run has no such joint with play, or poses and contacts of it were not recorded.
  static std::optional<JointRows> find(const ResultReader& result, const std::string& joint);

  const std::string& type() const { return type_; }
  bool is_planar() const { return is_planar_; }
  double length_m() const { return length_m_; }  // of a sleeve or a block; 0: unknown
  std::size_t points() const { return points_.size(); }
  void for_each(const RowSpan& span, const std::function<void(const JointRow&)>& use) const;

 private:
  struct PointColumns {
    int normal[3], place[3], force, friction_loss;
    std::int32_t contact;  // for the table of impacts
  };
  struct PoseColumns {
    bool is_ground = false, is_planar = false;
    int position[3] = {-1, -1, -1}, angle = -1, quaternion[4] = {-1, -1, -1, -1};
  };
  explicit JointRows(const ResultReader& result) : result_(&result) {}
  int column(const std::string& name);
  bool find_pose(const std::string& body, PoseColumns& pose);
  void find_points(const std::string& joint);
  Frame pose_of(const PoseColumns& pose, const std::vector<std::vector<double>>& block, std::size_t row) const;

  const ResultReader* result_;
  std::string type_;
  bool is_planar_ = false;
  double length_m_ = 0;
  Frame on_parent_, on_child_;
  PoseColumns parent_, child_;
  std::vector<PointColumns> points_;
  std::vector<std::string> columns_;   // that are read
  std::vector<ImpactRecord> strikes_;  // under event-driven: impacts that are part of no force
};

}  // namespace freeplay::report
