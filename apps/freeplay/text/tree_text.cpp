#include <fmt/format.h>

#include "terminal/text_table.h"
#include "verbs/info/info.h"

namespace freeplay::app {

namespace {

class TreeDrawing {
 public:
  TreeDrawing(const Mechanism& mechanism, const Painter& paint)
      : mechanism_(mechanism), paint_(paint), table_("lllll") {
    table_.add({paint_.bold("ground")});
    draw_children(0, "");
  }
  std::string text() const { return table_.text(); }

 private:
  std::vector<int> children_of(int node) const {
    std::vector<int> children;
    for (std::size_t i = 1; i < mechanism_.nodes.size(); ++i) {
      // A place on an elastic body, or the integral of a controller, and no body.
      if (mechanism_.nodes[i].section >= 0 || mechanism_.nodes[i].is_memory) continue;
      int parent = mechanism_.nodes[i].parent;
      while (mechanism_.nodes[static_cast<std::size_t>(parent)].section >= 0) {
        parent = mechanism_.nodes[static_cast<std::size_t>(parent)].parent;
      }
      if (parent == node) children.push_back(static_cast<int>(i));
    }
    return children;
  }

  void draw_children(int node, const std::string& prefix) {
    const std::vector<int> children = children_of(node);
    for (const int child : children) {
      const bool is_last = child == children.back();
      draw(child, prefix + (is_last ? "└─ " : "├─ "));
      draw_children(child, prefix + (is_last ? "   " : "│  "));
    }
  }

  void draw(int index, const std::string& branch) {
    const Mechanism::Node& node = mechanism_.nodes[static_cast<std::size_t>(index)];
    const bool is_free_body = node.joint < 0;
    const std::string joint =
        is_free_body ? paint_.dim("no joint") : mechanism_.joints[static_cast<std::size_t>(node.joint)].name;
    table_.add({paint_.dim(branch) + paint_.bold(mechanism_.bodies[to_size(node.body)].name), joint,
                std::string(node.type->name), coordinates(node),
                node.sign < 0 ? paint_.yellow("reversed: walked from child to parent") : ""});
  }

  std::string coordinates(const Mechanism::Node& node) const {
    const int modes = node.elastic < 0 ? 0 : mechanism_.elastic_bodies[static_cast<std::size_t>(node.elastic)].count;
    const int q = node.type->q_count() + modes, u = node.type->u_count() + modes;
    if (q == 0) return "";
    const std::string range = q == 1 ? fmt::format("q{}", node.q + 1) : fmt::format("q{}..q{}", node.q + 1, node.q + q);
    return q == u ? range : fmt::format("{} (u{}..u{})", range, node.u + 1, node.u + u);
  }

  const Mechanism& mechanism_;
  const Painter& paint_;
  TextTable table_;
};

}  // namespace

std::string tree_text(const Mechanism& mechanism, const Painter& paint) {
  return TreeDrawing(mechanism, paint).text();
}

std::string constraints_text(const Mechanism& mechanism) {
  TextTable table("lllll");
  for (const Mechanism::Joint& joint : mechanism.joints) {
    if (joint.role != Mechanism::JointRole::kConstraint) continue;
    table.add({joint.name, std::string(joint.type->name),
               fmt::format("{} ─ {}", mechanism.bodies[to_size(joint.parent)].name,
                           mechanism.bodies[to_size(joint.child)].name),
               counted(static_cast<long long>(joint.type->locked.size()), "row"),
               joint.closes_loop ? "closes a loop" : "as constraint"});
  }
  for (const Mechanism::Driver& driver : mechanism.drivers) {
    if (driver.row < 0) continue;
    table.add({driver.name, "driver", mechanism.joints[static_cast<std::size_t>(driver.joint)].name, "1 row",
               driver.motion->text()});
  }
  return table.empty() ? "" : table.text();
}

}  // namespace freeplay::app
