// The two halves of `freeplay info`, and what they print with.
#pragma once

#include <string>

#include "freeplay/io/model/model_file.h"
#include "freeplay/io/result/result_reader.h"
#include "terminal/terminal.h"
#include "text/overview.h"

namespace freeplay::app {

void print_model_info(const ModelFile& file, bool json);
void print_result_info(const ResultReader& result, bool json);
void print_study_info(const std::filesystem::path& study, bool json);

// The forest of joint trees with the ground at its root, one line per body: how it is connected and how many
// coordinates that takes.
std::string tree_text(const Mechanism& mechanism, const Painter& paint);
// Joints that are no tree edges, one line each; empty if there are none.
std::string constraints_text(const Mechanism& mechanism);

}  // namespace freeplay::app
