#include "freeplay/compile/recording/model_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "freeplay/compile/recording/linear_recording.h"
#include "freeplay/compile/recording/recorded_mechanism.h"
#include "freeplay/compile/recording/recorded_outputs.h"
#include "freeplay/contact/carried/turned_shapes.h"
#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/core/error.h"
#include "freeplay/math/recording/recorded_jet.h"
#include "freeplay/mechanism/trees/tied_trees.h"
#include "freeplay/simulation/watch/passed_parts.h"

namespace freeplay::compile {

namespace {

constexpr std::size_t kMostPoints = 32, kMostLinearPoints = 64;  // LaneMeasure::points has a bit for each
constexpr int kMostVelocities = 16;
constexpr std::size_t kMostGapOperations = 3000;  // of all pairs: some seconds for the compiler

const Mechanism* mechanism_of(const Model& model) {
  return dynamic_cast<const Mechanism*>(model.system.get());
}

const MechanismContacts* contacts_of(const Model& model) {
  return dynamic_cast<const MechanismContacts*>(model.contacts.get());
}

struct Obstacles {
  std::vector<std::string> list;
  void add_if(bool is_there, std::string text) {
    if (is_there) list.push_back(std::move(text));
  }
};

void look_at_options(const ModelSpec& spec, Obstacles& found) {
  const auto& simulate = spec.simulate;
  found.add_if(simulate.integrator != "moreau-midpoint",
               fmt::format("compiled steps are those of moreau-midpoint, not of {}", simulate.integrator));
  found.add_if(!simulate.step_s, "there is no fixed step");
  found.add_if(simulate.velocity_forces == VelocityForces::kImplicit, "'velocity_forces: implicit' is not compiled");
  found.add_if(simulate.projection_m.has_value(), "'projection' is not compiled");
  found.add_if(simulate.initial_overlap_m > 0, "'initial_overlap' is not compiled");
}

bool has_coordinates(const Mechanism& mechanism, int joint) {
  return RecordedMechanism::has_coordinates(mechanism.joints[static_cast<std::size_t>(joint)]);
}

constexpr const char* kLargeTable = "functions given by more than 256 samples are not compiled";

void look_at_driver(const Mechanism::Driver& driver, const Mechanism& mechanism, Obstacles& found) {
  if (driver.motion && driver.row >= 0) return;  // a bilateral row
  const auto add_if = [&](bool is_there, const char* text) {
    found.add_if(is_there, fmt::format("driver '{}': {}", driver.name, text));
  };
  const bool is_controller = driver.pid || driver.sampling || !driver.effort;
  add_if(is_controller, "controllers are not compiled");
  add_if(driver.limit < std::numeric_limits<double>::infinity(), "limits of motors are not compiled");
  add_if(!has_coordinates(mechanism, driver.joint), "what acts along a curved slot is not compiled");
  add_if(driver.effort && !driver.effort->can_be_recorded(), kLargeTable);
}

void look_at_mechanism(const Mechanism& mechanism, Obstacles& found) {
  found.add_if(mechanism.space != Space::kPlanar, "the model is spatial; only planar ones are compiled");
  found.add_if(!mechanism.elastic_bodies.empty(), "elastic bodies are not compiled");
  for (const Mechanism::Row& row : mechanism.rows) {
    const bool has_large_table =
        row.driver >= 0 && !mechanism.drivers[static_cast<std::size_t>(row.driver)].motion->can_be_recorded();
    found.add_if(has_large_table, fmt::format("motion '{}': {}", row.name, kLargeTable));
    found.add_if(!RecordedMechanism::can_hold(row), fmt::format("the bilateral row '{}' is not compiled", row.name));
  }
  found.add_if(mechanism.row_rank() < mechanism.row_count(), "redundant bilateral rows are not compiled");
  found.add_if(!mechanism.bushings.empty(), "bushings are not compiled");
  found.add_if(!mechanism.couplings.empty(), "couplings are not compiled");
  found.add_if(!mechanism.turns.empty() || mechanism.held_count() > 0,
               "counted turns and sampled controllers are not compiled");
  found.add_if(mechanism.mass_structure().deep != DeepTrees::kNone || mechanism.velocity_count() > kMostVelocities,
               fmt::format("more than {} velocities are not compiled", kMostVelocities));
  for (const Mechanism::Driver& driver : mechanism.drivers) look_at_driver(driver, mechanism, found);
  for (const Mechanism::Load& load : mechanism.loads) {
    const bool is_plain = std::ranges::all_of(load.value, [](const Expression& e) { return e.can_be_recorded(); });
    found.add_if(!is_plain, fmt::format("force '{}': {}", load.name, kLargeTable));
  }
  for (const Mechanism::TorsionalSpring& spring : mechanism.torsional_springs) {
    found.add_if(!has_coordinates(mechanism, spring.joint),
                 fmt::format("spring '{}' acts along a curved slot, which is not compiled", spring.name));
  }
  for (const Mechanism::Channel& channel : mechanism.expression_variables) {
    found.add_if(!RecordedMechanism::can_read(mechanism, channel), "a force reads a channel that is not compiled");
  }
}

void look_at_count(std::size_t points, std::size_t most, Obstacles& found) {
  found.add_if(points > most, fmt::format("more than {} contact points are not compiled", most));
}

void look_at_point(const ContactPoint& point, Obstacles& found) {
  const std::string name = point.name();
  found.add_if(point.rubs_by_load(), fmt::format("'{}': friction by the load of a joint is not compiled", name));
  found.add_if(point.law.impact != ImpactLaw::kNewton, fmt::format("'{}': only Newton's impact law is compiled", name));
  found.add_if(point.law.friction_law != nullptr,
               fmt::format("'{}': friction that depends on the speed is not compiled", name));
}

// Whether gap functions know how to be recorded shows when they are asked, and so does how much text they become: that
// of polygons grows with the product of their corners.
void look_at_gaps(const MechanismContacts& contacts, Obstacles& found) {
  std::size_t operations = 0;
  for (const auto& pair : contacts.planar_pairs) {
    Tape tape;
    RecordedPlacement a, b;
    a.x = tape.input(odd_number(1));
    b.y = tape.input(odd_number(2));
    std::vector<RecordedContactPoint> points(static_cast<std::size_t>(pair.gap->point_count()));
    const bool searches = pair.gap->follows_contacts(), is_recorded = !searches && pair.gap->record(a, b, points);
    operations += tape.entries().size();
    const std::string& name = contacts.points()[static_cast<std::size_t>(pair.first_point)].contact;
    if (searches)
      found.add_if(true,
                   fmt::format("'{}': this pair of shapes searches for its contact, which is not compiled", name));
    else if (!is_recorded)
      found.add_if(true,
                   fmt::format("'{}': this pair of shapes, or a lift that a table of more than 256 samples gives, "
                               "is not compiled",
                               name));
    else if (operations > kMostGapOperations)
      found.add_if(true, fmt::format("'{}': corners and edges of polygons would become too much code, {} operations",
                                     name, operations));
    else
      continue;
    return;
  }
}

void look_at_joint_row(const MechanismContacts::JointRow& row, const Mechanism& mechanism, Obstacles& found) {
  using Kind = MechanismContacts::JointRow::Kind;
  if (row.kind == Kind::kFlank || row.kind == Kind::kMotion) {
    found.add_if(true, "flanks of couplings and motions with a limit are not compiled");
    return;
  }
  found.add_if(!has_coordinates(mechanism, row.joint),
               fmt::format("stops and dry friction of '{}', a curved slot, are not compiled",
                           mechanism.joints[static_cast<std::size_t>(row.joint)].name));
}

void look_at_contacts(const MechanismContacts& contacts, const Mechanism& mechanism, Obstacles& found) {
  for (const MechanismContacts::JointRow& row : contacts.joint_rows) look_at_joint_row(row, mechanism, found);
  found.add_if(!contacts.surface_groups.empty(), "groups of contacts are not compiled");
  found.add_if(std::ranges::any_of(contacts.turns, [](const auto& turn) { return !turn.angle.can_be_recorded(); }),
               fmt::format("shapes that turn: {}", kLargeTable));
  found.add_if(!contacts.belts.empty(), "surfaces that run as belts are not compiled");
  found.add_if(!contacts.films.empty(), "lubricants are not compiled");
  found.add_if(!contacts.worn().empty(), "wear is not compiled");
  look_at_count(contacts.points().size(), kMostPoints, found);
  for (const ContactPoint& point : contacts.points()) look_at_point(point, found);
  if (contacts.space == Space::kPlanar) look_at_gaps(contacts, found);
}

RecordedPlacement placement_of(const RecordedMechanism& mechanism, MarkerIndex marker) {
  const RecordedAlgebra::Matrix3 R = mechanism.markers().axes(marker);
  const RecordedAlgebra::Vector3 p = mechanism.markers().position(marker);
  return {R(0, 0), R(1, 0), p.x(), p.y()};
}

// The contact points of a pair and their rows, as MechanismContactKinematics has them.
class RecordedPair {
 public:
  RecordedPair(const RecordedMechanism& mechanism, const MechanismContacts& contacts,
               const MechanismContacts::Pair<PlanarGap>& pair, const Recorded& t)
      : mechanism_(mechanism),
        a_(contacts.markers[static_cast<std::size_t>(pair.placement_a)]),
        b_(contacts.markers[static_cast<std::size_t>(pair.placement_b)]),
        points_(static_cast<std::size_t>(pair.gap->point_count())) {
    const RecordedPlacement at_a = placed(contacts, a_, pair.turn_a, t, turned_a_);
    const RecordedPlacement at_b = placed(contacts, b_, pair.turn_b, t, turned_b_);
    const bool is_recorded = pair.gap->record(at_a, at_b, points_);
    FREEPLAY_ASSERT(is_recorded);
  }

