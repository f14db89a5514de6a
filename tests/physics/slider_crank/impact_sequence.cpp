#include "physics/slider_crank/impact_sequence.h"
#include "support/places.h"

#include <fstream>
#include <sstream>

namespace freeplay::test {

std::vector<FaceImpact> expected_impacts(double restitution, double slowest, double last) {
  std::ifstream file(test_dir() + "/reference/planar/slider_crank_impacts_event_driven.csv");
  std::vector<FaceImpact> impacts;
  std::string line;
  std::getline(file, line);  // the head
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    double e = 0, gamma = 0;
    char comma = 0;
    FaceImpact impact;
    fields >> e >> comma >> impact.time >> comma >> impact.face >> comma >> gamma;
    impact.approach = -gamma;
    if (e == restitution && impact.approach > slowest && impact.time < last) impacts.push_back(impact);
  }
  return impacts;
}

std::vector<FaceImpact> found_impacts(const ModelRun& run, double slowest, double last) {
  std::vector<FaceImpact> impacts;
  for (const ImpactRecord& record : run.record.impacts) {
    const FaceImpact impact{record.time_s, -record.normal_velocity_before, record.contact < 2 ? 1 : -1};
    if (!(impact.approach > slowest && impact.time < last)) continue;
    if (!impacts.empty() && impacts.back().time == impact.time && impacts.back().face == impact.face) continue;
    impacts.push_back(impact);
  }
  return impacts;
}

}  // namespace freeplay::test
