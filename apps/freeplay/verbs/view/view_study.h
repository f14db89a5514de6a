// The page of a study, and single runs of it that are made again to be seen.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "freeplay/io/sweep/sweep_table.h"
#include "verbs/verbs.h"

namespace freeplay::app {

// What a small file beside a run says; empty if it is not there.
std::string text_of_file(const std::filesystem::path& file);

// Where a run of a study is kept once it was looked at: run_17/result.h5 beside the file of the study.
std::filesystem::path kept_run(const std::filesystem::path& study, std::int64_t run);
// Whether what is kept there was made from this very study: the folder may have runs of a former one.
bool is_kept_run_of(const io::SweepTable& table, const std::filesystem::path& study, std::int64_t run);
// Whether it is there, whole, and of this study.
bool has_kept_run(const std::filesystem::path& study, std::int64_t run);

// Runs it unless it is there already. Throws ModelError where the model cannot be built with these values. A run that
// fails on its way is kept as far as it came: that is what one wants to see.
std::filesystem::path make_kept_run(const std::filesystem::path& study, std::int64_t run,
                                    const std::optional<std::filesystem::path>& model);

ExitCode view_study(const ViewArguments& arguments, const std::filesystem::path& study);

}  // namespace freeplay::app
