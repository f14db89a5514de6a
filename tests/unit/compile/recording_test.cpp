// A recorded model says what the engine says, at any state.
#include <cmath>
#include <random>

#include "freeplay/contact/problem/row_store.h"
#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

struct Comparison {
  double mass = 0, force = 0, gap = 0, row = 0;
};

double relative(double a, double b, double scale) {
  return std::abs(a - b) / std::max(scale, 1e-300);
}

// M, h, gaps and rows of the recording against those of the evaluators that the engine uses, at random states.
Comparison compare_with_engine(const LoadedModel& loaded, int states) {
  const ModelRecording recording = record_model(loaded.model, {});
  const Graph graph(*recording.tape, {});
  const int n = recording.velocities;
  const std::unique_ptr<Dynamics> dynamics = loaded.model.system->make_dynamics();
  const std::unique_ptr<ContactKinematics> contacts = loaded.model.contacts->make_kinematics(*dynamics);
  contacts->take_all_points();
  MassMatrix M(loaded.model.system->mass_structure());
  RowStore rows(loaded.model.system->mass_structure());
  rows.reserve(64);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> shift(-1, 1);
  const State start = loaded.model.system->initial_state();
  Comparison worst;
  for (int k = 0; k < states; ++k) {
    std::vector<double> inputs{0.3 + 0.1 * k};
    VecX q = start.q, u = start.u;
    for (int i = 0; i < n; ++i) q[i] += 0.3 * shift(random);
    for (int i = 0; i < n; ++i) u[i] += 3 * shift(random);
    inputs.insert(inputs.end(), q.begin(), q.end());
    inputs.insert(inputs.end(), u.begin(), u.end());
    inputs.resize(static_cast<std::size_t>(1 + 3 * n), 0.0);
    const std::vector<double> values = graph.evaluate(inputs, {});
    const auto value = [&](int place) { return values[static_cast<std::size_t>(graph.node_of(place))]; };
    dynamics->set_position(inputs[0], q);
    dynamics->set_velocity(u);
    dynamics->mass_matrix(M);
    const MatX dense = M.to_dense();
    VecX h = VecX::Zero(n), g = VecX::Zero(contacts->set().size());
    dynamics->forces(h);
    std::size_t entry = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j)
        worst.mass =
            std::max(worst.mass, relative(value(recording.mass[entry++]), dense(i, j), dense.cwiseAbs().maxCoeff()));
      worst.force = std::max(
          worst.force, relative(value(recording.force[static_cast<std::size_t>(i)]), h[i], h.cwiseAbs().maxCoeff()));
    }
    contacts->update_gaps(g);
    EXPECT_EQ(static_cast<std::size_t>(g.size()), recording.points.size());
    for (int p = 0; p < static_cast<int>(g.size()); ++p) {
      const ModelRecording::Point& point = recording.points[static_cast<std::size_t>(p)];
      worst.gap = std::max(worst.gap, std::abs(value(point.gap) - g[p]));
      rows.clear();
      const int added = contacts->add_rows(p, rows);
      for (int r = 0; r < added; ++r) {
        VecX column = VecX::Zero(n);
        rows.write_column(r, column);
        for (int i = 0; i < n; ++i) {
          const int place = (r == 0 ? point.normal : point.tangent)[static_cast<std::size_t>(i)];
          worst.row = std::max(worst.row, std::abs(value(place) - column[i]));
        }
      }
    }
  }
  return worst;
}

class CompilableExamples : public testing::TestWithParam<const char*> {};

TEST_P(CompilableExamples, RecordWhatTheEngineComputes) {
  const LoadedModel loaded = load_example(GetParam());
  const std::vector<std::string> obstacles = compile_obstacles(loaded.file, loaded.model);
  ASSERT_TRUE(obstacles.empty()) << obstacles.front();
  const Comparison worst = compare_with_engine(loaded, 50);
  EXPECT_LE(worst.mass, 1e-14);
  EXPECT_LE(worst.force, 1e-14);
  EXPECT_LE(worst.gap, 1e-14);
  EXPECT_LE(worst.row, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Recording, CompilableExamples,
                         testing::Values("slider_crank", "cam_follower", "cam_follower_friction", "bouncing_ball",
                                         "falling_rod", "painleve_rod", "block_on_incline", "sliding_block",
                                         "two_blocks"));

}  // namespace
}  // namespace freeplay::test
