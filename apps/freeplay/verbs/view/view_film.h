// `freeplay view --film`: its options, and the film.
#pragma once

#include <optional>
#include <string>

#include "exit_code.h"
#include "film/film.h"
#include "verbs/verbs.h"

namespace freeplay::app {

// None where no film is asked for. Throws UsageError for options that contradict each other, and where this machine has
// no browser or no encoder.
std::optional<FilmOptions> film_options(const ViewArguments& arguments);
ExitCode write_film(const std::string& page, const FilmOptions& options);

}  // namespace freeplay::app
