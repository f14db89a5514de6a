#include "freeplay/io/model/scattered_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "freeplay/math/quantities/iso_fits.h"

namespace freeplay::io {

namespace {

constexpr double kLimitDeviations = 3;  // from the middle of a tolerance zone to its ends
constexpr const char* kFitExample = "write '{fit: H7/g6, diameter: 25 mm}'";

class ScatterReader {
 public:
  ScatterReader(const YamlEntry& source, std::string path, const ParseConstant& parse, MistakeList& mistakes)
      : source_(source), path_(std::move(path)), parse_(parse), mistakes_(mistakes) {}

  bool read(ModelParameter& parameter) {
    if (source_.value.find("fit") != nullptr) return read_fit(parameter);
    for (const Form& form : kForms) {
      const YamlEntry* given = source_.value.find(form.key);
      if (given == nullptr) continue;
      if (source_.value.entries.size() != 1)
        return refuse(source_.key_at, "", "scatters in more than one way", form.example);
      return read_form(form, given->value, parameter);
    }
    return refuse(
        source_.key_at, "", "must be a quantity or a word, or scatter in a known way",
        "write '1 mm', '{word: name}', '{fit: H7/g6, diameter: 25 mm}', '{normal: [1 mm, 0.1 mm]}', '{uniform: "
        "[1 mm, 2 mm]}' or '{triangular: [1 mm, 1.2 mm, 2 mm]}'");
  }

 private:
  struct Form {
    const char* key;
    Distribution::Kind kind;
    std::size_t count;
    const char* example;
  };
  static constexpr Form kForms[] = {
      {"normal", Distribution::Kind::kNormal, 2, "write 'normal: [1 mm, 0.1 mm]', mean and standard deviation"},
      {"uniform", Distribution::Kind::kUniform, 2, "write 'uniform: [1 mm, 2 mm]', from and to"},
      {"triangular", Distribution::Kind::kTriangular, 3,
       "write 'triangular: [1 mm, 1.2 mm, 2 mm]', from, most likely and to"}};

  bool refuse(const SourcePosition& at, const char* key, const std::string& problem, const std::string& cure) {
    mistakes_.add(at, key[0] == 0 ? path_ : path_ + "." + key, problem, cure);
    return false;
  }

  bool read_form(const Form& form, const YamlNode& list, ModelParameter& parameter) {
    if (list.kind != YamlNode::Kind::kList || list.items.size() != form.count)
      return refuse(list.at, form.key, fmt::format("must be a list of {} quantities", form.count), form.example);
    std::array<double, 3> numbers = {};
    Dimension& dimension = parameter.value.dimension;
    for (std::size_t i = 0; i < form.count; ++i) {
      const std::optional<Expression> value = parse_(list.items[i], path_ + "." + form.key, form.example);
      if (!value) return false;
      if (i > 0 && value->dimension() != dimension)
        return refuse(list.items[i].at, form.key, "its quantities have different dimensions", form.example);
      dimension = value->dimension();
      numbers[i] = value->constant_value();
    }
    const Distribution found{form.kind, numbers[0], numbers[1], numbers[2]};
    const double *first = numbers.data(), *end = first + form.count;
    const bool is_normal = form.kind == Distribution::Kind::kNormal;
    if (!is_normal && !std::is_sorted(first, end))
      return refuse(list.at, form.key, "its numbers do not increase", form.example);
    if (!(is_normal ? found.b > 0 : *(end - 1) > *first) || !std::isfinite(found.mean()))
      return refuse(list.at, form.key, "does not scatter", "write one value instead, or a positive width");
    parameter.distribution = found;
    parameter.value.value = found.mean();
    parameter.lowest = is_normal ? found.a - kLimitDeviations * found.b : *first;
    parameter.highest = is_normal ? found.a + kLimitDeviations * found.b : *(end - 1);
    parameter.text = form.key;
    for (std::size_t i = 0; i < form.count; ++i) parameter.text += (i == 0 ? " " : ", ") + list.items[i].text;
    return true;
  }

  // The clearance per side of a pin in its hole. Both diameters are taken as normal, with their limits three standard
  // deviations from the middle.
  bool read_fit(ModelParameter& parameter) {
    const YamlNode& node = source_.value;
    const YamlEntry *fit = node.find("fit"), *diameter = node.find("diameter");
    if (node.entries.size() != 2 || diameter == nullptr || fit->value.kind != YamlNode::Kind::kScalar)
      return refuse(source_.key_at, "", "a fit has a diameter and nothing else", kFitExample);
    const std::optional<Expression> value = parse_(diameter->value, path_ + ".diameter", "25 mm");
    if (!value) return false;
    if (value->dimension() != dimensions::kLength)
      return refuse(diameter->value.at, "diameter", "is not a length", kFitExample);
    Fit between;
    try {
      between = iso_fit(fit->value.text, value->constant_value());
    } catch (const std::invalid_argument& error) {
      return refuse(fit->value.at, "fit", error.what(), kFitExample);
    }
    if (!(between.mean_m() > 0)) {
      return refuse(fit->value.at, "fit",
                    fmt::format("'{}' has no clearance: in the mean the shaft is {:.3g} um thicker than the hole",
                                fit->value.text, -1e6 * between.mean_m()),
                    "choose a looser fit, such as H7/g6");
    }
    const double deviation = std::hypot(between.hole.width_m(), between.shaft.width_m()) / (2 * kLimitDeviations);
    parameter.distribution = Distribution::normal(between.mean_m() / 2, deviation / 2);
    parameter.value = {between.mean_m() / 2, dimensions::kLength};
    parameter.lowest = between.least_m() / 2;
    parameter.highest = between.most_m() / 2;
    parameter.text = fmt::format("fit {}, {}", fit->value.text, diameter->value.text);
    // A transition fit: some pins are thicker than their holes, which no run with a clearance shows.
    if (between.least_m() < 0) parameter.text += fmt::format(", may interfere by {:.3g} um", -1e6 * between.least_m());
    return true;
  }

  const YamlEntry& source_;
  const std::string path_;
  const ParseConstant& parse_;
  MistakeList& mistakes_;
};

}  // namespace

bool read_scatter(const YamlEntry& source, const std::string& path, const ParseConstant& parse, MistakeList& mistakes,
                  ModelParameter& parameter) {
  return ScatterReader(source, path, parse, mistakes).read(parameter);
}

}  // namespace freeplay::io
