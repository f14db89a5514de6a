#include "freeplay/compile/program/emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "freeplay/core/error.h"

namespace freeplay::compile {

namespace {

// What a node depends on.
enum Source : unsigned { kOnMember = 1, kOnPosition = 2, kOnVelocity = 4, kOnRightSide = 8, kOnImpact = 16 };

std::string_view function_name(ExpressionOp op) {
  using Op = ExpressionOp;
  static constexpr std::array<std::pair<Op, std::string_view>, 20> kNames = {{
      {Op::kTan, "fn_tan"},   {Op::kAsin, "fn_asin"},   {Op::kAcos, "fn_acos"},   {Op::kAtan, "fn_atan"},
      {Op::kSinh, "fn_sinh"}, {Op::kCosh, "fn_cosh"},   {Op::kTanh, "fn_tanh"},   {Op::kExp, "fn_exp"},
      {Op::kLog, "fn_log"},   {Op::kSqrt, "fn_sqrt"},   {Op::kAbs, "fn_abs"},     {Op::kSign, "fn_sign"},
      {Op::kStep, "fn_step"}, {Op::kFloor, "fn_floor"}, {Op::kPower, "fn_pow"},   {Op::kAtan2, "fn_atan2"},
      {Op::kMin, "fn_min"},   {Op::kMax, "fn_max"},     {Op::kHypot, "fn_hypot"}, {Op::kMod, "fn_mod"},
  }};
  const auto found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == op; });
  FREEPLAY_ASSERT(found != kNames.end());
  return found->second;
}

class Emitter {
 public:
  Emitter(const Graph& graph, const ModelRecording& recording, int members)
      : graph_(graph), recording_(recording), members_(members), n_(recording.velocities) {
    find_sources();
    mark_outputs();
    choose_slots();
  }

  std::string text() {
    std::string body =
        prepare() + position() + force() + solve() + rows() + bilateral() + channels() + impacts() + kinds();
    return fmt::format(
        "struct Mechanism {{\n  static constexpr int velocities = {}, points = {}, members = {}, slots = {}, kept = "
        "{}, "
        "bilateral_rows = {}, channel_count = {}, impact_values = {};\n{}}};\n",
        n_, recording_.points.size(), members_, slot_count_, kept_count_, recording_.bilateral.size(),
        recording_.channels.size(), recording_.impacts.size(), body);
  }

 private:
  using Kind = GraphNode::Kind;
  using Op = ExpressionOp;
  using Marks = std::vector<char>;

  std::size_t size() const { return graph_.nodes().size(); }
  int node(int place) const { return graph_.node_of(place); }
  unsigned source(int of) const { return source_[static_cast<std::size_t>(of)]; }
  bool is_leaf(int of) const {
    const Kind kind = graph_[of].kind;
    return kind == Kind::kConstant || kind == Kind::kInput;
  }
  bool is_of_member(int of) const { return source(of) == kOnMember; }

  Source source_of_input(int input) const {
    if (input <= n_) return kOnPosition;
    if (input <= 2 * n_) return kOnVelocity;
    return input <= 3 * n_ ? kOnRightSide : kOnImpact;
  }

