#include "freeplay/io/hdf5/hdf5_handle.h"

#include <fmt/format.h>

#include <algorithm>

namespace freeplay::io::hdf5 {

namespace {

herr_t take_first_description(unsigned /*depth*/, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  constexpr herr_t kStop = 1;
  return kStop;
}

Datatype text_type(std::size_t bytes) {
  Datatype type(check(H5Tcopy(H5T_C_S1), "make a text type"));
  check(H5Tset_size(type.get(), bytes), "make a text type");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "make a text type");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a text type");
  return type;
}

bool is_variable(const Datatype& type) {
  return H5Tis_variable_str(type.get()) > 0;
}

bool is_text(const Datatype& type) {
  return H5Tget_class(type.get()) == H5T_STRING;
}

// HDF5 refuses to convert between ASCII and UTF-8, so the text is read with the character set it was stored with.
Datatype variable_type_like(const Datatype& stored) {
  Datatype type(check(H5Tcopy(H5T_C_S1), "make a text type"));
  check(H5Tset_size(type.get(), H5T_VARIABLE), "make a text type");
  check(H5Tset_cset(type.get(), H5Tget_cset(stored.get())), "read a text");
  return type;
}

std::string without_nul(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) c == '\0' ? result.append("\xEF\xBF\xBD") : result.append(1, c);
  return result;
}

// Texts one behind the other, each padded with NUL to the length of the longest.
class PaddedTexts {
 public:
  explicit PaddedTexts(std::span<const std::string> texts) {
    std::vector<std::string> clean;
    std::size_t longest = 1, total = 0;  // a type of no bytes does not exist
    for (const std::string& text : texts) {
      clean.push_back(without_nul(text));
      longest = std::max(longest, clean.back().size());
      total += clean.back().size();
    }
    // One name of a megabyte among a million short ones must not make a terabyte: it is cut.
    constexpr std::size_t kPaddingFactor = 16, kAlwaysGranted = std::size_t{1} << 20;
    const std::size_t room = std::max(kAlwaysGranted, kPaddingFactor * total);
    bytes_each_ = texts.size() > 1 ? std::min(longest, std::max<std::size_t>(1, room / texts.size())) : longest;
    bytes_.assign(std::max<std::size_t>(1, texts.size() * bytes_each_), '\0');  // HDF5 refuses a null buffer
    for (std::size_t i = 0; i < clean.size(); ++i)
      utf8_prefix(clean[i], bytes_each_).copy(bytes_.data() + i * bytes_each_, bytes_each_);
  }
  const void* data() const { return bytes_.data(); }
  std::size_t bytes_each() const { return bytes_each_; }

 private:
  std::string bytes_;
  std::size_t bytes_each_ = 1;
};

Dataspace array_space(std::size_t size) {
  const hsize_t extent = size;
  return Dataspace(check(H5Screate_simple(1, &extent, nullptr), "make a dataspace"));
}

Dataspace scalar_space() {
  return Dataspace(check(H5Screate(H5S_SCALAR), "make a dataspace"));
}

void write_attribute(hid_t object, const char* name, const Datatype& type, const Dataspace& space,
                     const PaddedTexts& texts) {
  const Attribute attribute(
      check(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), "create an attribute"));
  check(H5Awrite(attribute.get(), type.get(), texts.data()), "write an attribute");
}

void write_dataset(hid_t group, const std::string& name, const Dataspace& space, const PropertyList& creation,
                   const PaddedTexts& texts) {
  const Datatype type = text_type(texts.bytes_each());
  const Dataset dataset(
      check(H5Dcreate2(group, name.c_str(), type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
            "create the dataset " + name));
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, modest_transfer().get(), texts.data()),
        "write the dataset " + name);
}

std::vector<std::string> split_texts(std::string_view bytes, std::size_t bytes_each) {
  std::vector<std::string> texts;
  for (; bytes.size() >= bytes_each && !bytes.empty(); bytes.remove_prefix(bytes_each)) {
    const std::string_view padded = bytes.substr(0, bytes_each);
    texts.emplace_back(padded.substr(0, padded.find('\0')));
  }
  return texts;
}

// Room for `count` texts of a file of `file_bytes`, which the texts of fixed length stand in.
std::string room_for(const Datatype& type, std::size_t count, std::uint64_t file_bytes) {
  const std::size_t each = H5Tget_size(type.get());
  if (each == 0 || count > file_bytes / each)
    throw Error(
        fmt::format("claims {} texts of {} bytes, more than a file of {} bytes can hold", count, each, file_bytes));
  return std::string(count * each, '\0');
}

// Copies the texts that HDF5 has allocated, and frees them.
std::vector<std::string> take_texts(const Datatype& type, const Dataspace& space, std::vector<char*>& pointers) {
  std::vector<std::string> texts;
  for (const char* pointer : pointers) texts.emplace_back(pointer != nullptr ? pointer : "");
  check(H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data()), "free texts");
  return texts;
}

}  // namespace

void throw_last_error(std::string_view action) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, &take_first_description, &reason);
  throw Error(fmt::format("cannot {}{}{}", action, reason.empty() ? "" : ": ", reason));
}

