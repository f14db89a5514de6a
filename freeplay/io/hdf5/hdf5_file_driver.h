// The file below HDF5: an HDF5 file driver of our own, because the library's cannot survive a full disk.
//
// When a write fails, HDF5 keeps the data and tries again while it closes the file, fails again, and is left with
// identifiers that it can neither close nor forget. So it is never told. The first failed write freezes the file: that
// write and all later ones go to memory, HDF5 reads them back from there, every close succeeds, and what is on the disk
// is what a kill at that moment would have left, which SWMR keeps readable. The writer looks at write_error() after
// each flush.
//
// The driver also takes no lock on the file (flock is missing or slow on many cluster file systems; one writer and any
// number of readers need none under SWMR), and it knows the system's own reason for a failure.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>

#include "freeplay/io/hdf5/hdf5_handle.h"

namespace freeplay::io::hdf5 {

// An open file. HDF5 holds a pointer to it, so it neither moves nor dies before the HDF5 file does.
class PosixFile {
 public:
  PosixFile() = default;
  ~PosixFile();
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  // These return 0 or the errno of the failure.
  [[nodiscard]] int create(const std::filesystem::path& path);
  // The same, but EWOULDBLOCK while another process has done so and still has the file open, under whatever name.
  [[nodiscard]] int create_alone(const std::filesystem::path& path);
  static bool is_in_use(const std::filesystem::path& path);  // by one that called create_alone()
  bool is_at(const std::filesystem::path& path) const;       // false once it was removed or replaced there
  // Refuses, with EINVAL, what is no regular file: a pipe would have no end, or no writer.
  [[nodiscard]] int open_for_reading(const std::filesystem::path& path);
  [[nodiscard]] int close();
  // Bytes beyond the end of a file that is being written read as zero: HDF5 asks for more than it has put there. Of a
  // file that was opened for reading, data must be there whole, and the rest at least in part (HDF5 reads beyond the
  // end of a header before it knows its length); otherwise EIO, and is_cut_short() from then on.
  enum class Kind { kData, kStructure };
  [[nodiscard]] int read(std::uint64_t address, std::span<char> out, Kind kind);
  bool is_cut_short() const { return is_cut_short_; }
  [[nodiscard]] int size(std::uint64_t& bytes) const;

  void write(std::uint64_t address, std::span<const char> bytes);
  void resize(std::uint64_t bytes);

  void freeze() { frozen_ = true; }
  bool frozen() const { return frozen_; }
  int write_error() const { return write_error_; }  // errno of the first failed write, 0 while all went well

 private:
  using Page = std::array<char, 4096>;

  // `missing`: how many bytes lay beyond the end of the file, and are zero now.
  int read_from_disk(std::uint64_t address, std::span<char> out, std::size_t& missing) const;
  void write_to_memory(std::uint64_t address, std::span<const char> bytes);

  int descriptor_ = -1;
  int write_error_ = 0;
  bool frozen_ = false;
  bool is_for_reading_ = false, is_cut_short_ = false;
  std::map<std::uint64_t, Page> pages_after_freeze_;  // by page number: what the disk would hold
};

// A file access property list that makes HDF5 read and write `file`, whatever name it is given besides.
PropertyList access_through(PosixFile& file);

}  // namespace freeplay::io::hdf5
