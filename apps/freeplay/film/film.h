// A film of a page: the page draws its pictures in a browser without a window and encodes them (WebM, GIF), or ffmpeg
// does (MP4).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace freeplay::app {

struct FilmOptions {
  std::filesystem::path file;  // its ending says what it is: .webm, .gif, .mp4
  std::optional<double> from_s, to_s, speed, magnification;
  int width = 0, height = 0;  // 0: what suits the kind
};

struct FilmReport {
  int frames = 0, width = 0, height = 0;
  double duration_s = 0;
  std::uintmax_t bytes = 0;
};

// Whether what a film of this kind needs is on this machine; throws UsageError with the cure otherwise.
void require_film_makers(const std::filesystem::path& file);

// `told` hears how far it is, from 0 to 1, and answers whether to stop: then nothing is written, and there is no
// report.
std::optional<FilmReport> make_film(const std::string& page, const FilmOptions& options,
                                    const std::function<bool(double)>& told);

}  // namespace freeplay::app
