// Loaded before the command (LD_PRELOAD): counts what it asks of the file system and lets one request meet a fault.
//
//   FREEPLAY_FAULT=KIND:N:FAULT    KIND is write or open; N counts from 1
//     full     this and every later one of its kind finds the disk full
//     denied   this one is denied
//     kill     the process is killed instead
//     torn     (write) killed in its middle: as Linux does it, where a page of the file ends
//     int, term  a signal comes first
//   FREEPLAY_FAULT_MARK=FILE       made when the fault happens; without it N was beyond the last request
//
// Streams 0 to 2 and what is no regular file are left alone: messages must be able to come through.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

enum class Fault { kNone, kFull, kDenied, kKill, kTorn };

struct Plan {
  std::string_view kind, fault;
  long number = 0;
};

Plan read_plan() {
  Plan plan;
  const char* text = std::getenv("FREEPLAY_FAULT");
  if (text == nullptr) return plan;
  const std::string_view all(text);
  const std::size_t first = all.find(':'), second = all.find(':', first + 1);
  if (second == std::string_view::npos) return plan;
  plan.kind = all.substr(0, first);
  plan.number = std::atol(text + first + 1);
  plan.fault = all.substr(second + 1);
  return plan;
}

void leave_mark() {
  const char* path = std::getenv("FREEPLAY_FAULT_MARK");
  if (path == nullptr) return;
  using Open = int (*)(const char*, int, ...);
  const int file = real<Open>("open")(path, O_WRONLY | O_CREAT, 0644);
  if (file >= 0) ::close(file);
}

// Which fault this request of a kind meets.
Fault next(std::string_view kind) {
  static const Plan plan = read_plan();
  static std::atomic<long> count{0};
  if (plan.number == 0 || plan.kind != kind) return Fault::kNone;
  const long number = ++count;
  const bool is_meant = number == plan.number;
  if (is_meant) leave_mark();
  if (plan.fault == "full") return number >= plan.number ? Fault::kFull : Fault::kNone;
  if (!is_meant) return Fault::kNone;
  if (plan.fault == "denied") return Fault::kDenied;
  if (plan.fault == "torn") return Fault::kTorn;
  if (plan.fault == "kill") return Fault::kKill;
  ::kill(::getpid(), plan.fault == "int" ? SIGINT : SIGTERM);
  return Fault::kNone;
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  std::abort();
}

// Whether the request fails; errno says why. Does not return where the process is to be killed.
bool fails(Fault fault) {
  if (fault == Fault::kKill || fault == Fault::kTorn) die();
  if (fault == Fault::kNone) return false;
  errno = fault == Fault::kFull ? ENOSPC : EACCES;
  return true;
}

bool is_watched(int file) {
  struct stat status {};
  return file > 2 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

// The bytes of a write at `at` that come before the end of a page in about its middle; all, if no page ends within it.
std::size_t bytes_before_tear(off_t at, std::size_t size) {
  constexpr std::size_t kPage = 4096;
  const std::size_t begin = static_cast<std::size_t>(at), middle = begin + size / 2;
  const std::size_t tear = (middle + kPage - 1) / kPage * kPage;
  return tear > begin && tear < begin + size ? tear - begin : size;
}

template <class Write>
ssize_t faulty_write(int file, off_t at, std::size_t size, const Write& write) {
  if (!is_watched(file)) return write(size);
  const Fault fault = next("write");
  if (fault == Fault::kTorn) {
    write(bytes_before_tear(at, size));
    die();
  }
  return fails(fault) ? -1 : write(size);
}

int faulty_resize(int file, off_t size, const char* name) {
  if (is_watched(file) && fails(next("write"))) return -1;
  return real<int (*)(int, off_t)>(name)(file, size);
}

ssize_t faulty_pwrite(int file, const void* bytes, std::size_t size, off_t at, const char* name) {
  const auto write = real<ssize_t (*)(int, const void*, std::size_t, off_t)>(name);
  return faulty_write(file, at, size, [&](std::size_t count) { return write(file, bytes, count, at); });
}

int faulty_open(const char* path, int flags, va_list arguments, const char* name) {
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  if (std::strncmp(path, "/proc/", 6) != 0 && std::strncmp(path, "/sys/", 5) != 0 && fails(next("open"))) return -1;
  return real<int (*)(const char*, int, ...)>(name)(path, flags, mode);
}

std::FILE* faulty_fopen(const char* path, const char* mode, const char* name) {
  if (std::strncmp(path, "/proc/", 6) != 0 && fails(next("open"))) return nullptr;
  return real<std::FILE* (*)(const char*, const char*)>(name)(path, mode);
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, std::size_t size) {
  const auto real_write = real<ssize_t (*)(int, const void*, std::size_t)>("write");
  return faulty_write(file, ::lseek(file, 0, SEEK_CUR), size,
                      [&](std::size_t count) { return real_write(file, bytes, count); });
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  const auto real_write = real<ssize_t (*)(int, const struct iovec*, int)>("writev");
  return faulty_write(file, 0, 1, [&](std::size_t /*one*/) { return real_write(file, parts, count); });
}
ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  return faulty_pwrite(file, bytes, size, at, "pwrite");
}
ssize_t pwrite64(int file, const void* bytes, std::size_t size, off_t at) {
  return faulty_pwrite(file, bytes, size, at, "pwrite64");
}
int ftruncate(int file, off_t size) noexcept {
  return faulty_resize(file, size, "ftruncate");
}
int ftruncate64(int file, off_t size) noexcept {
  return faulty_resize(file, size, "ftruncate64");
}
int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int file = faulty_open(path, flags, arguments, "open");
  va_end(arguments);
  return file;
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int file = faulty_open(path, flags, arguments, "open64");
  va_end(arguments);
  return file;
}
std::FILE* fopen(const char* path, const char* mode) {
  return faulty_fopen(path, mode, "fopen");
}
std::FILE* fopen64(const char* path, const char* mode) {
  return faulty_fopen(path, mode, "fopen64");
}

}  // extern "C"
