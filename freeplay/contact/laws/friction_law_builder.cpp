#include "freeplay/contact/laws/friction_law_builder.h"

#include <fmt/format.h>

#include <cmath>

namespace freeplay::contact {

namespace {

class FrictionLawBuilder {
 public:
  FrictionLawBuilder(const ContactLawSpec& law, const std::string& path, std::vector<Diagnostic>& mistakes)
      : law_(law), spec_(law.friction_law), path_(path), mistakes_(mistakes) {}

  std::shared_ptr<const FrictionLaw> build() {
    if (spec_.function) return function();
    if (spec_.law == "coulomb") {
      check_coulomb();
      return nullptr;
    }
    if (spec_.law == "stribeck") return stribeck();
    if (spec_.law == "table") return table();
    fail(".friction_law", fmt::format("there is no friction law '{}'", spec_.law),
         "available: coulomb, stribeck, table");
    return nullptr;
  }

 private:
  void fail(const std::string& key, std::string message, std::string hint) {
    mistakes_.push_back({{}, path_ + key, std::move(message), std::move(hint), {}});
  }

  // Keys that a law does not use are ignored, so that laws can be compared; but nobody who gives them wants no
  // friction.
  void check_coulomb() {
    if (law_.friction != 0) return;
    if (!spec_.table.empty()) {
      fail(".friction_table", "'coulomb', the law unless another is given, does not use it, and there is no 'friction'",
           "add 'friction_law: table'");
    } else if (spec_.static_friction && *spec_.static_friction != 0) {
      fail(".static_friction",
           "'coulomb', the law unless another is given, does not use it, and there is no 'friction'",
           "add 'friction_law: stribeck', or give 'friction'");
    }
  }

  std::shared_ptr<const FrictionLaw> function() {
    FrictionLaw law = FrictionLaw::function(spec_.function);
    if (law.static_limit() >= 0 && std::isfinite(law.static_limit()))
      return std::make_shared<const FrictionLaw>(std::move(law));
    fail(".friction_law", fmt::format("the function gives {} at rest", law.static_limit()), "give 0 or more");
    return nullptr;
  }

  std::shared_ptr<const FrictionLaw> stribeck() {
    const std::size_t before = mistakes_.size();
    if (!spec_.static_friction) {
      fail(".friction_law", "'stribeck' needs the friction at rest",
           "add 'static_friction: 0.3'; 'friction' is that of fast sliding");
    } else if (!(*spec_.static_friction >= law_.friction)) {
      fail(".static_friction",
           fmt::format("must not be less than 'friction' ({:g}), which is that of fast sliding, but is {:g}",
                       law_.friction, *spec_.static_friction),
           "exchange the two; for friction that rises with the speed use 'viscous_friction' or 'friction_law: table'");
    }
    if (!(spec_.stribeck_speed_m_s > 0)) fail(".stribeck_speed", "must be greater than 0", "give a speed");
    if (!(spec_.stribeck_exponent > 0)) fail(".stribeck_exponent", "must be greater than 0", "2 is usual");
    if (!(spec_.viscous_s_m >= 0)) fail(".viscous_friction", "must not be negative", "give it the other sign");
    if (mistakes_.size() != before) return nullptr;
    return std::make_shared<const FrictionLaw>(FrictionLaw::stribeck({.static_friction = *spec_.static_friction,
                                                                      .kinetic_friction = law_.friction,
                                                                      .speed_m_s = spec_.stribeck_speed_m_s,
                                                                      .exponent = spec_.stribeck_exponent,
                                                                      .viscous_s_m = spec_.viscous_s_m}));
  }

  std::shared_ptr<const FrictionLaw> table() {
    const std::size_t before = mistakes_.size();
    const std::vector<Vec2>& entries = spec_.table;
    if (entries.empty()) {
      fail(".friction_law", "'table' needs the coefficient at some speeds",
           "add 'friction_table: [[0 m/s, 0.4], [0.1 m/s, 0.3]]'");
      return nullptr;
    }
    for (std::size_t i = 0; i < entries.size() && mistakes_.size() == before; ++i) check_entry(i);
    if (mistakes_.size() != before) return nullptr;
    return std::make_shared<const FrictionLaw>(FrictionLaw::table(entries));
  }

  void check_entry(std::size_t i) {
    const Vec2& entry = spec_.table[i];
    const std::string key = fmt::format(".friction_table[{}]", i);
    if (!entry.allFinite()) {
      fail(key, "is not a pair of finite numbers", "write [0.1 m/s, 0.3]");
    } else if (entry.y() < 0) {
      fail(key, fmt::format("a coefficient of friction must not be negative, but this one is {:g}", entry.y()),
           "friction acts against the sliding; its coefficient is 0 or more");
    } else if (i == 0 && entry.x() != 0) {
      fail(key, fmt::format("must be the entry of speed 0, but is that of {:g} m/s", entry.x()),
           "begin with [0 m/s, ...]: up to that coefficient a contact sticks");
    } else if (i > 0 && !(entry.x() > spec_.table[i - 1].x())) {
      fail(key,
           fmt::format("speeds must increase from entry to entry, but {:g} m/s comes after {:g} m/s", entry.x(),
                       spec_.table[i - 1].x()),
           "sort the entries by speed, and give each speed once");
    }
  }

  const ContactLawSpec& law_;
  const FrictionLawSpec& spec_;
  const std::string& path_;
  std::vector<Diagnostic>& mistakes_;
};

}  // namespace

std::shared_ptr<const FrictionLaw> make_friction_law(const ContactLawSpec& law, const std::string& path,
                                                     std::vector<Diagnostic>& mistakes) {
  return FrictionLawBuilder(law, path, mistakes).build();
}

}  // namespace freeplay::contact
