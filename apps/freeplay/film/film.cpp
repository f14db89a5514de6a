#include "film/film.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "film/browser_session.h"
#include "freeplay/core/error.h"
#include "freeplay/report/atomic_file.h"
#include "text/error_report.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct FilmKind {
  const char *ending, *maker;  // `maker`: what the page is asked for
  bool needs_ffmpeg;
  int width, height;
};
// A browser writes WebM and GIF itself; H.264, which everything plays, it often cannot write.
constexpr std::array<FilmKind, 3> kFilmKinds = {
    {{".webm", "webm", false, 1280, 720}, {".gif", "gif", false, 640, 360}, {".mp4", "png", true, 1280, 720}}};

const FilmKind& kind_of(const fs::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const FilmKind& kind : kFilmKinds)
    if (ending == kind.ending) return kind;
  throw UsageError(fmt::format("--film '{}' has no ending that says what it is", file.string()),
                   "write --film NAME.webm, NAME.mp4 or NAME.gif");
}

std::optional<fs::path> find_browser() {
  return program_in_path({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"});
}

// A folder of its own below that for temporary files, gone with the object.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "freeplay-film-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw IoError(fmt::format("cannot make the folder {}", name));
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string contents_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  unsigned held = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) continue;  // padding
    held = (held << 6) | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((held >> bits) & 0xffU);
  }
  return bytes;
}

// H.264 with colours at half of the resolution is what every player knows.
class Mp4Encoder {
 public:
  Mp4Encoder(const fs::path& work, int rate)
      : film_(work / "film.mp4"),
        log_(work / "ffmpeg.log"),
        ffmpeg_({program_in_path({"ffmpeg"}).value_or("ffmpeg").string(),
                 "-y",
                 "-loglevel",
                 "error",
                 "-f",
                 "image2pipe",
                 "-framerate",
                 std::to_string(rate),
                 "-c:v",
                 "png",
                 "-i",
                 "-",
                 "-c:v",
                 "libx264",
                 "-pix_fmt",
                 "yuv420p",
                 "-crf",
                 "18",
                 "-movflags",
                 "+faststart",
                 film_.string()},
                {.to_child = 0, .from_child = std::nullopt}, log_) {}
  void add(std::string_view picture) {
    if (!ffmpeg_.write(picture)) fail();
  }
  std::string finish() {
    if (ffmpeg_.finish() != 0) fail();
    return contents_of(film_);
  }

 private:
  [[noreturn]] void fail() const {
    throw IoError(fmt::format("ffmpeg cannot write the film: {}", contents_of(log_).substr(0, 500)));
  }
  fs::path film_, log_;
  ChildProcess ffmpeg_;
};

json request_of(const FilmOptions& options, const FilmKind& kind) {
  json request = {{"kind", kind.maker},
                  {"width", options.width > 0 ? options.width : kind.width},
                  {"height", options.height > 0 ? options.height : kind.height},
                  {"refit", true}};
  if (options.from_s) request["from"] = *options.from_s;
  if (options.to_s) request["to"] = *options.to_s;
  if (options.speed) request["speed"] = *options.speed;
  if (options.magnification) request["magnify"] = *options.magnification;
  return request;
}

}  // namespace

void require_film_makers(const fs::path& file) {
  const FilmKind& kind = kind_of(file);
  if (!find_browser())
    throw UsageError("a film needs the browser chromium, which is not on this machine",
                     "install it (Debian: apt install chromium), or open the page of `freeplay view` and press r");
  if (kind.needs_ffmpeg && !program_in_path({"ffmpeg"}))
    throw UsageError("an MP4 film needs ffmpeg, which is not on this machine",
                     "install it (Debian: apt install ffmpeg), or write --film NAME.webm or NAME.gif");
}

std::optional<FilmReport> make_film(const std::string& page, const FilmOptions& options,
                                    const std::function<bool(double)>& told) {
  const FilmKind& kind = kind_of(options.file);
  const WorkFolder work;
  const fs::path page_file = work.path() / "page.html";
  write_file_atomically(page_file, page);
  std::signal(SIGPIPE, SIG_IGN);  // a program that has ended is told by what it does not answer
  double done = 0;
  try {
    BrowserSession browser(find_browser().value_or("chromium"), page_file, work.path(), [&] { return told(done); });
    const json plan =
        browser.evaluate(fmt::format("window.freeplayViewer.film.begin({})", request_of(options, kind).dump()));
    FilmReport made{plan.at("frames"), plan.at("width"), plan.at("height"),
                    plan.at("frames").get<double>() / plan.at("rate").get<double>(), 0};
    std::unique_ptr<Mp4Encoder> mp4;
    if (kind.needs_ffmpeg) mp4 = std::make_unique<Mp4Encoder>(work.path(), plan.at("rate").get<int>());
    for (int i = 0; i < made.frames; ++i) {
      done = static_cast<double>(i) / made.frames;
      if (told(done)) return std::nullopt;
      if (mp4)
        mp4->add(
            from_base64(browser.evaluate(fmt::format("window.freeplayViewer.film.picture({})", i)).get<std::string>()));
      else
        browser.evaluate(fmt::format("window.freeplayViewer.film.add({})", i));
    }
    const std::string film =
        mp4 ? mp4->finish() : from_base64(browser.evaluate("window.freeplayViewer.film.finish()").get<std::string>());
    made.bytes = film.size();
    write_file_atomically(options.file, film);
    return made;
  } catch (const BrowserSession::Stopped&) {
    return std::nullopt;
  }
}

}  // namespace freeplay::app
