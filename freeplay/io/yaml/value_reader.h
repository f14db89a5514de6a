// Turns the scalars of a model file into numbers, expressions and words, and reports what is wrong with them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/io/fields/field_table.h"
#include "freeplay/io/yaml/source_text.h"
#include "freeplay/io/yaml/yaml_document.h"
#include "freeplay/model/model_spec.h"

namespace freeplay::io {

// Resolved parameters by name. A parameter that failed is known by name only, so that its uses are not reported again.
class ParameterScope {
 public:
  ParameterScope() = default;
  ParameterScope(const std::vector<ModelParameter>& parameters, std::vector<std::string> failed);

  const ModelParameter* find(std::string_view name) const;
  bool has_failed(std::string_view name) const;
  std::vector<std::string> names() const;

 private:
  std::map<std::string, ModelParameter, std::less<>> parameters_;
  std::vector<std::string> failed_;
};

// Whether an expression may depend on more than parameters.
enum class Dependence : std::uint8_t {
  kConstant,
  kTime,
  kTimeAndState,
  kCamAngle,          // phi, as variable 0; here it hides a parameter of that name
  kCurveParameter,    // s, likewise
  kSurfaceParameters  // u and v, as variables 0 and 1
};

class ValueReader {
 public:
  // Channels in expressions are looked up in `mechanism` and added to its variables. Its bodies and joints must be
  // complete when the first expression that may depend on the state is read.
  ValueReader(const SourceTexts& texts, MistakeList& mistakes, ParameterScope parameters, MechanismSpec& mechanism);

  // nullopt: wrong, and reported. `expected` is what the dimension must be; a 0 without unit fits every dimension.
  std::optional<Expression> expression(const YamlNode& node, const std::string& path, Dimension expected,
                                       Dependence dependence);
  // A channel of the state by its name; nullopt: there is none, and nothing is reported.
  std::optional<Expression> channel(std::string_view name);
  // Of a constant expression that is right and no bare zero; reports nothing.
  std::optional<Dimension> dimension_of(const YamlNode& node);
  std::optional<double> number(const YamlNode& node, const std::string& path, Dimension expected,
                               const Range& range = {}, bool is_angle = false);
  // A word of the file, or the word that a parameter of this name stands for. Not yet checked against anything.
  std::optional<std::string> word(const YamlNode& node, const std::string& path);
  std::optional<std::string> text(const YamlNode& node, const std::string& path);

  // Functions that expressions may call besides the built-in ones. A failed one was reported, its uses are not.
  void add_function(const std::string& name, NamedFunction function) { functions_.emplace(name, std::move(function)); }
  void add_failed_function(const std::string& name) { failed_functions_.push_back(name); }
  // Who reads a table that stands in the place of an expression.
  using TableReader =
      std::function<std::optional<Expression>(const YamlNode&, const std::string& path, Dimension, Dependence)>;
  void set_table_reader(TableReader reader) { table_reader_ = std::move(reader); }

  // Reports that `given` is none of the allowed names. They are only asked for if the hint will be read: with thousands
  // of names and mistakes the comparisons would take longer than all else.
  void report_unknown(SourcePosition at, const std::string& path, std::string_view what, std::string_view given,
                      const std::function<std::vector<std::string>()>& allowed);
  void report(SourcePosition at, std::string path, std::string message, std::string hint);
  bool is_scalar(const YamlNode& node, const std::string& path, std::string_view example);

  // Values that could not be read: those reported, and those that use a parameter that was reported.
  std::size_t mistake_count() const { return mistakes_.count() + uses_of_failed_parameters_; }

 private:
  // What a lookup learned that the parser's own message cannot say.
  struct LookupNotes {
    bool used_failed_parameter = false;  // or a failed function
    std::string word_parameter;          // a parameter that is a word
    std::string varying;                 // t or a channel where only a constant may stand
    std::string state;                   // a channel where only t may stand
    std::string force;                   // a channel that is no part of the state
  };
  std::optional<Symbol> lookup(std::string_view name, Dependence dependence, LookupNotes& notes);
  std::optional<Symbol> variable(std::string_view name);
  bool is_force(std::string_view name) const;
  const NamedFunction* function(std::string_view name, LookupNotes& notes) const;
  // For "did you mean"; none where the hint would not be read.
  std::vector<std::string> known_names(Dependence dependence);
  void report_unparsed(const YamlNode& node, const std::string& path, Dependence dependence, const LookupNotes& notes,
                       const ExpressionError& error);
  const std::map<std::string, Dimension, std::less<>>& channels();

  const SourceTexts& texts_;
  MistakeList& mistakes_;
  ParameterScope parameters_;
  MechanismSpec& mechanism_;
  std::map<std::string, Dimension, std::less<>> channels_;  // filled when first asked for
  std::map<std::string, int, std::less<>> variables_;       // channels among mechanism_.variables
  std::map<std::string, NamedFunction, std::less<>> functions_;
  std::vector<std::string> failed_functions_;
  TableReader table_reader_;
  std::size_t uses_of_failed_parameters_ = 0;
};

// The place of byte `offset` of a scalar's text, as far as the text stands in the file as it is.
SourcePosition position_in_scalar(const SourceTexts& texts, const YamlNode& scalar, std::size_t offset);
// "did you mean 'x'?", or else the list of what is allowed.
std::string suggestion(std::string_view given, const std::vector<std::string>& allowed);
// Letters, digits and underscores, not starting with a digit.
bool is_identifier(std::string_view name);

}  // namespace freeplay::io
