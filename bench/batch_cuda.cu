// Lanes of a compiled mechanism on a GPU, one thread each. MECHANISM is the emitted source, the argument is the file of
// lanes that bench_batch_export wrote with it (bench/batch_cuda.sh builds and runs).
#include MECHANISM

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace freeplay_compiled;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

constexpr int kStates = 2 * Mechanism::velocities + kMemoryNumbers * Mechanism::points;
constexpr int kLaws = kLawNumbers * Mechanism::points;

// Numbers of all lanes, one behind the other: entry i of lane l is at i * lanes + l, so that neighbours read together.
struct Batch {
  double *member, *laws, *state;
  int* status;
  unsigned long long* contact_steps;
  long long lanes;
};

__global__ void __launch_bounds__(128) run_batch(Batch batch, StepOptions options, long long first_step, int steps) {
  const long long lane = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (lane >= batch.lanes || batch.status[lane] != kCertified) return;
  constexpr int n = Mechanism::velocities, P = Mechanism::points;
  const auto entry = [&](const double* numbers, int i) { return numbers[i * batch.lanes + lane]; };
  Lanes<Mechanism, double> lanes;
  double member[Mechanism::members + 1];
  for (int i = 0; i < Mechanism::members; ++i) member[i] = entry(batch.member, i);
  Mechanism::prepare(member, lanes.slot);
  for (int i = 0; i < kLaws; ++i) lanes.laws[0][i] = entry(batch.laws, i);
  for (int i = 0; i < n; ++i) {
    lanes.q[i] = entry(batch.state, i);
    lanes.u[i] = entry(batch.state, n + i);
  }
  lanes.any_memory[0] = 0;
  lanes.status[0] = kCertified;
  for (int p = 0; p < P; ++p) {
    lanes.memory[0][p].velocity = entry(batch.state, 2 * n + 3 * p);
    lanes.memory[0][p].drift = entry(batch.state, 2 * n + 3 * p + 1);
    lanes.memory[0][p].flags = static_cast<int>(entry(batch.state, 2 * n + 3 * p + 2));
    if (lanes.memory[0][p].flags != 0) lanes.any_memory[0] = 1;
  }
  if (Mechanism::bilateral_rows > 0 && first_step == 1) {
    double ok = 1;
    project<Mechanism, double>(lanes.slot, 0.0, lanes.q, lanes.u, ok);
    if (!(ok > 0)) lanes.status[0] = kOutOfRecord;
  }
  for (int k = 0; k < steps && lanes.status[0] == kCertified; ++k)
    step_lanes<Mechanism, double>(lanes, static_cast<double>(first_step - 1 + k) * options.step_s, options.step_s, options);
  const auto store = [&](double* numbers, int i, double value) { numbers[i * batch.lanes + lane] = value; };
  for (int i = 0; i < n; ++i) {
    store(batch.state, i, lanes.q[i]);
    store(batch.state, n + i, lanes.u[i]);
  }
  for (int p = 0; p < P; ++p) {
    store(batch.state, 2 * n + 3 * p, lanes.memory[0][p].velocity);
    store(batch.state, 2 * n + 3 * p + 1, lanes.memory[0][p].drift);
    store(batch.state, 2 * n + 3 * p + 2, lanes.memory[0][p].flags);
  }
  batch.status[lane] = lanes.status[0];
  atomicAdd(batch.contact_steps, static_cast<unsigned long long>(lanes.counts.contact_steps));
}

struct LaneFile {
  int lanes = 0, members = 0, laws = 0, states = 0, checked_steps = 0;
  StepOptions options{};
  std::vector<double> member, law, start, end;  // lane by lane
  std::vector<int> status;
};

LaneFile read_lanes(const char* path) {
  LaneFile file;
  std::FILE* in = std::fopen(path, "r");
  if (in == nullptr) std::exit((std::fprintf(stderr, "%s cannot be read\n", path), 1));
  bool is_whole = std::fscanf(in, "%d %d %d %d %d %d %d %lf %lf %lf %lf", &file.lanes, &file.members, &file.laws, &file.states,
                              &file.checked_steps, &file.options.keeps_contacts, &file.options.midpoint_forces,
                              &file.options.step_s, &file.options.tolerance_m_s, &file.options.touching,
                              &file.options.threshold_m_s) == 11;
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
    int status = 0;
    is_whole = is_whole && std::fscanf(in, "%d", &status) == 1;
    file.status.push_back(status);
    read(file.end, file.states);
  }
  std::fclose(in);
  if (!is_whole || file.members != Mechanism::members || file.states != kStates || file.laws != kLaws)
    std::exit((std::fprintf(stderr, "%s does not belong to this mechanism\n", path), 1));
  return file;
}

