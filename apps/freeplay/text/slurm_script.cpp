#include "text/slurm_script.h"

#include <fmt/format.h>

#include "freeplay/core/layers.h"

namespace freeplay::app {

std::string shell_word(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string slurm_script(const std::vector<std::string>& words, const std::string& name, const std::string& folder,
                         int tasks) {
  std::string command;
  for (const std::string& word : words) command += shell_word(word) + " ";
  return fmt::format(
      "#!/bin/sh\n"
      "#SBATCH --job-name={0}\n"
      "#SBATCH --array=0-{1}\n"
      "#SBATCH --output={2}/slurm-%a.log\n"
      "# Each task runs its share on the cores that it is given (--cpus-per-task). When all have ended, the same "
      "command\n"
      "# without --slurm joins the shares and runs what is missing.\n"
      "exec {3}--workers \"${{SLURM_CPUS_PER_TASK:-1}}\" --part \"$SLURM_ARRAY_TASK_ID/{4}\" --quiet\n",
      shell_word("freeplay-" + name), tasks - 1, shell_word(folder), command, tasks);
}

}  // namespace freeplay::app
