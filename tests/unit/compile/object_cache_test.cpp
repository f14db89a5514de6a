// The cache belongs to the user alone, and whatever goes wrong with the compiler is said.
#include <sys/stat.h>

#include <fstream>

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

}  // namespace
}  // namespace freeplay::test
