// Couplings of joint coordinates: what they act on, the geometry of teeth, and relations that contradict each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "freeplay/mechanism/building/mechanism_builder.h"

namespace freeplay::mechanism {

namespace {

constexpr double kSameLength = 1e-6;       // of places and directions that are typed with a few digits
constexpr double kCentreAllowance = 0.01;  // of a centre distance: more is another pair of wheels
constexpr double kSameRatio = 1e-9;        // relations of couplings, relative to their largest factor

}  // namespace

Mechanism::Coupling::Term MechanismBuilder::find_term(const CouplingTerm& term, const std::string& path) {
  const auto found = joint_of_name_.find(term.joint);
  if (found == joint_of_name_.end()) {
    std::vector<std::string> known;
    for (const Mechanism::Joint& joint : mechanism_->joints) known.push_back(joint.name);
    const std::string close = closest_match(term.joint, known);
    fail(path, fmt::format("there is no joint '{}'", term.joint),
         close.empty() ? "name a joint of `joints:`" : fmt::format("did you mean '{}'?", close));
    return {};
  }
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(found->second)];
  const JointType& type = *joint.type;
  if (term.coordinate < 0 || term.coordinate >= type.u_count() || type.q_count() != type.u_count() ||
      type.turn_count() > 1) {
    fail(path,
         fmt::format("joint '{}' is {} and has no coordinate {} that could be coupled", joint.name, type.name,
                     term.coordinate + 1),
         "couple revolute, prismatic or cylindrical joints");
    return {};
  }
  return {found->second, term.coordinate, term.factor};
}

void MechanismBuilder::check_coupling(const CouplingSpec& spec, const std::string& path) {
  using Model = CouplingSpec::Model;
  if (spec.terms.empty()) fail(path, "couples no joints", "name at least one joint");
  for (const CouplingTerm& term : spec.terms) {
    if (term.factor == 0 || !std::isfinite(term.factor))
      fail(path, fmt::format("the factor of joint '{}' is {:g}", term.joint, term.factor),
           "give a ratio or factor that is not zero");
  }
  for (std::size_t i = 1; i < spec.terms.size(); ++i) {
    const auto is_the_same = [&](const CouplingTerm& term) {
      return term.joint == spec.terms[i].joint && term.coordinate == spec.terms[i].coordinate;
    };
    if (std::any_of(spec.terms.begin(), spec.terms.begin() + static_cast<std::ptrdiff_t>(i), is_the_same))
      fail(path, fmt::format("couples joint '{}' with itself", spec.terms[i].joint), "name different joints");
  }
  if (!(spec.play >= 0) || !std::isfinite(spec.play)) {
    fail(path + ".backlash", fmt::format("the backlash is {:g}", spec.play), "give 0 or more");
  } else if (spec.model == Model::kBacklash && spec.play == 0 && !spec.mesh) {
    fail(path + ".backlash", "the backlash is 0", "give a backlash greater than 0, or use `model: ideal`");
  }
  if (!std::isfinite(spec.offset)) fail(path + ".offset", "the offset is not finite", "give a finite value");
  if (spec.model != Model::kCompliant) return;
  if (spec.stiffness.is_constant() && !(spec.stiffness.constant_value() > 0))
    fail(path + ".stiffness", "the stiffness is not positive", "give a stiffness greater than 0");
  if (!(spec.damping >= 0)) fail(path + ".damping", "the damping is negative", "give 0 or more");
}

void MechanismBuilder::add_couplings() {
  for (const CouplingSpec& spec : spec_.couplings) {
    const std::string path = "couplings." + spec.name;
    claim_name(spec.name, path);
    check_coupling(spec, path);
    Mechanism::Coupling coupling{spec.name, spec.model,     {},          spec.offset, spec.is_angle,
                                 spec.play, spec.stiffness, spec.damping};
    bool are_known = true;
    for (const CouplingTerm& given : spec.terms) {
      const Mechanism::Coupling::Term term = find_term(given, path);
      are_known = are_known && term.joint >= 0;
      if (term.joint < 0) continue;
      coupling.terms.push_back(term);
      const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(term.joint)];
      if (joint.role != Mechanism::JointRole::kReversed) coupling.moved.push_back(joint.child_marker);
      if (joint.role != Mechanism::JointRole::kTree) coupling.moved.push_back(joint.parent_marker);
    }
    if (!are_known) continue;
    if (spec.mesh) coupling.mesh = mesh_of(spec, coupling, path);
    if (spec.mesh && !(mechanism_->space == Space::kSpatial && gives_way(coupling)))
      coupling.moved.clear();  // it acts on its wheels alone
    if (spec.model == CouplingSpec::Model::kIdeal) {
      Mechanism::Row row;
      row.kind = Mechanism::Row::Kind::kCoupling;
      row.coupling = static_cast<int>(mechanism_->couplings.size());
      row.name = spec.name;
      coupling.row = mechanism_->row_count();
      mechanism_->rows.push_back(row);
    }
    mechanism_->couplings.push_back(std::move(coupling));
  }
  check_trains();
}

