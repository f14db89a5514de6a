// Lanes of a compiled mechanism on a GPU, one thread each, by the driver that is part of its source. MECHANISM is the
// emitted source for a device, the argument is the file of lanes that bench_batch_export wrote with it
// (bench/batch_cuda.sh builds and runs).
#include MECHANISM

#include <chrono>
#include <cmath>
#include <vector>

namespace {

using freeplay_compiled::Mechanism;

constexpr int kStates = freeplay_compiled::state_numbers<Mechanism>();
constexpr int kLaws = freeplay_compiled::law_numbers<Mechanism>();

void check(int code, const char* text) {
  if (code == kDeviceDone) return;
  std::fprintf(stderr, "%s\n", text);
  std::exit(1);
}

struct LaneFile {
  int lanes = 0, members = 0, laws = 0, states = 0, check_count = 0;
  double step_s = 0, tolerance_m_s = 0, touching = 0, threshold_m_s = 0;
  std::vector<double> member, law, start;  // lane by lane
  struct Check {
    int steps = 0;
    std::vector<double> end;
    std::vector<int> status;
  };
  std::vector<Check> checks;
};

LaneFile read_lanes(const char* path) {
  LaneFile file;
  std::FILE* in = std::fopen(path, "r");
  if (in == nullptr) std::exit((std::fprintf(stderr, "%s cannot be read\n", path), 1));
  bool is_whole = std::fscanf(in, "%d %d %d %d %d", &file.lanes, &file.members, &file.laws, &file.states,
                              &file.check_count) == 5;
  for (int i = 0; i < file.check_count && is_whole; ++i) is_whole = std::fscanf(in, "%d", &file.checks.emplace_back().steps) == 1;
  is_whole = is_whole && std::fscanf(in, "%lf %lf %lf %lf", &file.step_s, &file.tolerance_m_s, &file.touching,
                                     &file.threshold_m_s) == 4;
  const auto read = [&](std::vector<double>& numbers, int count) {
    for (int i = 0; i < count && is_whole; ++i) {
      double value = 0;
      is_whole = std::fscanf(in, "%lf", &value) == 1;
      numbers.push_back(value);
    }
  };
  for (int lane = 0; lane < file.lanes && is_whole; ++lane) {
    read(file.member, file.members);
    read(file.law, file.laws);
    read(file.start, file.states);
    for (LaneFile::Check& check : file.checks) {
      int status = 0;
      is_whole = is_whole && std::fscanf(in, "%d", &status) == 1;
      check.status.push_back(status);
      read(check.end, file.states);
    }
  }
  std::fclose(in);
  if (!is_whole || file.members != Mechanism::members || file.states != kStates || file.laws != kLaws)
    std::exit((std::fprintf(stderr, "%s does not belong to this mechanism\n", path), 1));
  return file;
}

// As many lanes as wanted, no two alike: between the members of the file, along straight lines. In order, so that neighbours
// are alike and a warp stays together; or shuffled, so that they are not.
std::vector<double> spread(const std::vector<double>& numbers, int per_lane, int in_file, long long lanes, bool shuffled) {
  std::vector<double> turned(static_cast<std::size_t>(per_lane) * lanes + 1);
  constexpr long long kPrime = 7368787;  // divides no number of lanes: a shuffle that meets each place once
  for (long long lane = 0; lane < lanes; ++lane) {
    const long long place = shuffled ? lane * kPrime % lanes : lane;
    const double at = lanes == in_file ? static_cast<double>(place) : static_cast<double>(place) * (in_file - 1) / (lanes - 1.0);
    const long long from = static_cast<long long>(at), to = from + 1 < in_file ? from + 1 : from;
    const double part = at - static_cast<double>(from);
    for (int i = 0; i < per_lane; ++i) {
      const double a = numbers[from * per_lane + i], b = numbers[to * per_lane + i];
      turned[i * lanes + lane] = a == b ? a : a + part * (b - a);
    }
  }
  return turned;
}

// Lanes here and on the device.
struct Trial {
  std::vector<double> member, laws, state, measured, times;
  std::vector<int> status;
  FreeplayBatch batch{};
  void* run = nullptr;
  char text[256] = {};

