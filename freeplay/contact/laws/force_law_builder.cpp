#include "freeplay/contact/laws/force_law_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/contact/laws/contact_stiffness.h"
#include "freeplay/contact/laws/cylinder_laws.h"
#include "freeplay/contact/laws/restitution_damping.h"

namespace freeplay::contact {

namespace {

// Hertz takes both bodies as half-spaces: the radius sqrt(R delta) of the contact must be small against the smaller
// radius of the bodies. At three tenths of it, his force of a rigid sphere on a plane is 1 % above Sneddon's exact one.
constexpr double kLargestContactRadius = 0.3;

class ForceLawBuilder {
 public:
  ForceLawBuilder(const ContactLawSpec& law, const std::shared_ptr<const FrictionLaw>& friction,
                  const ContactSurface& a, const ContactSurface& b, const std::string& path,
                  std::vector<Diagnostic>& mistakes)
      : law_(law), friction_(friction), force_(*law.force), a_(a), b_(b), path_(path), mistakes_(mistakes) {}

  std::optional<ForceLaw> build() {
    if (force_.elastic_function) return of_functions();
    const std::size_t before = mistakes_.size();
    const ForceLawEntry* entry = find_force_law(force_.law);
    if (entry == nullptr) {
      fail(".force.law", fmt::format("there is no force law '{}'", force_.law),
           fmt::format("available: {}", fmt::join(force_law_names(), ", ")));
      return std::nullopt;
    }
    check_restitution(*entry);
    ForceLaw made;
    switch (entry->elastic) {
      case ForceLawEntry::Elastic::kLinear:
        made.normal = kelvin_voigt();
        break;
      case ForceLawEntry::Elastic::kPower:
        made.normal = power_law(*entry);
        break;
      case ForceLawEntry::Elastic::kCylinder:
        made.normal = cylinder_law(*entry);
        break;
    }
    made.sliding = sliding_law();
    if (mistakes_.size() != before) return std::nullopt;
    return made;
  }

 private:
  void fail(const std::string& key, std::string message, std::string hint) {
    mistakes_.push_back({{}, path_ + key, std::move(message), std::move(hint), {}});
  }

  std::optional<ForceLaw> of_functions() {
    const std::size_t before = mistakes_.size();
    const ElasticLaw elastic = ElasticLaw::function(force_.elastic_function);
    ForceLaw made{force_.damping_function ? NormalForceLaw::function(elastic, force_.damping_function)
                                          : NormalForceLaw(elastic, 0),
                  sliding_law()};
    if (mistakes_.size() != before) return std::nullopt;
    return made;
  }

  void check_restitution(const ForceLawEntry& entry) {
    if (!entry.needs_restitution || law_.restitution > 0) return;
    fail(".restitution", fmt::format("the law '{}' would need infinite damping for a restitution of 0", entry.name),
         "give a restitution greater than 0, such as 0.01, or use another law: 'hunt-crossley', 'kelvin-voigt'");
  }
  double damping_factor(const ForceLawEntry& entry) const {
    return entry.needs_restitution && !(law_.restitution > 0) ? 0 : entry.damping_factor(law_.restitution);
  }

  NormalForceLaw kelvin_voigt() {
    if (force_.exponent.value_or(1) != 1) {
      fail(".force.exponent",
           fmt::format("the spring of 'kelvin-voigt' is linear, but the exponent is {:g}", force_.exponent.value()),
           "delete 'exponent' and give the stiffness in N/m, or use 'law: hunt-crossley'");
    }
    if (!force_.stiffness_N_mn) {
      fail(".force", "the stiffness of a linear spring does not follow from the material",
           "add 'stiffness: 1e6 N/m', or use a law of Hertz' kind, such as 'exact-restitution'");
      return {};
    }
    if (force_.damping_Ns_m) return NormalForceLaw::kelvin_voigt(*force_.stiffness_N_mn, *force_.damping_Ns_m);
    return NormalForceLaw::kelvin_voigt_by_ratio(*force_.stiffness_N_mn, kelvin_voigt_ratio(law_.restitution));
  }

