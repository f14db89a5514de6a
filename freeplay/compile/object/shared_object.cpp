#include "freeplay/compile/object/shared_object.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>

#include "freeplay/compile/object/object_cache.h"

namespace freeplay::compile {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_read(const fs::path& file) {
  throw CompileError(fmt::format("'{}' cannot be read: {}; it was kept", file.string(),
                                 errno != 0 ? std::strerror(errno) : "no reason"));
}

}  // namespace

bool is_whole_object(const fs::path& file) {
  errno = 0;
  std::error_code failure;
  const std::uintmax_t size = fs::file_size(file, failure);
  std::ifstream in(file, std::ios::binary);
  const auto read = [&](auto& part) {
    in.read(reinterpret_cast<char*>(&part), sizeof(part));
    if (in.bad()) fail_to_read(file);
    return in.good();
  };
  if (failure || !in.is_open()) fail_to_read(file);
  ElfW(Ehdr) head{};
  if (!read(head)) return false;
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof(ElfW(Phdr))) return false;
  in.seekg(static_cast<std::streamoff>(head.e_phoff));
  for (int i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) segment{};
    if (!read(segment)) return false;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) return false;
  }
  return head.e_phnum > 0;
}

std::shared_ptr<void> load_object(const fs::path& file) {
  if (!is_whole_object(file)) refuse_object(file, "cannot be loaded: it is damaged");
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    throw CompileError(fmt::format(
        "'{}' cannot be loaded: {}; the file is whole and was kept. If programs may not run from its folder, "
        "set XDG_CACHE_HOME to another one; if nothing else helps, remove the file",
        file.string(), dlerror()));
  }
  return {handle, dlclose};
}

}  // namespace freeplay::compile