  Trial(const LaneFile& file, long long lanes, bool shuffled)
      : member(spread(file.member, file.members, file.lanes, lanes, shuffled)),
        laws(spread(file.law, file.laws, file.lanes, lanes, shuffled)),
        state(spread(file.start, file.states, file.lanes, lanes, shuffled)),
        measured(1),
        times(3 * lanes, file.step_s),
        status(lanes, 0) {
    for (long long lane = 0; lane < lanes; ++lane) times[lanes + lane] = 1e9 * file.step_s;
    for (long long lane = 0; lane < lanes; ++lane) times[2 * lanes + lane] = 1;
    batch.lanes = lanes;
    batch.member = member.data();
    batch.laws = laws.data();
    batch.state = state.data();
    batch.measured = measured.data();
    batch.times = times.data();
    batch.status = status.data();
    batch.tolerance_m_s = file.tolerance_m_s;
    batch.touching = file.touching;
    batch.threshold_m_s = file.threshold_m_s;
    batch.turns = -1;
    check(freeplay_batch_begin(&batch, &run, text, sizeof text), text);
  }
  ~Trial() { freeplay_batch_end(run); }
  void advance(long long first, long long steps) { check(freeplay_batch_advance(run, first, steps, text, sizeof text), text); }
  void bring_back() { check(freeplay_batch_bring_back(run, text, sizeof text), text); }
};

// Differences from the processor's states, of lanes that both have certified: until a contact decision falls otherwise they
// are rounding, and of a chaotic motion grow from then on.
void compare(const LaneFile& file) {
  for (const LaneFile::Check& check : file.checks) {
    Trial trial(file, file.lanes, false);
    trial.advance(1, check.steps);
    trial.bring_back();
    int compared = 0, near = 0, only_one = 0;
    double worst_near = 0;
    for (int lane = 0; lane < file.lanes; ++lane) {
      if (trial.status[lane] != 0 || check.status[lane] != 0) {
        only_one += (trial.status[lane] != 0) != (check.status[lane] != 0) ? 1 : 0;
        continue;
      }
      double worst = 0;
      for (int i = 0; i < 2 * Mechanism::velocities; ++i) {
        const double expected = check.end[lane * file.states + i];
        worst = std::fmax(worst, std::fabs(trial.state[i * file.lanes + lane] - expected) / std::fmax(1.0, std::fabs(expected)));
      }
      ++compared;
      if (worst <= 1e-9) {
        ++near;
        worst_near = std::fmax(worst_near, worst);
      }
    }
    std::printf("after %d steps: %d of %d lanes agree with the processor to 1e-9 (these to %.2g); %d certified by one only\n",
                check.steps, near, compared, worst_near, only_one);
  }
}

void measure(const LaneFile& file, long long lanes, int steps, bool shuffled) {
  Trial trial(file, lanes, shuffled);
  trial.advance(1, 10);
  const auto start = std::chrono::steady_clock::now();
  trial.advance(11, steps);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  trial.bring_back();
  long long uncertified = 0;
  for (const int one : trial.status) uncertified += one != 0 ? 1 : 0;
  const double all_steps = static_cast<double>(lanes) * steps;
  std::printf("%8lld lanes %s, %d steps: %.4g steps/s, %.1f %% in contact, %.4f %% hard, %lld lanes (%.3g %%) left to the engine\n",
              lanes, shuffled ? "shuffled" : "in order", steps, all_steps / seconds,
              100 * static_cast<double>(trial.batch.contact_steps) / all_steps,
              100 * static_cast<double>(trial.batch.hard_steps) / all_steps, uncertified,
              100.0 * static_cast<double>(uncertified) / static_cast<double>(lanes));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s FILE.lanes\n", argv[0]), 2;
  const LaneFile file = read_lanes(argv[1]);
  char text[256] = {};
  check(freeplay_device_open(text, sizeof text), text);
  compare(file);
  for (const long long lanes : {10240LL, 102400LL, 1024000LL}) measure(file, lanes, lanes < 1000000 ? 10000 : 3000, false);
  measure(file, 1024000, 3000, true);
  return 0;
}