  void find_sources() {
    source_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) {
      const GraphNode& at = graph_.nodes()[i];
      unsigned sum = 0;
      if (at.kind == Kind::kMember) sum = kOnMember;
      if (at.kind == Kind::kInput) sum = source_of_input(at.input);
      for (const int operand : {at.a, at.b, at.c}) {
        if (operand >= 0) sum |= source(operand);
      }
      source_[i] = sum;
    }
  }

  // Marks what `outputs` are made of.
  Marks needed(const std::vector<int>& outputs) const {
    Marks marks(size(), 0);
    for (const int output : outputs) marks[static_cast<std::size_t>(output)] = 1;
    for (std::size_t i = size(); i-- > 0;) {
      if (marks[i] == 0) continue;
      const GraphNode& at = graph_.nodes()[i];
      for (const int operand : {at.a, at.b, at.c}) {
        if (operand >= 0) marks[static_cast<std::size_t>(operand)] = 1;
      }
    }
    return marks;
  }

  void mark_outputs() {
    std::vector<int> of_position, of_force, of_rows, of_channels, of_impacts, of_solution, of_bilateral;
    for (const ModelRecording::Row& row : recording_.bilateral) {
      of_bilateral.push_back(node(row.position));
      for (const int place : row.entries) of_bilateral.push_back(node(place));
    }
    for (const ModelRecording::Point& point : recording_.points) {
      of_position.push_back(node(point.gap));
      for (const int place : point.normal) of_rows.push_back(node(place));
      for (const int place : point.tangent) of_rows.push_back(node(place));
    }
    for (const int place : recording_.force) of_force.push_back(node(place));
    for (const int place : recording_.solution) of_solution.push_back(node(place));
    for (const int place : recording_.channels) of_channels.push_back(node(place));
    for (const int place : recording_.impacts) of_impacts.push_back(node(place));
    for (const Tape::Guard& guard : recording_.tape->guards()) {
      const bool is_of_force = ((source(node(guard.a)) | source(node(guard.b))) & kOnVelocity) != 0;
      for (const int place : {guard.a, guard.b}) (is_of_force ? of_force : of_position).push_back(node(place));
    }
    in_force_ = needed(of_force);
    in_rows_ = needed(of_rows);
    in_bilateral_ = needed(of_bilateral);
    in_solution_ = needed(of_solution);
    in_channels_ = needed(of_channels);
    in_impacts_ = needed(of_impacts);
    in_position_ = needed(of_position);
    // What forces and the solution need of the position is computed with it; what rows need alone waits for them.
    for (std::size_t i = 0; i < size(); ++i) {
      const bool is_asked_for = in_force_[i] != 0 || in_solution_[i] != 0;
      if (is_asked_for && (source_[i] & (kOnVelocity | kOnRightSide)) == 0) in_position_[i] = 1;
    }
  }

  // Slots: nodes of the member that others read. Kept: nodes of the position that other stages read.
  void choose_slots() {
    slot_.assign(size(), -1);
    kept_.assign(size(), -1);
    const auto read = [&](int of, bool from_other_stage) {
      const std::size_t i = static_cast<std::size_t>(of);
      if (is_of_member(of) && slot_[i] < 0) slot_[i] = slot_count_++;
      const bool is_kept = from_other_stage && in_position_[i] != 0 && !is_leaf(of) && !is_of_member(of);
      if (is_kept && kept_[i] < 0) kept_[i] = kept_count_++;
    };
    const auto read_operands = [&](std::size_t i, bool from_other_stage) {
      const GraphNode& at = graph_.nodes()[i];
      for (const int operand : {at.a, at.b, at.c}) {
        if (operand >= 0) read(operand, from_other_stage);
      }
    };
    for (std::size_t i = 0; i < size(); ++i) {
      if (is_of_member(static_cast<int>(i))) continue;
      if (in_position_[i] != 0 || in_channels_[i] != 0 || in_impacts_[i] != 0) read_operands(i, false);
      const bool is_elsewhere = in_position_[i] == 0 && (in_force_[i] != 0 || in_rows_[i] != 0 ||
                                                         in_bilateral_[i] != 0 || in_solution_[i] != 0);
      if (is_elsewhere) read_operands(i, true);
    }
    for (const int place : recording_.force) read(node(place), true);
    for (const ModelRecording::Row& row : recording_.bilateral) {
      read(node(row.position), true);
      for (const int place : row.entries) read(node(place), true);
    }
    for (const int place : recording_.solution) read(node(place), true);
    for (const int place : recording_.channels) read(node(place), false);
    for (const int place : recording_.impacts) read(node(place), false);
    for (const ModelRecording::Point& point : recording_.points) {
      read(node(point.gap), false);
      for (const int place : point.normal) read(node(place), true);
      for (const int place : point.tangent) read(node(place), true);
    }
    for (const Tape::Guard& guard : recording_.tape->guards()) {
      const bool is_of_force = ((source(node(guard.a)) | source(node(guard.b))) & kOnVelocity) != 0;
      read(node(guard.a), is_of_force);
      read(node(guard.b), is_of_force);
    }
  }

  // ---- text

  std::string operand(int of, const Marks& here, bool in_prepare = false) const {
    const GraphNode& at = graph_[of];
    const std::size_t i = static_cast<std::size_t>(of);
    if (at.kind == Kind::kConstant) return fmt::format("all<T>({})", exact_text(at.value));
    if (at.kind == Kind::kInput) {
      if (at.input == 0) return "t";
      if (at.input <= n_) return fmt::format("q[{}]", at.input - 1);
      if (at.input <= 2 * n_) return fmt::format("u[{}]", at.input - 1 - n_);
      if (at.input <= 3 * n_) return fmt::format("b[{}]", at.input - 1 - 2 * n_);
      return fmt::format("impact[{}]", at.input - 1 - 3 * n_);
    }
    if (is_of_member(of) && !in_prepare) return fmt::format("slot[{}]", slot_[i]);
    if (here[i] != 0) return fmt::format("v{}", of);
    FREEPLAY_ASSERT(kept_[i] >= 0);
    return fmt::format("x[{}]", kept_[i]);
  }

  void add_line(int of, const Marks& here, bool in_prepare, std::vector<char>& written, std::string& text) const {
    const std::size_t i = static_cast<std::size_t>(of);
    if (written[i] != 0) return;
    written[i] = 1;
    const GraphNode& at = graph_[of];
    const auto name = [&](int operand_node) { return operand(operand_node, here, in_prepare); };
    if (at.kind == Kind::kMember) {
      text += fmt::format("    const T v{} = member[{}];\n", of, at.input);
    } else if (at.kind == Kind::kSelect) {
      text += fmt::format("    const T v{} = select<T>({}, {}, {});\n", of, name(at.a), name(at.b), name(at.c));
    } else if (at.kind == Kind::kBinary && at.function == Op::kDivide) {
      text += fmt::format("    const T v{} = fn_divide<T>({}, {});\n", of, name(at.a), name(at.b));
    } else if (at.kind == Kind::kBinary && at.function < Op::kDivide) {
      constexpr std::array kSigns = {'+', '-', '*'};
      const char sign = kSigns[static_cast<std::size_t>(at.function) - static_cast<std::size_t>(Op::kAdd)];
      text += fmt::format("    const T v{} = {} {} {};\n", of, name(at.a), sign, name(at.b));
    } else if (at.kind == Kind::kBinary) {
      text += fmt::format("    const T v{} = {}<T>({}, {});\n", of, function_name(at.function), name(at.a), name(at.b));
    } else if (at.function == Op::kNegate) {
      text += fmt::format("    const T v{} = -{};\n", of, name(at.a));
    } else if (at.function == Op::kSin || at.function == Op::kCos) {
      add_sine(of, here, in_prepare, written, text);
    } else {
      text += fmt::format("    const T v{} = {}<T>({});\n", of, function_name(at.function), name(at.a));
    }
  }

  // Sine and cosine of one angle come together.
  void add_sine(int of, const Marks& here, bool in_prepare, std::vector<char>& written, std::string& text) const {
    const GraphNode& at = graph_[of];
    int sine = -1, cosine = -1;
    for (std::size_t j = 0; j < size(); ++j) {
      const GraphNode& other = graph_.nodes()[j];
      if (other.kind != Kind::kUnary || other.a != at.a || here[j] == 0) continue;
      if (other.function == Op::kSin) sine = static_cast<int>(j);
      if (other.function == Op::kCos) cosine = static_cast<int>(j);
    }
    const auto target = [&](int wanted, const char* unused) {
      return wanted >= 0 ? fmt::format("v{}", wanted) : fmt::format("{}{}", unused, of);
    };
    const std::string s = target(sine, "unused_sine_"), c = target(cosine, "unused_cosine_");
    text += fmt::format("    T {}, {};\n    fn_sincos<T>({}, {}, {});\n", s, c, operand(at.a, here, in_prepare), s, c);
    for (const int both : {sine, cosine}) {
      if (both >= 0) written[static_cast<std::size_t>(both)] = 1;
    }
  }

  // All nodes of `here`, in order.
  std::string lines(const Marks& here, bool in_prepare = false) const {
    std::string text;
    std::vector<char> written(size(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
      const int of = static_cast<int>(i);
      if (here[i] != 0 && !is_leaf(of) && (in_prepare || !is_of_member(of)))
        add_line(of, here, in_prepare, written, text);
    }
    return text;
  }

  static std::string function(const char* name, const char* arguments, const std::string& body) {
    return fmt::format("  template <class T>\n  static FP_INLINE void {}({}) {{\n{}  }}\n", name, arguments, body);
  }

  std::string prepare() const {
    std::vector<int> outputs;
    for (std::size_t i = 0; i < size(); ++i) {
      if (slot_[i] >= 0) outputs.push_back(static_cast<int>(i));
    }
    const Marks here = needed(outputs);
    std::string body = "    typedef double T;\n" + lines(here, true);
    for (const int output : outputs)
      body += fmt::format("    slot[{}] = v{};\n", slot_[static_cast<std::size_t>(output)], output);
    if (outputs.empty()) body += "    slot[0] = 0;\n    (void)sizeof(T);\n";
    return fmt::format(
        "  static FP_INLINE void prepare(const double* member, double* slot) {{\n    (void)member;\n{}  }}\n", body);
  }

  std::string guards(bool of_force, const Marks& here) const {
    std::string text;
    for (const Tape::Guard& guard : recording_.tape->guards()) {
      const int a = node(guard.a), b = node(guard.b);
      const bool is_of_force = ((source(a) | source(b)) & kOnVelocity) != 0;
      if (is_of_force != of_force) continue;
      const char* name = guard.kind == Tape::Guard::Kind::kLess        ? "guard_less"
                         : guard.kind == Tape::Guard::Kind::kLessEqual ? "guard_less_equal"
                                                                       : "guard_equal";
      text += fmt::format("    ok *= {}<T>({}, {}, {});\n", name, operand(a, here), operand(b, here), guard.outcome);
    }
    return text;
  }

  std::string position() const {
    std::string body = "    (void)slot, (void)t, (void)q, (void)x, (void)g, (void)ok;\n" + lines(in_position_);
    for (std::size_t p = 0; p < recording_.points.size(); ++p)
      body += fmt::format("    g[{}] = {};\n", p, operand(node(recording_.points[p].gap), in_position_));
    for (std::size_t i = 0; i < size(); ++i) {
      if (kept_[i] >= 0) body += fmt::format("    x[{}] = {};\n", kept_[i], operand(static_cast<int>(i), in_position_));
    }
    body += guards(false, in_position_);
    return function("position", "const T* slot, T t, const T* q, T* x, T* g, T& ok", body);
  }

  // A stage that reads what position() has left.
  Marks without_position(Marks marks) const {
    for (std::size_t i = 0; i < size(); ++i) {
      if (in_position_[i] != 0) marks[i] = 0;
    }
    return marks;
  }

  std::string force() const {
    const Marks here = without_position(in_force_);
    std::string body = "    (void)slot, (void)t, (void)q, (void)u, (void)x, (void)ok;\n" + lines(here);
    for (std::size_t k = 0; k < recording_.force.size(); ++k)
      body += fmt::format("    h[{}] = {};\n", k, operand(node(recording_.force[k]), here));
    body += guards(true, here);
    return function("force", "const T* slot, T t, const T* q, const T* u, const T* x, T* h, T& ok", body);
  }

  std::string solve() const {
    const Marks here = without_position(in_solution_);
    std::string body = "    (void)slot, (void)x;\n" + lines(here);
    for (std::size_t k = 0; k < recording_.solution.size(); ++k)
      body += fmt::format("    y[{}] = {};\n", k, operand(node(recording_.solution[k]), here));
    return function("solve", "const T* slot, const T* x, const T* b, T* y", body);
  }

  std::string rows() const {
    const Marks here = without_position(in_rows_);
    std::string body = "    (void)slot, (void)t, (void)q, (void)x, (void)W;\n" + lines(here);
    std::size_t entry = 0;
    for (const ModelRecording::Point& point : recording_.points) {
      for (const std::vector<int>* row : {&point.normal, &point.tangent}) {
        for (const int place : *row) body += fmt::format("    W[{}] = {};\n", entry++, operand(node(place), here));
      }
    }
    return function("rows", "const T* slot, T t, const T* q, const T* x, T* W", body);
  }

  std::string bilateral() const {
    const Marks here = without_position(in_bilateral_);
    std::string body = "    (void)slot, (void)t, (void)q, (void)x, (void)g, (void)W;\n" + lines(here);
    std::size_t entry = 0;
    for (std::size_t r = 0; r < recording_.bilateral.size(); ++r) {
      const ModelRecording::Row& row = recording_.bilateral[r];
      body += fmt::format("    g[{}] = {};\n", r, operand(node(row.position), here));
      for (const int place : row.entries) body += fmt::format("    W[{}] = {};\n", entry++, operand(node(place), here));
    }
    return function("bilateral", "const T* slot, T t, const T* q, const T* x, T* g, T* W", body);
  }

  std::string kinds() const {
    std::uint64_t with_normal = 0;
    for (std::size_t p = 0; p < recording_.points.size(); ++p) {
      if (recording_.points[p].has_normal) with_normal |= std::uint64_t{1} << p;
    }
    std::uint64_t passable = 0;
    for (std::size_t p = 0; p < recording_.points.size(); ++p) {
      if (recording_.points[p].can_be_passed) passable |= std::uint64_t{1} << p;
    }
    std::uint64_t round = 0;
    for (std::size_t p = 0; p < recording_.points.size(); ++p) {
      if (recording_.points[p].is_round) round |= std::uint64_t{1} << p;
    }
    const bool all_have = std::ranges::all_of(recording_.points, [](const auto& point) { return point.has_normal; });
    std::string pushed;
    for (std::size_t p = 0; p < recording_.points.size(); ++p)
      pushed += fmt::format("point == {} ? 0x{:x}ull : ", p, recording_.points[p].pushed);
    return fmt::format(
        "  static constexpr bool all_have_normals = {}, is_tied = {}, has_passable = {};\n"
        "  static FP_INLINE constexpr unsigned long long pushed_by(int point) {{ return {}0x0ull; }}\n"
        "  static FP_INLINE bool can_be_passed(int point) {{ return (0x{:x}ull >> point & 1u) != 0; }}\n"
        "  static FP_INLINE bool is_round(int point) {{ return (0x{:x}ull >> point & 1u) != 0; }}\n"
        "  static FP_INLINE bool has_normal(int point) {{ return (0x{:x}ull >> point & 1u) != 0; }}\n",
        all_have, recording_.is_tied, passable != 0, pushed, passable, round, with_normal);
  }

  std::string channels() const {
    std::string body = "    (void)slot, (void)t, (void)q, (void)u, (void)values;\n" + lines(in_channels_);
    for (std::size_t c = 0; c < recording_.channels.size(); ++c)
      body += fmt::format("    values[{}] = {};\n", c, operand(node(recording_.channels[c]), in_channels_));
    return function("channels", "const T* slot, T t, const T* q, const T* u, T* values", body);
  }

  std::string impacts() const {
    std::string body = "    (void)slot, (void)t, (void)impact, (void)values;\n" + lines(in_impacts_);
    for (std::size_t i = 0; i < recording_.impacts.size(); ++i)
      body += fmt::format("    values[{}] = {};\n", i, operand(node(recording_.impacts[i]), in_impacts_));
    return function("impacts", "const T* slot, T t, const T* impact, T* values", body);
  }

  const Graph& graph_;
  const ModelRecording& recording_;
  int members_, n_;
  std::vector<unsigned> source_;
  Marks in_position_, in_force_, in_rows_, in_bilateral_, in_solution_, in_channels_, in_impacts_;
  std::vector<int> slot_, kept_;
  int slot_count_ = 0, kept_count_ = 0;
};

}  // namespace

std::string exact_text(double value) {
  FREEPLAY_ASSERT(std::isfinite(value));
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%a", value);
  return text.data();
}

std::string emit_mechanism(const Graph& graph, const ModelRecording& recording, int members) {
  return Emitter(graph, recording, members).text();
}

}  // namespace freeplay::compile
