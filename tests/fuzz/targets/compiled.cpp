// From a model's text to emitted C++: nothing of the text may reach it but numbers.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "freeplay/compile/family_code.h"
#include "freeplay/compile/measured_lane.h"
#include "freeplay/compile/object/object_cache.h"
#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "fuzz/engine/fuzz_target.h"
#include "fuzz/targets/targets.h"

namespace freeplay::test::fuzz {

namespace {

constexpr std::size_t kMostParts = 20;  // larger ones take their time rightly

constexpr std::string_view kEmittedWords =
    " struct Mechanism static constexpr int velocities points members slots kept all template class "
    "bilateral_rows FP_INLINE void bilateral prepare double position force channel_count solve rows channels "
    "const member slot typedef sizeof bool point return true false select values has_normal ok "
    "all_have_normals is_tied has_passable can_be_passed pushed_by is_round unsigned long impact impacts "
    "impact_values T v t q u x g h b W y fn_divide fn_sincos ";

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// v17, unused_sine_17, fn_tan, guard_less.
bool is_emitted_word(std::string_view word) {
  if (kEmittedWords.find(" " + std::string(word) + " ") != std::string_view::npos) return true;
  for (const std::string_view begin : {"v", "unused_sine_", "unused_cosine_"}) {
    if (word.starts_with(begin) && std::ranges::all_of(word.substr(begin.size()), is_digit)) return true;
  }
  for (const std::string_view begin : {"fn_", "guard_"}) {
    const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || is_digit(c); };
    if (word.starts_with(begin) && word.size() < 18 && std::ranges::all_of(word, is_plain)) return true;
  }
  return false;
}

// Words, numbers such as 0x1.8p+1, and signs; no quotes, no preprocessor, no comments.
void require_numbers_alone(std::string_view text) {
  constexpr std::string_view kSigns = " \n(){}[]<>=+-*&,;:|?!.";
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_letter(text[i]) || is_digit(text[i])) {
      const auto goes_on = [&](std::size_t k) {
        return is_letter(text[k]) || is_digit(text[k]) ||
               (is_digit(text[i]) && (text[k] == '.' || ((text[k] == '+' || text[k] == '-') && text[k - 1] == 'p')));
      };
      while (end < text.size() && goes_on(end)) ++end;
      if (is_letter(text[i]) && !is_emitted_word(text.substr(i, end - i)))
        report_finding("a foreign word in emitted code: " + std::string(text.substr(i, end - i)));
    } else if (kSigns.find(text[i]) == std::string_view::npos) {
      report_finding("a foreign sign in emitted code");
    }
    i = end;
  }
}

}  // namespace

int fuzz_compiled(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const ModelFile file = parse_model(text, "model.yaml");
    if (!file.scene.empty() || file.mechanism.bodies.size() > kMostParts) return 0;
    const Model model = build_model(file);
    if (!compile_obstacles(file, model).empty()) return 0;
    const MeasureProgram measures = measure_program_of(file, model);
    std::string reason;
    const bool measures_itself = are_lane_measures(measures, reason);
    if (!measures_itself && reason.empty()) report_finding("a refusal without a reason");
    const FamilySample sample{file, model, measures_itself ? &measures : nullptr};
    const FamilyCode code({&sample, 1}, measures_itself ? std::vector<std::string>() : measures.channels);
    require_numbers_alone(code.program().text());
    if (!code.lane(sample)) report_finding("a model that is no member of its own family");
  } catch (const ModelError& error) {
    if (error.diagnostics().empty()) report_finding("an error without a mistake");
  } catch (const CompileError& error) {
    if (std::string_view(error.what()).empty()) report_finding("a refusal without a reason");
  }
  return 0;
}

}  // namespace freeplay::test::fuzz