// Where the wheels are in ideal bearings. Both centres rest in one body: the parent of both joints, or the carrier,
// whose joint is then the third term.
std::optional<Mechanism::Mesh> MechanismBuilder::place_mesh(const Mechanism::Coupling& coupling,
                                                            const std::string& path) {
  const auto joint_of = [&](std::size_t term) -> const Mechanism::Joint& {
    return mechanism_->joints[static_cast<std::size_t>(coupling.terms[term].joint)];
  };
  const auto place = [&](MarkerIndex marker) -> const Frame& { return mechanism_->marker(marker).place; };
  const auto are_parallel = [](const Frame& a, const Frame& b) {
    return a.R.col(2).dot(b.R.col(2)) >= 1 - kSameLength;
  };
  const Mechanism::Joint &first = joint_of(0), &second = joint_of(1);
  const bool has_carrier = coupling.terms.size() == 3;
  const bool is_first_carried = has_carrier && first.parent == joint_of(2).child;
  const Mechanism::Joint& carried = is_first_carried ? first : second;
  const Mechanism::Joint& other = is_first_carried ? second : first;
  // The place and axis of the other wheel in the body that carries both.
  Frame of_other = place(other.parent_marker);
  if (has_carrier) {
    const Frame& bearing = place(joint_of(2).parent_marker);
    const Vec3 apart = bearing.R.transpose() * (of_other.p - bearing.p);
    if (other.parent != joint_of(2).parent || carried.parent != joint_of(2).child ||
        apart.head<2>().norm() > kSameLength || !are_parallel(of_other, bearing)) {
      fail(path + ".carrier", fmt::format("'{}' does not turn about the axis of '{}'", joint_of(2).name, other.name),
           "name the revolute joint by which the carrier turns about the axis of the other wheel");
      return std::nullopt;
    }
    of_other = place(joint_of(2).child_marker);
    of_other.p += apart.z() * of_other.R.col(2);  // where the wheel is along the axis
  } else if (first.parent != second.parent) {
    fail(path,
         fmt::format("'{}' and '{}' have different parents, so where their teeth meet is not known", first.name,
                     second.name),
         "hang both wheels on one body, or name the joint that turns the planet's `carrier`; without `pressure_angle` "
         "the coupling is a relation of the coordinates alone");
    return std::nullopt;
  }
  const Frame& of_carried = place(carried.parent_marker);
  if (!are_parallel(of_other, of_carried)) {
    fail(path, fmt::format("the axes of '{}' and '{}' are not parallel", first.name, second.name),
         "give both joints the same `axis`; without `pressure_angle` axes may point anywhere");
    return std::nullopt;
  }
  Mechanism::Mesh mesh;
  mesh.first = first.child_marker;
  mesh.second = second.child_marker;
  mesh.reference = carried.parent_marker;
  mesh.line = of_carried.R.transpose() * (is_first_carried ? of_other.p - of_carried.p : of_carried.p - of_other.p);
  if (const double along_axis = mesh.line.z(); along_axis != 0) {  // the teeth are where the first wheel is
    const Frame& on_second = place(second.child_marker);
    mesh.second =
        add_marker(second.child, {on_second.R, on_second.p - along_axis * on_second.R.col(2)}, path, on_second.p);
  }
  mesh.line.z() = 0;
  return mesh;
}

