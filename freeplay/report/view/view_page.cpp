#include "freeplay/report/view/view_page.h"

#include <zlib.h>

#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/report/view/base64.h"

namespace freeplay::report {

namespace {

std::string with_data(std::string_view viewer, std::string_view data) {
  // With the brackets of the element around it: the page's program may mention the word.
  constexpr std::string_view kPlace = ">FREEPLAY_DATA<";
  const std::size_t at = viewer.find(kPlace);
  FREEPLAY_ASSERT(at != std::string_view::npos && viewer.find(kPlace, at + 1) == std::string_view::npos);
  std::string page;
  page.reserve(viewer.size() + data.size());
  page.append(viewer.substr(0, at + 1)).append(data).append(viewer.substr(at + kPlace.size() - 1));
  return page;
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string compressed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_DEFAULT_COMPRESSION);
  FREEPLAY_ASSERT(status == Z_OK);  // the buffer is large enough by its definition
  compressed.resize(size);
  return compressed;
}

// Names come from folders, so a byte that is no UTF-8 is replaced.
std::string packed_names(std::string_view first, std::string_view second) {
  const nlohmann::json names = {first, second};
  return base64(names.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace

std::string view_page(std::string_view viewer, std::string_view block) {
  return with_data(viewer, base64(deflated(block)));
}

std::string view_page_of_two(std::string_view viewer, const NamedBlock& first, const NamedBlock& second) {
  // Base64 has no '|': the two blocks, and the names as JSON.
  return with_data(viewer, base64(deflated(first.block)) + "|" + base64(deflated(second.block)) + "|" +
                               packed_names(first.label, second.label));
}

std::string served_page(std::string_view viewer) {
  return with_data(viewer, "serve:");
}

std::string served_page_of_two(std::string_view viewer, std::string_view first_label, std::string_view second_label) {
  return with_data(viewer, "serve:" + packed_names(first_label, second_label));
}

}  // namespace freeplay::report
