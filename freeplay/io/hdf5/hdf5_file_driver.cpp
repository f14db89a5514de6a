#include "freeplay/io/hdf5/hdf5_file_driver.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <limits>

namespace freeplay::io::hdf5 {

PosixFile::~PosixFile() {
  static_cast<void>(close());
}

int PosixFile::create(const std::filesystem::path& path) {
  constexpr mode_t kReadableByAll = 0666;  // less the umask
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, kReadableByAll);
  return descriptor_ < 0 ? errno : 0;
}

// The lock belongs to the open file and ends with the process, however that ends. File systems that know no locks
// (some of clusters) leave it at good luck.
int PosixFile::create_alone(const std::filesystem::path& path) {
  constexpr mode_t kReadableByAll = 0666;
  for (int round = 0; round < 10; ++round) {
    static_cast<void>(close());
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kReadableByAll);
    if (descriptor_ < 0) return errno;
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return EWOULDBLOCK;
    if (is_at(path)) {
      if (::ftruncate(descriptor_, 0) == 0) return 0;
      const int error = errno;
      ::unlink(path.c_str());  // ours, since nobody else has it open: no empty file is left of a run that never began
      return error;
    }
    // It was renamed or removed between the two calls, by one that is ready with it.
  }
  return EWOULDBLOCK;
}

bool PosixFile::is_in_use(const std::filesystem::path& path) {
  const int other = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (other < 0) return false;
  const bool is_locked = ::flock(other, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(other);
  return is_locked;
}

bool PosixFile::is_at(const std::filesystem::path& path) const {
  struct stat own {
  }, there{};
  return ::fstat(descriptor_, &own) == 0 && ::stat(path.c_str(), &there) == 0 && own.st_dev == there.st_dev &&
         own.st_ino == there.st_ino;
}

int PosixFile::open_for_reading(const std::filesystem::path& path) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // NONBLOCK: a pipe without a writer
  if (descriptor_ < 0) return errno;
  is_for_reading_ = true;
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return errno;
  return S_ISREG(status.st_mode) ? 0 : EINVAL;
}

int PosixFile::close() {
  if (descriptor_ < 0) return 0;
  return ::close(std::exchange(descriptor_, -1)) != 0 ? errno : 0;
}

int PosixFile::size(std::uint64_t& bytes) const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return errno;
  bytes = static_cast<std::uint64_t>(status.st_size);
  return 0;
}

int PosixFile::read_from_disk(std::uint64_t address, std::span<char> out, std::size_t& missing) const {
  missing = 0;
  while (!out.empty()) {
    const ssize_t count = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) {
      missing = out.size();
      std::fill(out.begin(), out.end(), '\0');
      return 0;
    }
    address += static_cast<std::uint64_t>(count);
    out = out.subspan(static_cast<std::size_t>(count));
  }
  return 0;
}

int PosixFile::read(std::uint64_t address, std::span<char> out, Kind kind) {
  std::size_t missing = 0;
  if (const int error = read_from_disk(address, out, missing); error != 0) return error;
  if (is_for_reading_ && missing > 0 && (kind == Kind::kData || missing == out.size())) {
    is_cut_short_ = true;
    return EIO;
  }
  if (pages_after_freeze_.empty()) return 0;
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t offset = (address + done) % sizeof(Page);
    const std::size_t count = std::min(sizeof(Page) - offset, out.size() - done);
    const auto page = pages_after_freeze_.find((address + done) / sizeof(Page));
    if (page != pages_after_freeze_.end()) std::copy_n(page->second.data() + offset, count, out.data() + done);
    done += count;
  }
  return 0;
}

void PosixFile::write(std::uint64_t address, std::span<const char> bytes) {
  while (!bytes.empty() && !frozen_) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      write_error_ = errno;
      frozen_ = true;
      break;
    }
    address += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  write_to_memory(address, bytes);
}

void PosixFile::write_to_memory(std::uint64_t address, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const std::uint64_t number = address / sizeof(Page);
    const std::size_t offset = address % sizeof(Page);
    const std::size_t count = std::min(sizeof(Page) - offset, bytes.size());
    const auto [page, is_new] = pages_after_freeze_.try_emplace(number);
    // Should the disk fail to read as well, HDF5 will find the page damaged, as it would on the disk.
    std::size_t missing = 0;
    if (is_new) static_cast<void>(read_from_disk(number * sizeof(Page), page->second, missing));
    std::copy_n(bytes.data(), count, page->second.data() + offset);
    address += count;
    bytes = bytes.subspan(count);
  }
}