// The pitch line of a rack touches the pitch circle on the side on which both move the same way: s = r1 q1 + f q2 with
// f = -1 on the right of the rack's axis, seen with the pinion's axis upward.
std::optional<Mechanism::Mesh> MechanismBuilder::place_rack(const Mechanism::Coupling& coupling, double radius_m,
                                                            const std::string& path) {
  const Mechanism::Joint& pinion = mechanism_->joints[static_cast<std::size_t>(coupling.terms[0].joint)];
  const Mechanism::Joint& rack = mechanism_->joints[static_cast<std::size_t>(coupling.terms[1].joint)];
  if (pinion.parent != rack.parent) {
    fail(path,
         fmt::format("'{}' and '{}' have different parents, so where their teeth meet is not known", pinion.name,
                     rack.name),
         "hang pinion and rack on one body; without `pressure_angle` the coupling is a relation of the coordinates "
         "alone");
    return std::nullopt;
  }
  const Frame bearing = mechanism_->marker(pinion.parent_marker).place;
  const Frame guide = mechanism_->marker(rack.parent_marker).place,
              on_rack = mechanism_->marker(rack.child_marker).place;
  const Vec3 along = guide.R.col(rack.type->motions.front().axis), z = bearing.R.col(2);
  if (std::abs(along.dot(z)) > kSameLength) {
    fail(path, fmt::format("the rack of '{}' does not move across the axis of '{}'", rack.name, pinion.name),
         "turn the `axis` of one of them; without `pressure_angle` axes may point anywhere");
    return std::nullopt;
  }
  const Vec3 n = std::copysign(1.0, -coupling.terms[1].factor) * along.cross(z);
  const Mat3 to_rack = on_rack.R * guide.R.transpose();  // where the guide is ideal and its coordinate zero
  Mechanism::Mesh mesh;
  mesh.first = pinion.child_marker;
  mesh.reference = pinion.parent_marker;
  mesh.line = bearing.R.transpose() * n;
  const Vec3 touch = bearing.p + radius_m * n - guide.p;
  mesh.second = add_marker(rack.child, {to_rack * bearing.R, on_rack.p + to_rack * touch}, path, on_rack.p);
  return mesh;
}

bool MechanismBuilder::gives_way(const Mechanism::Coupling& coupling) const {
  return std::ranges::any_of(coupling.terms, [&](const Mechanism::Coupling::Term& term) {
    return gives_way(mechanism_->joints[static_cast<std::size_t>(term.joint)]);
  });
}

bool MechanismBuilder::gives_way(const Mechanism::Joint& joint) const {
  return joint.is_loose() || elastic_of_body_.contains(joint.parent) || elastic_of_body_.contains(joint.child);
}

std::optional<Mechanism::Mesh> MechanismBuilder::mesh_of(const CouplingSpec& spec, const Mechanism::Coupling& coupling,
                                                         const std::string& path) {
  const bool is_rack = spec.mesh->second_radius_m == 0;  // no wheel has this radius, the mark of a rack
  std::optional<Mechanism::Mesh> placed =
      is_rack ? place_rack(coupling, spec.mesh->first_radius_m, path) : place_mesh(coupling, path);
  if (!placed) return placed;
  Mechanism::Mesh& mesh = *placed;
  mesh.first_radius = spec.mesh->first_radius_m;
  mesh.distance = mesh.first_radius + (spec.mesh->is_internal ? -1 : 1) * spec.mesh->second_radius_m;
  mesh.pressure_angle = spec.mesh->pressure_angle;
  if (!is_rack && !set_opening(spec, mesh, path)) return std::nullopt;
  if (spec.model == CouplingSpec::Model::kBacklash && !(spec.play / 2 + mesh.opening > 0)) {
    fail(path + ".backlash", fmt::format("the teeth have {:.6g} m of play", spec.play + 2 * mesh.opening),
         "give a backlash greater than 0, more distance between the axes, or `model: ideal`");
  }
  if (spec.model == CouplingSpec::Model::kIdeal && gives_way(coupling)) {
    fail(path + ".pressure_angle",
         "the bearings give way to the radial force, whose side an ideal mesh, which has no flanks, does not tell",
         "use `model: backlash` or `model: compliant`, or leave `pressure_angle` out");
  }
  return placed;
}

// The distance of two wheels against the sum of their radii, and what it leaves open.
bool MechanismBuilder::set_opening(const CouplingSpec& spec, Mechanism::Mesh& mesh, const std::string& path) {
  const double by_radii = std::abs(mesh.distance), apart = mesh.line.norm();
  if (!(std::abs(apart - by_radii) <= kCentreAllowance * by_radii)) {
    fail(path,
         fmt::format("the axes are {:.6g} m apart, but the pitch circles of {:.6g} m and {:.6g} m meet at {:.6g} m",
                     apart, mesh.first_radius, spec.mesh->second_radius_m, by_radii),
         "move a joint (`at_parent`), or change `pitch_radius`, `module` or `internal`");
    return false;
  }
  mesh.line /= apart;
  const auto involute = [](double angle) { return std::tan(angle) - angle; };
  const double line_angle = std::acos(std::min(1.0, by_radii * std::cos(mesh.pressure_angle) / apart));
  mesh.opening = mesh.distance * (involute(line_angle) - involute(mesh.pressure_angle));
  return true;
}