  NormalForceLaw power_law(const ForceLawEntry& entry) {
    const double n = force_.exponent.value_or(1.5), a = damping_factor(entry);
    if (force_.stiffness_N_mn) return {*force_.stiffness_N_mn, n, a};
    const std::string cure = fmt::format("'stiffness: 1e9 {}'", n == 1 ? "N/m" : fmt::format("N/m^{:g}", n));
    if (n != 1.5) {
      fail(".force.exponent",
           fmt::format("the stiffness follows from the material for Hertz' exponent 1.5 only, not for {:g}", n),
           fmt::format("delete 'exponent', or add {}", cure));
      return {};
    }
    const std::optional<double> modulus_Pa = modulus("add " + cure + ", or 'young: 207 GPa' and 'poisson: 0.3'");
    if (!modulus_Pa || !has_radii("add " + cure)) return {};
    const double R_a = *a_.radius_m, R_b = *b_.radius_m, R = effective_radius_m(R_a, R_b);
    if (!fits(R_a + R_b)) return {};
    if (!std::isfinite(R)) {
      fail(".force", fmt::format("{} and {} do not touch in a point", a_.what, b_.what), "add " + cure);
      return {};
    }
    const double smaller = std::min(std::abs(R_a), std::abs(R_b));
    return {ElasticLaw::power(hertz_stiffness_N_m32(*modulus_Pa, R), 1.5), a,
            std::pow(kLargestContactRadius * smaller, 2) / R};
  }

  NormalForceLaw cylinder_law(const ForceLawEntry& entry) {
    const std::string other = "use a law of Hertz' kind, such as 'lankarani-nikravesh'";
    const std::optional<double> modulus_Pa = modulus(
        fmt::format("'{}' takes its stiffness from the material: add 'young: 207 GPa' and 'poisson: 0.3'", entry.name));
    if (!force_.length_m) {
      fail(".force", fmt::format("'{}' is a law of two long cylinders, and their length is unknown", entry.name),
           "add 'length: 15 mm', the length of the line of contact, or " + other);
    }
    if (!has_radii(other) || !modulus_Pa || !force_.length_m) return {};
    const CylinderPair pair{*modulus_Pa, *a_.radius_m, *b_.radius_m, *force_.length_m};
    for (const ContactSurface* surface : {&a_, &b_}) {
      if (std::isfinite(*surface->radius_m)) continue;
      fail(".force.law", fmt::format("'{}' is a law of two cylinders, but {} is flat", entry.name, surface->what),
           other);
      return {};
    }
    if (!fits(pair.radius_a_m + pair.radius_b_m)) return {};
    if (entry.name == "dubowsky-freudenstein" && !pair.is_internal()) {
      fail(".force.law", "'dubowsky-freudenstein' is a law of a journal in its bearing, but the two touch from outside",
           "use 'johnson' or 'radzimovsky'");
      return {};
    }
    const ElasticLaw elastic = entry.name == "johnson"       ? johnson_law(pair)
                               : entry.name == "radzimovsky" ? radzimovsky_law(pair)
                                                             : dubowsky_freudenstein_law(pair);
    return {elastic, damping_factor(entry)};
  }

  // E*; the second partner has the material of the first unless it is given its own.
  std::optional<double> modulus(const std::string& cure) {
    if (!force_.young_Pa || !force_.poisson) {
      fail(".force", "the stiffness of the contact is unknown", cure);
      return std::nullopt;
    }
    const ElasticMaterial a{*force_.young_Pa, *force_.poisson};
    return contact_modulus_Pa(a, {force_.young_b_Pa.value_or(a.young_Pa), force_.poisson_b.value_or(a.poisson)});
  }

  bool has_radii(const std::string& cure) {
    for (const ContactSurface* surface : {&a_, &b_}) {
      if (surface->radius_m) continue;
      fail(".force", fmt::format("the stiffness needs radii of curvature, but {} has none", surface->what), cure);
      return false;
    }
    return true;
  }

  // A body in a bore must be smaller than it: the bore's radius is negative and must outweigh the other.
  bool fits(double radius_sum_m) {
    const bool is_internal = *a_.radius_m < 0 || *b_.radius_m < 0;
    if (!is_internal || radius_sum_m < 0) return true;
    const ContactSurface& inner = *a_.radius_m < 0 ? b_ : a_;
    const ContactSurface& outer = *a_.radius_m < 0 ? a_ : b_;
    fail(".force",
         fmt::format("{} of radius {:g} m does not fit into {} of radius {:g} m", inner.what, *inner.radius_m,
                     outer.what, -*outer.radius_m),
         "make the hollow one the larger");
    return false;
  }

