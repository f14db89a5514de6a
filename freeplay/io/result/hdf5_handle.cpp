#include "freeplay/io/result/hdf5_handle.h"

#include <fmt/format.h>

#include <algorithm>

namespace freeplay::io::hdf5 {

namespace {

herr_t take_first_description(unsigned /*depth*/, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  constexpr herr_t kStop = 1;
  return kStop;
}

Datatype text_type() {
  Datatype type(check(H5Tcopy(H5T_C_S1), "make a text type"));
  check(H5Tset_size(type.get(), H5T_VARIABLE), "make a text type");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a text type");
  return type;
}

bool is_text(const Datatype& type) {
  return H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) > 0;
}

// HDF5 refuses to convert between ASCII and UTF-8, so the text is read with the character set it was stored with.
Datatype text_type_like(const Datatype& stored) {
  if (!is_text(stored)) throw Error("not a variable-length text");
  Datatype type = text_type();
  check(H5Tset_cset(type.get(), H5Tget_cset(stored.get())), "read a text");
  return type;
}

std::string without_nul(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) c == '\0' ? result.append("\xEF\xBF\xBD") : result.append(1, c);
  return result;
}

// The texts, and the array of pointers into them that HDF5 reads.
class TextArray {
 public:
  explicit TextArray(std::span<const std::string> texts) {
    for (const std::string& text : texts) texts_.push_back(without_nul(text));
    for (const std::string& text : texts_) pointers_.push_back(text.c_str());
    pointers_.push_back(nullptr);  // HDF5 refuses a null buffer even for zero texts
  }
  const void* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<const char*> pointers_;
};

Dataspace array_space(std::size_t size) {
  const hsize_t extent = size;
  return Dataspace(check(H5Screate_simple(1, &extent, nullptr), "make a dataspace"));
}

Dataspace scalar_space() {
  return Dataspace(check(H5Screate(H5S_SCALAR), "make a dataspace"));
}

void write_attribute(hid_t object, const char* name, const Datatype& type, const Dataspace& space,
                     const TextArray& texts) {
  const Attribute attribute(
      check(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), "create an attribute"));
  check(H5Awrite(attribute.get(), type.get(), texts.data()), "write an attribute");
}

void write_dataset(hid_t group, const std::string& name, const Dataspace& space, const PropertyList& creation,
                   const TextArray& texts) {
  const Datatype type = text_type();
  const Dataset dataset(
      check(H5Dcreate2(group, name.c_str(), type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
            "create the dataset " + name));
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, modest_transfer().get(), texts.data()),
        "write the dataset " + name);
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

void write_text_attribute(hid_t object, const std::string& name, const std::string& text) {
  write_attribute(object, name.c_str(), text_type(), scalar_space(), TextArray({&text, 1}));
}

void write_text_attribute(hid_t object, const std::string& name, std::span<const std::string> texts) {
  write_attribute(object, name.c_str(), text_type(), array_space(texts.size()), TextArray(texts));
}

TextAttributes::TextAttributes() : type_(text_type()), scalar_(scalar_space()) {}

void TextAttributes::write(hid_t object, const char* name, const std::string& text) const {
  write_attribute(object, name, type_, scalar_, TextArray({&text, 1}));
}

void write_text_dataset(hid_t group, const std::string& name, const std::string& text) {
  write_dataset(group, name, scalar_space(), untimed_properties(H5P_DATASET_CREATE), TextArray({&text, 1}));
}

void write_text_dataset(hid_t group, const std::string& name, std::span<const std::string> texts) {
  const PropertyList creation = untimed_properties(H5P_DATASET_CREATE);
  const hsize_t chunk =
      std::max<hsize_t>(1, texts.size());  // in a chunk, because h5repack fails on an empty array else
  check(H5Pset_chunk(creation.get(), 1, &chunk), "set the chunk size");
  write_dataset(group, name, array_space(texts.size()), creation, TextArray(texts));
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

std::string read_text_attribute(hid_t object, const std::string& name) {
  const Attribute attribute(check(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open the attribute " + name));
  return read_text(attribute.get());
}

std::string read_text(hid_t attribute) {
  if (!holds_one_text(attribute)) throw Error("an attribute is not a text");
  const Datatype type = text_type_like(Datatype(check(H5Aget_type(attribute), "read an attribute")));
  const Dataspace space(check(H5Aget_space(attribute), "read an attribute"));
  std::vector<char*> pointers(1, nullptr);
  check(H5Aread(attribute, type.get(), pointers.data()), "read an attribute");
  return take_texts(type, space, pointers).front();
}

std::vector<std::string> read_text_dataset(hid_t group, const std::string& name) {
  const Dataset dataset(check(H5Dopen2(group, name.c_str(), H5P_DEFAULT), "open the dataset " + name));
  const Datatype type = text_type_like(Datatype(check(H5Dget_type(dataset.get()), "read " + name)));
  const Dataspace space(check(H5Dget_space(dataset.get()), "read " + name));
  std::vector<char*> pointers(check(H5Sget_simple_extent_npoints(space.get()), "read " + name), nullptr);
  if (pointers.empty()) return {};
  check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "read " + name);
  return take_texts(type, space, pointers);
}

}  // namespace freeplay::io::hdf5
