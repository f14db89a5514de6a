// The `parameters:` block: values that may refer to each other in any order.
#pragma once

#include <string>
#include <vector>

#include "freeplay/io/model/model_file.h"
#include "freeplay/io/yaml/source_text.h"
#include "freeplay/io/yaml/value_reader.h"
#include "freeplay/io/yaml/yaml_document.h"

namespace freeplay::io {

struct ResolvedParameters {
  std::vector<ModelParameter> parameters;  // in file order, without those that failed
  std::vector<std::string> failed;         // reported; their uses need no report of their own

  ParameterScope scope() const { return {parameters, failed}; }
};

// `block` may be null.
ResolvedParameters resolve_parameters(const YamlNode* block, const SourceTexts& texts, MistakeList& mistakes);

// Names that mean something else in expressions. A parameter may be called like a function: only a call has '('.
bool is_reserved_parameter(std::string_view name);
// Names that bodies, joints and contacts must not have: they mean something else in expressions or channels.
bool is_reserved_name(std::string_view name);

}  // namespace freeplay::io