void PosixFile::resize(std::uint64_t bytes) {
  if (frozen_ || ::ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0) return;
  write_error_ = errno;
  frozen_ = true;
}

namespace {

// What the property list carries to driver_open.
struct DriverInfo {
  PosixFile* file;
};

// HDF5 casts H5FD_t* to its driver's own type, so the public part comes first.
struct DriverFile {
  H5FD_t common;
  PosixFile* file;
  haddr_t end_of_allocation;
  haddr_t end_of_file;
};

DriverFile& self(H5FD_t* file) {
  return *reinterpret_cast<DriverFile*>(file);
}
const DriverFile& self(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file);
}

H5FD_t* driver_open(const char* /*name*/, unsigned /*flags*/, hid_t access, haddr_t /*max_address*/) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  std::uint64_t bytes = 0;
  if (info == nullptr || info->file->size(bytes) != 0) return nullptr;
  auto* opened = new (std::nothrow) DriverFile{};
  if (opened == nullptr) return nullptr;
  opened->file = info->file;
  opened->end_of_file = bytes;
  return &opened->common;
}

herr_t driver_close(H5FD_t* file) {
  delete &self(file);  // the descriptor belongs to PosixFile
  return 0;
}

herr_t driver_query(const H5FD_t* /*file*/, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t driver_end_of_allocation(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return self(file).end_of_allocation;
}

herr_t driver_set_end_of_allocation(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  self(file).end_of_allocation = address;
  return 0;
}

haddr_t driver_end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return self(file).end_of_file;
}

herr_t driver_read(H5FD_t* file, H5FD_mem_t type, hid_t /*transfer*/, haddr_t address, size_t size, void* buffer) {
  const PosixFile::Kind kind = type == H5FD_MEM_DRAW ? PosixFile::Kind::kData : PosixFile::Kind::kStructure;
  return self(file).file->read(address, {static_cast<char*>(buffer), size}, kind) == 0 ? 0 : -1;
}

herr_t driver_write(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, size_t size,
                    const void* buffer) {
  DriverFile& driver = self(file);
  driver.end_of_file = std::max(driver.end_of_file, address + size);
  try {
    driver.file->write(address, {static_cast<const char*>(buffer), size});
  } catch (const std::exception&) {
    return -1;  // no memory left for a frozen file; an exception must not pass through HDF5
  }
  return 0;
}

herr_t driver_truncate(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  DriverFile& driver = self(file);
  if (driver.end_of_allocation == driver.end_of_file) return 0;
  driver.end_of_file = driver.end_of_allocation;
  driver.file->resize(driver.end_of_file);
  return 0;
}

// Locks nothing. HDF5 keeps the marks in the file that SWMR rests on only for drivers that have these functions.
herr_t driver_lock(H5FD_t* /*file*/, hbool_t /*for_writing*/) {
  return 0;
}
herr_t driver_unlock(H5FD_t* /*file*/) {
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};  // what is not set is optional; without `cmp` two open files are never taken for one
  driver.name = "freeplay";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = &driver_open;
  driver.close = &driver_close;
  driver.query = &driver_query;
  driver.get_eoa = &driver_end_of_allocation;
  driver.set_eoa = &driver_set_end_of_allocation;
  driver.get_eof = &driver_end_of_file;
  driver.read = &driver_read;
  driver.write = &driver_write;
  driver.truncate = &driver_truncate;
  driver.lock = &driver_lock;
  driver.unlock = &driver_unlock;
  const H5FD_mem_t free_lists[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(free_lists), std::end(free_lists), std::begin(driver.fl_map));
  return driver;
}

}  // namespace

PropertyList access_through(PosixFile& file) {
  const H5FD_class_t driver_functions = driver_class();
  // Registered once and for good: when the last file of a driver that nobody else holds is closed, HDF5 1.10 frees the
  // driver before it calls it.
  static const hid_t driver = check(H5FDregister(&driver_functions), "register the file driver");
  PropertyList access(check(H5Pcreate(H5P_FILE_ACCESS), "make file access properties"));
  const DriverInfo info{&file};
  check(H5Pset_driver(access.get(), driver, &info), "set the file driver");
  return access;
}

}  // namespace freeplay::io::hdf5
