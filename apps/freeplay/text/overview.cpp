#include "text/overview.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string_view>

#include "freeplay/io/model/model_build.h"
#include "terminal/text_table.h"

namespace freeplay::app {

namespace {

constexpr std::array kAxes = {"x", "y", "z"};

// The axis that two perpendicular axes of a kDot row leave: turning about it would change their angle.
int axis_of_rotation(const Mechanism::Row& row) {
  return 3 - row.axis_parent - row.axis_child;
}

std::string explain(const Mechanism& mechanism, const Mechanism::Row& row) {
  using Kind = Mechanism::Row::Kind;
  switch (row.kind) {
    case Kind::kPoint:
      return fmt::format("the other rows prevent '{}' from moving along its {} axis already",
                         mechanism.joints[static_cast<std::size_t>(row.joint)].name,
                         kAxes[static_cast<std::size_t>(row.axis_parent)]);
    case Kind::kWay:
      return fmt::format("the other rows keep '{}' on the way in its slot already",
                         mechanism.joints[static_cast<std::size_t>(row.joint)].name);
    case Kind::kDot:
      return fmt::format("the other rows prevent '{}' from turning about its {} axis already",
                         mechanism.joints[static_cast<std::size_t>(row.joint)].name,
                         kAxes[static_cast<std::size_t>(axis_of_rotation(row))]);
    case Kind::kCoupling:
      return "the relation of this coupling follows from the other rows already";
    case Kind::kCoordinate:
    case Kind::kRelativeTranslation:
    case Kind::kRelativeRotation:
      break;
  }
  return "the motion that this driver prescribes follows from the other rows already";
}

}  // namespace

std::vector<std::string> Overview::notes() const {
  std::vector<std::string> all = assembly_notes;
  if (!redundant.empty()) {
    std::vector<std::string> names;
    for (const RedundantRow& row : redundant) names.push_back(row.name);
    all.push_back(fmt::format("{}: {}; reactions of the rows are those of minimum norm",
                              counted(static_cast<long long>(names.size()), "redundant row"), fmt::join(names, ", ")));
  }
  return all;
}

Overview overview_of(const ModelFile& file) {
  Overview view;
  const Model model = build_model(file);
  view.system = model.system;
  view.contact_model = model.contacts;
  view.mechanism = dynamic_cast<const Mechanism*>(view.system.get());
  view.bodies = static_cast<int>(file.mechanism.bodies.size());
  view.joints_with_play = static_cast<int>(file.clearance_joints.size());
  view.joints = static_cast<int>(file.mechanism.joints.size()) + view.joints_with_play;
  view.contacts = static_cast<int>(file.contacts.size());
  view.velocities = view.system->velocity_count();
  view.rows = view.row_rank = view.system->row_count();
  if (view.mechanism == nullptr) return view;

  view.bushings = static_cast<int>(view.mechanism->bushings.size());
  view.row_rank = view.mechanism->row_rank();
  view.velocities = view.mechanism->degrees_of_freedom() + view.row_rank;  // without the integrals of controllers
  view.assembly_notes = view.mechanism->assembly_notes();
  const std::vector<std::string>& redundant = view.mechanism->redundant_rows();
  if (redundant.empty()) return view;
  std::map<std::string_view, const Mechanism::Row*> row_of;
  for (const Mechanism::Row& row : view.mechanism->rows) row_of.emplace(row.name, &row);
  for (const std::string& name : redundant)
    view.redundant.push_back({name, explain(*view.mechanism, *row_of.at(name))});
  return view;
}

}  // namespace freeplay::app
