#include "freeplay/report/plot_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/report/gnuplot.h"
#include "freeplay/report/plot_error.h"

namespace freeplay {

namespace fs = std::filesystem;

PictureFormat picture_format(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".svg") return PictureFormat::kSvg;
  if (ending == ".png") return PictureFormat::kPng;
  if (ending == ".pdf") return PictureFormat::kPdf;
  throw PlotError(fmt::format("the name of a picture ends with .svg, .png or .pdf, but this is '{}'", path.string()),
                  ending.empty() ? fmt::format("write {}.svg", path.string()) : "");
}

namespace {

// Cairo writes the date of today into a PDF. Figures that are kept under version control must not differ by that.
void forget_date(std::string& pdf) {
  constexpr std::string_view kKey = "/CreationDate (D:";
  const std::size_t key = pdf.find(kKey);
  if (key == std::string::npos) return;
  for (std::size_t i = 0, at = key + kKey.size(); i < 14 && at + i < pdf.size(); ++i) pdf[at + i] = "19700101000000"[i];
}

}  // namespace

std::string write_plot(const PlotFigure& figure, const PictureOptions& options, const fs::path& path) {
  auto [picture, warnings] = run_gnuplot(plot_script(figure, options));
  if (options.format == PictureFormat::kPdf) forget_date(picture);
  const auto fail = [&](int error) {
    throw IoError(fmt::format("cannot write {}{}", path.string(),
                              error != 0 ? ": " + std::generic_category().message(error) : ""));
  };
  // Under another name first: a picture that a page shows is never half of one.
  const fs::path partial = fmt::format("{}.{}.partial", path.string(), getpid());
  errno = 0;
  std::ofstream out(partial, std::ios::binary);
  if (!out) fail(errno);
  out.write(picture.data(), static_cast<std::streamsize>(picture.size()));
  out.flush();
  std::error_code error;
  if (!out) {
    const int reason = errno;
    out.close();
    fs::remove(partial, error);
    fail(reason);
  }
  out.close();
  fs::rename(partial, path, error);
  if (error) {
    const int reason = error.value();
    fs::remove(partial, error);
    fail(reason);
  }
  return warnings;
}

}  // namespace freeplay