// Ideal couplings are linear relations of coordinates with constant factors: elimination tells those that contradict
// each other, and those that leave a joint no motion at all. A coupling of a single coordinate means to hold it.
void MechanismBuilder::check_trains() {
  struct Relation {
    std::map<std::pair<int, int>, double> factors;  // by joint and coordinate
    double offset = 0;
  };
  const auto largest_of = [](const Relation& relation) {
    double largest = 0;
    for (const auto& [where, factor] : relation.factors) largest = std::max(largest, std::abs(factor));
    return largest;
  };
  const auto subtract = [&](Relation& from, const Relation& other, const std::pair<int, int>& pivot) {
    const auto found = from.factors.find(pivot);
    if (found == from.factors.end()) return;
    const double share = found->second / other.factors.at(pivot), rounding = kSameRatio * largest_of(from);
    for (const auto& [where, factor] : other.factors) from.factors[where] -= share * factor;
    from.offset -= share * other.offset;
    std::erase_if(from.factors, [&](const auto& entry) { return std::abs(entry.second) <= rounding; });
  };
  std::vector<std::pair<std::pair<int, int>, Relation>> reduced;
  for (const Mechanism::Coupling& coupling : mechanism_->couplings) {
    if (coupling.model != CouplingSpec::Model::kIdeal || coupling.terms.size() < 2) continue;
    Relation relation{{}, coupling.offset};
    for (const Mechanism::Coupling::Term& term : coupling.terms)
      relation.factors[{term.joint, term.coordinate}] += term.factor;
    const double size = largest_of(relation);
    for (const auto& [pivot, known] : reduced) subtract(relation, known, pivot);
    const std::string path = "couplings." + coupling.name;
    if (relation.factors.empty()) {
      if (std::abs(relation.offset) > kSameRatio * std::max(1.0, size))
        fail(path,
             fmt::format("contradicts the couplings before it: their relation is the same but for {:.6g}",
                         relation.offset),
             "delete it, or give it the same `offset`");
      continue;
    }
    const std::pair<int, int> pivot = relation.factors.begin()->first;
    for (auto& [of_known, known] : reduced) subtract(known, relation, pivot);
    reduced.emplace_back(pivot, relation);
    const auto holds_one = [](const auto& entry) { return entry.second.factors.size() == 1; };
    const auto locked = std::find_if(reduced.begin(), reduced.end(), holds_one);
    if (locked == reduced.end()) continue;
    const int joint = locked->second.factors.begin()->first.first;
    fail(path,
         fmt::format("contradicts the couplings before it: together they leave joint '{}' no way to move",
                     mechanism_->joints[static_cast<std::size_t>(joint)].name),
         "check ratios and senses of turning: around a closed train of wheels the ratios multiply to 1");
    return;
  }
}

// Ranges of velocities that one coupling needs in one block: a row is kept to two blocks, and a coupling may act on
// more trees than that.
std::vector<std::pair<int, int>> MechanismBuilder::coupled_velocities(const MassStructure& structure) const {
  std::vector<std::pair<int, int>> together;
  const auto block_of_body = [&](BodyIndex body) {
    int node = mechanism_->node_of_body[to_size(body)];
    for (; node > 0; node = mechanism_->nodes[static_cast<std::size_t>(node)].parent) {
      const Mechanism::Node& at = mechanism_->nodes[static_cast<std::size_t>(node)];
      if (at.joint_velocities() > 0 || at.elastic >= 0) return structure.block_of[static_cast<std::size_t>(at.u)];
    }
    return -1;
  };
  for (const CouplingSpec& coupling : spec_.couplings) {
    std::set<int> blocks;
    bool give_way = false;
    for (const CouplingTerm& term : coupling.terms) {
      const auto found = joint_of_name_.find(term.joint);
      if (found == joint_of_name_.end()) continue;
      const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(found->second)];
      give_way = give_way || gives_way(joint);
      if (joint.role != Mechanism::JointRole::kReversed) blocks.insert(block_of_body(joint.child));
      if (joint.role != Mechanism::JointRole::kTree) blocks.insert(block_of_body(joint.parent));
    }
    blocks.erase(-1);
    const bool is_on_wheels_alone = coupling.mesh && !(give_way && mechanism_->space == Space::kSpatial);
    if (is_on_wheels_alone || blocks.size() <= 2) continue;
    const MassStructure::Block& last = structure.blocks[static_cast<std::size_t>(*blocks.rbegin())];
    together.emplace_back(structure.blocks[static_cast<std::size_t>(*blocks.begin())].first,
                          last.first + last.size - 1);
  }
  return together;
}

}  // namespace freeplay::mechanism