// The lanes of the file over and over, neighbours alike, so that a warp stays together.
double* upload(const std::vector<double>& numbers, int per_lane, int in_file, long long lanes) {
  std::vector<double> turned(static_cast<std::size_t>(per_lane) * lanes + 1);
  for (long long lane = 0; lane < lanes; ++lane) {
    const long long from = lane * in_file / lanes;
    for (int i = 0; i < per_lane; ++i) turned[i * lanes + lane] = numbers[from * per_lane + i];
  }
  double* there = nullptr;
  check(cudaMalloc(&there, turned.size() * sizeof(double)), "memory of the GPU");
  check(cudaMemcpy(there, turned.data(), turned.size() * sizeof(double), cudaMemcpyHostToDevice), "copy");
  return there;
}

Batch begin(const LaneFile& file, long long lanes) {
  Batch batch{};
  batch.lanes = lanes;
  batch.member = upload(file.member, file.members, file.lanes, lanes);
  batch.laws = upload(file.law, file.laws, file.lanes, lanes);
  batch.state = upload(file.start, file.states, file.lanes, lanes);
  check(cudaMalloc(&batch.status, lanes * sizeof(int)), "memory of the GPU");
  check(cudaMemset(batch.status, 0, lanes * sizeof(int)), "clear");
  check(cudaMalloc(&batch.contact_steps, sizeof(unsigned long long)), "memory of the GPU");
  check(cudaMemset(batch.contact_steps, 0, sizeof(unsigned long long)), "clear");
  return batch;
}

void end(const Batch& batch) {
  for (void* there : {static_cast<void*>(batch.member), static_cast<void*>(batch.laws), static_cast<void*>(batch.state),
                      static_cast<void*>(batch.status), static_cast<void*>(batch.contact_steps)})
    cudaFree(there);
}

void launch(const Batch& batch, const StepOptions& options, long long first_step, int steps) {
  const unsigned blocks = static_cast<unsigned>((batch.lanes + 127) / 128);
  run_batch<<<blocks, 128>>>(batch, options, first_step, steps);
  check(cudaGetLastError(), "launch");
  check(cudaDeviceSynchronize(), "run");
}

// Largest difference from the processor's states after the checked steps, of lanes that both have certified.
void compare(const LaneFile& file) {
  const Batch batch = begin(file, file.lanes);
  launch(batch, file.options, 1, file.checked_steps);
  std::vector<double> state(file.end.size());
  std::vector<int> status(file.lanes);
  check(cudaMemcpy(state.data(), batch.state, state.size() * sizeof(double), cudaMemcpyDeviceToHost), "copy");
  check(cudaMemcpy(status.data(), batch.status, status.size() * sizeof(int), cudaMemcpyDeviceToHost), "copy");
  int compared = 0, near = 0, only_one = 0;
  double worst_near = 0;
  for (int lane = 0; lane < file.lanes; ++lane) {
    if (status[lane] != 0 || file.status[lane] != 0) {
      only_one += (status[lane] != 0) != (file.status[lane] != 0) ? 1 : 0;
      continue;
    }
    double worst = 0;
    for (int i = 0; i < 2 * Mechanism::velocities; ++i) {
      const double expected = file.end[lane * file.states + i];
      worst = std::fmax(worst, std::fabs(state[i * file.lanes + lane] - expected) / std::fmax(1.0, std::fabs(expected)));
    }
    ++compared;
    if (worst <= 1e-9) {
      ++near;
      worst_near = std::fmax(worst_near, worst);
    }
  }
  std::printf("after %d steps: %d of %d lanes agree with the processor to 1e-9 (these to %.2g); %d certified by one only\n",
              file.checked_steps, near, compared, worst_near, only_one);
  end(batch);
}

void measure(const LaneFile& file, long long lanes, int steps) {
  const Batch batch = begin(file, lanes);
  launch(batch, file.options, 1, 10);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  launch(batch, file.options, 11, steps);
  cudaEventRecord(stop);
  check(cudaEventSynchronize(stop), "time");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, stop);
  std::vector<int> status(lanes);
  check(cudaMemcpy(status.data(), batch.status, lanes * sizeof(int), cudaMemcpyDeviceToHost), "copy");
  long long uncertified = 0;
  for (const int one : status) uncertified += one != 0 ? 1 : 0;
  unsigned long long contact_steps = 0;
  check(cudaMemcpy(&contact_steps, batch.contact_steps, sizeof contact_steps, cudaMemcpyDeviceToHost), "copy");
  const double all_steps = static_cast<double>(lanes) * steps;
  std::printf("%lld lanes, %d steps: %.4g steps/s, %.1f %% in contact, %lld lanes (%.3g %%) left to the engine\n", lanes, steps,
              all_steps / (milliseconds * 1e-3), 100 * static_cast<double>(contact_steps) / all_steps, uncertified,
              100.0 * static_cast<double>(uncertified) / static_cast<double>(lanes));
  end(batch);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s FILE.lanes\n", argv[0]), 2;
  const LaneFile file = read_lanes(argv[1]);
  compare(file);
  for (const long long lanes : {10240LL, 102400LL, 1024000LL}) measure(file, lanes, lanes < 1000000 ? 10000 : 3000);
  return 0;
}
