// A job array of Slurm that runs a study in shares.
#pragma once

#include <string>
#include <vector>

namespace freeplay::app {

// `words`: the command of the whole study, its program first; each task runs it with `--part K/N` added.
std::string slurm_script(const std::vector<std::string>& words, const std::string& name, const std::string& folder,
                         int tasks);

// As a shell takes it for one word.
std::string shell_word(const std::string& word);

}  // namespace freeplay::app
