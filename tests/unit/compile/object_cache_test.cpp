// The cache belongs to the user alone, and whatever goes wrong with the compiler is said.
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>

#include "freeplay/compile/object/compiled_object.h"
#include "freeplay/compile/object/object_cache.h"
#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

using ObjectCache = CompiledTest;

constexpr const char* kSmallSource = "extern \"C\" int answer() { return 42; }\n";

mode_t mode_of(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

std::size_t file_count(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

std::string failure_of(const std::string& source) {
  try {
    compile_object(source, processor_toolchain());
  } catch (const CompileError& error) {
    return error.what();
  }
  return "";
}

TEST_F(ObjectCache, IsForTheUserAlone) {
  const CachedObject object = compile_object(kSmallSource, processor_toolchain());
  EXPECT_EQ(mode_of(object.file.parent_path()), 0700u);
  EXPECT_EQ(mode_of(object.file) & 0077u, 0u);
}

TEST_F(ObjectCache, CompilesOnceAndLeavesNothingElse) {
  const CachedObject first = compile_object(kSmallSource, processor_toolchain()),
                     again = compile_object(kSmallSource, processor_toolchain());
  EXPECT_FALSE(first.was_there);
  EXPECT_TRUE(again.was_there);
  EXPECT_EQ(first.file, again.file);
  EXPECT_LT(again.seconds, 0.05);
  EXPECT_EQ(file_count(object_folder()), 1u);
}

TEST_F(ObjectCache, RemovesWhatKilledCompilationsHaveLeft) {
  const std::filesystem::path old_file = object_folder() / "new-abcdef.cpp", fresh = object_folder() / "new-ghijkl.cpp";
  std::ofstream(old_file) << "half a sou";
  std::ofstream(fresh) << "half a sou";
  std::filesystem::last_write_time(old_file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  compile_object(kSmallSource, processor_toolchain());
  EXPECT_FALSE(std::filesystem::exists(old_file));
  EXPECT_TRUE(std::filesystem::exists(fresh));  // of another process that is at work
}

TEST_F(ObjectCache, SaysThatABrokenCompilerSaidNothing) {
  setenv("FREEPLAY_CXX", "/bin/false", 1);
  EXPECT_NE(failure_of(kSmallSource).find("'/bin/false' failed with the code 1 and said nothing"), std::string::npos);
}

TEST_F(ObjectCache, RefusesAFolderThatOthersCanWriteTo) {
  chmod(object_folder().c_str(), 0777);
  EXPECT_NE(failure_of(kSmallSource).find("is not yours alone"), std::string::npos);
}

TEST_F(ObjectCache, RefusesAFolderThatIsALink) {
  const std::filesystem::path folder = object_folder();
  std::filesystem::remove(folder);
  std::filesystem::create_directory(folder_ / "elsewhere");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", folder);
  EXPECT_NE(failure_of(kSmallSource).find("is not yours alone"), std::string::npos);
}

TEST_F(ObjectCache, SaysWhatABrokenCompilerSaid) {
  const std::filesystem::path compiler = folder_ / "broken";
  std::ofstream(compiler) << "#!/bin/sh\necho 'error: no more paper'\nexit 7\n";
  chmod(compiler.c_str(), 0700);
  setenv("FREEPLAY_CXX", compiler.c_str(), 1);
  const std::string failure = failure_of(kSmallSource);
  EXPECT_NE(failure.find("failed with the code 7: error: no more paper"), std::string::npos) << failure;
  EXPECT_EQ(file_count(object_folder()), 0u);
}

TEST_F(ObjectCache, SaysThatThereIsNoCompiler) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  const std::string failure = failure_of(kSmallSource);
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(failure.find("there is no C++ compiler"), std::string::npos);
}

TEST_F(ObjectCache, SaysThatACompilerIsNone) {
  setenv("FREEPLAY_CXX", "g++ -rf", 1);
  EXPECT_NE(failure_of(kSmallSource).find("no compiler's full path"), std::string::npos);
}

TEST_F(ObjectCache, ReportsASourceThatDoesNotCompile) {
  EXPECT_NE(failure_of("int main( {").find("error"), std::string::npos);
  EXPECT_EQ(file_count(object_folder()), 0u);
}

std::string load_failure_of(const std::filesystem::path& file) {
  try {
    const CompiledObject object(file);
  } catch (const CompileError& error) {
    return error.what();
  }
  return "";
}

// A disk that was full, a machine that went down while the file was written. The system itself loads what is left of it
// and then has a bus error.
TEST_F(ObjectCache, DoesNotLoadADamagedObjectAndCompilesItAgain) {
  const CachedObject first = compile_object(kSmallSource, processor_toolchain());
  const auto size = static_cast<double>(std::filesystem::file_size(first.file));
  for (const double part : {0.0, 0.001, 0.1, 0.3, 0.8}) {
    SCOPED_TRACE(part);
    std::filesystem::resize_file(first.file, static_cast<std::uintmax_t>(part * size));
    EXPECT_NE(load_failure_of(first.file).find("it is damaged"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(first.file));
    EXPECT_FALSE(compile_object(kSmallSource, processor_toolchain()).was_there);
    std::filesystem::resize_file(first.file, static_cast<std::uintmax_t>(part * size));
    EXPECT_FALSE(compile_object(kSmallSource, processor_toolchain()).was_there);
    EXPECT_TRUE(compile_object(kSmallSource, processor_toolchain()).was_there);
  }
}

// A library that is missing now, no memory, a disk from which nothing is run: the object is as good as it was.
TEST_F(ObjectCache, KeepsAWholeObjectThatTheSystemDoesNotLoad) {
  const std::filesystem::path file =
      compile_object("extern \"C\" int elsewhere();\nextern \"C\" int answer() { return elsewhere(); }\n",
                     processor_toolchain())
          .file;
  const std::string failure = load_failure_of(file);
  EXPECT_NE(failure.find("undefined symbol: elsewhere"), std::string::npos) << failure;
  EXPECT_NE(failure.find("was kept"), std::string::npos) << failure;
  EXPECT_TRUE(std::filesystem::exists(file));
}

// A process that has too many files open learns nothing about this one.
TEST_F(ObjectCache, KeepsAnObjectThatCannotBeReadNow) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer opens a pipe to look at an object's type, and takes it for damaged without one";
#endif
  const std::filesystem::path file = compile_object(kSmallSource, processor_toolchain()).file;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 0;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const std::string failure = load_failure_of(file);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_NE(failure.find("cannot be read: Too many open files"), std::string::npos) << failure;
  EXPECT_TRUE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace freeplay::test
