// `freeplay compile`, and studies by compiled code where something goes wrong: compilers, text in models, ranks.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "cli/command_test.h"
#include "cli/studies/ranks.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "support/fake_gpu.h"
#include "support/places.h"

namespace freeplay::test::without_compiler {

namespace {

using nlohmann::json;
using testing::HasSubstr;
using Words = std::vector<std::string>;

const std::string kCrank = examples_dir() + "/slider_crank.yaml";

class CompiledVerbs : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    std::filesystem::create_directories(folder_ / "cache");
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("FREEPLAY_CXX");
    CommandTest::TearDown();
  }
  // From now on the compiler is this script.
  void use_compiler(const std::string& script) const {
    write("compiler", "#!/bin/sh\n" + script);
    chmod((folder_ / "compiler").c_str(), 0700);
    setenv("FREEPLAY_CXX", (folder_ / "compiler").c_str(), 1);
  }
  CommandResult study(const std::string& backend, const std::string& out) const {
    return freeplay({"sweep", kCrank, "--set", "duration=2 ms", "--over", "c=0.5mm:1mm:3", "--measure",
                     "tilt=max(abs(slider.angle))", "--backend", backend, "--out", out, "--json"});
  }
  static std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
};

TEST_F(CompiledVerbs, CompileOnceAndSayWhatIsNotCompiled) {
  const CommandResult first = freeplay({"compile", kCrank, "--json"}), again = freeplay({"compile", kCrank, "--json"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_FALSE(json::parse(first.out)["was_there"]);
  EXPECT_TRUE(json::parse(again.out)["was_there"]);
  EXPECT_LT(json::parse(again.out)["seconds"], 0.05);
  EXPECT_THAT(freeplay({"compile", kCrank, "--set", "c=1 mm"}).out,
              HasSubstr(" --set 'c=1 mm' --backend compiled --over NAME=VALUES --measure NAME=EXPRESSION\n"));
  const CommandResult refused = freeplay({"compile", examples_dir() + "/rssr_clearance.yaml"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.out, HasSubstr("the model is spatial; only planar ones are compiled"));
}

// What each of them leaves: a clear word, the engine's rows under `auto`, and a cache that works with the next
// compiler.
TEST_F(CompiledVerbs, WithABrokenCompilerLeaveTheStudyToTheEngine) {
  const struct {
    const char *script, *message;
  } kBroken[] = {{"echo 'error: no more paper'; exit 7\n", "no more paper"},
                 {"kill -9 $$\n", "failed with the code"},
                 {"exit 0\n", "failed with the code 0"},  // says that all is well and writes nothing
                 {"while [ \"$1\" != -o ]; do shift; done; echo garbage > \"$2\"\n", "cannot be loaded"},
                 {"while [ \"$1\" != -o ]; do shift; done; echo 'int i;' | c++ -shared -fPIC -x c++ -o \"$2\" -\n",
                  "is no compiled mechanism"}};
  int k = 0;
  for (const auto& broken : kBroken) {
    SCOPED_TRACE(broken.script);
    use_compiler(broken.script);
    const CommandResult wanted = study("compiled", fmt::format("compiled{}", k));
    EXPECT_EQ(wanted.exit_code, 3);
    EXPECT_THAT(wanted.err, HasSubstr(broken.message));
    const CommandResult tried = study("auto", fmt::format("auto{}", k++));
    ASSERT_EQ(tried.exit_code, 0) << tried.err;
    const json summary = json::parse(tried.out);
    EXPECT_EQ(summary["backend"], "engine");
    EXPECT_EQ(summary["done"], 3);
    EXPECT_THAT(std::string(summary["backend_note"]), HasSubstr(broken.message));
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "cache/freeplay/compiled"));
  }
  unsetenv("FREEPLAY_CXX");
  const CommandResult mended = study("compiled", "mended");
  ASSERT_EQ(mended.exit_code, 0) << mended.err;
  EXPECT_EQ(json::parse(mended.out)["backend"], "compiled");
}

// A model whose every name and text would do harm in a source or on a command line. What comes out is, byte for byte,
// the source of the plain model, and the compiler is called with the same words.
TEST_F(CompiledVerbs, LetNoTextOfAModelReachTheCompiler) {
  use_compiler("printf '%s\\n' \"$@\" >> '" + (folder_ / "words").string() + "'\nexec c++ \"$@\"\n");
  const auto replaced = [](std::string text, const Words& pairs) {
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
      text = std::regex_replace(text, std::regex("\\b" + pairs[i] + "\\b"), pairs[i + 1]);
    return text;
  };
  const std::string plain = text_of(kCrank);
  std::string evil = replaced(plain, {"rod", "FP_INLINE", "crank", "namespace", "slider", "asm", "guide", "__LINE__",
                                      "crankpin", "Mechanism", "wristpin", "freeplay_run", "bearing", "T"});
  evil = std::regex_replace(
      evil, std::regex("name: Slider.*"),
      "name: \"\\\"); system(\\\"touch gotcha\\\"); //\\n#include </etc/passwd> -o x $(touch gotcha)\"");
  write("plain.yaml", plain + "measure: {tilt: max(abs(slider.angle))}\n");
  write("-o `touch gotcha`; touch gotcha.yaml", evil + "measure: {template: max(abs(asm.angle))}\n");
  ASSERT_EQ(freeplay({"compile", "plain.yaml", "--source", "plain.cpp"}).exit_code, 0);
  std::filesystem::remove_all(folder_ / "cache");
  std::filesystem::create_directories(folder_ / "cache");
  const CommandResult result = freeplay({"compile", "./-o `touch gotcha`; touch gotcha.yaml", "--source", "evil.cpp"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(read("evil.cpp"), read("plain.cpp"));
  EXPECT_FALSE(exists("gotcha"));
  const std::string unnamed = std::regex_replace(read("words"), std::regex("new-[A-Za-z0-9]{6}"), "new");
  const std::size_t half = unnamed.size() / 2;
  EXPECT_EQ(unnamed.substr(0, half), unnamed.substr(half));
}

// Each batch has two launches. Rank 1 fails in the second launch of its second batch: what it had done before, and what
// the others were about to end, is in the file, and rank 0 says what happened.
TEST_F(CompiledVerbs, KeepTheRowsOfAllRanksWhenTheGpuOfOneFails) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  const FakeGpu gpu(folder_ / "gpu");
  const auto words = [](const std::string& out) {
    return Words{"sweep",     kCrank,
                 "--set",     "duration=40 ms",
                 "--over",    "c=0.2mm:1mm:240",
                 "--measure", "tilt=max(abs(slider.angle))",
                 "--backend", "cuda",
                 "--workers", "1",
                 "--out",     out,
                 "--quiet"};
  };
  ASSERT_EQ(freeplay(words("whole")).exit_code, 0);
  FakeGpu::set_calls(3);
  FakeGpu::set_failing_rank(1);
  EXPECT_NE(std::system(command_on_ranks(folder_, 3, words("out")).c_str()), 0);
  EXPECT_THAT(read("mpi.log"), HasSubstr("rank 1: the GPU failed: unspecified launch failure"));
  EXPECT_THAT(read("mpi.log"), HasSubstr("the same command goes on from there"));
  ASSERT_TRUE(exists("out/sweep.h5"));
  // At least the first batch of rank 0, 240 / 3 and 8 runs, which ends after the failure was seen or is written before.
  const std::size_t kept = read_sweep(folder_ / "out/sweep.h5").rows.size();
  EXPECT_GE(kept, 88U);
  EXPECT_LT(kept, 240U);
  FakeGpu::mend();
  ASSERT_EQ(freeplay(words("out")).exit_code, 0);
  EXPECT_TRUE(read("out/sweep.h5") == read("whole/sweep.h5"));
}

// The machine of a rank that has no GPU: rank 0 says so.
TEST_F(CompiledVerbs, TellWhatIsMissingOnAnotherRank) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  use_compiler("[ \"$OMPI_COMM_WORLD_RANK\" = 1 ] && { echo 'error: only on rank 1'; exit 1; }\nexec c++ \"$@\"\n");
  const Words words = {"sweep",     kCrank,          "--set",     "duration=2 ms",
                       "--over",    "c=0.2mm:1mm:8", "--measure", "tilt=max(abs(slider.angle))",
                       "--backend", "compiled",      "--out",     "out",
                       "--quiet"};
  // Rank 1 must not find what rank 0 has compiled.
  const std::string apart = "XDG_CACHE_HOME=" + (folder_ / "cache").string() + "/$OMPI_COMM_WORLD_RANK";
  write("apart",
        "#!/bin/sh\nexport " + apart + "\nmkdir -p \"$XDG_CACHE_HOME\"\nexec '" + command_path() + "' \"$@\"\n");
  chmod((folder_ / "apart").c_str(), 0700);
  std::string command = command_on_ranks(folder_, 2, words);
  command.replace(command.find(command_path()), command_path().size(), (folder_ / "apart").string());
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_THAT(read("mpi.log"), HasSubstr("only on rank 1"));
}

}  // namespace

}  // namespace freeplay::test::without_compiler
