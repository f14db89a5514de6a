// What a cause is decided by and can be read from the two runs directly.
#include <algorithm>

#include "freeplay/simulation/option_table.h"
#include "freeplay/study/compare/cause.h"

namespace freeplay::study {

const char* to_string(Cause cause) {
  switch (cause) {
    case Cause::kChaos:
      return "chaos";
    case Cause::kLaw:
      return "law";
    case Cause::kZeno:
      return "zeno";
    case Cause::kSolver:
      return "solver";
    case Cause::kStep:
      return "step";
    case Cause::kUndecided:
      break;
  }
  return "undecided";
}

bool laws_may_differ(const StudyRun& a, const StudyRun& b) {
  return a.traits.has_force_laws() != b.traits.has_force_laws() || a.other_settings != b.other_settings;
}

std::vector<std::string> differing_settings(const StudyRun& a, const StudyRun& b) {
  std::vector<std::string> settings = differing_options(a.options, b.options);
  if (a.other_settings == b.other_settings) return settings;
  for (const StudyRun* run : {&a, &b}) {
    const std::vector<std::string>& others = (run == &a ? b : a).other_settings;
    for (const std::string& text : run->other_settings) {
      const std::string key = text.substr(0, text.find('='));
      const bool is_shared = std::find(others.begin(), others.end(), text) != others.end();
      if (!is_shared && std::find(settings.begin(), settings.end(), key) == settings.end()) settings.push_back(key);
    }
  }
  return settings;
}

double contact_duration(const StudyRun& run, int contact, double onset_s) {
  if (!run.traits.has_force_laws()) return 0;
  const std::vector<double>* force = run.trace.find(run.force_channels[static_cast<std::size_t>(contact)]);
  if (force == nullptr) return 0;
  const std::vector<double>& time = run.trace.time;
  std::size_t i = static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), onset_s) - time.begin());
  while (i < time.size() && (*force)[i] > 0) ++i;
  return i < time.size() ? time[i] - onset_s : 0;
}

}  // namespace freeplay::study
