// The shapes of a body of nodes, as a finite-element program gives them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "freeplay/mechanism/building/elastic_shapes.h"
#include "freeplay/mechanism/description/beam_shapes.h"

namespace freeplay::mechanism {

namespace {

constexpr double kNoPivot = 1e-10;  // of the diagonal: what rounding of typed digits leaves of a zero

// Nodes on a line along x, in their order.
class NodeLine {
 public:
  explicit NodeLine(const ElasticNodes& body) : nodes_(body.nodes), order_(body.nodes.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return nodes_[a].at_m.x() < nodes_[b].at_m.x(); });
  }

  // G_ij(x) = integral of W_i' W_j' + V_i' V_j', W and V the deflections along y and z, from the first node to x.
  MatX slope_products_until(double x) const {
    MatX G = nothing();
    for (std::size_t k = 0; k + 1 < order_.size(); ++k) add_interval(k, x, G);
    return G;
  }

  // G at every node, in the order of the file; from node to node, so that many of them take no square of their number.
  std::vector<MatX> slope_products_at_nodes() const {
    std::vector<MatX> products(order_.size());
    MatX G = nothing();
    for (std::size_t k = 0; k < order_.size(); ++k) {
      if (k > 0) add_interval(k - 1, nodes_[order_[k]].at_m.x(), G);
      products[order_[k]] = G;
    }
    return products;
  }

 private:
  MatX nothing() const { return MatX::Zero(nodes_.front().shapes.cols(), nodes_.front().shapes.cols()); }

  // From node k in the order, to the next one or to x before it.
  void add_interval(std::size_t k, double x, MatX& G) const {
    const ElasticNode &a = nodes_[order_[k]], &b = nodes_[order_[k + 1]];
    const double length = b.at_m.x() - a.at_m.x(), reach = std::min(x, b.at_m.x()) - a.at_m.x();
    if (!(reach > 0)) return;
    for (const QuadraturePoint& point : gauss_points(3, reach)) {
      for (const int direction : {1, 2}) {
        const VecX slope = slope_between(a, b, point.s / length, length, direction);
        G += point.weight * slope * slope.transpose();
      }
    }
  }

  // Of the cubic through both deflections and slopes; the chord where a node's rotations are not known.
  static VecX slope_between(const ElasticNode& a, const ElasticNode& b, double x, double length, int direction) {
    VecX rise = (b.shapes.row(direction) - a.shapes.row(direction)).transpose() / length;
    if (!a.turns || !b.turns) return rise;
    const int turn = direction == 1 ? 5 : 4;  // a slope in z turns about -y
    const double sign = direction == 1 ? 1 : -1;
    return 6 * x * (1 - x) * rise + sign * (1 - 4 * x + 3 * x * x) * a.shapes.row(turn).transpose() +
           sign * (3 * x * x - 2 * x) * b.shapes.row(turn).transpose();
  }

  const std::vector<ElasticNode>& nodes_;
  std::vector<std::size_t> order_;
};

class NodeShapes final : public ElasticShapes {
 public:
  explicit NodeShapes(const ElasticSpec& spec) : body_(spec.nodes), station_nodes_(spec.station_nodes) {
    if (!spec.foreshortening || !body_->is_on_a_line()) return;
    // Points come nearer to the body's origin.
    const NodeLine line(*body_);
    const MatX at_origin = line.slope_products_until(0);
    foreshortening_ = line.slope_products_at_nodes();
    for (MatX& G : foreshortening_) G -= at_origin;
  }

  // From frequencies: K = diag(w^2) M, of modes that do not couple.
  MatX stiffness() const override {
    if (body_->stiffness.size() > 0) return 0.5 * (body_->stiffness + body_->stiffness.transpose());
    const MatX M = body_->mass.size() > 0 ? body_->mass : modal_mass(mass_points(), body_->mode_count());
    return MatX(body_->frequencies_rad_s.cwiseAbs2().cwiseProduct(M.diagonal()).asDiagonal());
  }

  std::vector<Mechanism::Section> mass_points() const override {
    std::vector<Mechanism::Section> points;
    for (std::size_t i = 0; i < body_->nodes.size(); ++i) {
      const ElasticNode& node = body_->nodes[i];
      if (node.mass_kg == 0 && node.inertia_kg_m2.isZero(0)) continue;
      points.push_back(section(i));
      points.back().mass_kg = node.mass_kg;
      points.back().inertia_kg_m2 = node.inertia_kg_m2;
    }
    return points;
  }

  Mechanism::Section section_near(const Vec3& place) const override {
    std::size_t nearest = 0;
    double least = kInfinity;
    for (std::size_t i = 0; i < body_->nodes.size(); ++i) {
      const double distance = (body_->nodes[i].at_m - place).norm();
      if (body_->nodes[i].turns && distance < least) nearest = i, least = distance;
    }
    return section(nearest);
  }

  // What the file knows of the loads of the nodes, those of the stations first.
  Mechanism::ElasticBody::Stations stations() const override {
    std::vector<const ElasticNode*> places;
    Mechanism::ElasticBody::Stations stations;
    for (const std::string& name : station_nodes_) {
      places.push_back(body_->find(name));
      stations.sections.push_back(section(static_cast<std::size_t>(places.back() - body_->nodes.data())));
    }
    for (const ElasticNode& node : body_->nodes) {
      if (node.moments.size() > 0 || node.stresses.size() > 0) places.push_back(&node);
    }
    const Eigen::Index rows = static_cast<Eigen::Index>(places.size());
    stations.moment = stations.moment_xz = MatX::Zero(rows, body_->mode_count());
    for (Eigen::Index i = 0; i < rows; ++i) {
      const ElasticNode& node = *places[static_cast<std::size_t>(i)];
      stations.stresses.push_back(node.stresses);
      if (node.moments.size() == 0) continue;
      stations.moment.row(i) = node.moments.row(0);
      stations.moment_xz.row(i) = node.moments.row(1);
    }
    return stations;
  }
  double size_m() const override { return body_->size_m(); }

 private:
  Mechanism::Section section(std::size_t node) const {
    Mechanism::Section section;
    section.rest = body_->nodes[node].at_m;
    section.shapes = body_->nodes[node].shapes;
    if (!foreshortening_.empty()) section.foreshortening = foreshortening_[node];
    return section;
  }

  std::shared_ptr<const ElasticNodes> body_;
  std::vector<std::string> station_nodes_;
  std::vector<MatX> foreshortening_;  // per node; empty: none
};

}  // namespace

std::unique_ptr<const ElasticShapes> make_node_shapes(const ElasticSpec& body) {
  return std::make_unique<NodeShapes>(body);
}

// Cholesky's factors, column by column.
int first_mode_without_pivot(const MatX& matrix) {
  MatX L = matrix;
  for (Eigen::Index j = 0; j < L.cols(); ++j) {
    double pivot = L(j, j);
    for (Eigen::Index k = 0; k < j; ++k) pivot -= L(j, k) * L(j, k);
    if (!(pivot > kNoPivot * std::abs(matrix(j, j))) || !std::isfinite(pivot)) return static_cast<int>(j);
    L(j, j) = std::sqrt(pivot);
    for (Eigen::Index i = j + 1; i < L.rows(); ++i) {
      double sum = L(i, j);
      for (Eigen::Index k = 0; k < j; ++k) sum -= L(i, k) * L(j, k);
      L(i, j) = sum / L(j, j);
    }
  }
  return -1;
}

}  // namespace freeplay::mechanism
