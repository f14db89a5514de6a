// Ownership, error texts and strings over the HDF5 C API. Include it in sources only: no public header of freeplay
// shows hdf5.h.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::io::hdf5 {

// Owns one HDF5 identifier and closes it with the function for its kind.
template <herr_t (*kClose)(hid_t)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, H5I_INVALID_HID);
    }
    return *this;
  }
  ~Handle() { reset(); }

  hid_t get() const { return id_; }
  void reset() noexcept {
    if (id_ >= 0) kClose(std::exchange(id_, H5I_INVALID_HID));
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using File = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Dataset = Handle<H5Dclose>;
using Dataspace = Handle<H5Sclose>;
using Datatype = Handle<H5Tclose>;
using Attribute = Handle<H5Aclose>;
using PropertyList = Handle<H5Pclose>;
using Object = Handle<H5Oclose>;

// A call into HDF5 failed. Never leaves freeplay/io: writer and reader turn it into an IoError that names the file.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws Error with `action` ("read the channel") and the innermost reason on HDF5's error stack.
[[noreturn]] void throw_last_error(std::string_view action);

template <typename Result>
Result check(Result result, std::string_view action) {
  if (result < 0) throw_last_error(action);
  return result;
}

// HDF5 prints its error stack to stderr by default. The setting belongs to the whole thread, so it is put back: a
// program that uses HDF5 beside freeplay keeps its own.
class QuietErrors {
 public:
  QuietErrors();
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

// Properties for creating an object of `kind` without time stamps: two runs of one model then give the same file,
// byte for byte.
PropertyList untimed_properties(hid_t kind);

// For data that HDF5 converts while it writes, such as texts and records: it would otherwise fill 1 MB with zeros for
// each such write, however little there is to convert.
PropertyList modest_transfer();

// Text is stored as UTF-8 of fixed length, padded with NUL. Variable-length texts, which h5py hands out as str, live in
// a heap of HDF5 without checksums: one flipped bit there crashed or hung every program that read the file. A NUL
// inside of a text, which no reader could see past, becomes U+FFFD.
Datatype fixed_text_type(std::size_t bytes);
void write_text_attribute(hid_t object, const std::string& name, const std::string& text);
// The longest sets the length of all; where a few very long ones would multiply the size, they are cut.
void write_text_attribute(hid_t object, const std::string& name, std::span<const std::string> texts);
// The same for many objects: types and dataspace are made once.
class TextAttributes {
 public:
  TextAttributes();
  void write(hid_t object, const char* name, const std::string& text);

 private:
  std::map<std::size_t, Datatype> types_;  // by length
  Dataspace scalar_;
};
void write_text_dataset(hid_t group, const std::string& name, const std::string& text);
void write_text_dataset(hid_t group, const std::string& name, std::span<const std::string> texts);

// The longest beginning of `text` that fits into `max_bytes` and does not cut a UTF-8 character.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

// Texts of fixed and of variable length (which earlier versions wrote). What claims to be larger than the file is
// refused.
bool holds_one_text(hid_t attribute);
std::string read_text_attribute(hid_t object, const std::string& name, std::uint64_t file_bytes);
std::string read_text(hid_t attribute, std::uint64_t file_bytes);
std::vector<std::string> read_text_dataset(const Dataset& dataset, std::uint64_t file_bytes);

}  // namespace freeplay::io::hdf5
