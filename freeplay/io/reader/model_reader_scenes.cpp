// The blocks `fill` and `pattern` of bodies: many bodies like one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "freeplay/io/reader/model_reader.h"
#include "freeplay/model/body_copies.h"

namespace freeplay::io {

bool ModelReader::add_copies(BlockReader& block, const BodySpec& body, std::size_t first_shape) {
  std::optional<BlockReader> fill = block.block("fill"), pattern = block.block("pattern");
  if (!fill && !pattern) return false;
  if (fill && pattern) {
    block.report("fill", "a body is copied by 'fill' or by 'pattern'", "delete one of the two");
    return true;
  }
  check_template(block, body, fill.has_value());
  BlockReader& asked = fill ? *fill : *pattern;
  const FillSpec fill_spec = fill ? read_fill(*fill) : FillSpec{};
  const PatternSpec pattern_spec = pattern ? read_body_pattern(*pattern) : PatternSpec{};
  asked.check_all_keys_were_read();
  // The body that is copied is none of the model, but its name is taken.
  const std::vector<ShapeSpec> shapes(model_.shapes.begin() + static_cast<std::ptrdiff_t>(first_shape),
                                      model_.shapes.end());
  const std::vector<int> materials(shape_materials_.begin() + static_cast<std::ptrdiff_t>(first_shape),
                                   shape_materials_.end());
  model_.shapes.resize(first_shape);
  shape_materials_.resize(first_shape);
  for (const ShapeSpec& shape : shapes) shape_types_.erase(body.name + "." + shape.name);
  body_names_.erase(body.name);
  copies_[body.name] = {first_shape, first_shape};  // so that a group may name it even if something is wrong below
  if (!block.ok()) return true;

  const double reach_m = reach_of_shapes_m(shapes);
  PlacingProblem problem;
  if (fill && fill_spec.count)
    problem = problem_of_memory(model_.mechanism.bodies.size() + static_cast<std::size_t>(*fill_spec.count));
  Places made;
  if (problem.empty()) {
    made = fill ? fill_places(fill_spec, space(), reach_m, taken_) : pattern_places(pattern_spec);
    problem = made.problem;
  }
  if (problem.empty()) problem = problem_of_memory(model_.mechanism.bodies.size() + made.places.size());
  if (!problem.empty()) {
    asked.report(problem.key, problem.message, problem.hint);
    return true;
  }
  model_.shapes.reserve(first_shape + shapes.size() * made.places.size());
  for (std::size_t i = 0; i < made.places.size(); ++i) {
    if (!add_copy(asked, body, shapes, made.places[i], i + 1)) return true;
    shape_materials_.insert(shape_materials_.end(), materials.begin(), materials.end());
    if (!pattern || !std::isfinite(reach_m) || !(reach_m > 0)) continue;
    const auto& at = model_.mechanism.bodies.back().initial.position_m;
    taken_.add(Vec3(at[0].value_or(0), at[1].value_or(0), at[2].value_or(0)), reach_m);
  }
  copies_[body.name] = {first_shape, model_.shapes.size()};
  return true;
}

bool ModelReader::misses_copies(const std::string& name) const {
  const auto copies = copies_.find(name.substr(0, name.rfind('_')));
  return values_.mistake_count() > 0 && copies != copies_.end() &&
         copies->second.first_shape == copies->second.last_shape;
}

void ModelReader::check_template(BlockReader& block, const BodySpec& body, bool is_filled) {
  if (body.elastic) block.report("elastic", "copies of elastic bodies are not made", "write them one by one");
  if (block.has("guess")) block.report("guess", "copies stand where they are placed", "delete it");
  const auto& at = body.initial.position_m;
  if (is_filled && (at[0] || at[1] || at[2])) {
    block.report("initial", "'fill' says where the bodies are",
                 "give velocities and an attitude at most, or 'pattern'");
  }
}

bool ModelReader::add_copy(BlockReader& block, const BodySpec& body, const std::vector<ShapeSpec>& shapes,
                           const BodyPlace& place, std::size_t number) {
  BodySpec copy = copy_of(body, place, space(), fmt::format("{}_{}", body.name, number));
  if (const auto [claim, is_new] = names_.emplace(copy.name, Claim{"body", block.at()}); !is_new) {
    values_.report(block.at(), block.path(),
                   fmt::format("the name '{}' of a copy is already that of a {}", copy.name, claim->second.what),
                   fmt::format("rename one of them; the {} is in line {}", claim->second.what, claim->second.at.line));
    return false;
  }
  body_names_.insert(copy.name);
  for (const ShapeSpec& shape : shapes) {
    std::optional<ShapeSpec> scaled = copy_of(shape, place.size, copy.name);
    if (!scaled) {
      values_.report(block.at(), block.path(),
                     fmt::format("the {} '{}' has no copies of another size", shape.type, shape.name),
                     "delete 'size', or use circles, polygons, ellipses, spheres, boxes, cylinders, capsules or "
                     "ellipsoids");
      return false;
    }
    shape_types_.emplace(copy.name + "." + shape.name, shape.type);
    model_.shapes.push_back(*std::move(scaled));
  }
  model_.mechanism.bodies.push_back(std::move(copy));
  return true;
}

FillSpec ModelReader::read_fill(BlockReader& block) {
  FillSpec fill;
  if (const int count = block.integer("count"); block.has("count")) fill.count = count;
  fill.from_m = block.vector("from");
  fill.to_m = block.vector("to");
  fill.is_open_above = block.boolean("open_above");
  fill.radius_m = block.optional_quantity("radius");
  fill.centre_m = block.vector("centre");
  if (block.word("arrangement") == "random") fill.arrangement = FillSpec::Arrangement::kRandom;
  fill.gap_m = block.optional_quantity("gap");
  fill.is_turned = block.boolean("turned");
  fill.seed = static_cast<std::uint64_t>(block.integer("seed"));

  struct Form {
    const char* key;
    std::size_t count;  // 0: any
    Distribution::Kind kind;
  };
  constexpr std::array<Form, 4> kForms = {{{"size", 0, {}},
                                           {"size_uniform", 2, Distribution::Kind::kUniform},
                                           {"size_normal", 2, Distribution::Kind::kNormal},
                                           {"size_triangular", 3, Distribution::Kind::kTriangular}}};
  const char* given = nullptr;
  for (const Form& form : kForms) {
    const std::vector<double> numbers = block.quantities(form.key);
    if (numbers.empty()) continue;
    if (given != nullptr) block.report(form.key, fmt::format("the size is given by '{}' already", given), "delete one");
    given = form.key;
    if (form.count == 0) {
      fill.sizes = numbers;
      continue;
    }
    const bool is_normal = form.kind == Distribution::Kind::kNormal;
    if (numbers.size() != form.count || (!is_normal && !(numbers.back() > numbers.front())) ||
        (!is_normal && !std::is_sorted(numbers.begin(), numbers.end()))) {
      block.report(form.key, fmt::format("must be {} numbers{}", form.count, is_normal ? "" : " that increase"),
                   is_normal ? "write [1, 0.1], mean and deviation" : "write the least one first");
      continue;
    }
    fill.size_spread = Distribution{form.kind, numbers[0], numbers[1], form.count == 3 ? numbers[2] : 0};
  }
  return fill;
}

PatternSpec ModelReader::read_body_pattern(BlockReader& block) {
  PatternSpec pattern;
  pattern.count = block.integer("count");
  pattern.shift_m = block.vector("shift");
  pattern.turn = block.quantity("turn");
  pattern.at_m = block.vector("at");
  pattern.rows = block.integer("rows");
  pattern.row_shift_m = block.vector("row_shift");
  pattern.stagger_m = block.vector("stagger");
  pattern.is_shorter = block.boolean("shorter");
  pattern.layers = block.integer("layers");
  pattern.layer_shift_m = block.vector("layer_shift");
  if (space() == Space::kSpatial) {
    pattern.axis = block.direction("axis").value_or(Vec3::UnitZ());
  } else if (block.entry("axis") != nullptr) {
    block.report("axis", "a planar model turns about z", "delete it");
  }
  return pattern;
}

}  // namespace freeplay::io
