// Friction-contact problems in files: FCLIB's layout `fclib_local` in HDF5 (docs/guide/contact_problems.md).
#pragma once

#include <filesystem>
#include <span>

#include "freeplay/io/problem/contact_problem.h"

namespace freeplay::io {

// Throws ModelError for a file that is damaged, has another layout or holds impossible numbers; IoError for one that
// cannot be opened. What it returns has indices in range, consistent sizes, finite numbers and mu >= 0.
ContactProblem read_contact_problem(const std::filesystem::path& path);

// These make missing folders and replace an earlier file in one instant. They throw IoError.
void write_contact_problem(const std::filesystem::path& path, const ContactProblem& problem);
// The datasets /r and /u, ordered as in the problem, and /l of bilateral rows if there are any.
void write_contact_solution(const std::filesystem::path& path, std::span<const double> r, std::span<const double> u,
                            std::span<const double> lambda);

}  // namespace freeplay::io
