#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "freeplay/integrators/integrator.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/study/formulation.h"

namespace freeplay::study {

namespace {

constexpr double kDefaultSteps = 20000;  // of a run whose file gives no step, by rules that need one
// Of a file for `event-driven` the step says where rows are, not how finely contacts are resolved.
constexpr double kStepsPerRow = 100;

struct Candidate {
  const char *integrator, *solver;  // an empty solver: the rule has none
  bool is_last_resort = false;      // only where the model has no other second opinion
};
// Of each kind of rule and of solver one: what is known to fail in different ways.
constexpr Candidate kCandidates[] = {{"moreau-midpoint", "lemke"},
                                     {"moreau-midpoint", "prox-gauss-seidel"},
                                     {"moreau-midpoint", "semismooth-newton"},
                                     {"moreau-jean", "auto"},
                                     {"event-driven", ""},
                                     {"dopri5", ""}};
// Without contacts all solvers are the same.
constexpr Candidate kCandidatesWithoutContacts[] = {
    {"dopri5", ""}, {"cvode-bdf", "", true}, {"moreau-midpoint", "auto"}, {"moreau-jean", "auto"}};

bool is_runnable(const ModelFile& base, const Model& model, const SimulationOptions& options) {
  ModelFile file = base;
  file.simulate = options;
  try {
    build_simulation(file, model);
    return true;
  } catch (const ModelError&) {
    return false;  // the laws of the model do not allow it: nobody asked for it
  }
}

// The step of a rule with fixed steps that the file does not say; nullopt: it does.
std::optional<double> chosen_step(const SimulationOptions& own, const IntegratorEntry* own_entry) {
  if (!own.step_s) return own.max_step_s.value_or(own.duration_s / kDefaultSteps);
  if (own_entry == nullptr || !own_entry->traits.locates_events()) return {};
  return std::min(*own.step_s / kStepsPerRow, own.duration_s / kDefaultSteps);
}

}  // namespace

std::vector<Formulation> default_formulations(const ModelFile& base) {
  const SimulationOptions& own = base.simulate;
  const Model model = build_model(base);
  const IntegratorEntry* own_entry = find_integrator(own.integrator);
  const bool own_has_solver = own_entry == nullptr || own_entry->traits.solves_contact_problems();
  std::vector<Formulation> list;
  std::vector<std::string> folders;
  const std::string own_label = own_has_solver ? own.integrator + ", " + own.solver : own.integrator;
  list.push_back({own_label, folder_name(own_label, folders), {}});
  std::vector<Candidate> candidates(std::begin(kCandidates), std::end(kCandidates));
  if (model.contacts->is_empty())
    candidates.assign(std::begin(kCandidatesWithoutContacts), std::end(kCandidatesWithoutContacts));
  candidates.push_back({"cvode-bdf", "", true});
  for (const Candidate& candidate : candidates) {
    const bool has_solver = *candidate.solver != '\0';
    if (candidate.integrator == own.integrator && (!has_solver || candidate.solver == own.solver)) continue;
    SimulationOptions options = own;
    Formulation formulation;
    options.integrator = candidate.integrator;
    formulation.label = options.integrator;
    formulation.overrides.push_back("simulate.integrator=" + options.integrator);
    if (has_solver) {
      options.solver = candidate.solver;
      formulation.label += ", " + options.solver;
      formulation.overrides.push_back("simulate.solver=" + options.solver);
      if (const std::optional<double> step_s = chosen_step(own, own_entry)) {
        options.step_s = step_s;
        formulation.overrides.push_back(fmt::format("simulate.step={:.3g} s", *options.step_s));
        formulation.label += fmt::format(", step={:.3g} s", *options.step_s);
      }
    }
    // Force laws alone leave one smooth rule, and stiff contacts are worth a second opinion.
    if (candidate.is_last_resort && list.size() > 1) continue;
    if (!is_runnable(base, model, options)) continue;
    formulation.folder = folder_name(formulation.label, folders);
    list.push_back(std::move(formulation));
  }
  return list;
}

}  // namespace freeplay::study