  const std::vector<RecordedContactPoint>& points() const { return points_; }
  std::vector<int> row(const RecordedContactPoint& at, const Eigen::Matrix<Recorded, 2, 1>& direction,
                       Tape& tape) const {
    std::vector<int> places;
    for (const Recorded& entry : mechanism_.row(a_, b_, direction, at.point_a, at.point_b))
      places.push_back(tape.place_of(entry));
    // What the turning of the shapes themselves adds to v_A - v_B.
    Eigen::Matrix<Recorded, 2, 1> surface = Eigen::Matrix<Recorded, 2, 1>::Zero();
    if (turned_a_) surface += turned_a_->velocity(at.point_a);
    if (turned_b_) surface -= turned_b_->velocity(at.point_b);
    places.push_back(tape.place_of(direction.dot(surface)));
    return places;
  }

 private:
  RecordedPlacement placed(const MechanismContacts& contacts, MarkerIndex marker, int turn, const Recorded& t,
                           std::optional<TurnedShape<Recorded>>& turned) const {
    const RecordedPlacement body = placement_of(mechanism_, marker);
    if (turn < 0) return body;
    const MechanismContacts::Turn& by = contacts.turns[static_cast<std::size_t>(turn)];
    turned.emplace(body, by.about, jet_along(by.angle.record({&t, 1}), t));
    return turned->at;
  }

