#include "freeplay/compile/recording/linear_recording.h"

#include "freeplay/contact/points/linear_contacts.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/systems/linear_system.h"

namespace freeplay::compile {

namespace {

// h - K q - D u.
RecordedVector linear_forces(const LinearSystemSpec& spec, const RecordedVector& q, const RecordedVector& u) {
  const int n = static_cast<int>(spec.coordinates.size());
  RecordedVector h(n);
  for (int i = 0; i < n; ++i) {
    h[i] = spec.h[i];
    for (int k = 0; k < n; ++k) h[i] -= spec.K(i, k) * q[k];
    for (int k = 0; k < n && spec.D.size() > 0; ++k) h[i] -= spec.D(i, k) * u[k];
  }
  return h;
}

std::vector<int> linear_row(const VecX& row, int n, Tape& tape) {
  std::vector<int> places;
  for (int k = 0; k <= n; ++k) places.push_back(tape.place_of(row.size() > 0 && k < n ? row[k] : 0.0));  // w~ = 0
  return places;
}

// Gaps of the points, in their order.
std::vector<Recorded> record_linear_points(const LinearContacts& contacts, const RecordedVector& q,
                                           ModelRecording& recording) {
  std::vector<Recorded> gaps;
  Tape& tape = *recording.tape;
  for (const LinearContact& contact : contacts.contacts()) {
    const ContactPoint& law = contact.description;
    Recorded gap = law.has_normal ? Recorded(contact.gap_at_zero) : Recorded(-1);
    for (int k = 0; k < recording.velocities && law.has_normal; ++k) gap += contact.normal[k] * q[k];
    gaps.push_back(gap);
    ModelRecording::Point point;
    point.has_normal = law.has_normal;
    point.gap = tape.place_of(gap);
    point.normal = linear_row(contact.normal, recording.velocities, tape);
    point.tangent = linear_row(contact.tangent, recording.velocities, tape);
    recording.points.push_back(std::move(point));
    recording.laws.push_back({law.law.restitution, law.law.tangential_restitution,
                              law.has_friction() ? law.law.friction : 0, law.size > 0 ? law.size : 1,
                              law.law.dry_effort});
  }
  return gaps;
}

}  // namespace

bool is_linear_model(const Model& model) {
  const bool has_linear_contacts =
      model.contacts->is_empty() || dynamic_cast<const LinearContacts*>(model.contacts.get()) != nullptr;
  return has_linear_contacts && dynamic_cast<const LinearSystem*>(model.system.get()) != nullptr;
}

ModelRecording record_linear_model(const Model& model, const WantedOutputs& wanted) {
  const auto* const system = dynamic_cast<const LinearSystem*>(model.system.get());
  FREEPLAY_ASSERT(system != nullptr);
  const LinearSystemSpec& spec = system->spec();
  const State start = system->initial_state();
  ModelRecording recording;
  recording.tape = std::make_unique<Tape>();
  recording.velocities = system->velocity_count();
  recording.is_tied = true;  // one dense block
  const int n = recording.velocities;
  Tape& tape = *recording.tape;
  const Recorded t = tape.input(odd_number(0));
  RecordedVector q(n), u(n), b(n);
  for (int i = 0; i < n; ++i) q[i] = tape.input(start.q[i] + odd_number(i));
  for (int i = 0; i < n; ++i) u[i] = tape.input(start.u[i] + odd_number(i + n));
  for (int i = 0; i < n; ++i) b[i] = tape.input(odd_number(i));
  RecordedMass M(system->mass_structure());
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j <= k; ++j) {
      M.row(k)[j] = spec.M(k, j);
      recording.mass.push_back(tape.place_of(M.row(k)[j]));
    }
  }
  solve_in_place(M, b);
  for (int k = 0; k < n; ++k) recording.solution.push_back(tape.place_of(b[k]));
  const RecordedVector h = linear_forces(spec, q, u);
  for (int k = 0; k < n; ++k) recording.force.push_back(tape.place_of(h[k]));
  std::vector<Recorded> gaps;
  const auto* const contacts = dynamic_cast<const LinearContacts*>(model.contacts.get());
  if (contacts != nullptr) gaps = record_linear_points(*contacts, q, recording);
  const auto read = [&](const std::string& name) -> std::optional<Recorded> {
    for (int i = 0; i < n; ++i) {
      if (spec.coordinates[static_cast<std::size_t>(i)].channel == name) return q[i];
      if (spec.coordinates[static_cast<std::size_t>(i)].velocity_channel == name) return u[i];
    }
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      const ContactPoint& point = contacts->contacts()[i].description;
      if (point.contact + ".gap" + point.suffix == name) return gaps[i];
    }
    return std::nullopt;
  };
  record_outputs(wanted, t, read, recording);
  return recording;
}

}  // namespace freeplay::compile
