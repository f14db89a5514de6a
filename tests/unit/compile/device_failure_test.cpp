// What goes wrong with a device, and with the folder of compiled objects, and what is left then.
#include <sys/resource.h>

#include <csignal>

#include "freeplay/compile/device_family.h"
#include "freeplay/compile/measured_lane.h"
#include "support/fake_gpu.h"
#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

using DeviceFailures = CompiledTest;

struct CrankOnDevice {
  LoadedModel loaded;
  MeasureProgram program;
  FamilySample sample() const { return {loaded.file, loaded.model, &program}; }
};

CrankOnDevice crank_on_device() {
  CrankOnDevice made{load_example("slider_crank", {"duration=2 ms", "slider_omega=1 rad/s"}), {}};
  made.loaded.file.measures = {{"tilt", "max(abs(slider.angle))"}};
  made.program = measure_program_of(made.loaded.file, made.loaded.model);
  return made;
}

// The largest of the arrays that a batch of so many lanes takes.
std::size_t largest_bytes(const LaneData& lane, std::size_t lanes) {
  return sizeof(double) * lanes * std::max({lane.member.size(), lane.state.size(), lane.measured.size()});
}

TEST_F(DeviceFailures, OfMemoryMakePortionsSmaller) {
  const FakeGpu gpu(folder_ / "gpu");
  const CrankOnDevice crank = crank_on_device();
  const FamilySample sample = crank.sample();
  const DeviceFamily family({&sample, 1}, gpu_toolchain("sm_90"));
  const LaneData start = family.lane(sample).value();
  std::vector<LaneData> all_at_once(600, start), in_portions(600, start);
  family.run(all_at_once);
  FakeGpu::set_memory(largest_bytes(start, 600) * 6 / 10);
  family.run(in_portions);
  for (std::size_t i = 0; i < 600; ++i) EXPECT_EQ(in_portions[i].measured, all_at_once[i].measured);
}

TEST_F(DeviceFailures, OfMemoryAreToldWhereNothingFits) {
  const FakeGpu gpu(folder_ / "gpu");
  const CrankOnDevice crank = crank_on_device();
  const FamilySample sample = crank.sample();
  const DeviceFamily family({&sample, 1}, gpu_toolchain("sm_90"));
  std::vector<LaneData> lanes(600, family.lane(sample).value());
  FakeGpu::set_memory(100);
  try {
    family.run(lanes);
    ADD_FAILURE() << "it has run without memory";
  } catch (const DeviceFailure& failure) {
    EXPECT_TRUE(failure.is_of_memory);
    EXPECT_NE(std::string(failure.what()).find("the GPU has no memory left"), std::string::npos) << failure.what();
  }
  EXPECT_EQ(lanes[0].status, 0);  // nothing was taken from it
}

TEST_F(DeviceFailures, OfALaunchAreTold) {
  const FakeGpu gpu(folder_ / "gpu");
  const CrankOnDevice crank = crank_on_device();
  const FamilySample sample = crank.sample();
  const DeviceFamily family({&sample, 1}, gpu_toolchain("sm_90"));
  std::vector<LaneData> lanes(3, family.lane(sample).value());
  FakeGpu::set_calls(0);
  try {
    family.run(lanes);
    ADD_FAILURE() << "it has run on a broken device";
  } catch (const DeviceFailure& failure) {
    EXPECT_FALSE(failure.is_of_memory);
    EXPECT_NE(std::string(failure.what()).find("unspecified launch failure"), std::string::npos) << failure.what();
  }
}

// A file that cannot grow is a disk that is full: the source is larger than the limit, and what the compiler would
// write, too.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

std::string failure_with_small_files(const std::string& source, rlim_t bytes) {
  const SmallFiles limit(bytes);
  try {
    compile_object(source, processor_toolchain());
  } catch (const CompileError& error) {
    return error.what();
  }
  return "";
}

std::size_t files_in_cache() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(object_folder()), {}));
}

TEST_F(DeviceFailures, OfAFullDiskLeaveNothingInTheCache) {
  const std::string large = "extern \"C\" int answer() { return 42; }\n" + std::string(1 << 16, '\n');
  EXPECT_NE(failure_with_small_files(large, 4096).find("is the disk full?"), std::string::npos);
  EXPECT_EQ(files_in_cache(), 0U);
  // The source fits, what the compiler writes does not.
  const std::string failure = failure_with_small_files("extern \"C\" int answer() { return 42; }\n", 512);
  EXPECT_NE(failure.find("failed with the code"), std::string::npos) << failure;
  EXPECT_EQ(files_in_cache(), 0U);
  // And with room again it is compiled.
  EXPECT_TRUE(failure_with_small_files("extern \"C\" int answer() { return 42; }\n", RLIM_INFINITY).empty());
  EXPECT_EQ(files_in_cache(), 1U);
}

}  // namespace
}  // namespace freeplay::test
