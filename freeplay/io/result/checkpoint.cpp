#include "freeplay/io/result/checkpoint.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "freeplay/core/error.h"

namespace freeplay::io {

namespace {

static_assert(std::endian::native == std::endian::little, "the record is written as the numbers are in memory");

constexpr std::string_view kMark = "freeplay checkpoint\n";
constexpr std::int32_t kVersion = 14;
constexpr std::size_t kHeadBytes = kMark.size() + sizeof(std::int32_t) + 2 * sizeof(std::uint64_t);

// FNV-1a: enough to notice that a disk or a copy has changed something.
std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (const std::byte byte : bytes) sum = (sum ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3U;
  return sum;
}

// The two sides of one list of fields (list_fields below): what one appends, the other takes.
class RecordMaker {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void operator()(Number& number) {
    const auto* begin = reinterpret_cast<const std::byte*>(&number);
    bytes_.insert(bytes_.end(), begin, begin + sizeof number);
  }
  // Makes room for, or tells, the number of entries that follow.
  std::size_t count(std::size_t size, std::size_t /*bytes_per_entry*/) {
    std::uint64_t number = size;
    (*this)(number);
    return size;
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class RecordTaker {
 public:
  explicit RecordTaker(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void operator()(Number& number) {
    if (bytes_.size() < sizeof number) throw IoError("the checkpoint is damaged: it ends too early");
    std::memcpy(&number, bytes_.data(), sizeof number);
    bytes_ = bytes_.subspan(sizeof number);
  }
  std::size_t count(std::size_t /*size*/, std::size_t bytes_per_entry) {
    std::uint64_t number = 0;
    (*this)(number);
    // Before any memory is asked for.
    if (number > bytes_.size() / bytes_per_entry) throw IoError("the checkpoint is damaged: a length is impossible");
    return static_cast<std::size_t>(number);
  }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

template <class Archive>
void list_text(Archive& archive, std::string& text) {
  text.resize(archive.count(text.size(), 1));
  for (char& c : text) archive(c);
}

// A VecX or a std::vector of numbers.
template <class Archive, class Vector>
void list_numbers(Archive& archive, Vector& numbers) {
  using Index = decltype(numbers.size());
  numbers.resize(static_cast<Index>(archive.count(static_cast<std::size_t>(numbers.size()), sizeof(double))));
  for (Index i = 0; i < numbers.size(); ++i) archive(numbers[i]);
}

template <class Archive, class... Numbers>
void list_all(Archive& archive, Numbers&... numbers) {
  (archive(numbers), ...);
}

// A member that is added and not listed would be lost: it changes the size.
static_assert(sizeof(EnergyAccount) == 4 * sizeof(double));
static_assert(sizeof(IntegratorCounts) == 11 * sizeof(double));
static_assert(sizeof(StepReport) == 80 && sizeof(EnergyLedger::Memory) == 8 * sizeof(double));
static_assert(sizeof(Advice::Memory) == 16);

template <class Archive>
void list_fields(Archive& archive, EnergyAccount& account) {
  list_all(archive, account.input, account.damping_loss, account.impact_loss, account.friction_loss);
}

template <class Archive>
void list_fields(Archive& archive, ContactMemory& m) {
  list_all(archive, m.key.pair, m.key.point, m.feature, m.mode, m.normal_impulse, m.normal_velocity_before,
           m.normal_velocity_after, m.normal_drift);
  for (Vec2* v : {&m.tangential_impulse, &m.tangential_velocity_before, &m.tangential_velocity_after,
                  &m.tangential_force, &m.contact_tangential_impulse})
    list_all(archive, v->x(), v->y());
  for (Vec3* v : {&m.impulse, &m.force}) list_all(archive, v->x(), v->y(), v->z());
  list_all(archive, m.step_impact_loss, m.step_friction_loss, m.impact_loss, m.friction_loss);
  list_all(archive, m.is_touching, m.has_just_ended, m.has_let_go);
  list_all(archive, m.onset_time_s, m.onset_speed_m_s, m.onset_mass_kg, m.normal_force);
  list_all(archive, m.elastic_energy, m.damping_power, m.friction_power, m.contact_impulse, m.contact_loss);
}

template <class Archive>
void list_fields(Archive& archive, State& state) {
  archive(state.t);
  list_numbers(archive, state.q);
  list_numbers(archive, state.u);
  list_fields(archive, state.account);
  state.contacts.resize(archive.count(state.contacts.size(), 8 * sizeof(double)));
  for (ContactMemory& contact : state.contacts) list_fields(archive, contact);
  list_numbers(archive, state.method);
}

template <class Archive>
void list_fields(Archive& archive, IntegratorCounts& c) {
  list_all(archive, c.accepted, c.rejected, c.evaluations, c.events, c.handed_over, c.contacts_begun,
           c.rejected_by_contact);
  list_all(archive, c.interpolated_starts, c.deep_starts, c.largest_start_m, c.injected_J);
}

template <class Archive>
void list_fields(Archive& archive, StepReport& r) {
  list_all(archive, r.status, r.size_s, r.residual_m_s, r.residual_m_s2, r.position_residual_m, r.iterations,
           r.worst_row, r.row_rank);
  list_all(archive, r.active_points, r.gaps_are_open, r.used_fallback, r.lowered_restitution, r.kept_gaps,
           r.impact_gain_J, r.equation_residual_N);
}

template <class Archive>
void list_fields(Archive& archive, RunSummary& s) {
  archive(s.status);
  list_text(archive, s.message);
  list_all(archive, s.failure, s.time_s, s.steps, s.rejected_steps, s.divided_steps, s.evaluations, s.rows, s.impacts,
           s.events, s.handed_over_steps, s.fallback_steps, s.lowered_restitution_steps, s.kept_gap_steps,
           s.gaining_impacts, s.impact_gain_J);
  list_all(archive, s.contacts_begun, s.rejected_by_contact, s.interpolated_starts, s.deep_starts);
  list_all(archive, s.largest_initial_penetration_m, s.injected_energy_J, s.max_penetration_m, s.worst_residual_m_s);
  list_all(archive, s.worst_residual_m_s2, s.worst_position_residual_m, s.energy_initial_J, s.energy_final_J);
  list_fields(archive, s.account);
  list_all(archive, s.energy_drift_J, s.max_energy_drift_J, s.wall_seconds);
  s.warnings.resize(archive.count(s.warnings.size(), sizeof(std::uint64_t)));
  for (std::string& warning : s.warnings) list_text(archive, warning);
}

template <class Archive>
void list_fields(Archive& archive, Checkpoint& c) {
  list_text(archive, c.integrator);
  list_fields(archive, c.state);
  list_fields(archive, c.counts);
  list_fields(archive, c.report);
  list_fields(archive, c.summary);
  list_all(archive, c.grid_index, c.first_row_waits, c.ledger.initial_J, c.ledger.largest_kinetic_J);
  list_all(archive, c.ledger.least_potential_J, c.ledger.largest_potential_J, c.ledger.worst_drift_J,
           c.ledger.least_impact_loss_J, c.ledger.most_lost_J, c.ledger.largest_gain_J);
  list_all(archive, c.advice.first_rank, c.advice.told_rank, c.advice.told_depth, c.advice.told_fallback,
           c.advice.told_restitution, c.advice.told_kept_gaps);
  list_all(archive, c.advice.told_wall, c.advice.told_doubt, c.advice.told_stiff, c.advice.told_crowd,
           c.advice.told_gain, c.advice.told_deflection, c.advice.told_division, c.drift_at_look_J, c.doubtful_J);
  list_numbers(archive, c.contacts);
  list_numbers(archive, c.reactions);
  list_numbers(archive, c.channels);
  list_numbers(archive, c.passages);
  list_text(archive, c.measures.text);
  list_numbers(archive, c.measures.numbers);
}

}  // namespace

std::vector<std::byte> encode_checkpoint(const Checkpoint& checkpoint) {
  Checkpoint copy = checkpoint;  // the list of fields is one for both directions
  RecordMaker fields;
  list_fields(fields, copy);
  const std::vector<std::byte> content = fields.take();

  RecordMaker record;
  for (char c : kMark) record(c);
  std::int32_t version = kVersion;
  std::uint64_t size = content.size(), sum = checksum(content);
  list_all(record, version, size, sum);
  std::vector<std::byte> bytes = record.take();
  bytes.insert(bytes.end(), content.begin(), content.end());
  return bytes;
}

Checkpoint decode_checkpoint(std::span<const std::byte> record) {
  if (record.size() < kHeadBytes || std::memcmp(record.data(), kMark.data(), kMark.size()) != 0)
    throw IoError("the checkpoint is damaged: its beginning is not that of a checkpoint");
  std::int32_t version = 0;
  std::uint64_t size = 0, sum = 0;
  RecordTaker head(record.subspan(kMark.size()));
  list_all(head, version, size, sum);
  if (version != kVersion) {
    throw IoError(fmt::format("its checkpoint has version {}, this program reads version {}", version, kVersion));
  }
  const std::span<const std::byte> content = record.subspan(kHeadBytes);
  if (content.size() != size || checksum(content) != sum) {
    throw IoError("the checkpoint is damaged: its checksum is not that of its content");
  }
  Checkpoint checkpoint;
  RecordTaker taker(content);
  list_fields(taker, checkpoint);
  if (!taker.is_at_end()) throw IoError("the checkpoint is damaged: it goes on after its last field");
  return checkpoint;
}

Checkpoint read_checkpoint(const ResultReader& result) {
  const std::vector<std::byte> record = result.checkpoint_record();
  try {
    if (record.empty()) throw IoError("it has no checkpoint: the run goes on, was killed, or never started");
    return decode_checkpoint(record);
  } catch (const IoError& error) {
    throw IoError(fmt::format("cannot go on from {}: {}", result.path().string(), error.what()));
  }
}

}  // namespace freeplay::io
