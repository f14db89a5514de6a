#include "freeplay/model/coded_contacts.h"

#include "freeplay/contact/points/linear_contacts.h"
#include "freeplay/mechanism/systems/woodpecker.h"
#include "freeplay/model/chimney_damper_contacts.h"

namespace freeplay::model {

namespace {

// Glocker's linear contacts of the woodpecker: its beak, and the lower and the upper edge of the sleeve, on the pole.
std::shared_ptr<const ContactModel> woodpecker_contacts(std::span<const double> values) {
  const WoodpeckerParameters p = woodpecker_parameters(values);
  const double play = p.sleeve_radius - p.pole_radius;
  const auto contact = [&](const char* name, double restitution, double gap, const Vec3& normal, const Vec3& tangent) {
    LinearContact made;
    made.description.contact = name;
    made.description.law.restitution = restitution;
    made.description.law.friction = p.friction;
    made.description.clearance_m = play;
    made.description.size = play;
    made.gap_at_zero = gap;
    made.normal = normal;
    made.tangent = tangent;
    return made;
  };
  const double reach = p.pivot_distance + p.bird_distance - p.beak_length;
  const Vec3 edge_slides(1, p.sleeve_radius, 0);
  return std::make_shared<LinearContacts>(std::vector<LinearContact>{
      contact("beak", p.beak_restitution, reach - p.pole_radius, {0, 0, -p.beak_height},
              {1, p.pivot_distance, p.bird_distance - p.beak_length}),
      contact("lower_edge", p.sleeve_restitution, play, {0, p.sleeve_half_height, 0}, edge_slides),
      contact("upper_edge", p.sleeve_restitution, play, {0, -p.sleeve_half_height, 0}, edge_slides)});
}

struct CodedContacts {
  const char* system;
  std::shared_ptr<const ContactModel> (*make)(std::span<const double> values);
};
constexpr CodedContacts kCodedContacts[] = {{"chimney_damper", &chimney_damper_contacts},
                                            {"woodpecker", &woodpecker_contacts}};

const CodedContacts* find_coded_contacts(const std::string& system) {
  for (const CodedContacts& known : kCodedContacts) {
    if (system == known.system) return &known;
  }
  return nullptr;
}

}  // namespace

bool has_coded_contacts(const std::string& system) {
  return find_coded_contacts(system) != nullptr;
}

std::shared_ptr<const ContactModel> make_coded_contacts(const std::string& system, std::span<const double> values) {
  const CodedContacts* known = find_coded_contacts(system);
  return known == nullptr ? nullptr : known->make(values);
}

}  // namespace freeplay::model
