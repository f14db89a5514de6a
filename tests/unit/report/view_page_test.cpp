#include "freeplay/report/view/view_page.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include "freeplay/report/view/base64.h"

namespace freeplay::test::view_page {
namespace {

// The examples of RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFB\xEF\xBE\xFF"), "++++/w==");
}

std::string bytes_of_base64(const std::string& text) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6 | static_cast<unsigned>(alphabet.find(c))) & 0xFFFFFF;
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xFF);
  }
  return bytes;
}

const std::string kViewer =
    "<p>FREEPLAY_DATA is a word</p><script id=\"freeplay-data\" type=\"text/plain\">FREEPLAY_DATA</script></html>";
const std::string kBefore = "<p>FREEPLAY_DATA is a word</p><script id=\"freeplay-data\" type=\"text/plain\">";
const std::string kAfter = "</script></html>";

TEST(ViewPage, HoldsTheBlockCompressed) {
  std::string block;
  for (int i = 0; i < 10'000; ++i) block += static_cast<char>(i * i / 100 % 256);
  const std::string page = report::view_page(kViewer, block);
  ASSERT_TRUE(page.starts_with(kBefore));
  ASSERT_TRUE(page.ends_with(kAfter));
  const std::string data = page.substr(kBefore.size(), page.size() - kBefore.size() - kAfter.size());
  EXPECT_EQ(data.find_first_of("<>&\"'"), std::string::npos);
  const std::string compressed = bytes_of_base64(data);
  std::string inflated(20'000, '\0');
  uLongf size = inflated.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(inflated.data()), &size,
                       reinterpret_cast<const Bytef*>(compressed.data()), compressed.size()),
            Z_OK);
  inflated.resize(size);
  EXPECT_EQ(inflated, block);
}

TEST(ViewPage, AServedPageAsksForItsData) {
  EXPECT_EQ(served_page(kViewer), kBefore + "serve:" + kAfter);
}

}  // namespace
}  // namespace freeplay::test::view_page