  SlidingForceLaw sliding_law() {
    SlidingParameters sliding;
    sliding.friction = law_.friction;
    sliding.friction_law = friction_;
    sliding.ramp =
        force_.friction_shape == "threlfall" ? SlidingParameters::Ramp::kThrelfall : SlidingParameters::Ramp::kAmbrosio;
    sliding.slip_speed_m_s = force_.slip_speed_m_s;
    sliding.rest_speed_m_s = force_.rest_speed_m_s;
    if (!(force_.rest_speed_m_s < force_.slip_speed_m_s)) {
      fail(".force.rest_speed",
           fmt::format("must be less than slip_speed ({:g} m/s), but is {:g} m/s", force_.slip_speed_m_s,
                       force_.rest_speed_m_s),
           "between the two friction rises from nothing to its full value");
    }
    if (force_.friction_law != "stribeck") return SlidingForceLaw(sliding);
    if (law_.friction_law.law != "coulomb" || law_.friction_law.function) {
      fail(".force.friction_law",
           fmt::format("the contact has 'friction_law: {}' already, which the force law takes too",
                       law_.friction_law.law),
           "delete one of the two");
      return SlidingForceLaw(sliding);
    }
    if (!force_.static_friction) {
      fail(".force.friction_law", "'stribeck' needs the friction at rest",
           "add 'static_friction: 0.3', or use 'friction_law: regularised-coulomb'");
    } else if (*force_.static_friction < law_.friction) {
      fail(".force.static_friction",
           fmt::format("must not be less than 'friction' ({:g}), which is that of fast sliding, but is {:g}",
                       law_.friction, *force_.static_friction),
           "exchange the two");
    }
    if (law_.friction == 0) {
      fail(".friction", "'stribeck' needs the friction of fast sliding", "add 'friction: 0.2' to the contact");
    }
    sliding.static_friction = force_.static_friction.value_or(0);
    sliding.stribeck_speed_m_s = force_.stribeck_speed_m_s;
    return SlidingForceLaw(sliding);
  }

  const ContactLawSpec& law_;
  const std::shared_ptr<const FrictionLaw>& friction_;
  const ContactForceSpec& force_;
  const ContactSurface &a_, &b_;
  const std::string& path_;
  std::vector<Diagnostic>& mistakes_;
};

}  // namespace

ContactSurface surface_of(const ShapeGeometry& shape, const ShapeGeometry& partner) {
  const std::string_view type = shape_type_name(shape);
  ContactSurface surface{fmt::format("{} {}", type.starts_with('a') || type.starts_with('e') ? "an" : "a", type), {}};
  if (const auto* circle = std::get_if<CircleShape>(&shape)) {
    surface.radius_m = circle->radius_m;
  } else if (const auto* arc = std::get_if<ArcShape>(&shape)) {
    surface.radius_m = arc->hollow ? -arc->radius_m : arc->radius_m;
  } else if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    surface.radius_m = sphere->radius_m;
  } else if (std::holds_alternative<LineShape>(shape) || std::holds_alternative<PlaneShape>(shape) ||
             // A ball touches a face of a box, as a disc touches an edge of the polygon below.
             (std::holds_alternative<BoxShape>(shape) && std::holds_alternative<SphereShape>(partner))) {
    surface.radius_m = kInfinity;
  } else if (std::holds_alternative<PolygonShape>(shape)) {
    // A disc touches an edge of a polygon, or a corner, where Hertz has no answer; it is given the edge's.
    if (std::holds_alternative<CircleShape>(partner))
      surface.radius_m = kInfinity;
    else
      surface.what = "the corner of a polygon";
  }
  return surface;
}

std::optional<ForceLaw> make_force_law(const ContactLawSpec& law, const std::shared_ptr<const FrictionLaw>& friction,
                                       const ContactSurface& a, const ContactSurface& b, const std::string& path,
                                       std::vector<Diagnostic>& mistakes) {
  return ForceLawBuilder(law, friction, a, b, path, mistakes).build();
}

}  // namespace freeplay::contact
