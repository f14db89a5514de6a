#include "freeplay/report/gnuplot/plot_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "freeplay/report/plot/plot_units.h"

namespace freeplay::test::plot_text_test {

using testing::ElementsAre;

TEST(PlotText, QuotesAreDoubledAndNothingElseIsTouched) {
  EXPECT_EQ(gnuplot_quoted("it's"), "'it''s'");
  EXPECT_EQ(gnuplot_quoted(R"(a\n"`rm`"@b{c}_d^e)"), R"('a\n"`rm`"@b{c}_d^e')");
}

TEST(PlotText, LineBreaksCannotEndACommand) {
  EXPECT_EQ(gnuplot_quoted("a\nset print 'x'\r\x01\x7f"), "'a set print ''x''   '");
}

TEST(PlotText, BrokenBytesAreReplaced) {
  EXPECT_EQ(plain_text("\xff"
                       "a"),
            "\xEF\xBF\xBD"
            "a");
  EXPECT_EQ(plain_text("\xC3"), "\xEF\xBF\xBD");                                  // cut
  EXPECT_EQ(plain_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  EXPECT_EQ(plain_text("\xEF\xBF\xBF"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // U+FFFF is not for XML
  EXPECT_EQ(plain_text("\xC2\x85"), " ");                                         // a control character beyond ASCII
  EXPECT_EQ(plain_text("ä€😀"), "ä€😀");
}

TEST(PlotText, ShortenedCountsCharactersAndCutsBetweenThem) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("ääääää", 5), "ää...");
  EXPECT_EQ(shortened(std::string(10'000, 'x'), 8), "xxxxx...");
}

TEST(PlotText, WrappedBreaksAtTheSeparatorOnly) {
  EXPECT_THAT(wrapped("aaaa; bbbb; cccc", "; ", 5), ElementsAre("aaaa; ", "bbbb; ", "cccc"));
  EXPECT_THAT(wrapped("aaaa; bbbb", "; ", 50), ElementsAre("aaaa; bbbb"));
}

TEST(AxisUnit, LengthsAndTimesAreReadable) {
  const auto text = [](const char* unit, double largest) { return choose_axis_unit(unit, largest).text; };
  EXPECT_EQ(text("m", 0.3), "mm");
  EXPECT_EQ(text("m", 0.0005), "mm");  // half a millimetre of play
  EXPECT_EQ(text("m", 8.75e-6), "um");
  EXPECT_EQ(text("m", 1.2), "m");
  EXPECT_EQ(text("s", 0.138), "ms");
  EXPECT_EQ(text("s", 1e-5), "us");
  EXPECT_EQ(text("s", 9.9999999999e-6), "us");
  EXPECT_EQ(text("s", 20000), "s");
}

TEST(AxisUnit, ForcesAndEnergiesTakePrefixesOnlyWhereNeeded) {
  EXPECT_EQ(choose_axis_unit("N", 2400).text, "N");
  EXPECT_EQ(choose_axis_unit("N", 111e3).text, "kN");
  EXPECT_EQ(choose_axis_unit("N", 111e3).size, 1e3);
  EXPECT_EQ(choose_axis_unit("J", 0.058).text, "mJ");
  EXPECT_EQ(choose_axis_unit("N m", 4e6).text, "MN m");
  EXPECT_EQ(choose_axis_unit("N s", 0.07).text, "mN s");
  EXPECT_EQ(choose_axis_unit("m/s", 0.03).text, "mm/s");
}

TEST(AxisUnit, SomeUnitsTakeNoPrefix) {
  EXPECT_EQ(choose_axis_unit("1", 1e-9).text, "");
  EXPECT_EQ(choose_axis_unit("rad/s", 1e-9).text, "rad/s");
  EXPECT_EQ(choose_axis_unit("m^2", 1e-9).text, "m^2");
  EXPECT_EQ(choose_axis_unit("kg m^2", 1e-9).text, "kg m^2");
  EXPECT_EQ(choose_axis_unit("J", 0).text, "J");
  EXPECT_EQ(choose_axis_unit("J", 5e-14).text, "J") << "rounding is rounding";
}

}  // namespace freeplay::test::plot_text_test