QuietErrors::QuietErrors() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietErrors::~QuietErrors() {
  H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

PropertyList untimed_properties(hid_t kind) {
  PropertyList list(check(H5Pcreate(kind), "make a property list"));
  check(H5Pset_obj_track_times(list.get(), false), "make a property list");
  return list;
}

PropertyList modest_transfer() {
  constexpr std::size_t kBytes = std::size_t{16} << 10;
  PropertyList list(check(H5Pcreate(H5P_DATASET_XFER), "make a property list"));
  check(H5Pset_buffer(list.get(), kBytes, nullptr, nullptr), "make a property list");
  return list;
}

Datatype fixed_text_type(std::size_t bytes) {
  return text_type(bytes);
}

void write_text_attribute(hid_t object, const std::string& name, const std::string& text) {
  TextAttributes().write(object, name.c_str(), text);
}

void write_text_attribute(hid_t object, const std::string& name, std::span<const std::string> texts) {
  const PaddedTexts padded(texts);
  write_attribute(object, name.c_str(), text_type(padded.bytes_each()), array_space(texts.size()), padded);
}

TextAttributes::TextAttributes() : scalar_(scalar_space()) {}

void TextAttributes::write(hid_t object, const char* name, const std::string& text) {
  const PaddedTexts padded({&text, 1});
  const auto [type, is_new] = types_.try_emplace(padded.bytes_each());
  if (is_new) type->second = text_type(padded.bytes_each());
  write_attribute(object, name, type->second, scalar_, padded);
}

void write_text_dataset(hid_t group, const std::string& name, const std::string& text) {
  write_dataset(group, name, scalar_space(), untimed_properties(H5P_DATASET_CREATE), PaddedTexts({&text, 1}));
}

void write_text_dataset(hid_t group, const std::string& name, std::span<const std::string> texts) {
  const PropertyList creation = untimed_properties(H5P_DATASET_CREATE);
  const hsize_t chunk =
      std::max<hsize_t>(1, texts.size());  // in a chunk, because h5repack fails on an empty array else
  check(H5Pset_chunk(creation.get(), 1, &chunk), "set the chunk size");
  write_dataset(group, name, array_space(texts.size()), creation, PaddedTexts(texts));
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  const auto continues_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t size = max_bytes;
  while (size > 0 && continues_character(size)) --size;
  return text.substr(0, size);
}

bool holds_one_text(hid_t attribute) {
  const Datatype type(check(H5Aget_type(attribute), "read an attribute"));
  const Dataspace space(check(H5Aget_space(attribute), "read an attribute"));
  return is_text(type) && H5Sget_simple_extent_npoints(space.get()) == 1;
}

std::string read_text_attribute(hid_t object, const std::string& name, std::uint64_t file_bytes) {
  const Attribute attribute(check(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open the attribute " + name));
  return read_text(attribute.get(), file_bytes);
}

std::string read_text(hid_t attribute, std::uint64_t file_bytes) {
  if (!holds_one_text(attribute)) throw Error("an attribute is not a text");
  const Datatype stored(check(H5Aget_type(attribute), "read an attribute"));
  if (!is_variable(stored)) {
    std::string bytes = room_for(stored, 1, file_bytes);
    check(H5Aread(attribute, stored.get(), bytes.data()), "read an attribute");
    return split_texts(bytes, bytes.size()).front();
  }
  const Datatype type = variable_type_like(stored);
  const Dataspace space(check(H5Aget_space(attribute), "read an attribute"));
  std::vector<char*> pointers(1, nullptr);
  check(H5Aread(attribute, type.get(), pointers.data()), "read an attribute");
  return take_texts(type, space, pointers).front();
}

std::vector<std::string> read_text_dataset(const Dataset& dataset, std::uint64_t file_bytes) {
  const Datatype stored(check(H5Dget_type(dataset.get()), "read texts"));
  if (!is_text(stored)) throw Error("a list of texts is something else");
  const Dataspace space(check(H5Dget_space(dataset.get()), "read texts"));
  const auto count = static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space.get()), "read texts"));
  if (count == 0) return {};
  // As a repacked file may have them; compression makes nothing shorter by a factor of more than 1000.
  const PropertyList creation(check(H5Dget_create_plist(dataset.get()), "read texts"));
  if (H5Pget_nfilters(creation.get()) > 0) file_bytes *= 1100;
  if (!is_variable(stored)) {
    std::string bytes = room_for(stored, count, file_bytes);
    check(H5Dread(dataset.get(), stored.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), "read texts");
    return split_texts(bytes, bytes.size() / count);
  }
  // A text of variable length, as earlier versions wrote them, is a reference of 16 bytes into a heap.
  if (count > file_bytes / 16)
    throw Error(fmt::format("claims {} texts, more than a file of {} bytes can hold", count, file_bytes));
  const Datatype type = variable_type_like(stored);
  std::vector<char*> pointers(count, nullptr);
  check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "read texts");
  return take_texts(type, space, pointers);
}

}  // namespace freeplay::io::hdf5
