#include "freeplay/study/dynamics/inside_of_steps.h"

#include <algorithm>

#include "freeplay/simulation/integrator_choice.h"

namespace freeplay::study {

std::unique_ptr<InsideOfSteps> InsideOfSteps::make(const ModelSpec& spec, const Model& model) {
  const IntegratorEntry* entry = find_integrator(spec.simulate.integrator);
  if (entry == nullptr || entry->traits.step_rule != StepRule::kErrorControlled) return nullptr;
  return std::unique_ptr<InsideOfSteps>(new InsideOfSteps(spec, model));
}

InsideOfSteps::InsideOfSteps(const ModelSpec& spec, const Model& model)
    : system_(*model.system),
      integrator_(make_integrator(*model.system, *model.contacts, spec.simulate)),
      dynamics_(model.system->make_dynamics()) {}

std::vector<int> InsideOfSteps::places_of(const std::vector<std::string>& channels) const {
  std::vector<int> places;
  const std::vector<ChannelDescription>& known = system_.channels();
  for (const std::string& name : channels) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const ChannelDescription& channel) {
      const bool is_quaternion = channel.is_pose && !channel.is_angle && channel.dimension == dimensions::kNone;
      return channel.name == name && !channel.needs_accelerations && !is_quaternion;
    });
    places.push_back(found == known.end() ? -1 : static_cast<int>(found - known.begin()));
  }
  return places;
}

bool InsideOfSteps::go_to(double time_s) {
  state_ = start_;
  if (!has_begun_) {
    if (!integrator_->fits(state_) || integrator_->resume(state_, {}) != StepStatus::kOk) return false;
    has_begun_ = true;
  }
  while (state_.t < time_s) {
    if (integrator_->step(state_, time_s).status != StepStatus::kOk) return false;
  }
  dynamics_->set_position(state_.t, state_.q);
  dynamics_->set_velocity(state_.u);
  return true;
}

void InsideOfSteps::read(const std::vector<int>& places, std::span<double> values) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= 0) dynamics_->read_channels({&places[i], 1}, values.subspan(i, 1));
  }
}

}  // namespace freeplay::study