  const RecordedMechanism& mechanism_;
  MarkerIndex a_, b_;
  std::optional<TurnedShape<Recorded>> turned_a_, turned_b_;
  std::vector<RecordedContactPoint> points_;
};

// Stops and dry friction along coordinates of joints.
void record_joint_rows(const RecordedMechanism& mechanism, const MechanismContacts& contacts, ModelRecording& recording,
                       std::vector<Recorded>& gaps) {
  Tape& tape = *recording.tape;
  for (const MechanismContacts::JointRow& row : contacts.joint_rows) {
    const double sign = row.kind == MechanismContacts::JointRow::Kind::kUpperStop ? -1 : 1;
    ModelRecording::Point point;
    point.has_normal = row.is_stop();
    const RecordedMechanism::Coordinate coordinate = mechanism.coordinate(row.axis());
    gaps.push_back(row.is_stop() ? sign * (coordinate.q - row.bound) : Recorded(-1));
    point.gap = tape.place_of(gaps.back());
    for (const Recorded& entry : coordinate.row) {
      point.normal.push_back(tape.place_of(row.is_stop() ? sign * entry : Recorded(0)));
      point.tangent.push_back(tape.place_of(row.is_stop() ? Recorded(0) : entry));
    }
    for (std::vector<int>* whole : {&point.normal, &point.tangent}) whole->push_back(tape.place_of(0.0));  // w~
    recording.points.push_back(std::move(point));
  }
}

void record_points(const RecordedMechanism& mechanism, const MechanismContacts& contacts, const Recorded& t,
                   ModelRecording& recording, std::vector<Recorded>& gaps) {
  Tape& tape = *recording.tape;
  for (const auto& pair : contacts.planar_pairs) {
    const RecordedPair recorded(mechanism, contacts, pair, t);
    for (const RecordedContactPoint& at : recorded.points()) {
      ModelRecording::Point point;
      gaps.push_back(at.gap);
      point.gap = tape.place_of(at.gap);
      point.normal = recorded.row(at, at.normal, tape);
      point.tangent = recorded.row(at, at.tangent, tape);
      point.is_round = pair.gap->to_centre() != 0;
      recording.points.push_back(std::move(point));
    }
  }
  record_joint_rows(mechanism, contacts, recording, gaps);
  for (std::size_t p = 0; p < recording.points.size(); ++p) {
    const ContactPoint& point = contacts.points()[p];
    recording.points[p].can_be_passed = can_be_passed(point) && point.size > 0;
  }
  for (const ContactPoint& point : contacts.points()) {
    recording.laws.push_back({point.law.restitution, point.law.tangential_restitution,
                              point.has_friction() ? point.law.friction : 0, point.size > 0 ? point.size : 1,
                              point.law.dry_effort});
  }
}

// Gaps are known by their points; nullopt if it has no recorded form.
std::optional<Recorded> record_channel(const RecordedMechanism& mechanism, const Mechanism& description,
                                       const MechanismContacts* contacts, const std::vector<Recorded>& gaps,
                                       const std::string& name) {
  const std::vector<ChannelDescription>& known = description.channels();
  const auto is_it = [&](const ChannelDescription& channel) { return channel.name == name; };
  const auto found = std::find_if(known.begin(), known.end(), is_it);
  Recorded value;
  if (found != known.end() &&
      mechanism.read(description.channel_table[static_cast<std::size_t>(found - known.begin())], value))
    return value;
  for (std::size_t i = 0; contacts != nullptr && i < contacts->points().size(); ++i) {
    const ContactPoint& point = contacts->points()[i];
    if (point.contact + ".gap" + point.suffix == name) return gaps[i];
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> compile_obstacles(const ModelSpec& spec, const Model& model) {
  Obstacles found;
  look_at_options(spec, found);
  if (is_linear_model(model)) {
    found.add_if(model.system->velocity_count() > kMostVelocities,
                 fmt::format("more than {} velocities are not compiled", kMostVelocities));
    const std::vector<const ContactPoint*> points = model.contacts->descriptions();
    look_at_count(points.size(), kMostLinearPoints, found);
    for (const ContactPoint* point : points) look_at_point(*point, found);
    return found.list;
  }
  const Mechanism* mechanism = mechanism_of(model);
  found.add_if(mechanism == nullptr, "systems given as code are not compiled");
  if (mechanism != nullptr) look_at_mechanism(*mechanism, found);
  const MechanismContacts* contacts = contacts_of(model);
  found.add_if(contacts == nullptr && !model.contacts->is_empty(), "contacts given as code are not compiled");
  if (contacts != nullptr && mechanism != nullptr) look_at_contacts(*contacts, *mechanism, found);
  return found.list;
}

bool ModelRecording::has_structure_of(const ModelRecording& other) const {
  const auto& a = tape->entries();
  const auto& b = other.tape->entries();
  const auto is_same = [](const Tape::Entry& x, const Tape::Entry& y) { return x.has_structure_of(y); };
  const auto is_same_guard = [](const Tape::Guard& x, const Tape::Guard& y) {
    return x.kind == y.kind && x.a == y.a && x.b == y.b && x.outcome == y.outcome;
  };
  return velocities == other.velocities && is_tied == other.is_tied && points == other.points &&
         bilateral == other.bilateral && mass == other.mass && force == other.force && solution == other.solution &&
         channels == other.channels && impacts == other.impacts && std::ranges::equal(a, b, is_same) &&
         std::ranges::equal(tape->guards(), other.tape->guards(), is_same_guard);
}

ModelRecording record_model(const Model& model, const std::vector<std::string>& channels,
                            const MeasureProgram* measures, const MeasureProgram* section) {
  if (is_linear_model(model)) return record_linear_model(model, {channels, measures, section});
  const Mechanism* mechanism = mechanism_of(model);
  FREEPLAY_ASSERT(mechanism != nullptr);
  const MechanismContacts* contacts = contacts_of(model);
  ModelRecording recording;
  recording.tape = std::make_unique<Tape>();
  recording.velocities = mechanism->velocity_count();
  const std::vector<int> tied = tied_trees(*mechanism);
  recording.is_tied = std::ranges::all_of(tied, [&](int first) { return first == tied.front(); });
  const int n = recording.velocities;
  const State start = mechanism->initial_state();
  Tape& tape = *recording.tape;
  const Recorded t = tape.input(odd_number(0));
  RecordedVector q(n), u(n);
  for (int i = 0; i < n; ++i) q[i] = tape.input(start.q[i] + odd_number(i));
  for (int i = 0; i < n; ++i) u[i] = tape.input(start.u[i] + odd_number(i + n));
  RecordedVector b(n);
  for (int i = 0; i < n; ++i) b[i] = tape.input(odd_number(i));
  RecordedMechanism evaluated(*mechanism, t, q, u);
  RecordedMass M(mechanism->mass_structure());
  evaluated.mass(M);
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j <= k; ++j) recording.mass.push_back(tape.place_of(M.row(k)[j]));
  }
  solve_in_place(M, b);
  for (int k = 0; k < n; ++k) recording.solution.push_back(tape.place_of(b[k]));
  const RecordedVector h = evaluated.forces();
  for (int k = 0; k < n; ++k) recording.force.push_back(tape.place_of(h[k]));
  for (const Mechanism::Row& row : mechanism->rows) {
    const RecordedMechanism::Bilateral held = evaluated.bilateral(row);
    ModelRecording::Row& recorded = recording.bilateral.emplace_back();
    recorded.position = tape.place_of(held.position);
    for (const Recorded& entry : held.entries) recorded.entries.push_back(tape.place_of(entry));
    recorded.entries.push_back(tape.place_of(held.w_tilde));
  }
  std::vector<Recorded> gaps;
  if (contacts != nullptr) record_points(evaluated, *contacts, t, recording, gaps);
  const auto read = [&](const std::string& name) {
    return record_channel(evaluated, *mechanism, contacts, gaps, name);
  };
  record_outputs({channels, measures, section}, t, read, recording);
  return recording;
}

}  // namespace freeplay::compile
